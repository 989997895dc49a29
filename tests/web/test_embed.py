"""The script of the upload element: one small module that pages of any site may load, and browsers may keep."""

import gzip
import re

from flask import Flask

from app.domain.limits import MAX_FILE_BYTES
from app.web.embed import PATH


def test_any_page_may_load_it_and_browsers_keep_it_for_an_hour(app: Flask) -> None:
    answer = app.test_client().get(PATH, headers={"Origin": "https://anywhere.example"})
    assert (answer.status_code, answer.mimetype) == (200, "text/javascript")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert answer.headers["Cache-Control"] == "public, max-age=3600, stale-while-revalidate=86400"
    assert "Set-Cookie" not in answer.headers
    again = app.test_client().get(PATH, headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_it_is_one_module_of_at_most_ten_kilobytes_that_knows_the_limits(app: Flask) -> None:
    packed = app.test_client().get(PATH, headers={"Accept-Encoding": "gzip"})
    assert (packed.headers["Content-Encoding"], packed.headers["Vary"]) == ("gzip", "Accept-Encoding")
    assert len(packed.data) <= 10_000
    script = gzip.decompress(packed.data).decode()
    assert script == app.test_client().get(PATH).text
    assert not re.search(r"^(import|export)\b|^\s*//", script, re.MULTILINE)
    assert f'"maxBytes":{MAX_FILE_BYTES}' in script
