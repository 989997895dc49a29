"""The pages' own files: kept for a year under the address that names their contents, asked for again otherwise."""

import re

import pytest
from flask import Flask
from werkzeug.test import TestResponse

CSS = "/static/css/brightlist.css"
FOREVER = {"public", "max-age=31536000", "immutable"}


def get(app: Flask, path: str, **headers: str) -> TestResponse:
    return app.test_client().get(path, headers=headers)


def kept(answer: TestResponse) -> set[str]:
    return {each.strip() for each in answer.headers["Cache-Control"].split(",")}


def versioned(app: Flask) -> str:
    (path,) = re.findall(rf'"({CSS}\?v=\w+)"', get(app, "/").text)
    return path


@pytest.mark.parametrize("encodings", ["", "gzip", "br"])
def test_what_pages_name_may_be_kept_for_a_year(app: Flask, encodings: str) -> None:
    answer = get(app, versioned(app), **{"Accept-Encoding": encodings})
    assert kept(answer) == FOREVER
    again = get(app, versioned(app), **{"Accept-Encoding": encodings, "If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data, kept(again)) == (304, b"", FOREVER)


@pytest.mark.parametrize("path", [CSS, f"{CSS}?v=00000000", f"{CSS}?v="])
def test_another_version_or_none_is_asked_for_again(app: Flask, path: str) -> None:
    assert kept(get(app, path)) == kept(get(app, path, **{"Accept-Encoding": "gzip"})) == {"no-cache"}


def test_every_encoding_has_an_etag_of_its_own(app: Flask) -> None:
    etags = {get(app, CSS, **{"Accept-Encoding": each}).headers["ETag"] for each in ("", "gzip", "br")}
    assert len(etags) == 3


def test_a_part_of_a_file_is_a_part_of_the_file_itself(app: Flask) -> None:
    whole = get(app, CSS).data
    part = get(app, CSS, Range="bytes=0-9", **{"Accept-Encoding": "gzip"})
    assert (part.status_code, part.data) == (206, whole[:10])
    assert "Content-Encoding" not in part.headers


def test_pictures_come_as_they_are(app: Flask) -> None:
    (path, *_) = re.findall(r'"(/static/img/landing/[^"]+)"', get(app, "/").text)
    answer = get(app, path, **{"Accept-Encoding": "gzip, br"})
    assert not {"Content-Encoding", "Vary"} & {*answer.headers.keys()}
    assert kept(answer) == FOREVER


def test_what_is_not_there_is_not_kept(app: Flask) -> None:
    answer = get(app, "/static/css/nothing.css?v=none")
    assert answer.status_code == 404
    assert "immutable" not in answer.headers.get("Cache-Control", "")
