"""Keeps one running service to a DATA_DIR and a PORT, and ends what a killed one left behind."""

import contextlib
import fcntl
import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

# Every process of a service carries DATA_DIR in this variable, grandchildren included.
MARK = "BRIGHTLIST_INSTANCE"
TERMINATE_SECONDS = 1.5
KILL_SECONDS = 1.0
LETTING_GO_SECONDS = 8.0
"""How long killed processes may keep their port on a busy machine."""


class UpRefusedError(Exception):
    """The service cannot be started now; the text says why and what to do."""


def mark(data_dir: Path) -> str:
    """What the processes of this DATA_DIR carry, whichever way its path is written."""
    return str(data_dir.resolve())


@contextlib.contextmanager
def hold(data_dir: Path) -> Iterator[None]:
    """Keep DATA_DIR (made when absent, private) to this process. Raises UpRefusedError when another holds it.

    The kernel lets go when this process ends, however it ends; its children do not inherit the lock.
    """
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (data_dir / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UpRefusedError(
                f"DATA_DIR: {data_dir} is in use by another run; stop that, or set DATA_DIR to another folder"
            ) from None
        yield


def require_free_port(host: str, port: int, patience_seconds: float = 0) -> None:
    """Raise UpRefusedError, naming PORT and HOST, when a server could not listen there, even after so long."""
    deadline = time.monotonic() + patience_seconds
    while True:
        try:
            _try_to_listen(host, port)
            return
        except UpRefusedError:
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
        raise UpRefusedError(
            f"PORT: cannot listen on port {port} of HOST {host} ({error.strerror}); "
            "stop the program that uses it, or set PORT to another number"
        ) from None


def end_leftovers(data_dir: Path) -> bool:
    """End every process that carries this DATA_DIR's mark, by SIGTERM and then SIGKILL, and wait for them.

    Returns whether there were any.
    """
    some = bool(find_processes(data_dir))
    for number, patience_seconds in ((signal.SIGTERM, TERMINATE_SECONDS), (signal.SIGKILL, KILL_SECONDS)):
        # All at once: a supervisor that is asked after its programs would start them again.
        for process in find_processes(data_dir):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.send_signal(number)
        # Looked up again rather than waited for: an orphan may stay a zombie where nobody collects it.
        deadline = time.monotonic() + patience_seconds
        while find_processes(data_dir) and time.monotonic() < deadline:
            time.sleep(0.05)
    return some


def find_processes(data_dir: Path) -> list[psutil.Process]:
    """The living processes of this DATA_DIR, other than this one and those that it was started by."""
    wanted = mark(data_dir)
    own = {os.getpid(), *(parent.pid for parent in psutil.Process().parents())}
    return [process for process in psutil.process_iter() if process.pid not in own and _mark_of(process) == wanted]


def _mark_of(process: psutil.Process) -> str | None:
    try:
        return process.environ().get(MARK)
    except (psutil.Error, OSError):
        # Gone meanwhile, a zombie, or another user's: none of ours.
        return None
