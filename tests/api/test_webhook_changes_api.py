"""One webhook over the API: read, changed, switched off and on, given a new secret, tested."""

from typing import Any

import pytest

from app.container import Container
from tests.conftest import PHOTO, Api
from tests.fakes import FakeClock
from tests.services.hooks import FakeTransport, all_deliveries, answered, deliver_all, webhook

URL = "https://agency.example/hooks"


@pytest.fixture(autouse=True)
def transport(container: Container) -> FakeTransport:
    container.transport = FakeTransport()
    return container.transport


@pytest.fixture
def hook(api: Api) -> str:
    made: str = api.post("/webhooks", {"url": URL, "events": ["job.created"]}).json["id"]
    return made


def patch(api: Api, hook: str, change: Any) -> Any:
    return api.call("PATCH", f"/webhooks/{hook}", json=change)


def without_mode(answer: dict[str, Any]) -> dict[str, Any]:
    """What the same webhook is in a list, which says the mode once."""
    return {name: value for name, value in answer.items() if name != "livemode"}


def test_one_is_read_with_how_it_does(api: Api, container: Container, hook: str) -> None:
    api.order([PHOTO])
    deliver_all(container)
    found = api.get(f"/webhooks/{hook}").json
    assert found["health"].pop("lastSuccessAt")
    assert found["health"].pop("secondsP95") == 0
    counts = {"attempts": 1, "succeeded": 1, "waiting": 0, "held": 0, "failed": 0}
    assert found.pop("health") == {"condition": "well", **counts}
    assert [without_mode(found)] == api.get("/webhooks").json["webhooks"]


def test_what_is_given_is_changed_and_nothing_else(api: Api, hook: str) -> None:
    before = patch(api, hook, {}).json
    assert patch(api, hook, {"url": "https://new.example/"}).json == {**before, "url": "https://new.example/"}
    events = ["job.approved", "job.failed"]
    changed = patch(api, hook, {"events": events, "url": None}).json
    assert changed == {**before, "url": "https://new.example/", "events": events}
    assert [without_mode(changed)] == api.get("/webhooks").json["webhooks"]
    like_new = patch(api, hook, {"events": []}).json["events"]
    assert like_new == api.post("/webhooks", {"url": URL}).json["events"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"url": "https://private.example/"}, "url"),
        ({"url": ""}, "url"),
        ({"events": ["job.exploded"]}, "events[0]"),
        ({"events": ["job.failed", "job.failed"]}, "events[1]"),
        ({"active": "yes"}, "active"),
        ({"secret": "mine"}, "secret"),
    ],
)
def test_a_faulty_change_names_its_field_and_changes_nothing(
    api: Api, hook: str, change: dict[str, Any], field: str
) -> None:
    before = api.get("/webhooks").json
    refused = patch(api, hook, {"active": False, **change})
    assert (refused.status_code, list(refused.json["details"])) == (400, [field])
    assert api.get("/webhooks").json == before


def test_gone_switches_it_off_and_a_program_switches_it_on_again_and_releases_what_was_held(
    api: Api, container: Container, transport: FakeTransport, hook: str
) -> None:
    transport.results = [answered(410)]
    api.order([PHOTO])
    deliver_all(container)
    off = api.get(f"/webhooks/{hook}").json
    assert (off["active"], off["offReason"]) == (False, "The receiver answered 410 Gone.")
    api.order([PHOTO])
    for path in (f"/webhooks/{hook}/test", f"/webhooks/{hook}/release"):
        assert api.post(path).status_code == 409
    transport.results = [answered(200)]
    on = patch(api, hook, {"active": True}).json
    assert (on["active"], "offReason" in on) == (True, False)
    assert api.get(f"/webhooks/{hook}").json["health"]["held"] == 1
    assert api.post(f"/webhooks/{hook}/release").json == {"livemode": True, "count": 1}
    deliver_all(container)
    assert [each.state for each in all_deliveries(container)] == ["failed", "succeeded"]


def test_a_pending_secret_is_replaced_only_on_purpose(api: Api, container: Container, hook: str) -> None:
    path = f"/webhooks/{hook}/secret"
    first = api.post(path, {}, headers={"Idempotency-Key": "a"})
    assert first.status_code == 201
    assert first.json["newSecretFrom"] > first.json["createdAt"]
    assert api.post(path, {}, headers={"Idempotency-Key": "a"}).json == first.json
    refused = api.post(path, {})
    assert (refused.status_code, refused.json["code"]) == (409, "conflict")
    second = api.post(path, {"replacePending": True}).json["secret"]
    assert second != first.json["secret"]
    switched = api.post(f"{path}/switch").json
    assert "newSecretFrom" not in switched and "secret" not in switched
    assert api.post(f"{path}/switch").status_code == 409
    assert container.vault.open(webhook(container, hook).secret) == second


def test_a_rotation_whose_time_is_over_is_not_pending(api: Api, clock: FakeClock, hook: str) -> None:
    api.post(f"/webhooks/{hook}/secret", {})
    clock.pass_(hours=24)
    assert "newSecretFrom" not in api.get(f"/webhooks/{hook}").json
    assert api.post(f"/webhooks/{hook}/secret", {}).status_code == 201


def test_a_test_event_is_sent_once_for_one_key(api: Api, container: Container, hook: str) -> None:
    sent = [api.post(f"/webhooks/{hook}/test", headers={"Idempotency-Key": "t"}) for _ in range(2)]
    assert {(each.status_code, each.json["status"], each.json["event"]) for each in sent} == {
        (201, "waiting", "webhook.test")
    }
    assert deliver_all(container) == 1
    (delivery,) = all_deliveries(container)
    found = api.get(f"/deliveries/{delivery.id}").json
    assert (found["id"], found["status"], found["responseStatus"]) == (sent[0].json["id"], "succeeded", 200)
