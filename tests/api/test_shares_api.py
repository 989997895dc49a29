"""Programs make share links, ask what clients answered, and revoke them."""

import re

import pytest
from flask import Flask

from app.container import Container
from app.domain.shares import MAX_LIVE_LINKS
from tests.conftest import PHOTO, Api, new_api, work
from tests.fakes import FakeClock


@pytest.fixture
def job_id(api: Api, container: Container) -> str:
    made: str = api.order(interior=[PHOTO])["jobId"]
    work(container)
    return made


def shares(job_id: str) -> str:
    return f"/jobs/{job_id}/shares"


def path(link: dict) -> str:
    return link["url"].removeprefix("http://localhost")


def test_a_link_is_made_answered_listed_and_revoked(api: Api, app: Flask, job_id: str) -> None:
    made = api.post(shares(job_id), {"title": "For Kim", "days": 2, "mayDownload": False})
    assert made.status_code == 201
    link = made.json
    assert (link["title"], link["mayDownload"], link["active"], link["comments"]) == ("For Kim", False, True, [])
    assert link["expiresAt"] == "2026-11-22T12:00:00.000Z"
    client = app.test_client()
    token = re.search(r'name="csrf_token" value="([^"]+)"', client.get(path(link)).text)
    assert token
    form = {"csrf_token": token[1]}
    client.post(f"{path(link)}/photos/1/favorite", data={**form, "favorite": "1"})
    client.post(f"{path(link)}/photos/1", data={**form, "comment": "Good."})
    client.post(f"{path(link)}/answer", data={**form, "verdict": "approved", "name": "Kim"})
    (listed,) = api.get(shares(job_id)).json["shares"]
    assert (listed["url"], listed["response"]["verdict"]) == (link["url"], "approved")
    (said,) = listed["comments"]
    assert (said["photo"], said["favorite"], said["text"]) == (1, True, "Good.")
    images = api.get(f"/downloads/{job_id}").json["images"]
    assert said["imageId"] == images[0]["id"]
    gone = api.call("DELETE", f"{shares(job_id)}/{link['id']}")
    assert gone.json == {"livemode": True, "success": True, "id": link["id"]}
    assert client.get(path(link)).status_code == 404
    (listed,) = api.get(shares(job_id)).json["shares"]
    assert (listed["active"], listed["response"]["name"]) == (False, "Kim")
    assert "revokedAt" in listed


def test_neither_link_nor_list_delivers(api: Api, app: Flask, job_id: str) -> None:
    link = api.post(shares(job_id), {}).json
    api.get(shares(job_id))
    app.test_client().get(path(link))
    assert api.status(job_id)["status"] == "approved"


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"days": 0}, "days"),
        ({"days": 91}, "days"),
        ({"days": "7"}, "days"),
        ({"mayDownload": 1}, "mayDownload"),
        ({"title": "x" * 121}, "title"),
        ({"title": 7}, "title"),
        ({"tilte": "x"}, "tilte"),
    ],
)
def test_a_bad_request_is_refused_by_its_field(api: Api, job_id: str, body: dict, where: str) -> None:
    refused = api.post(shares(job_id), body)
    assert (refused.status_code, list(refused.json["details"])) == (400, [where])
    assert api.get(shares(job_id)).json == {"livemode": True, "shares": []}


def test_others_and_unfinished_jobs_share_nothing(api: Api, app: Flask, container: Container, job_id: str) -> None:
    link = api.post(shares(job_id), {}).json
    other = new_api(app, container, "kim@example.com")
    mine = other.order(interior=[PHOTO])["jobId"]
    assert other.post(shares(job_id), {}).status_code == 404
    assert other.get(shares(job_id)).status_code == 404
    assert other.call("DELETE", f"{shares(job_id)}/{link['id']}").status_code == 404
    assert other.call("DELETE", f"{shares(mine)}/{link['id']}").status_code == 404
    assert other.post(shares(mine), {}).status_code == 400
    assert app.test_client().get(path(link)).status_code == 200


def test_a_request_sent_again_with_its_key_makes_one_link(api: Api, job_id: str) -> None:
    key = {"Idempotency-Key": "share-1"}
    first, again = (api.post(shares(job_id), {}, headers=key) for _ in range(2))
    assert (again.status_code, again.json) == (201, first.json)
    assert len(api.get(shares(job_id)).json["shares"]) == 1


def test_a_job_has_only_so_many_links_that_open(api: Api, job_id: str) -> None:
    made = [api.post(shares(job_id), {}).json for _ in range(MAX_LIVE_LINKS)]
    assert api.post(shares(job_id), {}).status_code == 409
    api.call("DELETE", f"{shares(job_id)}/{made[0]['id']}")
    assert api.post(shares(job_id), {}).status_code == 201


def test_links_and_answers_go_with_the_pictures(
    api: Api, app: Flask, container: Container, clock: FakeClock, job_id: str
) -> None:
    link = api.post(shares(job_id), {"days": 90}).json
    assert link["expiresAt"] == "2026-11-27T12:00:00.000Z", "never longer than the pictures"
    clock.pass_(days=8)
    container.sweep.expire_jobs()
    assert api.get(shares(job_id)).status_code == 404
    assert app.test_client().get(path(link)).status_code == 404
