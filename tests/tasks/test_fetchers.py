"""The threads that fetch files: woken by a notification, busy while any is due, never waited for."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy.exc import OperationalError

from app.container import Container
from app.tasks import hooks, runtime
from app.tasks.fetches import Fetchers
from tests.api.test_fetches_api import URL, FakeSource, ask, states
from tests.conftest import PHOTO, Api
from tests.waiting import PATIENCE_SECONDS


@pytest.fixture
def source(container: Container) -> FakeSource:
    container.file_source = FakeSource()
    runtime.use(container)
    return container.file_source


def is_idle(fetchers: Fetchers) -> bool:
    """Whether no thread is busy any longer."""
    with fetchers._changed:
        return fetchers._changed.wait_for(lambda: not fetchers._busy, PATIENCE_SECONDS)


def test_one_notification_of_a_key_is_enough_for_all_that_are_due(
    api: Api, source: FakeSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Fetchers(2)
    monkeypatch.setattr(hooks, "fetchers", lambda: here)
    room = ask(api, *(("interior", f"{URL}?{number}") for number in range(7)))
    hooks.deliver_slow(room["interiorUrls"][0]["filePath"])
    assert is_idle(here)
    assert states(api, room["uploadSessionId"]) == [("stored", None)] * 7


def test_a_wake_up_waits_for_no_slow_server_and_a_stop_begins_no_other_file(api: Api, source: FakeSource) -> None:
    slow, begun = threading.Event(), threading.Event()

    @contextmanager
    def hang(url: str) -> Iterator[Iterator[bytes]]:
        source.asked.append(url)
        begun.set()
        assert slow.wait(PATIENCE_SECONDS)
        yield iter([PHOTO])

    source.open = hang
    session_id = ask(api, ("interior", URL), ("interior", f"{URL}?2"))["uploadSessionId"]
    here = Fetchers(1)
    for _ in range(100):
        here.wake()
    assert begun.wait(PATIENCE_SECONDS)
    assert not here.drain(0)
    slow.set()
    assert here.drain(PATIENCE_SECONDS)
    assert len(source.asked) == 1
    assert sorted(status for status, _ in states(api, session_id)) == ["fetching", "stored"]


def test_a_database_that_is_away_ends_no_thread_for_good(
    api: Api, container: Container, source: FakeSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(_: object) -> bool:
        raise OperationalError("select", {}, Exception("the database is away"))

    session_id = ask(api, ("interior", URL))["uploadSessionId"]
    here = Fetchers(1)
    with monkeypatch.context() as patch:
        patch.setattr(type(container.fetch_worker), "fetch_next", away)
        here.wake()
        assert is_idle(here)
    here.wake()
    assert is_idle(here)
    assert states(api, session_id) == [("stored", None)]
