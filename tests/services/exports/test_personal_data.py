"""The file of everything kept about a person."""

import json
from datetime import timedelta

import pytest
from sqlalchemy import event

from app.container import Container
from app.domain.actors import Browser
from app.domain.ids import digest_of_secret
from app.services import security_log
from app.services.accounts import organizations, users
from app.services.exports import personal_data
from app.services.security import api_keys, password_changes, password_resets, sign_ins
from app.services.security_log import DoneBy
from tests.conftest import PHOTO, Api, work
from tests.sandboxes import enter_test_mode
from tests.services.hooks import URL, register
from tests.services.retention.test_account_deletion import answer_as_client


def collect(container: Container, account_id: str) -> dict:
    with container.database.read_session() as session:
        document = personal_data.collect(session, account_id, account_id, container.clock())
    return json.loads(json.dumps(document))


def test_it_holds_everything_kept_about_the_owner(api: Api, container: Container) -> None:
    own = {"externalId": "MLS-7", "metadata": {"agent": "Dana Reyes"}}
    job_id = api.order(interior=[PHOTO], address="1 Garden Lane", **own)["jobId"]
    work(container)
    register(container, api.account_id)
    with container.database.unit_of_work() as session:
        browser = Browser("Firefox", "192.0.2.7")
        sign_ins.begin(session, api.account_id, browser, container.clock(), timedelta(hours=1))
    document = collect(container, api.account_id)
    assert document["account"]["email"] == "jo@example.com"
    assert document["account"]["credits"] == 99.5
    (order,) = document["orders"]
    assert (order["id"], order["address"], order["status"]) == (job_id, "1 Garden Lane", "approved")
    assert (order["externalId"], order["ownMetadata"]) == tuple(own.values())
    (photo,) = order["photos"]
    assert (photo["type"], photo["sizeBytes"], photo["result"]["verdict"]) == ("interior", len(PHOTO), "approved")
    assert [line["amount"] for line in document["credits"]] == [100, -0.5]
    assert [each["address"] for each in document["signIns"]] == ["192.0.2.7"]
    assert [each["url"] for each in document["webhooks"]] == [URL]
    assert api.secret.startswith(document["apiKeys"][0]["visiblePrefix"])


def test_it_holds_the_pages_of_keys_files_to_fetch_and_what_was_done_in_test_mode(
    api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, origin, now = "https://photos.example.com/a.jpg?token=7", "https://app.example.com", container.clock()
    for each in (api, enter_test_mode(api, container)):
        asked = each.post("/orders/upload-urls", {"files": [{"type": "interior", "url": url}]})
        assert asked.status_code == 200, asked.text
        with container.database.unit_of_work() as session:
            user_id = organizations.get_owner(session, api.account_id).user_id
            monkeypatch.setattr(security_log, "_find_sender", lambda whose=user_id: DoneBy(user_id=whose))
            (key,) = api_keys.paginate(session, each.account_id).rows
            api_keys.set_upload_origins(session, each.account_id, key.id, [origin], now)
    document = collect(container, api.account_id)
    for part in (document, document["testMode"]):
        assert [each["uploadOrigins"] for each in part["apiKeys"]] == [[origin]]
        assert [each["url"] for each in part["filesToFetch"]] == [url]
    assert [each["event"] for each in document["done"]].count("key.changed") == 2


def test_it_holds_what_clients_answered_and_not_what_opens_their_links(api: Api, container: Container) -> None:
    job_id = api.order(interior=[PHOTO])["jobId"]
    work(container)
    answer_as_client(container, api.account_id, job_id)
    url = api.get(f"/jobs/{job_id}/shares").json["shares"][0]["url"]
    document = collect(container, api.account_id)
    (link,) = document["shareLinks"]
    assert (link["jobId"], link["answer"]["verdict"], link["answer"]["name"]) == (job_id, "approved", "Kim Owner")
    assert link["comments"][0]["text"] == "Good."
    look = {"studioName": "Bright Studio", "phone": "", "color": "#14506b", "logoSha256": None}
    assert document["branding"] == look
    assert url.rpartition("/")[2] not in json.dumps(document)


def test_nothing_in_it_opens_the_account(api: Api, container: Container) -> None:
    _, secret = register(container, api.account_id)
    sent: list[str] = []
    with container.database.unit_of_work() as session:
        account = users.get(session, api.account_id, lock=True)
        password_changes.set_password(session, account, "violin drawer tide")
        browser, now = Browser("Firefox", "192.0.2.7"), container.clock()
        cookie = sign_ins.begin(session, api.account_id, browser, now, timedelta(hours=1))
        password_resets.request(
            session, "jo@example.com", lambda link: sent.append(link) or f"http://x/{link}", now
        )
    text = json.dumps(collect(container, api.account_id))
    assert "Choose a new password" in text
    for each in (api.secret, secret, cookie, sent[0], digest_of_secret(sent[0]), "argon2"):
        assert each not in text


def test_nothing_in_it_is_anybody_elses(api: Api, other_api: Api, container: Container) -> None:
    other_api.order(interior=[PHOTO], address="2 Other Lane")
    register(container, other_api.account_id)
    text = json.dumps(collect(container, api.account_id))
    assert "Other Lane" not in text
    assert "kim@example.com" not in text
    assert other_api.account_id not in text


def test_it_takes_as_many_queries_for_many_orders_as_for_one(api: Api, container: Container) -> None:
    asked: list[str] = []
    event.listen(container.database.engine, "before_cursor_execute", lambda *words: asked.append(words[2]))
    api.order(interior=[PHOTO])
    asked.clear()
    collect(container, api.account_id)
    few = len(asked)
    for _ in range(3):
        api.order(interior=[PHOTO] * 2)
    asked.clear()
    collect(container, api.account_id)
    assert len(asked) == few
