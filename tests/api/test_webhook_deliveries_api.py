"""Deliveries over the API: listed page by page, read with their attempts, sent again."""

import json
from typing import Any

import pytest

from app.container import Container
from tests.conftest import PHOTO, Api
from tests.fakes import FakeClock
from tests.services.hooks import (
    TIMEOUT,
    FakeTransport,
    all_deliveries,
    answered,
    deliver_all,
    fail_for_good,
    register,
)
from tests.statements import counted


@pytest.fixture(autouse=True)
def transport(container: Container) -> FakeTransport:
    container.transport = FakeTransport()
    return container.transport


def listed(api: Api, hook: str, **query: Any) -> dict[str, Any]:
    answer = api.get(f"/webhooks/{hook}/deliveries", query_string=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json
    return found


def test_every_delivery_is_on_one_page_newest_first_in_as_many_queries(
    api: Api, container: Container, transport: FakeTransport
) -> None:
    hook, _ = register(container, api.account_id, "job.created")
    transport.results = [answered(500)]
    for _ in range(5):
        api.order([PHOTO])
    deliver_all(container)
    pages = [listed(api, hook, limit=2)]
    while pages[-1]["nextCursor"]:
        pages.append(listed(api, hook, limit=2, cursor=pages[-1]["nextCursor"]))
    assert [len(page["deliveries"]) for page in pages] == [2, 2, 1]
    rows = [row for page in pages for row in page["deliveries"]]
    assert [row["id"] for row in rows] == [each.id for each in all_deliveries(container)][::-1]
    assert {(row["status"], row["attemptsMade"], row["responseStatus"]) for row in rows} == {("waiting", 1, 500)}
    assert counted(lambda: listed(api, hook, limit=1)) == counted(lambda: listed(api, hook, limit=5))


def test_it_is_narrowed_by_status_event_job_and_time(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    hook, _ = register(container, api.account_id, "job.created", "webhook.test")
    first = api.order([PHOTO])["jobId"]
    api.post(f"/webhooks/{hook}/test")
    deliver_all(container)
    clock.pass_(hours=1)
    transport.results = [answered(500)]
    api.order([PHOTO])
    deliver_all(container)
    for query, count in [
        ({"status": "succeeded"}, 2),
        ({"status": "waiting"}, 1),
        ({"event": "webhook.test"}, 1),
        ({"jobId": first}, 1),
        ({"jobId": "job_x"}, 0),
        ({"since": clock().isoformat()}, 1),
        ({"since": "2026-01-01T00:00:00Z", "event": "job.created", "status": "succeeded"}, 1),
    ]:
        assert len(listed(api, hook, **query)["deliveries"]) == count, query


def test_faulty_queries_name_their_parameters(api: Api, container: Container, subtests: pytest.Subtests) -> None:
    hook, _ = register(container, api.account_id)
    for query in [
        {"limit": 0},
        {"limit": 101},
        {"limit": "many"},
        {"cursor": "dlv_" + "0" * 22},
        {"cursor": "x" * 5000},
        {"status": "lost"},
        {"event": "job.exploded"},
        {"since": "yesterday"},
        {"since": "2026-01-01T00:00:00"},
        {"since": "0001-01-01T00:00:00+14:00"},
        {"page": 2},
    ]:
        with subtests.test(query=query):
            refused = api.get(f"/webhooks/{hook}/deliveries", query_string=query)
            assert (refused.status_code, list(refused.json["details"])) == (400, list(query))


def test_one_is_read_with_what_is_sent_and_every_attempt(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    hook, _ = register(container, api.account_id, "job.created")
    job = api.order([PHOTO])["jobId"]
    transport.results = [answered(500, body=b"\xffno\x00" * 2000, headers={"X-Why": "1"}), TIMEOUT]
    deliver_all(container)
    clock.pass_(seconds=40)
    container.sweep.notify_due_deliveries()
    deliver_all(container)
    (delivery,) = all_deliveries(container)
    found = api.get(f"/deliveries/{delivery.id}").json
    assert found["payload"] == json.loads(transport.sent[0].body)
    assert (found["webhookId"], found["jobId"], found["attemptsMade"]) == (hook, job, 2)
    timeout, rejected = found["attempts"]
    assert (timeout["number"], timeout["outcome"]) == (2, "timeout")
    assert (rejected["responseStatus"], rejected["responseHeaders"]) == (500, {"X-Why": "1"})
    assert len(rejected["responseBody"]) == 2000
    assert rejected["responseBody"].startswith("\ufffdno ")
    assert api.post(f"/deliveries/{delivery.id}/redeliver").status_code == 409
    assert api.post(f"/deliveries/{delivery.id}/retry").json["nextAttemptAt"] <= timeout["endedAt"]


def test_failed_ones_are_sent_again_one_by_one_or_all_since_a_time(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    hook, _ = register(container, api.account_id, "job.created")
    transport.results = [answered(500)]
    fail_for_good(api, container, clock, times=2)
    assert [row["status"] for row in listed(api, hook)["deliveries"]] == ["failed"] * 2
    transport.results, before = [answered(200)], len(transport.sent)
    one = all_deliveries(container)[0]
    again = api.post(f"/deliveries/{one.id}/redeliver", headers={"Idempotency-Key": "r"})
    assert (again.status_code, again.json["status"]) == (200, "waiting")
    deliver_all(container)
    replayed = api.post(f"/deliveries/{one.id}/redeliver", headers={"Idempotency-Key": "r"})
    assert replayed.json == again.json
    assert deliver_all(container) == 0
    assert [each.headers["X-Service-Delivery"] for each in transport.sent[before:]] == [one.id]
    assert api.post(f"/webhooks/{hook}/redeliver", {"since": clock().isoformat()}).json == {
        "livemode": True,
        "count": 0,
    }
    assert api.post(f"/webhooks/{hook}/redeliver", {"since": "2026-01-01T00:00:00Z"}).json == {
        "livemode": True,
        "count": 1,
    }
    deliver_all(container)
    assert [row["status"] for row in listed(api, hook)["deliveries"]] == ["succeeded"] * 2
    assert api.post(f"/webhooks/{hook}/redeliver", {}).status_code == 400
