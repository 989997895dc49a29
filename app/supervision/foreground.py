"""Runs the service's programs under supervisord in the foreground, and ends all their processes at the end."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from app.secret_key import secret_key
from app.settings import Settings, child_environment
from app.supervision.configuration import render
from app.supervision.instance import MARK, end_leftovers, mark_of
from app.supervision.programs import Program

CHECKOUT = Path(__file__).parents[2]
ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# How long supervisord may take to end its programs. With the waits of `end_leftovers`, a stop takes less than 10 s.
STOP_SECONDS = 6.0


def supervise(settings: Settings, programs: list[Program], announce: Callable[[], Iterable[str]]) -> int:
    """Keep `programs` running until a signal in ENDING_SIGNALS; then return 0. Return 1 if supervisord itself died.

    Prints the output of the programs, and the lines of `announce`, which a thread reads, so it may wait for the
    programs. When this returns, all processes that the programs started have ended.
    """
    configuration = _write_configuration(settings.data_dir, programs)
    environment = {
        **child_environment(settings, secret_key(settings)),
        MARK: mark_of(settings.data_dir),
        "PYTHONUNBUFFERED": "1",
    }
    with _raise_interrupt_on_signals():
        try:
            return _run(configuration, environment, announce)
        except KeyboardInterrupt:
            # The signal came while supervisord was being started; `end_leftovers` finds it by its mark.
            return 0
        finally:
            _ignore_signals()
            # Some processes are not in supervisord's process groups, such as the work-horse of a killed worker.
            end_leftovers(settings.data_dir)


def _write_configuration(data_dir: Path, programs: list[Program]) -> Path:
    run_dir = data_dir / "run"
    run_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    configuration = run_dir / "supervisord.conf"
    configuration.write_text(render(programs, run_dir))
    return configuration


def _run(configuration: Path, environment: dict[str, str], announce: Callable[[], Iterable[str]]) -> int:
    supervisord = _start(configuration, environment)
    announced = (f"{line}\n".encode() for line in announce())
    for lines in (supervisord.stdout, announced):
        threading.Thread(target=_relay, args=(lines,), daemon=True).start()
    try:
        status = supervisord.wait()
    except KeyboardInterrupt:
        # A second Ctrl-C must not interrupt the clean-up.
        _ignore_signals()
        supervisord.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            supervisord.wait(STOP_SECONDS)
        return 0
    if status != 0:
        print(f"brightlist: the supervisor died (status {status}); start again to continue", file=sys.stderr)
    return min(abs(status), 1)


def _start(configuration: Path, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    # In its own session, so that a Ctrl-C or a closed terminal signals only this process, which then ends the
    # others. supervisord would restart everything at the SIGHUP of a closed terminal.
    return subprocess.Popen(
        [sys.executable, "-m", "supervisor.supervisord", "--configuration", str(configuration)],
        cwd=CHECKOUT,
        env=environment,
        umask=0o077,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def _relay(lines: Iterable[bytes]) -> None:
    # supervisord opens its stdout a second time, which overwrites a file and fails on a socket: so it gets a pipe.
    for line in lines:
        try:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        except OSError:
            # The reader of stdout or the terminal is gone; the service continues without it.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def _raise_interrupt_on_signals() -> Iterator[None]:
    """Raise KeyboardInterrupt at a signal in ENDING_SIGNALS during the block."""
    before = {number: signal.signal(number, signal.default_int_handler) for number in ENDING_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _ignore_signals() -> None:
    for number in ENDING_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
