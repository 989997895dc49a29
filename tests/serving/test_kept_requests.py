"""Requests that wait for a job take no thread, miss nothing, and end with their job, their time or their client."""

import contextlib
import time
from collections.abc import Iterator
from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from app import metrics
from app.container import Container
from app.domain.fetches import FetchFault
from app.models import ApiKey
from app.services.security import api_keys
from app.services.uploads import fetches
from app.serving import parking
from app.serving.parking import Lot
from app.web import rate_limits
from app.web.parking import MAX_WAIT_SECONDS
from app.web.rate_limits import Spent
from tests.conftest import PHOTO, Api, work
from tests.serving.conftest import THREADS, Site
from tests.serving.lines import Line
from tests.waiting import PATIENCE_SECONDS, eventually


@pytest.fixture(autouse=True)
def _quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parking, "LOOK_SECONDS", 0.02)


@pytest.fixture
def job(api: Api) -> str:
    """A job that is not settled."""
    return str(api.order(interior=[PHOTO])["jobId"])


@pytest.fixture
def stack() -> Iterator[contextlib.ExitStack]:
    with contextlib.ExitStack() as lines:
        yield lines


def head(api: Api, job: str, seconds: int = 20) -> tuple[str, str]:
    return f"GET /api/v1/jobs/{job}/status?wait={seconds} HTTP/1.1", f"Authorization: Bearer {api.secret}"


def kept(site: Site) -> int:
    """The requests that are kept and whose threads are free."""
    return sum(each.wake is not None for each in site.server.lot._stays)


def send(site: Site, stack: contextlib.ExitStack, api: Api, job: str, count: int) -> list[Line]:
    """So many requests that wait, on connections of their own."""
    lines = [stack.enter_context(site.line()) for _ in range(count)]
    for line in lines:
        line.send(*head(api, job))
    return lines


def test_200_requests_wait_beside_others_and_all_end_with_their_job(
    site: Site,
    stack: contextlib.ExitStack,
    api: Api,
    job: str,
    container: Container,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parking, "MAX_KEPT_PER_ACCOUNT", 200)
    lines = send(site, stack, api, job, 200)
    eventually("all are kept", lambda: kept(site) == 200)
    with site.line() as other:
        for _ in range(2 * THREADS):
            assert other.ask("GET /api/v1/user/credits HTTP/1.1", head(api, job)[1]).status == 200
    looks, look = [], site.server.lot.find_ended
    monkeypatch.setattr(site.server.lot, "find_ended", lambda ids: looks.append(set(ids)) or look(ids))
    eventually("one look is for all", lambda: looks[:2] == [{job}, {job}])
    assert kept(site) == 200
    work(container)
    assert {line.answer().json["status"] for line in lines} == {"approved"}
    assert site.server.lot._stays == set()
    eventually("nobody looks any longer", lambda: site.server.lot._watcher is None)


def test_the_connection_goes_on_afterwards_with_what_was_sent_meanwhile(
    site: Site, stack: contextlib.ExitStack, api: Api, job: str, container: Container
) -> None:
    (line,) = send(site, stack, api, job, 1)
    eventually("it is kept", lambda: kept(site) == 1)
    stays = [*site.server.lot._stays]
    line.send("GET /healthz HTTP/1.1")
    line.send(*head(api, job))
    work(container)
    assert [line.answer().status for _ in range(3)] == [200, 200, 200]
    # It can wait for another job.
    (first,) = stays
    second = str(api.order(interior=[PHOTO])["jobId"])
    line.send(*head(api, second))
    eventually("it is kept again", lambda: kept(site) == 1)
    # A late look at the first one does not end the second.
    first.wake()
    assert kept(site) == 1
    work(container)
    assert line.answer().json["jobId"] == second


def test_a_job_that_is_settled_just_before_its_request_is_kept_is_not_missed(
    site: Site,
    stack: contextlib.ExitStack,
    api: Api,
    job: str,
    container: Container,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    enter = Lot.enter
    monkeypatch.setattr(Lot, "enter", lambda *given: work(container) and enter(*given))
    (line,) = send(site, stack, api, job, 1)
    assert line.answer().json["status"] == "approved"


def test_when_the_time_is_over_the_answer_says_where_the_job_stands(
    site: Site, stack: contextlib.ExitStack, api: Api, job: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> set[str]:
        raise OperationalError("select", {}, Exception("the database is away"))

    # Whether or not the database can be asked meanwhile.
    monkeypatch.setattr(site.server.lot, "find_ended", fail)
    began = time.monotonic()
    with site.line() as line:
        answer = line.ask(*head(api, job, 1))
    assert (answer.status, answer.json["status"]) == (200, "pending")
    assert time.monotonic() - began >= 1
    assert site.server.lot._stays == set()


def test_a_wait_counts_as_one_request(
    site: Site,
    stack: contextlib.ExitStack,
    api: Api,
    job: str,
    container: Container,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def answered() -> float:
        labels = ("GET", "/api/v1/jobs/<job_id>/status", "200")
        return metrics.HTTP_REQUESTS.labels(*labels)._value.get()

    def spend(_: object, *who: object) -> Spent:
        amounts.append(who[-1])
        # Meanwhile the key has spent its quota on others: they are refused, not this one.
        return Spent(5 - 10 * (len(amounts) - 1), 30)

    amounts: list[object] = []
    monkeypatch.setattr(rate_limits.RedisCounters, "spend", spend)
    before = answered()
    (line,) = send(site, stack, api, job, 1)
    eventually("it is kept", lambda: kept(site) == 1)
    assert (amounts, answered()) == ([1], before)
    work(container)
    answer = line.answer()
    assert (answer.status, answer.headers["ratelimit"]) == (200, '"reads";r=0;t=30')
    assert (amounts, answered()) == ([1, 0], before + 1)


def test_a_client_that_hangs_up_is_forgotten(
    site: Site, stack: contextlib.ExitStack, api: Api, job: str, container: Container
) -> None:
    with site.line() as line:
        line.send(*head(api, job))
        eventually("it is kept", lambda: kept(site) == 1)
    eventually("it is forgotten", lambda: not site.server.lot._stays and not site.server.active_channels)
    work(container)
    with site.line() as other:
        assert other.ask(*head(api, job)).json["status"] == "approved"


def test_beyond_the_most_of_an_account_or_the_process_the_answer_comes_at_once(
    site: Site, stack: contextlib.ExitStack, api: Api, other_api: Api, job: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parking, "MAX_KEPT_PER_ACCOUNT", 2)
    site.server.lot.max_kept = 3
    theirs = str(other_api.order(interior=[PHOTO])["jobId"])
    send(site, stack, api, job, 2)
    eventually("they are kept", lambda: kept(site) == 2)
    with site.line() as line:
        assert line.ask(*head(api, job)).json["status"] == "pending"
    send(site, stack, other_api, theirs, 1)
    eventually("another account's is kept, too", lambda: kept(site) == 3)
    with site.line() as line:
        assert line.ask(*head(other_api, theirs)).json["status"] == "pending"


def test_a_server_that_stops_answers_all_at_once_and_keeps_none(
    site: Site, stack: contextlib.ExitStack, api: Api, job: str
) -> None:
    lines = send(site, stack, api, job, 3)
    late = stack.enter_context(site.line())
    assert late.ask("GET /healthz HTTP/1.1").status == 200
    eventually("they are kept", lambda: kept(site) == 3)
    began = time.monotonic()
    site.server.drain()
    for line in (*lines, late):
        answer = line.ask(*head(api, job)) if line is late else line.answer()
        assert (answer.json["status"], answer.headers["connection"]) == ("pending", "close")
        assert line.is_closed()
    assert time.monotonic() - began < MAX_WAIT_SECONDS


def test_a_key_that_is_revoked_meanwhile_learns_nothing(
    site: Site, stack: contextlib.ExitStack, api: Api, job: str, container: Container
) -> None:
    (line,) = send(site, stack, api, job, 1)
    eventually("it is kept", lambda: kept(site) == 1)
    with container.database.unit_of_work() as session:
        key = session.scalars(select(ApiKey.id).where(ApiKey.account_id == api.account_id)).one()
        api_keys.revoke(session, api.account_id, key, container.clock() - timedelta(seconds=1))
    work(container)
    assert line.answer().json["code"] == "unauthorized"


def test_only_a_status_that_may_still_change_is_waited_for(
    site: Site, api: Api, other_api: Api, job: str, container: Container
) -> None:
    with site.line() as line:
        assert line.ask(*head(other_api, job)).json["code"] == "not_found"
        work(container)
        assert line.ask(*head(api, job)).json["status"] == "approved"
    assert site.server.lot._watcher is None, "nothing was ever kept"


@pytest.mark.parametrize("wait", ["0", "21", "-1", "", "x", "1.5", "1e1", "٣", "9" * 5000])
def test_a_wait_is_a_number_of_seconds(api: Api, job: str, wait: str) -> None:
    refused = api.get(f"/jobs/{job}/status", query_string={"wait": wait})
    assert (refused.status_code, refused.json["code"]) == (400, "invalid_request")
    assert refused.json["details"].keys() == {"wait"}


def test_another_server_answers_at_once_and_other_parameters_are_nobodys(api: Api, job: str) -> None:
    began = time.monotonic()
    assert api.get(f"/jobs/{job}/status?wait=20&_=1").json["status"] == "pending"
    assert time.monotonic() - began < min(20, PATIENCE_SECONDS)


def test_files_that_are_fetched_can_be_waited_for(
    site: Site, stack: contextlib.ExitStack, api: Api, container: Container
) -> None:
    files = [{"type": "interior", "url": "https://photos.example/a.jpg"}]
    session_id = api.post("/orders/upload-urls", {"files": files}).json["uploadSessionId"]
    line = stack.enter_context(site.line())
    line.send(f"GET /api/v1/orders/{session_id}/fetches?wait=20 HTTP/1.1", f"Authorization: Bearer {api.secret}")
    eventually("it is kept", lambda: kept(site) == 1)
    with container.database.unit_of_work() as session:
        held = fetches.claim_next(session, container.clock())
        assert held is not None
        assert fetches.give_up(session, held, FetchFault.REFUSED, 404)
    (file,) = line.answer().json["files"]
    assert (file["status"], file["code"], file["httpStatus"]) == ("failed", "refused", 404)
