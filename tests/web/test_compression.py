"""Text is compressed for whoever takes it; what is no text, small, or beside a secret and foreign input, is not."""

import gzip
from collections.abc import Callable

import brotli
import pytest
from flask import Flask, Response
from werkzeug.test import TestResponse

from tests.conftest import PHOTO, Api, work

BOTH = "gzip, deflate, br"
DECODE: dict[str | None, Callable[[bytes], bytes]] = {
    "br": brotli.decompress,
    "gzip": gzip.decompress,
    None: bytes,
}
TEXTS = ["/", "/docs", "/sign-in", "/api/v1/openapi.json", "/static/css/brightlist.css", "/static/img/icons.svg"]


def get(app: Flask, path: str, encodings: str, **headers: str) -> TestResponse:
    return app.test_client().get(path, headers={"Accept-Encoding": encodings, **headers})


@pytest.mark.parametrize("path", TEXTS)
def test_texts_come_smaller_and_mean_the_same(app: Flask, path: str) -> None:
    plain = get(app, path, "")
    assert "Content-Encoding" not in plain.headers
    for encodings, told in (("br", "br"), ("gzip", "gzip"), (BOTH, "br"), ("*", "br"), ("br;q=0, gzip", "gzip")):
        answer = get(app, path, encodings)
        assert answer.headers["Content-Encoding"] == told
        assert int(answer.headers["Content-Length"]) == len(answer.data) < len(plain.data) / 2
        assert len(DECODE[told](answer.data)) == pytest.approx(len(plain.data), abs=20)
    for answer in (plain, get(app, path, "br")):
        assert "Accept-Encoding" in answer.headers["Vary"]


def test_the_documentation_is_less_than_a_sixth(app: Flask) -> None:
    assert 6 * len(get(app, "/docs/api/orders", "gzip").data) < len(get(app, "/docs/api/orders", "").data)


@pytest.mark.parametrize("encodings", ["", "identity", "zstd", "br;q=0, gzip;q=0"])
def test_who_takes_neither_gets_it_as_it_is(app: Flask, encodings: str) -> None:
    answer = get(app, "/api/v1/openapi.json", encodings)
    assert (answer.status_code, "Content-Encoding" in answer.headers) == (200, False)


def test_what_is_small_stays_as_it_is(app: Flask) -> None:
    for path in ("/healthz", "/api/v1/nothing", "/static/img/favicon.svg"):
        assert "Content-Encoding" not in get(app, path, BOTH).headers


def test_pictures_are_not_compressed_again(api: Api, container) -> None:
    job_id = api.order(interior=[PHOTO])["jobId"]
    work(container)
    (image,) = api.get(f"/downloads/{job_id}").json["images"]
    answer = api.client.get(image["url"], headers={"Accept-Encoding": BOTH})
    assert answer.mimetype.startswith("image/")
    assert not {"Content-Encoding", "Vary"} & {*answer.headers.keys()}


@pytest.fixture
def answering(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Response]], Flask]:
    """Puts an answer in place of that of /healthz."""
    (endpoint,) = [rule.endpoint for rule in app.url_map.iter_rules() if rule.rule == "/healthz"]

    def put(answer: Callable[[], Response]) -> Flask:
        monkeypatch.setitem(app.view_functions, endpoint, answer)
        return app

    return put


def test_a_page_is_compressed_only_where_the_request_brought_no_input(app: Flask) -> None:
    assert get(app, "/sign-in", BOTH).headers["Content-Encoding"] == "br"
    assert "Content-Encoding" not in get(app, "/sign-in?next=/csrf_token", BOTH).headers


def test_a_program_may_ask_with_a_query(app: Flask) -> None:
    assert get(app, "/api/v1/openapi.json?q=x", BOTH).headers["Content-Encoding"] == "br"


def test_compression_makes_no_answer_one_of_a_session(app: Flask) -> None:
    assert "Cookie" not in get(app, "/api/v1/openapi.json", BOTH).headers["Vary"]
    assert "Vary" not in get(app, "/healthz", BOTH).headers


def test_the_answer_to_a_form_is_not_compressed(app: Flask) -> None:
    answer = app.test_client().post("/sign-in", data={"email": "x" * 2000}, headers={"Accept-Encoding": BOTH})
    assert len(answer.data) > 1024
    assert "Content-Encoding" not in answer.headers


def test_streams_are_left_as_they_are(answering) -> None:
    app = answering(lambda: Response(iter(["a" * 5000]), mimetype="text/csv"))
    assert "Content-Encoding" not in get(app, "/healthz", BOTH).headers


def test_a_strong_etag_becomes_weak_in_other_bytes(answering) -> None:
    def page() -> Response:
        response = Response("a" * 5000, mimetype="text/plain")
        response.set_etag("abc")
        return response

    app = answering(page)
    assert get(app, "/healthz", BOTH).headers["ETag"] == 'W/"abc"'
    assert get(app, "/healthz", "").headers["ETag"] == '"abc"'


@pytest.mark.parametrize("encodings", ["", "gzip", "br"])
def test_whoever_kept_the_openapi_document_need_not_load_it_again(app: Flask, encodings: str) -> None:
    first = get(app, "/api/v1/openapi.json", encodings)
    again = get(app, "/api/v1/openapi.json", encodings, **{"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert first.headers["Cache-Control"] == "public, no-cache"
