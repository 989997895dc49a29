"""Idempotency-Key on every POST: one effect, the first answer again, and nothing to fear from crashes."""

import io
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from app.container import Container
from app.models import Job, LedgerLine, UploadSession, Webhook
from app.services.billing import credits
from tests import reading
from tests.conftest import PHOTO, Api, order_body
from tests.fakes import FakeClock, photo
from tests.services.hooks import FakeTransport

KEY = {"Idempotency-Key": "3f1c9d2e-order-17"}


def form(**changes: Any) -> dict[str, Any]:
    fields = {"address": "12 Garden Lane", "serviceType": "interior", "interiorEnhancements": '["hdr_enhancement"]'}
    return {**fields, "interiorPhoto0": (io.BytesIO(PHOTO), "room.jpg"), **changes}


def by_form(api: Api, **changes: Any) -> TestResponse:
    return api.post("/orders", data=form(**changes), content_type="multipart/form-data", headers=KEY)


def test_an_order_sent_again_has_the_first_answer_and_no_second_effect(api: Api, container: Container) -> None:
    body = {**order_body(), **api.upload(interior=[PHOTO])}
    first = api.post("/orders/from-uploads", body, headers=KEY)
    again = api.post("/orders/from-uploads", dict(reversed(body.items())), headers=KEY)
    assert "Idempotent-Replayed" not in first.headers
    assert (again.status_code, again.data) == (200, first.data)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (reading.count(container, Job), reading.count(container, LedgerLine)) == (1, 2)


def test_a_form_sent_again_is_the_same_whatever_its_boundary_and_leaves_no_file(
    api: Api, container: Container
) -> None:
    first, again = by_form(api), by_form(api)
    assert (again.status_code, again.json) == (200, first.json)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert reading.count(container, Job) == reading.count(container, UploadSession) == 1
    files = [each for each in (container.settings.data_dir / "storage").rglob("*") if each.is_file()]
    assert len(files) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"address": "13 Garden Lane"},
        {"interiorPhoto0": (io.BytesIO(photo("other")), "room.jpg")},
        {"interiorPhoto1": (io.BytesIO(PHOTO), "hall.jpg")},
    ],
)
def test_a_form_that_differs_is_another_request(api: Api, container: Container, changes: dict) -> None:
    by_form(api)
    refused = by_form(api, **changes)
    assert (refused.status_code, refused.json["code"]) == (422, "idempotency_mismatch")
    assert reading.count(container, Job) == 1


def test_the_same_key_for_another_body_or_path_is_refused(api: Api, container: Container) -> None:
    api.post("/orders/upload-urls", {"interiorCount": 1}, headers=KEY)
    for path, body in (("/orders/upload-urls", {"interiorCount": 2}), ("/webhooks", {"interiorCount": 1})):
        refused = api.post(path, body, headers=KEY)
        assert (refused.status_code, refused.json["code"]) == (422, "idempotency_mismatch")
    assert reading.count(container, UploadSession) == 1


def test_every_post_replays(api: Api, container: Container) -> None:
    container.transport = FakeTransport()
    requests: dict[str, Any] = {
        "/orders/upload-urls": {"interiorCount": 1},
        "/orders/quote": {**order_body(), "interiorCount": 1},
        "/webhooks": {"url": "https://agency.example/"},
    }
    for number, (path, body) in enumerate(requests.items()):
        key = {"Idempotency-Key": f"key-{number}"}
        first, again = (api.post(path, body, headers=key) for _ in range(2))
        assert (again.status_code, again.data) == (first.status_code, first.data), path
        assert first.status_code < 300
        assert again.headers["Idempotent-Replayed"] == "true"
    assert reading.count(container, UploadSession) == reading.count(container, Webhook) == 1


def test_kept_secrets_are_sealed(api: Api, container: Container) -> None:
    container.transport = FakeTransport()
    secret = api.post("/webhooks", {"url": "https://agency.example/"}, headers=KEY).json["secret"]
    with container.database.engine.connect() as connection:
        [answer] = connection.exec_driver_sql("SELECT answer FROM idempotency_record").scalars()
    assert secret not in answer


def test_fifty_at_once_make_one_order_and_one_charge(app: Flask, api: Api, container: Container) -> None:
    body = {**order_body(), **api.upload(interior=[PHOTO])}

    def send(_: int) -> TestResponse:
        return Api(app.test_client(), api.account_id, api.secret).post("/orders/from-uploads", body, headers=KEY)

    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(send, range(50)))
    good = [each for each in answers if each.status_code == 200]
    twins = [each for each in answers if each.status_code == 409]
    assert len(good) + len(twins) == 50
    assert len({each.data for each in good}) == 1
    assert sum("Idempotent-Replayed" not in each.headers for each in good) == 1
    assert all(each.headers["Retry-After"] == "1" for each in twins)
    assert (reading.count(container, Job), reading.count(container, LedgerLine)) == (1, 2)
    assert api.credits() == 99.5


def test_a_refusal_frees_the_key(api: Api) -> None:
    body = {**order_body(), **api.upload(interior=[PHOTO])}
    assert api.post("/orders/from-uploads", {**body, "address": ""}, headers=KEY).status_code == 400
    assert api.post("/orders/from-uploads", body, headers=KEY).status_code == 200


def test_too_few_credits_free_the_key_for_after_the_purchase(api: Api, container: Container) -> None:
    body = {**order_body(), **api.upload(interior=[PHOTO] * 50), "interiorEnhancements": ["virtual_staging"]}
    with container.database.unit_of_work() as session:
        credits.adjust(session, api.account_id, -60, "taken", container.clock())
        assert credits.balance(session, api.account_id) == 40
    assert api.post("/orders/from-uploads", body, headers=KEY).status_code == 402
    with container.database.unit_of_work() as session:
        credits.adjust(session, api.account_id, 60, "bought", container.clock())
    assert api.post("/orders/from-uploads", body, headers=KEY).status_code == 200


def test_after_a_day_the_key_is_fresh(api: Api, container: Container, clock: FakeClock) -> None:
    for _ in range(2):
        answer = api.post("/orders/upload-urls", {"interiorCount": 1}, headers=KEY)
        assert "Idempotent-Replayed" not in answer.headers
        clock.pass_(hours=24)
    assert reading.count(container, UploadSession) == 2


def test_keys_of_different_accounts_do_not_meet(api: Api, other_api: Api) -> None:
    api.post("/orders/upload-urls", {"interiorCount": 1}, headers=KEY)
    theirs = other_api.post("/orders/upload-urls", {"interiorCount": 2}, headers=KEY)
    assert len(theirs.json["interiorUrls"]) == 2


@pytest.mark.parametrize("key", ["", "x" * 256, "café", "tab\tbed"])
def test_a_key_that_is_none_is_refused(api: Api, key: str) -> None:
    refused = api.post("/orders/upload-urls", {"interiorCount": 1}, headers={"Idempotency-Key": key})
    assert (refused.status_code, list(refused.json["details"])) == (400, ["Idempotency-Key"])
    longest = {"Idempotency-Key": "x" * 255}
    assert api.post("/orders/upload-urls", {"interiorCount": 1}, headers=longest).status_code == 200


def test_a_get_knows_no_key(api: Api) -> None:
    for _ in range(2):
        assert "Idempotent-Replayed" not in api.get("/user/credits", headers=KEY).headers
