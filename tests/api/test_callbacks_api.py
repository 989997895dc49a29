"""Callbacks of orders over the API: named, vetted, signed for, sent to, ended with the order."""

import json
from io import BytesIO
from typing import Any

import pytest

from app.container import Container
from app.models import CallbackSecret, Mail, Webhook
from app.services.retention import expiry
from app.services.webhooks import callbacks
from tests.conftest import PHOTO, Api, order_body, work
from tests.fakes import FakeClock
from tests.services.hooks import (
    FakeTransport,
    all_deliveries,
    answered,
    deliver_all,
    fail_for_good,
    register,
)
from tests.services.webhooks.test_webhooks import signed_by_standard, signed_for_interface

URL = "https://agency.example/orders/1"
OTHER = "https://agency.example/orders/2"


@pytest.fixture(autouse=True)
def transport(container: Container) -> FakeTransport:
    container.transport = FakeTransport()
    return container.transport


@pytest.fixture
def secret(api: Api) -> str:
    made = api.post("/callbacks/secret", {})
    assert made.status_code == 201
    found: str = made.json["secret"]
    return found


def place(api: Api, url: Any, multipart: bool = False) -> Any:
    if multipart:
        fields = {
            key: each if key in ("address", "serviceType") else json.dumps(each)
            for key, each in order_body().items()
        }
        return api.post("/orders", data={**fields, "callbackUrl": url, "interiorPhoto0": (BytesIO(PHOTO), "a.jpg")})
    return api.post("/orders/from-uploads", {**order_body(), **api.upload([PHOTO]), "callbackUrl": url})


def expire(container: Container, job_id: str) -> None:
    with container.database.unit_of_work() as session:
        expiry.expire(session, job_id, container.clock())


@pytest.mark.parametrize("multipart", [False, True])
def test_before_anything_is_charged_it_is_vetted_like_the_url_of_a_webhook(api: Api, multipart: bool) -> None:
    before = api.get("/user/credits").json["credits"]
    for url in (URL, "https://private.example/"):
        refused = place(api, url, multipart)
        assert (refused.status_code, list(refused.json["details"])) == (400, ["callbackUrl"])
        assert api.post("/callbacks/secret", {"replacePending": True}).status_code == 201
    assert place(api, "x" * 3000, multipart).status_code == 400
    assert api.get("/user/credits").json["credits"] == before


@pytest.mark.parametrize("multipart", [False, True])
def test_it_gets_the_events_of_its_order_alone_signed_with_the_callback_secret(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock, secret: str, multipart: bool
) -> None:
    register(container, api.account_id, "job.failed")
    assert place(api, URL, multipart).status_code == 200
    api.order([PHOTO])
    deliver_all(container)
    work(container)
    deliver_all(container)
    events = [each.headers["X-Service-Event"] for each in transport.sent]
    assert events == ["job.created", "job.processing", "job.completed", "job.approved"]
    assert {each.url for each in transport.sent} == {URL}
    assert all(signed_for_interface(each, secret) for each in transport.sent)
    assert all(signed_by_standard(each, secret, clock) for each in transport.sent)
    ((callback,), (hook,)) = api.get("/callbacks").json["callbacks"], api.get("/webhooks").json["webhooks"]
    assert callback["url"] == URL != hook["url"]
    log = api.get(f"/webhooks/{callback['id']}/deliveries").json["deliveries"]
    assert [each["event"] for each in log] == events[::-1]


def test_orders_share_a_url_which_is_vetted_once_and_counts_as_no_webhook(
    api: Api, transport: FakeTransport, clock: FakeClock, secret: str
) -> None:
    vetted: list[str] = []
    transport.vet = vetted.append
    for url in (URL, URL, OTHER):
        assert place(api, url).status_code == 200
        clock.pass_(seconds=1)
    assert vetted == [URL, OTHER]
    first = api.get("/callbacks?limit=1").json
    rest = api.get(f"/callbacks?limit=1&cursor={first['nextCursor']}").json
    assert [each["callbacks"][0]["url"] for each in (first, rest)] == [OTHER, URL]
    assert rest["nextCursor"] is None
    assert api.get("/callbacks?cursor=whk_x").status_code == 400
    for _ in range(20):
        assert api.post("/webhooks", {"url": "https://agency.example/"}).status_code == 201


def test_the_same_order_with_another_callback_is_another_order(api: Api, secret: str) -> None:
    body = {**order_body(), **api.upload([PHOTO]), "callbackUrl": URL}
    first = api.post("/orders/from-uploads", body)
    assert api.post("/orders/from-uploads", body).json == first.json
    assert api.post("/orders/from-uploads", {**body, "callbackUrl": OTHER}).status_code == 409


def test_nothing_is_sent_for_an_order_that_has_expired_and_the_url_goes_with_the_last(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock, secret: str
) -> None:
    transport.results = [answered(500)]
    first, second = (place(api, URL).json["jobId"] for _ in range(2))
    deliver_all(container)
    expire(container, first)
    ended, waiting = all_deliveries(container)
    assert (ended.state, waiting.state) == ("failed", "waiting")
    assert api.post(f"/deliveries/{ended.id}/redeliver").status_code == 409
    hook = api.get("/callbacks").json["callbacks"][0]["id"]
    assert api.post(f"/webhooks/{hook}/redeliver", {"since": "2026-01-01T00:00:00Z"}).json == {
        "livemode": True,
        "count": 0,
    }
    expire(container, second)
    assert {each.state for each in all_deliveries(container)} == {"failed"}
    assert api.get("/callbacks").json["callbacks"] == []
    assert api.get(f"/webhooks/{hook}").status_code == 404
    container.sweep.forget_old_deliveries()
    with container.database.read_session() as session:
        assert session.query(Webhook).count() == 0


def test_a_callback_is_switched_off_and_deleted_like_a_webhook_but_not_pointed_elsewhere(
    api: Api, container: Container, transport: FakeTransport, secret: str
) -> None:
    job = place(api, URL).json["jobId"]
    (callback,) = api.get("/callbacks").json["callbacks"]
    path = f"/webhooks/{callback['id']}"
    assert api.call("PATCH", path, json={"url": OTHER}).status_code == 409
    assert api.call("PATCH", path, json={"events": []}).status_code == 409
    assert api.post(f"{path}/secret", {}).status_code == 409
    assert api.call("PATCH", path, json={"active": False}).json["active"] is False
    assert place(api, URL).status_code == 200
    assert api.get(path).json["active"] is False
    assert api.call("DELETE", f"/webhooks?id={callback['id']}").status_code == 200
    container.sweep.forget_old_deliveries()
    work(container)
    deliver_all(container)
    assert transport.sent == []
    expire(container, job)
    assert place(api, URL).status_code == 200


def test_an_order_that_names_a_url_again_switches_on_what_its_receiver_had_switched_off(
    api: Api, container: Container, transport: FakeTransport, secret: str
) -> None:
    transport.results = [answered(410)]
    place(api, URL)
    deliver_all(container)
    assert api.get("/callbacks").json["callbacks"][0]["offReason"] == "The receiver answered 410 Gone."
    place(api, URL)
    assert api.get("/callbacks").json["callbacks"][0]["active"] is True


def test_its_secret_is_rotated_like_that_of_a_webhook(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock, secret: str
) -> None:
    assert "newSecretFrom" not in api.get("/callbacks/secret").json
    assert api.post("/callbacks/secret/switch").status_code == 409
    new = api.post("/callbacks/secret", {}).json["secret"]
    assert api.post("/callbacks/secret", {}).status_code == 409
    assert api.get("/callbacks/secret").json["newSecretFrom"]
    place(api, URL)
    deliver_all(container)
    assert signed_for_interface(transport.sent[-1], secret)
    assert signed_by_standard(transport.sent[-1], new, clock)
    assert "secret" not in api.post("/callbacks/secret/switch").json
    place(api, URL)
    deliver_all(container)
    assert signed_for_interface(transport.sent[-1], new)


def test_a_cursor_after_what_is_forgotten_meanwhile_is_refused(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock, secret: str
) -> None:
    place(api, URL)
    clock.pass_(seconds=1)
    newest = place(api, OTHER).json["jobId"]
    hook = api.get("/callbacks").json["callbacks"][0]["id"]
    api.post(f"/webhooks/{hook}/test")
    deliver_all(container)
    log = f"/webhooks/{hook}/deliveries"
    after = {path: api.get(f"{path}?limit=1").json["nextCursor"] for path in (log, "/callbacks")}
    clock.pass_(days=8)
    container.sweep.forget_old_deliveries()
    asked = [api.get(f"{log}?limit=1&cursor={after[log]}")]
    expire(container, newest)
    asked.append(api.get(f"/callbacks?limit=1&cursor={after['/callbacks']}"))
    assert [(each.status_code, list(each.json["details"])) for each in asked] == [(400, ["cursor"])] * 2


def test_nobody_sees_the_callbacks_of_others(api: Api, other_api: Api, secret: str) -> None:
    place(api, URL)
    assert other_api.get("/callbacks").json == {"livemode": True, "callbacks": [], "nextCursor": None}
    assert other_api.get("/callbacks/secret").status_code == 404
    (callback,) = api.get("/callbacks").json["callbacks"]
    assert other_api.get("/callbacks", query_string={"cursor": callback["id"]}).status_code == 400
    assert other_api.get(f"/webhooks/{callback['id']}/deliveries").status_code == 404


def test_a_receiver_that_is_down_is_told_of_once_a_day_however_many_urls_it_has(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock, secret: str
) -> None:
    def mails() -> int:
        with container.database.read_session() as session:
            return session.query(Mail).filter(Mail.subject.contains("fail")).count()

    transport.results = [answered(500)]
    for number in range(3):
        place(api, f"{URL}/{number}")
    fail_for_good(api, container, clock)
    assert mails() == 1
    clock.pass_(hours=24)
    place(api, f"{URL}/4")
    fail_for_good(api, container, clock)
    assert mails() == 2


def test_the_secret_goes_with_the_account(api: Api, container: Container, secret: str) -> None:
    with container.database.unit_of_work() as session:
        callbacks.forget_account(session, api.account_id)
    with container.database.read_session() as session:
        assert session.query(CallbackSecret).count() == 0
