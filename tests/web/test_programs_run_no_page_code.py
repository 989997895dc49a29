"""Requests of programs run nothing of the portal's: no hook, no context processor, no session, no Flask-Login."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import flask.sessions
import flask_login
import flask_wtf
import htmx_flask
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from app import portal
from app.web.errors import JSON_PATHS
from tests.architecture.test_entry_points import method, of_the_portal, path
from tests.conftest import PHOTO, Api

PAGE_CODE = [str(Path(package.__file__ or "").parent) for package in (portal, flask_login, flask_wtf, htmx_flask)]
COOKIE_SESSIONS = {
    f"{flask.sessions.__name__}.{each}"
    for each in ("SecureCookieSession", "SecureCookieSessionInterface.get_signing_serializer")
}
Send = Callable[[], TestResponse]


@contextmanager
def watched() -> Iterator[set[str]]:
    """The functions of page code that run meanwhile, by module and name."""
    found: set[str] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        code, module = frame.f_code, frame.f_globals.get("__name__", "")
        name = f"{module}.{code.co_qualname}"
        if event == "call" and (code.co_filename.startswith(tuple(PAGE_CODE)) or name in COOKIE_SESSIONS):
            found.add(name)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(before)


def with_session(app: Flask) -> dict[str, str]:
    """Headers of a browser that has a session of the portal's."""
    client = app.test_client()
    client.get("/sign-in")
    cookie = client.get_cookie("brightlist")
    assert cookie is not None
    return {"Cookie": f"brightlist={cookie.value}"}


def test_the_watch_sees_what_a_page_runs(app: Flask) -> None:
    with watched() as found:
        assert app.test_client().get("/sign-in").status_code == 200
    assert {"app.portal.security.sign_in.new", "flask_login.utils._get_user"} <= found
    assert found & COOKIE_SESSIONS
    with watched() as found:
        assert app.test_client().post("/sign-in").status_code == 400
    assert "app.portal.page_blueprint._check_token" in found


@pytest.mark.long
def test_no_route_of_programs_runs_code_of_pages(app: Flask, api: Api, subtests: pytest.Subtests) -> None:
    key, cookie = {"Authorization": f"Bearer {api.secret}"}, with_session(app)
    rules = [rule for rule in app.url_map.iter_rules() if not of_the_portal(rule) and rule.endpoint != "static"]
    assert len(rules) > 15
    for rule in rules:
        for headers in ({}, key, cookie, key | cookie):
            with subtests.test(rule=str(rule), headers=[*headers]), watched() as found:
                app.test_client(use_cookies=False).open(path(rule), method=method(rule), headers=headers)
                runs = found if str(rule).startswith(JSON_PATHS) else found - COOKIE_SESSIONS
                assert runs == set()


def test_nothing_that_fails_or_succeeds_for_a_program_runs_code_of_pages(app: Flask, api: Api) -> None:
    cookie = with_session(app)
    sends: list[Send] = [
        lambda: api.client.get("/api/v1/nothing-here", headers=cookie),
        lambda: api.client.delete("/api/v1/credits", headers=cookie),
        lambda: api.client.post("/payments/nobody", headers=cookie),
        lambda: api.get("/credits", headers=cookie),
    ]
    for send in sends:
        with watched() as found:
            answer = send()
        assert answer.mimetype == "application/json"
        assert found == set()
    with watched() as found:
        api.order(interior=[PHOTO])
    assert found == set()
