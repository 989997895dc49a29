"""POST /api/v1/jobs/{jobId}/cancel: by program, once, and for webhooks that ask for its event."""

import json

from sqlalchemy import select

from app.container import Container
from app.models import Delivery, Event
from app.services.webhooks import webhooks
from tests.conftest import PHOTO, Api, work
from tests.fakes import photo


def path(job_id: str) -> str:
    return f"/jobs/{job_id}/cancel"


def test_a_job_is_cancelled_by_program_and_the_same_request_again_gets_the_same_answer(api: Api) -> None:
    job = api.order([PHOTO])
    first, again = (api.post(path(job["jobId"]), headers={"Idempotency-Key": "one"}) for _ in range(2))
    assert first.json == {
        "livemode": True,
        "jobId": job["jobId"],
        "outcome": "cancelled",
        "status": "undeliverable",
        "creditsRefunded": 0.5,
        "cancelledAt": api.status(job["jobId"])["cancelledAt"],
    }
    assert (again.json, again.headers["Idempotent-Replayed"]) == (first.json, "true")
    assert api.post(path(job["jobId"])).json == first.json, "and so without a key"
    assert api.post(path(api.order([PHOTO])["jobId"]), headers={"Idempotency-Key": "one"}).status_code == 422


def test_a_job_that_is_done_stays_as_it_is(api: Api, container: Container) -> None:
    job_id = api.order([PHOTO])["jobId"]
    work(container)
    answer = api.post(path(job_id)).json
    assert answer == {
        "livemode": True,
        "jobId": job_id,
        "outcome": "already_done",
        "status": "approved",
        "creditsRefunded": 0,
    }


def test_others_cancel_nothing(api: Api, other_api: Api) -> None:
    job_id = api.order([PHOTO])["jobId"]
    assert other_api.post(path(job_id)).status_code == 404
    assert api.status(job_id)["status"] == "pending"


def test_its_event_goes_to_webhooks_that_name_it_alone(api: Api, container: Container) -> None:
    hooks = [{"url": "https://1.1.1.1/all"}, {"url": "https://1.1.1.1/one", "events": ["job.cancelled"]}]
    every, one = (api.post("/webhooks", each).json for each in hooks)
    assert "job.cancelled" not in every["events"]
    job_id = api.order([PHOTO, photo("GOOD")])["jobId"]
    api.post(path(job_id))
    with container.database.read_session() as session:
        sent = session.execute(select(Delivery.webhook_id, Delivery.event_name)).all()
        body = json.loads(session.scalars(select(Event.body).where(Event.name == "job.cancelled")).one())
        assert "job.cancelled" not in webhooks.list_events(webhooks.get(session, api.account_id, every["id"]))
    assert {name for hook, name in sent if hook == one["id"]} == {"job.cancelled"}
    assert {name for hook, name in sent if hook == every["id"]} == {"job.created", "job.undeliverable"}
    facts = {"status": "undeliverable", "photosCancelled": 2, "creditsRefunded": 1}
    assert {name: body["data"][name] for name in facts} == facts
