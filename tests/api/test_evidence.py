"""The evidence of a job: complete while its pictures are there, and afterwards."""

import hashlib

import pytest
from flask import Flask
from sqlalchemy import select

from app.container import Container
from app.domain.disclosure.rule_files import all_rules
from app.models import Job, Membership
from app.services.retention import account_deletion
from tests.conftest import PHOTO, Api, new_api, work
from tests.fakes import FakeClock


@pytest.fixture
def job_id(api: Api, container: Container) -> str:
    """A staged room and a house whose lawn CRMLS bars, done, with their originals in public."""
    made: str = api.order(
        interior=[PHOTO + b"room PIECES"],
        exterior=[PHOTO + b"house"],
        exteriorEnhancements=["grass_enhancement"],
        interiorEnhancements=["virtual_staging"],
        virtualStaging={"0": {"style": "coastal", "roomType": "bedroom"}},
        listing={"mls": "crmls", "jurisdiction": "california", "acceptsBarred": True},
    )["jobId"]
    work(container)
    assert api.post(f"/jobs/{made}/public-page", {}).status_code == 200
    return made


def test_it_says_who_ordered_what_by_which_rules_and_what_became_of_it(api: Api, job_id: str) -> None:
    told = api.get(f"/jobs/{job_id}/evidence").json
    rules = all_rules()
    assert [(each["id"], each["version"]) for each in told["rules"]] == [
        (name, rules[name].version) for name in ("california", "crmls")
    ]
    (accepted,) = told["acceptedBarred"]
    assert (accepted["rule"], accepted["enhancement"]) == ("crmls", "grass_enhancement")
    assert accepted["acceptedAt"] == told["orderedAt"]
    house, room = told["pictures"]
    assert (house["number"], house["type"], house["verdict"], house["decidedBy"]) == (
        *(1, "exterior", "approved"),
        "automatic",
    )
    assert house["edits"] == [{"enhancement": "grass_enhancement", "applied": True, "changes": []}]
    assert (room["edits"][0]["style"], room["edits"][0]["roomType"]) == ("coastal", "bedroom")
    sofa, rug = room["edits"][0]["furniture"]
    assert sofa == {"piece": "sofa", "label": "Sofa", "count": 1, "width": 2.2, "depth": 0.94, "height": 0.81}
    assert (rug["label"], rug["count"]) == ("Rug", 2)
    assert house["originalSha256"] == hashlib.sha256(PHOTO + b"house").hexdigest()
    assert len(house["alteredSha256"]) == 64
    assert house["engineVersion"]
    assert house["caption"] == rules["crmls"].label_for(["grass_enhancement"])
    (page,) = told["publicPages"]
    assert (page["pictures"], page["lostOriginals"], page["showsAddress"]) == ([1, 2], [], False)
    assert "Not legal advice" in told["note"]


def test_it_is_the_same_after_the_pictures_are_gone_but_for_when(
    api: Api, container: Container, clock: FakeClock, job_id: str
) -> None:
    before = api.get(f"/jobs/{job_id}/evidence").json
    clock.pass_(days=8)
    container.sweep.expire_jobs()
    assert api.get(f"/jobs/{job_id}/quality").status_code == 404
    after = api.get(f"/jobs/{job_id}/evidence").json
    assert after.pop("expiredAt")
    assert after == before


def test_a_page_that_was_taken_back_stays_in_it_with_its_times(api: Api, job_id: str) -> None:
    api.call("DELETE", f"/jobs/{job_id}/public-page")
    (page,) = api.get(f"/jobs/{job_id}/evidence").json["publicPages"]
    assert page["revokedAt"] >= page["publishedAt"]


def test_until_the_job_is_decided_nothing_is_told_of_its_results(api: Api) -> None:
    made = api.order(exterior=[PHOTO])["jobId"]
    (picture,) = api.get(f"/jobs/{made}/evidence").json["pictures"]
    assert (picture["verdict"], picture["figures"]) == ("undecided", [])
    assert "decidedBy" not in picture


def test_a_photo_that_was_cancelled_says_so_and_that_nobody_judged_it(api: Api) -> None:
    job = api.order([PHOTO])["jobId"]
    api.post(f"/jobs/{job}/cancel", {})
    (picture,) = api.get(f"/jobs/{job}/evidence").json["pictures"]
    assert (picture["reason"], picture["verdict"], picture.get("decidedBy")) == ("cancelled", "rejected", None)


def test_another_account_learns_nothing_of_it(api: Api, app: Flask, container: Container, job_id: str) -> None:
    other = new_api(app, container, "kim@example.com")
    assert other.get(f"/jobs/{job_id}/evidence").status_code == 404
    assert api.get("/jobs/job_x/evidence").status_code == 404


def test_of_a_deleted_account_no_evidence_of_pictures_is_kept(
    container: Container, clock: FakeClock, job_id: str
) -> None:
    with container.database.unit_of_work() as session:
        owner = session.scalars(select(Membership.user_id)).first()
        account_deletion.delete_account(session, owner, clock())
    with container.database.read_session() as session:
        assert session.get_one(Job, job_id).evidence is None
