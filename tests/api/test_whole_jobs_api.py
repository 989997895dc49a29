"""GET /api/v1/jobs/{jobId}: everything that is known of a job, in codes."""

from datetime import timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

import pytest
from sqlalchemy import update

from app.container import Container
from app.models import Job, Photo
from app.services.orders import durations, job_details
from tests.acts import expire
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock, photo
from tests.statements import counted

TWO = {"exteriorEnhancements": ["sky_enhancement", "grass_enhancement"]}


def whole(api: Api, job_id: str) -> dict[str, Any]:
    answer = api.get(f"/jobs/{job_id}")
    assert answer.status_code == 200, answer.text
    return answer.json


def states(photo_: dict[str, Any]) -> list[tuple[str, str]]:
    return [(step["enhancement"], step["state"]) for step in photo_["steps"]]


def test_it_has_the_status_and_all_that_the_list_says(api: Api, container: Container) -> None:
    job_id = api.order([PHOTO], [PHOTO], externalId="A-1", metadata={"agent": "Dana"})["jobId"]
    for _ in range(2):
        found, status, listed = whole(api, job_id), api.status(job_id), api.get("/jobs").json["jobs"][0]
        assert found | listed == found
        assert found | status == found
        work(container)


def test_until_the_job_is_decided_no_photo_tells_its_outcome(api: Api, container: Container) -> None:
    job_id = api.order([PHOTO, photo("DECLINE")])["jobId"]
    (first, second) = whole(api, job_id)["photos"]
    assert [(each["state"], states(each)) for each in (first, second)] == [
        ("waiting", [("hdr_enhancement", "waiting")])
    ] * 2
    work(container, automatic=False)
    (first, second) = whole(api, job_id)["photos"]
    assert [each["state"] for each in (first, second)] == ["processed"] * 2
    assert "imageId" not in first


def test_every_photo_tells_what_became_of_each_step_and_of_its_price(api: Api, container: Container) -> None:
    outside, inside = [photo("HALF")], [PHOTO, photo("DECLINE"), photo("BLANK"), photo("CRASH")]
    order = api.order(inside, outside, **TWO, interiorEnhancements=["hdr_enhancement", "declutter"])
    for _ in range(3):
        work(container)
        container.clock.pass_(minutes=30)
    found = whole(api, order["jobId"])
    assert found["status"] == "approved"
    half, good, declined, blank, crashed = found["photos"]
    assert [each["photoId"] for each in found["photos"]] == [each["id"] for each in order["assets"]]
    assert (half["state"], [state for _, state in states(half)]) == ("approved", ["done", "declined"])
    assert (good["state"], [state for _, state in states(good)]) == ("approved", ["done", "done"])
    assert (declined["state"], [state for _, state in states(declined)]) == ("rejected", ["declined", "declined"])
    assert (blank["reason"], [state for _, state in states(blank)]) == ("blank", ["rejected", "rejected"])
    assert (crashed["reason"], [state for _, state in states(crashed)]) == ("processing_failed", ["failed"] * 2)
    assert [step["reason"] for step in declined["steps"]] == ["not_available"] * 2
    images = api.get(f"/downloads/{order['jobId']}").json["images"]
    assert [each["imageId"] for each in (half, good)] == [each["id"] for each in images]
    assert [step["creditCost"] for step in good["steps"]] == [0.5, 0.5]
    assert sum(line["credits"] for line in found["lines"]) == found["creditCost"] == order["creditCost"]
    assert sum(each["amount"] for each in found["refunds"]) == found["creditsRefunded"]
    assert sum(each["creditsRefunded"] for each in found["photos"]) + 1 == found["creditsRefunded"], "and outside"
    causes = {(each["cause"], each.get("photoId")) for each in found["refunds"]}
    assert causes == {
        ("property_refund", None),
        *(("photo_refund", each["photoId"]) for each in (declined, blank, crashed)),
    }


def test_a_cancelled_photo_says_so_at_once(api: Api, container: Container) -> None:
    job_id = api.order([PHOTO])["jobId"]
    assert api.post(f"/jobs/{job_id}/cancel").status_code == 200
    found = whole(api, job_id)
    assert (found["photos"][0]["state"], states(found["photos"][0])) == (
        "cancelled",
        [("hdr_enhancement", "cancelled")],
    )
    assert found["undeliverable"] == api.status(job_id)["undeliverable"]
    assert found["cancelledAt"] == api.get("/jobs").json["jobs"][0]["cancelledAt"]


def test_photos_of_a_job_that_failed_are_stopped(api: Api, container: Container, clock: FakeClock) -> None:
    job_id = api.order([PHOTO])["jobId"]
    clock.pass_(hours=3)
    container.sweep.fail_overdue_jobs()
    found = whole(api, job_id)
    assert (found["photos"][0]["state"], states(found["photos"][0])) == (
        "stopped",
        [("hdr_enhancement", "stopped")],
    )
    assert [each["cause"] for each in found["refunds"]] == ["job_refund"]
    assert "queuePosition" not in found


def test_prices_that_changed_since_are_left_out(api: Api, container: Container) -> None:
    job_id = api.order([PHOTO])["jobId"]
    assert whole(api, job_id)["lines"]
    with container.database.unit_of_work() as session:
        session.execute(update(Job).values(credit_cost=7))
        session.execute(update(Photo).values(image_credits=7))
    found = whole(api, job_id)
    assert "lines" not in found
    assert (found["photos"][0]["creditCost"], "creditCost" in found["photos"][0]["steps"][0]) == (7, False)
    with container.database.unit_of_work() as session:
        session.execute(update(Job).values(credit_cost=Decimal("0.5")))


def test_it_tells_how_many_wait_before_it_and_when_it_is_usually_ready(
    api: Api, other_api: Api, container: Container, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_details, "MAX_QUEUE", 2)
    monkeypatch.setattr(durations, "estimate", lambda *_: timedelta(minutes=5))
    made = []
    for number, each in enumerate((other_api, api, api, api)):
        made.append(each.order([photo(f"{number}")])["jobId"])
        clock.pass_(minutes=1)
    assert [whole(api, job_id)["queuePosition"] for job_id in made[1:]] == [1, 2, 2]
    assert whole(api, made[3])["estimatedReadyAt"] == "2026-11-20T12:08:00.000Z"
    clock.pass_(minutes=10)
    assert "estimatedReadyAt" not in whole(api, made[3]), "it is late already"
    work(container)
    assert "queuePosition" not in whole(api, made[3])


def test_it_stays_without_its_photos_when_they_are_removed(api: Api, container: Container) -> None:
    job_id = api.order([PHOTO, photo("BLANK")])["jobId"]
    work(container)
    before = whole(api, job_id)
    expire(container)
    found = whole(api, job_id)
    assert (found["photos"], found["progress"], "lines" in found) == ([], before["progress"], False)
    assert found["refunds"] == before["refunds"]
    assert found["expiredAt"]


def test_its_links_lead_to_what_they_say(api: Api, container: Container) -> None:
    job_id = api.order([PHOTO])["jobId"]
    work(container)
    links = whole(api, job_id)["links"]
    asked = {name: urlsplit(url).path.removeprefix("/api/v1") for name, url in links.items() if name != "page"}
    assert all(api.get(path).status_code == 200 for path in asked.values())
    assert urlsplit(links["page"]).path == f"/properties/{job_id}"


def test_only_its_owner_reads_it(api: Api, other_api: Api) -> None:
    job_id = api.order([PHOTO])["jobId"]
    for each in (job_id, "job_" + "0" * 22, "nonsense"):
        assert other_api.get(f"/jobs/{each}").status_code == 404


def test_it_takes_the_same_few_statements_for_many_photos(api: Api, container: Container) -> None:
    jobs = [api.order([photo(f"{count} {number}") for number in range(count)])["jobId"] for count in (1, 6)]
    work(container)
    one, six = (counted(lambda job_id=job_id: whole(api, job_id)) for job_id in jobs)
    assert one == six <= 9
