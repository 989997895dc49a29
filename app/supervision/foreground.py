"""Runs supervisord in the foreground with the service's programs, and leaves no process behind."""

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
from app.supervision.instance import MARK, end_leftovers, mark
from app.supervision.programs import Program

CHECKOUT = Path(__file__).parents[2]
ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# What supervisord may take to end its programs; together with `end_leftovers` it stays below 10 s.
STOP_SECONDS = 6.0


def supervise(settings: Settings, programs: list[Program], announce: Callable[[], Iterable[str]]) -> int:
    """Keep `programs` running until a signal asks to end; returns 0 then, and 1 when supervisord itself died.

    Their output appears on stdout, with the lines of `announce`, which may wait for the programs: a thread of its
    own goes through them. Nothing they started is alive when this returns.
    """
    configuration = _write_configuration(settings.data_dir, programs)
    environment = {
        **child_environment(settings, secret_key(settings)),
        MARK: mark(settings.data_dir),
        "PYTHONUNBUFFERED": "1",
    }
    with _signals_as_interrupt():
        try:
            return _run(configuration, environment, announce)
        except KeyboardInterrupt:
            # It came between the two steps of starting supervisord; the mark finds that too.
            return 0
        finally:
            _ignore_signals()
            # The work-horse of a killed worker, for instance, is in nobody's process group.
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
        # Asking twice must not cut the clean-up short.
        _ignore_signals()
        supervisord.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            supervisord.wait(STOP_SECONDS)
        return 0
    if status != 0:
        print(f"brightlist: the supervisor died (status {status}); start again to continue", file=sys.stderr)
    return min(abs(status), 1)


def _start(configuration: Path, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    # Its own session: a Ctrl-C or a closed terminal reaches this process alone, which ends the rest in order.
    # (supervisord would take the terminal's SIGHUP for "restart everything".)
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
    # supervisord opens its stdout a second time, which spoils a file and fails on a socket: it gets a pipe.
    for line in lines:
        try:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        except OSError:
            # The reader or the terminal went away: that alone is no reason to stop serving.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def _signals_as_interrupt() -> Iterator[None]:
    before = {number: signal.signal(number, signal.default_int_handler) for number in ENDING_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _ignore_signals() -> None:
    for number in ENDING_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
