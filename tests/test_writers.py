"""Threads of one process that write: one after the other, whatever becomes of them."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from app.container import Container
from tests.waiting import PATIENCE_SECONDS

THREADS, EACH = 8, 5


def add_one(container: Container) -> None:
    with container.database.unit_of_work() as session:
        read = session.execute(text("SELECT counted FROM writer_turns")).scalar_one()
        session.execute(text("UPDATE writer_turns SET counted = :next"), {"next": read + 1})


@pytest.fixture
def counted(container: Container) -> Container:
    if container.database.engine.dialect.name != "sqlite":
        pytest.skip("other servers have many writers at once")
    with container.database.unit_of_work() as session:
        session.execute(text("CREATE TABLE writer_turns (counted INTEGER NOT NULL)"))
        session.execute(text("INSERT INTO writer_turns VALUES (0)"))
    return container


def read_count(container: Container) -> int:
    with container.database.read_session() as session:
        return int(session.execute(text("SELECT counted FROM writer_turns")).scalar_one())


def test_many_threads_write_one_after_the_other(counted: Container) -> None:
    def write(_: int) -> None:
        for _ in range(EACH):
            add_one(counted)

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(write, range(THREADS)))
    assert read_count(counted) == THREADS * EACH


def test_a_thread_that_fails_in_its_turn_gives_it_on(counted: Container) -> None:
    def fail() -> None:
        with counted.database.unit_of_work() as session:
            session.execute(text("UPDATE writer_turns SET counted = 99"))
            raise RuntimeError("broke")

    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(RuntimeError, match="broke"):
            pool.submit(fail).result()
        pool.submit(add_one, counted).result()
    add_one(counted)
    assert read_count(counted) == 2


def test_a_thread_waits_until_the_turn_of_another_has_committed(counted: Container) -> None:
    began, may_end, done = threading.Event(), threading.Event(), threading.Event()

    def hold() -> None:
        with counted.database.unit_of_work() as session:
            session.execute(text("UPDATE writer_turns SET counted = counted + 1"))
            began.set()
            assert may_end.wait(PATIENCE_SECONDS)

    def follow() -> None:
        add_one(counted)
        done.set()

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(hold)
        assert began.wait(PATIENCE_SECONDS)
        assert not pool.submit(counted.database._write_lock.acquire, blocking=False).result()
        second = pool.submit(follow)
        assert not done.wait(0.1)
        may_end.set()
        first.result()
        second.result()
    assert read_count(counted) == 2
