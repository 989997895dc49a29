"""`externalId` and `metadata`: what a program says of its order, checked before it pays, repeated everywhere."""

import json
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.draft_orders import as_order
from app.models import Event, Job, JobMetadata
from app.services.orders import draft_photos, drafts, reorders
from tests import reading
from tests.acts import delete_account, expire
from tests.conftest import PHOTO, Api, order_body, work

OWN = {"externalId": "MLS-40718822 / é", "metadata": {"agent": "Dana Reyes", "note": "two\nlines ", "empty": ""}}


def said(answer: dict[str, Any]) -> dict[str, Any]:
    """What an answer or an event repeats of the order's own data."""
    return {name: answer[name] for name in ("externalId", "metadata") if name in answer}


def told(container: Container) -> list[dict[str, Any]]:
    """The data of all events so far."""
    return [json.loads(each.body)["data"] for each in reading.found(container, select(Event))]


def test_every_answer_and_every_event_of_an_order_repeats_them(api: Api, container: Container) -> None:
    order = api.order([PHOTO], **OWN)
    work(container)
    answers = [order, api.status(order["jobId"]), api.get(f"/downloads/{order['jobId']}").json]
    events = [
        json.loads(each.body)["data"] for each in reading.found(container, select(Event).order_by(Event.created_at))
    ]
    assert len(events) >= 5
    assert [said(each) for each in (*answers, *events)] == [OWN] * (3 + len(events))


def test_without_them_nothing_is_repeated(api: Api, container: Container) -> None:
    order = api.order([PHOTO], metadata={})
    assert [said(each) for each in (order, api.status(order["jobId"]))] == [{}, {}]
    assert (
        said(json.loads(reading.found(container, select(Event).order_by(Event.created_at))[0].body)["data"]) == {}
    )


def test_a_form_has_them_too(api: Api, container: Container) -> None:
    fields = {"address": "12 Garden Lane", "serviceType": "interior", "interiorEnhancements": '["hdr_enhancement"]'}
    own = {"externalId": OWN["externalId"], "metadata": json.dumps(OWN["metadata"])}
    order = api.post("/orders", data={**fields, **own, "interiorPhoto0": (BytesIO(PHOTO), "room.jpg")})
    assert said(order.json) == OWN


UNPRINTABLE = "Must be printable characters on one line, without spaces at its ends."
LONG = {str(number): "x" * 500 for number in range(21)}


@pytest.mark.parametrize(
    ("own", "where", "message"),
    [
        ({"externalId": ""}, "externalId", "Must have at least 1 characters."),
        ({"externalId": "x" * 101}, "externalId", "Must have at most 100 characters."),
        (
            {"externalId": "a\nb"},
            "externalId",
            UNPRINTABLE,
        ),
        (
            {"externalId": " a"},
            "externalId",
            UNPRINTABLE,
        ),
        ({"externalId": 7}, "externalId", "Must be text."),
        ({"metadata": []}, "metadata", "Must be an object."),
        ({"metadata": {str(number): "" for number in range(51)}}, "metadata", "Must have at most 50 entries."),
        ({"metadata": {"x" * 41: ""}}, f"metadata.{'x' * 41}", "Must have at most 40 characters."),
        ({"metadata": {"x" * 9999: ""}}, f"metadata.{'x' * 100}", "Must have at most 40 characters."),
        ({"[key]": ""}, "[key]", "Unknown field."),
        ({"metadata": {"[key]": ""}}, "metadata.[key]", "Must not contain [ or ]."),
        ({"metadata": {"a[b]": ""}}, "metadata.a[b]", "Must not contain [ or ]."),
        ({"metadata": {"a": "x" * 501}}, "metadata.a", "Must have at most 500 characters."),
        ({"metadata": {"a": "\0"}}, "metadata.a", "Must not contain control characters."),
        ({"metadata": {"a": 7}}, "metadata.a", "Must be text."),
        ({"metadata": {"a": None}}, "metadata.a", "Must be text."),
        ({"metadata": LONG}, "metadata", "Must have at most 10000 characters in all keys and values."),
    ],
)
def test_a_fault_is_named_and_nothing_is_charged(
    api: Api, container: Container, own: dict[str, Any], where: str, message: str
) -> None:
    body = {**order_body(), **api.upload([PHOTO]), **own}
    refused = api.post("/orders/from-uploads", body)
    assert (refused.status_code, refused.json["details"]) == (400, {where: message})
    quoted = api.post("/orders/quote", body)
    assert (quoted.status_code, quoted.json["details"]) == (400, {where: message})
    assert (api.credits(), reading.count(container, Job)) == (100, 0)


@pytest.mark.parametrize("change", [{"externalId": "other"}, {"metadata": {"agent": "Sam"}}])
def test_an_order_with_others_is_another_order(api: Api, change: dict[str, Any]) -> None:
    body = {**order_body(), **api.upload([PHOTO]), **OWN}
    key = {"Idempotency-Key": "order-17-of-today"}
    assert api.post("/orders/from-uploads", body, headers=key).status_code == 200
    assert api.post("/orders/from-uploads", {**body, **change}, headers=key).status_code == 422
    assert api.post("/orders/from-uploads", {**body, **change}).status_code == 409
    assert said(api.post("/orders/from-uploads", body).json) == OWN


def test_what_is_ordered_again_keeps_them_until_it_is_for_another_property(api: Api, container: Container) -> None:
    job_id = api.order([PHOTO], **OWN)["jobId"]
    facts = (container.database, container.storage, api.account_id, job_id, container.upload_quota)
    draft_id = reorders.make_draft(*facts, container.clock())
    with container.database.read_session() as session:
        draft = drafts.get(session, api.account_id, draft_id)
        again = draft_photos.as_draft_order(draft, draft_photos.get_all(session, draft), imagery=False, unsorted=())
    typed = again.content.advertised({"street": "12 Garden  lane", "mls": "crmls"})
    other = again.content.advertised({"street": "9 Oak Street"})
    ordered = [as_order(replace(again, content=each)) for each in (again.content, typed, other)]
    own = tuple(OWN.values())
    assert [(each.external_id, each.metadata) for each in ordered] == [own, own, (None, None)]


def test_they_outlive_the_pictures_but_not_the_account(api: Api, container: Container) -> None:
    job_id = api.order([PHOTO], **OWN)["jobId"]
    work(container)
    expire(container)
    assert reading.one(container, Job, job_id).own_metadata == OWN["metadata"]
    assert reading.count(container, JobMetadata) == 3
    delete_account(container, api.account_id)
    job = reading.one(container, Job, job_id)
    assert (job.address_slug, job.external_id, job.own_metadata) == ("", None, None)
    assert reading.count(container, JobMetadata) == 0
