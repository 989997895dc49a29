"""What the server itself refuses looks as everything the application refuses, and comes before the body."""

import pytest

from app.container import Container
from app.domain.limits import MAX_FILE_BYTES
from app.web.bodies import ARRIVAL_SECONDS, MAX_JSON_BYTES
from tests.api.test_uploads_from_pages import PAGE, allow
from tests.conformance.streams import fresh_url
from tests.conftest import PHOTO, Api
from tests.serving.conftest import Site
from tests.waiting import eventually

LONG = "a" * 40_000


@pytest.mark.parametrize(
    ("head", "status", "code"),
    [
        (("POST /api/v1/orders HTTP/1.1", "Content-Length: 99999999999999999999"), 413, "too_large"),
        (("POST /api/v1/orders/quote HTTP/1.1", f"Content-Length: {MAX_JSON_BYTES + 1}"), 413, "too_large"),
        (("PUT /uploads/x HTTP/1.1", f"Content-Length: {MAX_FILE_BYTES + 1}"), 413, "too_large"),
        (("POST /api/v1/nothing HTTP/1.1", f"Content-Length: {MAX_JSON_BYTES + 1}"), 413, "too_large"),
        (("POST /api/v1/orders HTTP/1.1", "Content-Length: many"), 400, "invalid_request"),
        (("POST /api/v1/orders HTTP/1.1", "Content-Length: -1"), 400, "invalid_request"),
        (("POST /api/v1/orders HTTP/1.1", f"Content-Length: {'9' * 5000}"), 400, "invalid_request"),
        (("POST /api/v1/orders HTTP/1.1", "Transfer-Encoding: gzip"), 501, "internal_error"),
        (("post /api/v1/orders HTTP/1.1",), 400, "invalid_request"),
        (("GET /api/v1/user credits HTTP/1.1",), 400, "invalid_request"),
        (("GET http://localhost/api/v1/a b HTTP/1.1",), 400, "invalid_request"),
        (("GET /api/v1/user HTTP/1.1", "no header"), 400, "invalid_request"),
        ((f"GET /api/v1/{LONG} HTTP/1.1",), 414, "invalid_request"),
        (("GET /api/v1/user HTTP/1.1", f"X: {LONG}"), 431, "invalid_request"),
        # Large bodies that nobody wants, before they are sent.
        (("POST /api/v1/orders HTTP/1.1", "Content-Length: 90000000"), 401, "unauthorized"),
        (("POST /api/v1/orders HTTP/1.1", "Transfer-Encoding: chunked"), 401, "unauthorized"),
        (("PUT /uploads/x HTTP/1.1", "Content-Length: 50000000"), 403, "forbidden"),
    ],
)
def test_a_program_is_refused_in_json_at_once(site: Site, head: tuple[str, ...], status: int, code: str) -> None:
    with site.line() as line:
        answer = line.ask(*head)
        assert (answer.status, answer.json["code"]) == (status, code)
        assert answer.json["requestId"] == answer.headers["x-request-id"]
        assert answer.headers["connection"] == "close"
        assert line.is_closed()


def test_a_page_that_may_upload_reads_that_its_file_is_too_large(
    site: Site, api: Api, container: Container
) -> None:
    allow(container, api, PAGE)
    path = fresh_url(api).removeprefix("http://localhost")
    with site.line() as line:
        answer = line.ask(f"PUT {path} HTTP/1.1", f"Content-Length: {MAX_FILE_BYTES + 1}", f"Origin: {PAGE}")
        assert (answer.status, answer.headers["access-control-allow-origin"]) == (413, PAGE)


@pytest.mark.parametrize("line", ["get /sign-in HTTP/1.1", "nonsense", "GET /sign-in?next=/api/v1 a b"])
def test_a_person_is_refused_on_a_page(site: Site, line: str) -> None:
    with site.line() as connection:
        answer = connection.ask(line)
        assert (answer.status, answer.headers["content-type"]) == (400, "text/html; charset=utf-8")
        assert b"This did not work" in answer.body
        assert "content-security-policy" in answer.headers


def test_photos_of_somebody_who_is_not_signed_in_lead_to_the_sign_in_before_they_come(site: Site) -> None:
    with site.line() as line:
        answer = line.ask("POST /properties/dft_1/files HTTP/1.1", "Content-Length: 90000000")
        assert (answer.status, answer.headers["location"][:8]) == (303, "/sign-in")


def test_whoever_goes_on_to_send_what_was_refused_sees_the_answer(site: Site) -> None:
    with site.line() as line:
        line.send("PUT /uploads/x HTTP/1.1", "Content-Length: 30000000", body=bytes(30_000_000))
        assert line.answer().json["code"] == "forbidden"


def test_a_client_that_waits_to_be_asked_for_the_body_is_asked_only_if_it_is_wanted(site: Site, api: Api) -> None:
    wait, length = "Expect: 100-continue", f"Content-Length: {len(PHOTO)}"
    url = fresh_url(api).removeprefix("http://localhost")
    with site.line() as line:
        assert line.ask(f"PUT {url} HTTP/1.1", length, wait).status == 100
        line.write(PHOTO)
        assert line.answer().status == 200
        # A large one is asked for once it has been let in.
        assert line.ask(f"PUT {url} HTTP/1.1", "Content-Length: 40000000", wait).status == 100
    with site.line() as line:
        assert line.ask("PUT /uploads/x HTTP/1.1", "Content-Length: 40000000", wait).status == 403
    with site.line() as line:
        assert line.ask(f"PUT {url} HTTP/1.1", "Content-Length: 60000000", wait).status == 413


def test_a_checksum_that_is_none_is_refused_before_the_file_comes(site: Site, api: Api) -> None:
    url = fresh_url(api).removeprefix("http://localhost")
    with site.line() as line:
        answer = line.ask(f"PUT {url} HTTP/1.1", "Content-Length: 40000000", "Content-MD5: 0123456789abcdef")
        assert (answer.status, list(answer.json["details"])) == (400, ["Content-MD5"])


def test_a_body_in_chunks_is_taken_and_bounded_too(site: Site, api: Api, container) -> None:
    url = fresh_url(api).removeprefix("http://localhost")
    with site.line() as line:
        line.send(f"PUT {url} HTTP/1.1", "Transfer-Encoding: chunked")
        half = len(PHOTO) // 2
        for part in (PHOTO[:half], PHOTO[half:], b""):
            line.write(b"%x\r\n%s\r\n" % (len(part), part))
        assert line.answer().status == 200
    (path,) = (each for each in container.settings.storage_path.rglob("interior-0"))
    assert path.read_bytes() == PHOTO
    with site.line() as line:
        line.send("POST /api/v1/nothing HTTP/1.1", "Transfer-Encoding: chunked")
        line.write(b"200000\r\n" + bytes(0x200000) + b"\r\n")
        assert line.answer().json["code"] == "too_large"
    with site.line() as line:
        line.send("POST /api/v1/nothing HTTP/1.1", "Transfer-Encoding: chunked", body=b"no number\r\n")
        assert line.answer().json["code"] == "invalid_request"


def test_when_the_room_for_uploads_is_taken_further_ones_are_asked_to_come_later(site: Site, api: Api) -> None:
    path = fresh_url(api).removeprefix("http://localhost")
    site.server.body_budget.max_bytes = 1_000_000
    with site.line() as line:
        answer = line.ask(f"PUT {path} HTTP/1.1", "Content-Length: 1000001")
        assert (answer.status, answer.headers["retry-after"]) == (503, "60")
    with site.line() as line:
        line.send(f"PUT {path} HTTP/1.1", "Transfer-Encoding: chunked")
        line.write(b"1e8480\r\n" + bytes(2_000_000))
        assert line.answer().status == 503
    eventually("its room is free again", lambda: site.server.body_budget.held_bytes == 0)
    with site.line() as line:
        line.send(f"PUT {path} HTTP/1.1", f"Content-Length: {len(PHOTO)}", body=PHOTO)
        assert line.answer().status == 200


def test_a_slow_upload_that_began_in_time_is_taken_though_its_url_is_over_meanwhile(api: Api, container) -> None:
    path = fresh_url(api).removeprefix("http://localhost")
    container.clock.pass_(minutes=70)
    for seconds, status in ((60, 410), (1200, 200)):
        answer = api.put(path, PHOTO, environ_overrides={ARRIVAL_SECONDS: seconds})
        assert answer.status_code == status
