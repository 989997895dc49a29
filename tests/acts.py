"""What tests do in one step: a file stored, an account deleted, a process killed, several acts at a time."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from app.container import Container
from app.domain.ports import Storage
from app.services.retention import account_deletion


class KilledError(BaseException):
    """The process is gone: nothing after it runs."""


def killed() -> None:
    raise KilledError


def put(storage: Storage, key: str, content: bytes) -> None:
    """Store a file, in the place of any other with this key."""
    writing = storage.create(key, len(content))
    writing.write(content)
    writing.publish()


def delete_account(container: Container, account_id: str) -> None:
    with container.database.unit_of_work() as session:
        account_deletion.delete_account(session, account_id, container.clock())


def expire(container: Container) -> None:
    """Let the time pass for which orders are kept, and what is due then be removed."""
    container.clock.pass_(days=8)
    container.sweep.expire_jobs()
    container.sweep.purge_files()


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """What came of each, all begun together: its value, or what it raised."""
    together = Barrier(len(acts))

    def one(act: Callable[[], Any]) -> Any:
        together.wait(60)
        try:
            return act()
        except Exception as error:
            return error

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(one, acts))
