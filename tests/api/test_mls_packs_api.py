"""Programs ask for a job's pictures as a listing service takes them, and get the ZIP when it is ready."""

import io
import zipfile
from datetime import timedelta

import pytest
from flask import Flask

from app.container import Container
from tests.conftest import PHOTO, Api, new_api, pack_up, remake, work


def ordered(api: Api, container: Container, **fields) -> str:
    order = {
        "address": "12 Garden Lane, Los Angeles, CA 90001",
        "listing": {"mls": "crmls", "acceptsBarred": True},
        "exteriorEnhancements": ["grass_enhancement", "sky_enhancement"],
        "interiorEnhancements": ["virtual_staging"],
    }
    made: str = api.order(interior=[PHOTO], exterior=[PHOTO], **order, **fields)["jobId"]
    work(container)
    return made


@pytest.fixture
def job_id(api: Api, container: Container) -> str:
    return ordered(api, container)


def packs(job_id: str) -> str:
    return f"/jobs/{job_id}/packs"


def test_a_pack_is_asked_for_waited_for_and_downloaded(api: Api, container: Container, job_id: str) -> None:
    asked = api.post(packs(job_id), {"mls": "smartmls"})
    assert asked.status_code == 202
    body = asked.json
    assert (body["status"], body["mls"], body["labeled"], body["warnings"]) == ("making", "smartmls", False, [])
    assert "url" not in body
    pack_up(container)
    (listed,) = api.get(packs(job_id)).json["packs"]
    assert (listed["status"], listed["pictureCount"], "url" in listed) == ("ready", 4, False)
    assert api.status(job_id)["status"] == "approved", "neither asking nor the list delivers"
    ready = api.get(f"{packs(job_id)}/{body['id']}").json
    assert api.status(job_id)["status"] == "delivered"
    file = api.client.get(ready["url"].removeprefix("http://localhost"))
    assert ready["bytes"] == len(file.data)
    with zipfile.ZipFile(io.BytesIO(file.data)) as archive:
        assert archive.testzip() is None
        assert "01-exterior-1-altered.jpg" in archive.namelist()
    again = api.post(packs(job_id), {"mls": "smartmls"}).json
    assert (again["id"], again["status"], again["url"][:4]) == (body["id"], "ready", "http")


def test_a_pack_comes_without_what_is_barred_and_says_so(api: Api, container: Container, job_id: str) -> None:
    body = api.post(packs(job_id), {"mls": "crmls", "labeled": True}).json
    one = f"{packs(job_id)}/{body['id']}"
    pack_up(container)
    assert api.get(one).json["status"] == "making", "it waits for the picture without the lawn"
    assert remake(container) >= 1
    container.clock.now += timedelta(seconds=5)
    pack_up(container)
    ready = api.get(one).json
    assert ready["warnings"][0] == {
        "code": "barred_steps_left_out",
        "message": "CRMLS bars green lawn: photo 1 is in the pack without it.",
        "photos": [1],
        "enhancements": ["grass_enhancement"],
    }
    assert [each["code"] for each in ready["warnings"]] == ["barred_steps_left_out", "originals_not_published"]


def test_a_pack_that_cannot_be_made_says_why(api: Api, container: Container, job_id: str) -> None:
    def crash() -> None:
        raise RuntimeError("crashed")

    body = api.post(packs(job_id), {"mls": "smartmls"}).json
    container.listing_pictures.before = crash
    for _ in range(3):
        pack_up(container)
        container.clock.now += timedelta(minutes=2)
    failed = api.get(f"{packs(job_id)}/{body['id']}").json
    assert (failed["status"], failed["error"]) == ("failed", "It could not be created in 3 tries.")


@pytest.mark.parametrize(
    ("body", "field", "message"),
    [
        ({}, "mls", "Required."),
        ({"mls": "crmsl"}, "mls", "Must be one of: "),
        ({"mls": "california"}, "mls", "Must be one of: "),
        ({"mls": 7}, "mls", "Must be text."),
        ({"mls": "crmls", "labeled": "yes"}, "labeled", "Must be true or false."),
        ({"mls": "crmls", "label": True}, "label", "Unknown field."),
    ],
)
def test_a_bad_request_is_refused_with_its_field(api: Api, job_id: str, body, field: str, message: str) -> None:
    refused = api.post(packs(job_id), body)
    assert refused.status_code == 400
    assert refused.json["details"][field].startswith(message)
    assert api.get(packs(job_id)).json == {"livemode": True, "packs": []}


def test_packs_of_anothers_order_are_not_found_and_of_an_unfinished_one_not_ready(
    api: Api, app: Flask, container: Container, job_id: str
) -> None:
    pack_id = api.post(packs(job_id), {"mls": "smartmls"}).json["id"]
    other = new_api(app, container, "kim@example.com")
    assert other.post(packs(job_id), {"mls": "smartmls"}).status_code == 404
    assert other.get(packs(job_id)).status_code == 404
    assert other.get(f"{packs(job_id)}/{pack_id}").status_code == 404
    mine = other.order(interior=[PHOTO])["jobId"]
    assert other.get(f"{packs(mine)}/{pack_id}").status_code == 404
    assert other.post(packs(mine), {"mls": "smartmls"}).status_code == 400


def test_a_request_sent_again_with_its_key_asks_once(api: Api, container: Container, job_id: str) -> None:
    key = {"Idempotency-Key": "pack-1"}
    first = api.post(packs(job_id), {"mls": "smartmls"}, headers=key)
    pack_up(container)
    again = api.post(packs(job_id), {"mls": "smartmls"}, headers=key)
    assert (again.status_code, again.json) == (202, first.json)
    assert again.headers["Idempotent-Replayed"] == "true"
