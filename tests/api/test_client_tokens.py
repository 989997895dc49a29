"""A page with a client token uploads into one session of the account, and can do nothing else."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select, update
from werkzeug.test import TestResponse

from app.api.v1.operations import OPERATIONS
from app.container import Container
from app.database import Base
from app.domain import limits
from app.domain.actors import Scope
from app.domain.client_tokens import DEFAULT_FILES, MAX_SECONDS, MAX_TOKEN_FILES
from app.models import ApiKey, IdempotencyRecord, Organization, UploadSession
from app.services.security import api_keys
from app.services.uploads import quotas, uploads
from tests.api.test_uploads_from_pages import OTHER, PAGE, SHOWN, allow, cors
from tests.conftest import PHOTO, Api, order_body
from tests.fakes import FakeClock
from tests.sandboxes import enter_test_mode

ONE = {"interiorCount": 1}


def token(api: Api, **wanted: Any) -> dict[str, Any]:
    """What the account's server is answered when it asks for a token."""
    answer = api.post("/client-tokens", wanted)
    assert answer.status_code == 200, answer.text
    made: dict[str, Any] = answer.json
    return made


def ask(api: Api, secret: str, body: Any = None, origin: str | None = PAGE, **headers: str) -> TestResponse:
    """Ask for upload URLs as a page does."""
    sent = {"Authorization": f"Bearer {secret}", **({"Origin": origin} if origin else {}), **headers}
    return api.post("/uploads", body or ONE, headers=sent)


def code(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.json["code"]


def test_a_page_uploads_and_the_server_orders(api: Api, container: Container) -> None:
    allow(container, api, PAGE)
    made = token(api)
    assert made["token"].startswith("ims_client_")
    assert (made["maxFiles"], made["origins"], made["livemode"]) == (DEFAULT_FILES, [PAGE], True)
    first, second = ask(api, made["token"]), ask(api, made["token"], {"interiorCount": 1, "exteriorCount": 1})
    assert [cors(each) for each in (first, second)] == [SHOWN, SHOWN]
    assert {each.json["uploadSessionId"] for each in (first, second)} == {made["uploadSessionId"]}
    targets = [*first.json["interiorUrls"], *second.json["interiorUrls"]]
    assert [each["index"] for each in targets] == [0, 1]
    for target in targets:
        assert cors(api.put(target["uploadUrl"], PHOTO, headers={"Origin": PAGE})) == SHOWN
    files = [{"filePath": each["filePath"], "fileName": "a.jpg"} for each in targets]
    order = {**order_body(interior=True, exterior=False), "uploadSessionId": made["uploadSessionId"]}
    assert api.post("/orders/from-uploads", {**order, "interiorFiles": files}).json["photosUploaded"] == 2
    assert code(ask(api, made["token"])) == (409, "conflict")
    assert code(api.post("/client-tokens", {"uploadSessionId": made["uploadSessionId"]})) == (409, "conflict")


def test_a_new_token_goes_on_with_the_session_of_an_expired_one(
    api: Api, container: Container, clock: FakeClock
) -> None:
    allow(container, api, PAGE)
    old = token(api, expiresIn=60, maxFiles=2)
    assert ask(api, old["token"]).status_code == 200
    clock.pass_(seconds=61)
    late = ask(api, old["token"])
    assert (code(late), cors(late)) == ((401, "client_token_expired"), SHOWN), "the page must read why"
    new = token(api, uploadSessionId=old["uploadSessionId"], maxFiles=2)
    assert new["uploadSessionId"] == old["uploadSessionId"]
    assert ask(api, new["token"]).json["interiorUrls"][0]["index"] == 1
    full = ask(api, new["token"])
    assert code(full) == (403, "too_many_files")
    assert full.json["details"] == {"maxFiles": 2, "files": 2, "requested": 1}


def test_a_session_that_is_not_the_accounts_own_or_of_a_page_of_ours_is_not_found(
    api: Api, other_api: Api, container: Container
) -> None:
    theirs = other_api.post("/orders/upload-urls", ONE).json["uploadSessionId"]
    for session_id in (theirs, "ups_" + "0" * 22, "x", "ups_%"):
        assert code(api.post("/client-tokens", {"uploadSessionId": session_id})) == (404, "not_found")
    mine = api.post("/orders/upload-urls", ONE).json["uploadSessionId"]
    made = token(api, uploadSessionId=mine)
    with container.database.unit_of_work() as session:
        session.execute(update(UploadSession).where(UploadSession.id == mine).values(key_id=None))
    assert code(api.post("/client-tokens", {"uploadSessionId": mine})) == (404, "not_found")
    assert code(ask(api, made["token"], origin=None)) == (404, "not_found")


@pytest.mark.parametrize(
    "body",
    [
        {"expiresIn": 59},
        {"expiresIn": MAX_SECONDS + 1},
        {"expiresIn": "900"},
        {"maxFiles": 0},
        {"maxFiles": MAX_TOKEN_FILES + 1},
        {"maxFiles": True},
        {"files": 3},
        {"uploadSessionId": ""},
        {"uploadSessionId": "x" * 101},
    ],
)
def test_a_request_for_a_token_is_bounded(api: Api, body: Any) -> None:
    refused = api.post("/client-tokens", body)
    assert (code(refused), [*refused.json["details"]]) == ((400, "invalid_request"), [*body])


def test_a_key_without_the_scope_makes_no_token(api: Api, container: Container) -> None:
    with container.database.unit_of_work() as session:
        _, secret = api_keys.create(session, api.account_id, container.clock(), scopes=[Scope.JOBS_READ])
    assert code(Api(api.client, api.account_id, secret).post("/client-tokens", {})) == (403, "forbidden")


def test_a_token_opens_no_other_operation(api: Api) -> None:
    page = Api(api.client, api.account_id, token(api)["token"])
    asked = 0
    for name, operation in OPERATIONS.items():
        if operation.scope:
            path = re.sub(r"\{\w+\}", "x", operation.path)
            answer = page.call(operation.method, path, data="{}", headers={"Origin": PAGE})
            assert (code(answer), cors(answer)) == ((403, "forbidden"), {}), name
            asked += 1
    assert asked > 40


def test_a_key_is_no_token_and_gets_no_cors(api: Api, container: Container) -> None:
    allow(container, api, PAGE)
    for secret in (api.secret, "", "ims_client_", "x" * 5000):
        refused = ask(api, secret)
        assert (code(refused), cors(refused)) == ((401, "unauthorized"), {})
    made = api.post("/client-tokens", {}, headers={"Origin": PAGE})
    assert (made.status_code, cors(made)) == (200, {}), "only servers make tokens"


def test_a_token_that_was_changed_is_refused(api: Api, other_api: Api, container: Container) -> None:
    allow(container, api, PAGE)
    made, other = token(api, maxFiles=1)["token"], token(other_api)["token"]
    content, signature = made.rpartition(".")[::2]
    test_mode = made.replace("ims_client_", "ims_client_test_")
    for forged in (
        made[:-1],
        f"{made}A",
        f"{content}.{other.rpartition('.')[2]}",
        test_mode,
        f"{content}é.{signature}",
    ):
        refused = ask(api, forged)
        assert (code(refused), cors(refused)) == ((401, "unauthorized"), {}), forged


def test_a_page_that_the_key_does_not_list_is_refused_at_once(api: Api, container: Container) -> None:
    allow(container, api, PAGE)
    made = token(api)["token"]
    for origin in (OTHER, "null", f"{PAGE}.evil.example", f"{PAGE}/", ""):
        refused = api.post("/uploads", ONE, headers={"Authorization": f"Bearer {made}", "Origin": origin})
        assert (code(refused), cors(refused)) == ((403, "origin_not_allowed"), {}), origin
    assert stored(container, UploadSession) == 0
    allow(container, api, OTHER)
    assert cors(ask(api, made, origin=OTHER)) == {**SHOWN, "Access-Control-Allow-Origin": OTHER}, (
        "a change holds at once"
    )
    assert cors(ask(api, made, origin=None)) == {}, "a program is no page"


def test_the_preflight_is_the_same_for_every_page_and_opens_the_post_alone(api: Api) -> None:
    def preflight(method: str, path: str = "/api/v1/uploads") -> TestResponse:
        asked = {"Origin": PAGE, "Access-Control-Request-Method": method}
        return api.client.options(path, headers={**asked, "Access-Control-Request-Headers": "authorization"})

    allowed = preflight("POST")
    assert (allowed.status_code, allowed.data, allowed.headers["Vary"]) == (204, b"", "Origin")
    assert cors(allowed) == {
        **SHOWN,
        "Access-Control-Allow-Methods": "POST",
        "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, X-Request-Id",
        "Access-Control-Max-Age": "3600",
    }
    assert [cors(preflight(method)) for method in ("GET", "DELETE", "post", "")] == [{}] * 4
    assert cors(preflight("POST", "/api/v1/client-tokens")) == {}


def test_a_token_dies_with_its_key_and_its_account(api: Api, container: Container, clock: FakeClock) -> None:
    key = allow(container, api, PAGE)
    made = token(api)["token"]
    with container.database.unit_of_work() as session:
        session.execute(update(Organization).values(suspended_at=clock()))
    assert code(ask(api, made)) == (403, "forbidden")
    with container.database.unit_of_work() as session:
        session.execute(update(Organization).values(suspended_at=None))
        session.execute(update(ApiKey).values(expires_at=clock() + timedelta(seconds=5)))
    assert ask(api, made).status_code == 200
    clock.pass_(seconds=5)
    assert code(ask(api, made)) == (401, "unauthorized")
    with container.database.unit_of_work() as session:
        session.execute(update(ApiKey).values(expires_at=None))
        api_keys.revoke(session, api.account_id, key, clock())
    gone = ask(api, made)
    assert (code(gone), cors(gone)) == ((401, "unauthorized"), SHOWN), "the page may read that it is over"


def test_parallel_requests_get_no_more_files_than_the_token_allows(
    app: Flask, api: Api, container: Container
) -> None:
    made = token(api, maxFiles=7)

    def request(_: int) -> int:
        return ask(
            Api(app.test_client(), api.account_id, api.secret), made["token"], {"interiorCount": 2}, None
        ).status_code

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(request, range(12))) == [200] * 3 + [403] * 9
    with container.database.read_session() as session:
        only = session.scalars(select(UploadSession)).one()
        assert (only.id, only.interior_count, only.key_id is not None) == (made["uploadSessionId"], 6, True)


def test_the_quota_of_sessions_holds_and_a_refused_token_opens_none(api: Api, container: Container) -> None:
    quota = container.settings.upload_quota_sessions
    with container.database.unit_of_work() as session:
        use = quotas.get_or_create(session, api.account_id)
        use.open_sessions = quota - 1
    full = token(api, maxFiles=1)["token"]
    assert code(ask(api, full, {"interiorCount": 2}, None)) == (403, "too_many_files")
    assert ask(api, full, origin=None).status_code == 200, "nothing was counted for what was refused"
    assert code(ask(api, token(api)["token"], origin=None)) == (429, "rate_limited")
    with container.database.unit_of_work() as session:
        quotas.get_or_create(session, api.account_id).open_sessions = 1


def test_tokens_store_nothing_and_a_swept_session_does_not_come_back(
    api: Api, container: Container, clock: FakeClock
) -> None:
    for _ in range(30):
        token(api)
    assert stored(container, UploadSession) == 0
    made = token(api)
    ask(api, made["token"], origin=None)
    late = token(api, uploadSessionId=made["uploadSessionId"])["token"]
    with container.database.unit_of_work() as session:
        assert uploads.forget(session, made["uploadSessionId"])
    assert code(ask(api, late, origin=None)) == (404, "not_found")
    assert stored(container, UploadSession) == 0


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"interiorCount": 0},
        {"interiorCount": 51},
        {"exteriorCount": -1},
        {"files": []},
        {"framesPerPhoto": 2},
        [],
    ],
)
def test_a_page_asks_for_numbers_of_files_alone(api: Api, container: Container, body: Any) -> None:
    made = token(api)["token"]
    sent = {"Authorization": f"Bearer {made}"}
    refused = api.call("POST", "/uploads", data=json.dumps(body), headers=sent)
    assert code(refused) == (400, "invalid_request")
    assert stored(container, UploadSession) == 0


def test_files_of_a_page_keep_to_the_limits_of_all_uploads(
    api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(container, api, PAGE)
    url = ask(api, token(api)["token"]).json["interiorUrls"][0]["uploadUrl"]
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", len(PHOTO))
    contents = (b"", b"%PDF-1.7", PHOTO, PHOTO + b"x")
    sent = [api.put(url, content, headers={"Origin": PAGE}) for content in contents]
    assert [each.status_code for each in sent] == [415, 415, 200, 413]
    assert [cors(each) for each in sent] == [SHOWN] * 4


def test_keys_of_repeated_requests_are_a_pages_own(api: Api, container: Container) -> None:
    mine = {"Idempotency-Key": "one"}
    before = api.post("/orders/upload-urls", ONE, headers=mine).json
    first, second = token(api)["token"], token(api)["token"]
    asked = [ask(api, secret, None, None, **mine) for secret in (first, first, second)]
    assert [each.headers.get("Idempotent-Replayed") for each in asked] == [None, "true", None]
    assert asked[0].json == asked[1].json
    assert len({before["uploadSessionId"], *(each.json["uploadSessionId"] for each in asked)}) == 3
    again = [api.post("/client-tokens", {}, headers={"Idempotency-Key": "two"}) for _ in range(2)]
    assert again[0].json == again[1].json
    with container.database.read_session() as session:
        kept = session.scalars(select(IdempotencyRecord.answer)).all()
    assert [each for each in kept if each and again[0].json["token"] in each] == [], "it is stored encrypted"


def test_a_test_key_makes_test_tokens(api: Api, container: Container) -> None:
    test = enter_test_mode(api, container)
    made = token(test)
    assert (made["token"].startswith("ims_client_test_"), made["livemode"]) == (True, False)
    answer = ask(api, made["token"], origin=None)
    assert answer.json["livemode"] is False
    with container.database.read_session() as session:
        assert session.get_one(UploadSession, made["uploadSessionId"]).account_id == test.account_id


def stored(container: Container, table: type[Base]) -> int:
    with container.database.read_session() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0
