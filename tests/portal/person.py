"""One person at one browser without JavaScript, on WebTest; every page they get is held to what all pages share."""

import re
from datetime import timedelta
from typing import Any

import html5lib
from bs4 import BeautifulSoup, Tag
from flask import Flask, session
from webtest import TestApp, TestResponse
from werkzeug.test import create_environ

from app.portal import visitors
from tests.fakes import FakeClock

PASSWORD = "correct horse battery"
BROWSER = {"HTTP_HOST": "localhost", "REMOTE_ADDR": "127.0.0.1"}
_TOKEN = re.compile(r'name="csrf_token"[^>]*value="([^"]+)"')
# What may be other words on a page of the same shape; entities stay, since a bare one makes a page invalid.
_TEXT = re.compile(r">[^<&]+")
_AFTER_ENTITY = re.compile(r"(&\w*;?)[^<>&\"]+")
_WORDS = re.compile(
    r' (href|value|content|action|datetime|title|src|alt|data-[a-z-]+|aria-label)="(?![^"]*#)[^"&]+'
)
_RANDOM_ID = re.compile(r"\b[a-z]{3}_\w{22}\b")
_AUDITED: set[int] = set()


class Person:
    """Opens pages and sends forms as a browser would."""

    def __init__(self, app: Flask, email: str = "", account_id: str = "", user_id: str = "") -> None:
        self.email, self.account_id, self.user_id = email, account_id, user_id
        self.web = TestApp(app, extra_environ=dict(BROWSER))
        self._app = app

    def begin_signed_in(self) -> None:
        """Be signed in as one is once the password was right, without the pages on the way there."""
        with self._app.request_context(create_environ("/sign-in", environ_overrides=BROWSER)):
            visitors.sign_in(self.user_id)
            answer = self._app.make_response("")
            self._app.session_interface.save_session(self._app, session, answer)
        for cookie in answer.headers.getlist("Set-Cookie"):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.web.set_cookie(name, value)

    def sign_in(self, password: str = PASSWORD) -> TestResponse:
        return self.post("/sign-in", email=self.email, password=password)

    def open(self, path: str, status: int = 200, **options: Any) -> TestResponse:
        """Follow a link; redirects are followed."""
        answer = self.web.get(path, expect_errors=True, **options)
        return self._arrive(answer, status)

    def send(
        self, form: Any, button: str | None = None, status: int = 200, value: str | None = None
    ) -> TestResponse:
        """Press a button of the form; redirects are followed."""
        answer = form.submit(button, value=value, expect_errors=True)
        return self._arrive(answer, status)

    def post(self, path: str, status: int = 200, **fields: str) -> TestResponse:
        """Send a form that stands on no page at hand, with the token this browser has."""
        token = csrf_of(self.web.get("/sign-in", expect_errors=True).maybe_follow())
        answer = self.web.post(path, {**fields, "csrf_token": token}, expect_errors=True)
        return self._arrive(answer, status)

    def fragment(self, path: str, status: int = 200) -> TestResponse:
        """What htmx would get."""
        answer = self.web.get(path, headers={"HX-Request": "true"}, expect_errors=True)
        assert answer.status_int == status, answer.text
        return answer

    def keep_using(self, clock: FakeClock, **length: float) -> None:
        """Let so much time pass, never half an hour of it without opening a page."""
        until = clock() + timedelta(**length)
        while (left := until - clock()) > timedelta():
            clock.pass_(seconds=min(left.total_seconds(), 1800))
            assert self.open("/account/name").request.path == "/account/name"

    def _arrive(self, answer: TestResponse, status: int) -> TestResponse:
        answer = answer.maybe_follow(expect_errors=True) if 300 <= answer.status_int < 400 else answer
        assert answer.status_int == status, f"{answer.status} {answer.request.path}\n{answer.text[:3000]}"
        if answer.content_type == "text/html":
            audit(answer)
        return answer


def csrf_of(page: TestResponse) -> str:
    """The token in the page's forms."""
    found = _TOKEN.search(page.text)
    assert found
    return found[1]


def audit(page: TestResponse) -> None:
    """Hold a page to what all pages share; once for pages of the same shape, in which only words and ids differ."""
    known = hash(shape(page.text))
    if known not in _AUDITED:
        _audit(page.text, page.html)
        _AUDITED.add(known)


def shape(text: str) -> str:
    """The page without its words: elements, attributes' names, ids given by templates, and every entity."""
    text = _AFTER_ENTITY.sub(r"\1", _TEXT.sub(">", text))
    return _RANDOM_ID.sub("", _WORDS.sub(r' \1="', text))


def _audit(text: str, soup: BeautifulSoup) -> None:
    html5lib.HTMLParser(strict=True).parse(text)
    elements = soup.find_all(True)
    assert sum(each.name == "h1" for each in elements) == 1, "one h1 a page"
    assert soup.title.text.endswith("Brightlist")
    given = [each["id"] for each in elements if each.has_attr("id")]
    ids = set(given)
    assert len(given) == len(ids), f"ids twice: {sorted({each for each in ids if given.count(each) > 1})}"
    labelled = {each["for"] for each in elements if each.name == "label" and each.has_attr("for")}
    for each in elements:
        assert not _is_inline(each), f"inline: {each}"
        for id in (each.get("aria-describedby", "") + " " + each.get("aria-labelledby", "")).split():
            assert id in ids, f"{id} describes something and is not there"
        match each.name:
            case "form" if each.get("method", "").lower() == "post":
                assert each.select_one('input[name="csrf_token"]'), f"no token in the form to {each.get('action')}"
            case "input" | "select" | "textarea" if each.get("type") != "hidden":
                named = each.get("id") in labelled or each.get("aria-label") or each.get("aria-labelledby")
                assert named or each.find_parent("label"), f"no label: {each}"
            case "a" if each.get("href", "").startswith("#"):
                assert each["href"][1:] in ids, f"{each['href']} leads nowhere"
            case "img":
                assert {"alt", "width", "height"} <= each.attrs.keys(), f"no alt or no size: {each}"


def _is_inline(element: Tag) -> bool:
    """Whether it carries style or script of its own, which the policy of the pages forbids."""
    of_its_own = element.name == "style" or (element.name == "script" and not element.has_attr("src"))
    return of_its_own or any(name == "style" or name.startswith("on") for name in element.attrs)
