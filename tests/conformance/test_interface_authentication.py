"""Section "Authentication": a bearer key on every endpoint, and what each bad one gets."""

from datetime import timedelta

import pytest

from app.domain.actors import Scope
from app.services.security import api_keys
from tests.conftest import PHOTO, Api, work

UNKNOWN = "job_0000000000000000000000"
ENDPOINTS = [
    ("POST", "/orders/upload-urls", Scope.ORDERS_WRITE),
    ("POST", "/orders/from-uploads", Scope.ORDERS_WRITE),
    ("POST", "/orders", Scope.ORDERS_WRITE),
    ("POST", "/orders/quote", Scope.ORDERS_WRITE),
    ("GET", f"/jobs/{UNKNOWN}/status", Scope.JOBS_READ),
    ("GET", f"/downloads/{UNKNOWN}", Scope.JOBS_READ),
    ("GET", "/user/credits", Scope.CREDITS_READ),
]
MALFORMED = [
    None,
    "",
    "Bearer",
    "Bearer ",
    "Bearer  ",
    "Basic am86am8=",
    "Token ims_live_x",
    "Bearer ims_live_short",
    "Bearer \u00e9\u00e8\u00ea",
    "Bearer " + "x" * 10_000,
    "Bearer ims_live_" + "0" * 38,
    "bearerims_live_" + "0" * 38,
]


def key(container, api: Api, **fields: object) -> str:
    """Another key of the same account."""
    with container.database.unit_of_work() as session:
        return api_keys.create(session, api.account_id, container.clock(), **fields)[1]


def refused(api: Api, secret: str) -> None:
    """A valid looking key gets the same answer as any other that is not valid."""
    answer = api.get("/user/credits", headers={"Authorization": f"Bearer {secret}"})
    assert (answer.status_code, answer.json["code"]) == (401, "unauthorized")
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert answer.json["message"] == "The API key is not valid, was revoked or has expired."


@pytest.mark.parametrize(("method", "path", "_"), ENDPOINTS)
def test_no_endpoint_answers_without_a_key(api: Api, method: str, path: str, _: Scope) -> None:
    answer = api.client.open(f"/api/v1{path}", method=method)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert set(answer.json) == {"error", "code", "message", "docUrl", "requestId"}
    assert answer.json["code"] == "unauthorized"


def test_a_missing_or_malformed_key_is_unauthorized(api: Api, subtests: pytest.Subtests) -> None:
    for header in MALFORMED:
        with subtests.test(header=header):
            headers = {} if header is None else {"Authorization": header}
            answer = api.client.get("/api/v1/user/credits", headers=headers)
            assert (answer.status_code, answer.json["code"]) == (401, "unauthorized")
            assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_an_unknown_key_is_unauthorized(api: Api, container) -> None:
    with container.database.unit_of_work() as session:
        unknown = api_keys.create(session, api.account_id, container.clock())[1]
        session.rollback()
    refused(api, unknown)


def test_a_mistyped_key_is_unauthorized(api: Api) -> None:
    refused(api, api.secret[:-1] + ("a" if api.secret[-1] != "a" else "b"))
    refused(api, api.secret.lower())


def test_a_revoked_key_is_unauthorized_at_once(api: Api, container) -> None:
    with container.database.unit_of_work() as session:
        made, secret = api_keys.create(session, api.account_id, container.clock())
    headers = {"Authorization": f"Bearer {secret}"}
    assert api.get("/user/credits", headers=headers).status_code == 200
    with container.database.unit_of_work() as session:
        api_keys.revoke(session, api.account_id, made.id, container.clock())
    refused(api, secret)


def test_an_expired_key_is_unauthorized_from_its_hour_on(api: Api, container, clock) -> None:
    secret = key(container, api, expires_at=clock() + timedelta(hours=1))
    clock.pass_(minutes=59)
    assert api.get("/user/credits", headers={"Authorization": f"Bearer {secret}"}).status_code == 200
    clock.pass_(minutes=1)
    refused(api, secret)


@pytest.mark.parametrize(("method", "path", "needed"), ENDPOINTS)
def test_a_key_without_the_scope_is_forbidden(api: Api, container, method: str, path: str, needed: Scope) -> None:
    secret = key(container, api, scopes=[scope for scope in Scope if scope is not needed])
    answer = api.call(method, path, headers={"Authorization": f"Bearer {secret}"})
    assert (answer.status_code, answer.json["code"]) == (403, "forbidden")
    assert needed in answer.json["message"]


@pytest.mark.parametrize(("method", "path", "needed"), ENDPOINTS)
def test_a_key_with_just_the_scope_is_let_through(
    api: Api, container, method: str, path: str, needed: Scope
) -> None:
    secret = key(container, api, scopes=[needed])
    answer = api.call(method, path, headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code in {200, 400, 404}


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_scheme_is_read_in_any_case(api: Api, scheme: str) -> None:
    answer = api.get("/user/credits", headers={"Authorization": f"{scheme} {api.secret}"})
    assert answer.status_code == 200


def test_a_job_of_another_account_looks_like_one_that_never_was(api: Api, other_api: Api, container) -> None:
    job = api.order(interior=[PHOTO])["jobId"]
    work(container)
    for path in ("/jobs/{}/status", "/downloads/{}"):
        theirs, nobodys = other_api.get(path.format(job)), other_api.get(path.format(UNKNOWN))
        assert theirs.status_code == nobodys.status_code == 404
        assert {**theirs.json, "requestId": ""} == {**nobodys.json, "requestId": ""}
