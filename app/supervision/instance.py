"""Makes sure that only one service runs with a DATA_DIR and a PORT; ends processes that a killed one left."""

import contextlib
import fcntl
import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

# Environment variable with the DATA_DIR, which all processes of a service inherit.
MARK = "BRIGHTLIST_INSTANCE"
TERMINATE_SECONDS = 1.5
KILL_SECONDS = 1.0
PORT_RELEASE_SECONDS = 8.0
"""How long to wait for the port of killed processes, which a busy machine may free late."""


class StartRefusedError(Exception):
    """The service cannot be started now; the text says why and what to do."""


def mark_of(data_dir: Path) -> str:
    """The value of MARK for the processes of this DATA_DIR: its absolute path without symbolic links."""
    return str(data_dir.resolve())


@contextlib.contextmanager
def lock_data_dir(data_dir: Path) -> Iterator[None]:
    """Lock DATA_DIR during the block; create it, with mode 0700, if it is missing.

    Raises StartRefusedError when another process has the lock. The kernel removes the lock when this process ends,
    also after a crash; child processes do not inherit it.
    """
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (data_dir / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StartRefusedError(
                f"DATA_DIR: {data_dir} is in use by another run; stop that, or set DATA_DIR to another folder"
            ) from None
        yield


def require_free_port(host: str, port: int, patience_seconds: float = 0) -> None:
    """Raise StartRefusedError if a server still cannot listen on the port after `patience_seconds`."""
    deadline = time.monotonic() + patience_seconds
    while True:
        try:
            _try_to_listen(host, port)
            return
        except StartRefusedError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(0.1)


def _try_to_listen(host: str, port: int) -> None:
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise StartRefusedError(
            f"PORT: cannot listen on port {port} of HOST {host} ({error.strerror}); "
            "stop the program that uses it, or set PORT to another number"
        ) from None


def end_leftovers(data_dir: Path) -> bool:
    """End every process with this DATA_DIR's mark, by SIGTERM and then SIGKILL, and wait for them.

    Returns whether there were any.
    """
    found_any = bool(find_processes(data_dir))
    for number, patience_seconds in ((signal.SIGTERM, TERMINATE_SECONDS), (signal.SIGKILL, KILL_SECONDS)):
        # All at the same time: a supervisor that still runs would restart programs that have ended.
        for process in find_processes(data_dir):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.send_signal(number)
        # Look the processes up instead of waiting for them: orphans may stay zombies if no parent waits for them.
        deadline = time.monotonic() + patience_seconds
        while find_processes(data_dir) and time.monotonic() < deadline:
            time.sleep(0.05)
    return found_any


def find_processes(data_dir: Path) -> list[psutil.Process]:
    """The running processes of this DATA_DIR, without this process and its parents."""
    wanted = mark_of(data_dir)
    own = {os.getpid(), *(parent.pid for parent in psutil.Process().parents())}
    return [
        process for process in psutil.process_iter() if process.pid not in own and _read_mark(process) == wanted
    ]


def _read_mark(process: psutil.Process) -> str | None:
    try:
        return process.environ().get(MARK)
    except (psutil.Error, OSError):
        # The process has ended, is a zombie, or belongs to another user, so it is not one of ours.
        return None
