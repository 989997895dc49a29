"""A page of another origin may upload with the URLs of a key that lists it, and may do nothing else."""

import pytest
from sqlalchemy import select
from werkzeug.test import TestResponse

from app.container import Container
from app.models import ApiKey
from app.services.security import api_keys
from tests.conformance.streams import fresh_url
from tests.conftest import PHOTO, Api
from tests.fakes import FakeClock

PAGE = "https://app.example.com"
OTHER = "https://evil.example"


def allow(container: Container, api: Api, *origins: str) -> str:
    """Let these pages upload with the URLs of the client's key; returns the key's id."""
    with container.database.unit_of_work() as session:
        key = session.scalars(select(ApiKey.id).where(ApiKey.account_id == api.account_id)).one()
        api_keys.set_upload_origins(session, api.account_id, key, origins, container.clock())
    return key


def preflight(api: Api, url: str, origin: str = PAGE, method: str = "PUT") -> TestResponse:
    asked = {"Access-Control-Request-Method": method, "Access-Control-Request-Headers": "content-type"}
    return api.client.options(url.removeprefix("http://localhost"), headers={"Origin": origin, **asked})


def cors(answer: TestResponse) -> dict[str, str]:
    """The headers of the answer that open it to pages."""
    return {name: value for name, value in answer.headers.items() if name.startswith("Access-Control-")}


SHOWN = {
    "Access-Control-Allow-Origin": PAGE,
    "Access-Control-Expose-Headers": "ETag, Retry-After, X-Request-Id",
}


def test_a_listed_page_asks_first_then_puts_and_reads_the_answer(api: Api, container: Container) -> None:
    allow(container, api, PAGE, "http://localhost:3000")
    url = fresh_url(api)
    asked = preflight(api, url)
    assert (asked.status_code, asked.data, asked.headers["Vary"]) == (200, b"", "Origin")
    assert cors(asked) == {
        **SHOWN,
        "Access-Control-Allow-Methods": "PUT",
        "Access-Control-Allow-Headers": "Content-Type, Content-MD5, x-amz-checksum-sha256, X-Request-Id",
        "Access-Control-Max-Age": "3600",
    }
    sent = api.put(url, PHOTO, headers={"Origin": PAGE})
    assert (sent.status_code, cors(sent), sent.headers["Vary"]) == (200, SHOWN, "Origin")
    other = preflight(api, url, "http://localhost:3000")
    assert other.headers["Access-Control-Allow-Origin"] == "http://localhost:3000"


@pytest.mark.parametrize(
    "origin", [OTHER, "null", "", "*", PAGE.upper(), f"{PAGE}:443", f"{PAGE}/", f"{PAGE}.evil.example", "x" * 5000]
)
def test_a_page_that_is_not_listed_gets_no_header(api: Api, container: Container, origin: str) -> None:
    allow(container, api, PAGE)
    url = fresh_url(api)
    for answer in (preflight(api, url, origin), api.put(url, PHOTO, headers={"Origin": origin})):
        assert (cors(answer), answer.headers["Vary"]) == ({}, "Origin")


def test_without_a_list_and_for_other_methods_nothing_is_allowed(api: Api, container: Container) -> None:
    assert cors(preflight(api, fresh_url(api))) == {}
    allow(container, api, PAGE)
    url = fresh_url(api)
    for method in ("GET", "POST", "DELETE", "put", ""):
        assert cors(preflight(api, url, method=method)) == {}, method
    got = api.client.get(url.removeprefix("http://localhost"), headers={"Origin": PAGE})
    assert (got.status_code, cors(got)) == (405, {})
    assert cors(api.put(url, PHOTO)) == {}, "a program is no page"


def test_refusals_can_be_read_by_the_page(api: Api, container: Container, clock: FakeClock) -> None:
    allow(container, api, PAGE)
    url = fresh_url(api)
    wrong = api.put(url, b"no picture", headers={"Origin": PAGE})
    damaged = api.put(url, PHOTO, headers={"Origin": PAGE, "Content-MD5": "x"})
    clock.pass_(hours=2)
    late = api.put(url, PHOTO, headers={"Origin": PAGE})
    assert [answer.status_code for answer in (wrong, damaged, late)] == [415, 400, 410]
    assert [cors(answer) for answer in (wrong, damaged, late)] == [SHOWN] * 3
    assert cors(preflight(api, url)), "else the page could not read that the time is over"


def test_a_forged_url_opens_nothing(api: Api, container: Container) -> None:
    allow(container, api, PAGE)
    url = f"{fresh_url(api)}x"
    for answer in (preflight(api, url), api.put(url, PHOTO, headers={"Origin": PAGE})):
        assert cors(answer) == {}


def test_a_change_holds_at_once_and_a_revoked_key_keeps_its_list(api: Api, container: Container) -> None:
    url = fresh_url(api)
    key = allow(container, api, PAGE)
    assert cors(preflight(api, url)), "listed after the URL was made"
    with container.database.unit_of_work() as session:
        api_keys.revoke(session, api.account_id, key, container.clock())
    assert cors(preflight(api, url)), "the URL works, too"
    allow(container, api, OTHER)
    assert cors(preflight(api, url)) == {}
    assert cors(preflight(api, url, OTHER))


def test_a_key_opens_no_urls_of_another(api: Api, other_api: Api, container: Container) -> None:
    allow(container, api, PAGE)
    assert cors(preflight(api, fresh_url(other_api))) == {}


def test_nothing_else_answers_pages(api: Api, container: Container) -> None:
    allow(container, api, PAGE)
    job = api.order(interior=[PHOTO])["jobId"]
    headers = {"Origin": PAGE, "Authorization": f"Bearer {api.secret}"}
    for path in (f"/api/v1/jobs/{job}/status", "/api/v1/orders/upload-urls", "/", "/health/live", "/files/x"):
        for method in ("GET", "OPTIONS", "POST"):
            asked = {**headers, "Access-Control-Request-Method": "GET"}
            assert cors(api.client.open(path, method=method, headers=asked)) == {}, (method, path)
