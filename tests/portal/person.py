"""One person at one browser without JavaScript, on WebTest; every page they get is held to what all pages share."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Any, TypeVar
from xml.etree.ElementTree import Element

import html5lib
from bs4 import BeautifulSoup
from flask import Flask, session
from flask_wtf.csrf import generate_csrf
from webtest import TestApp, TestRequest, TestResponse
from webtest.forms import Form
from werkzeug.test import create_environ

from app.container import Container
from app.portal import visitors
from tests import apps
from tests.fakes import FakeClock

Given = TypeVar("Given")
PASSWORD = "correct horse battery"
BROWSER = {"HTTP_HOST": "localhost", "REMOTE_ADDR": "127.0.0.1"}
_FORM = re.compile(r'<form\b(?:[^>]*?\sid="(?P<id>[^"]+)")?.*?</form>', re.DOTALL)
_TOKEN = re.compile(r'name="csrf_token"[^>]*value="([^"]+)"')
# What may be other words on a page of the same shape; entities stay, since a bare one makes a page invalid.
_TEXT = re.compile(r">[^<&]+")
_AFTER_ENTITY = re.compile(r"(&\w*;?)[^<>&\"]+")
_WORDS = re.compile(
    r' (href|value|content|action|datetime|title|src|alt|data-[a-z-]+|aria-label)="(?![^"]*#)[^"&]+'
)
_RANDOM_ID = re.compile(r"\b[a-z]{3}_\w{22}\b")
_ALONE = '<!DOCTYPE html><html lang="en"><head><title>Brightlist</title></head><body>{}</body></html>'
_JUDGED: dict[int, "_Part"] = {}
"""Parts of pages by their shape."""


class _Forms(Mapping[int | str, Form]):
    """A page's forms, by place and by id, each read when it is asked for: a page has five, of which one is sent."""

    def __init__(self, page: "Page") -> None:
        self._page = page
        found = list(_FORM.finditer(page.testbody))
        self._begins = {place: each.start() for place, each in enumerate(found)}
        self._begins |= {each["id"]: each.start() for each in found if each["id"]}
        self._texts = {each.start(): each[0] for each in found}
        self._read: dict[int, Form] = {}

    def __getitem__(self, key: int | str) -> Form:
        begin = self._begins[key]
        if begin not in self._read:
            self._read[begin] = Form(self._page, self._texts[begin], self._page.parser_features)
        return self._read[begin]

    def __iter__(self) -> Iterator[int | str]:
        return iter(self._begins)

    def __len__(self) -> int:
        return len(self._begins)


class Page(TestResponse):
    """What a browser shows."""

    def _parse_forms(self) -> None:
        self._forms_indexed = _Forms(self)

    @cached_property
    def html(self) -> BeautifulSoup:
        """What it consists of, read once."""
        return super().html


class _Request(TestRequest):
    ResponseClass = Page


class _Browser(TestApp):
    RequestClass = _Request


class Person:
    """Opens pages and sends forms as a browser would."""

    def __init__(self, app: Flask, email: str = "", account_id: str = "", user_id: str = "") -> None:
        self.email, self.account_id, self.user_id = email, account_id, user_id
        self.web = _Browser(app, extra_environ=dict(BROWSER))
        self._app = app

    @property
    def container(self) -> Container:
        """What the application runs on."""
        return apps.container_of(self._app)

    def begin_signed_in(self) -> None:
        """Be signed in as one is once the password was right, without the pages on the way there."""
        self._within(lambda: visitors.sign_in(self.user_id))

    def _within(self, act: Callable[[], Given]) -> Given:
        """Do something as a request of this browser would, and keep the cookies that it set; what it gave."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.web.cookies.items())
        environ = create_environ("/sign-in", headers={"Cookie": cookies}, environ_overrides=BROWSER)
        with self._app.request_context(environ):
            given = act()
            answer = self._app.make_response("")
            self._app.session_interface.save_session(self._app, session, answer)
        for cookie in answer.headers.getlist("Set-Cookie"):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.web.set_cookie(name, value)
        return given

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
        answer = self.web.post(path, {**fields, "csrf_token": self.token()}, expect_errors=True)
        return self._arrive(answer, status)

    def token(self) -> str:
        """What the forms of this browser's pages have, without a page."""
        return self._within(generate_csrf)

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
    """Hold a page to what all pages share; a part of it once for all of the same shape, where only words differ."""
    text = page.text
    begin, end = text.find("<main"), text.rfind("</main>")
    inner = text[begin : end + len("</main>")] if 0 <= begin < end else ""
    frame = text.replace(inner, "<main></main>") if inner else text
    parts = [_judged(frame), *([_judged(_ALONE.format(inner))] if inner else ())]
    given = Counter(id for part in parts for id in part.ids)
    assert sum(part.headings for part in parts) == 1, "one h1 a page"
    assert max(given.values(), default=1) == 1, f"ids twice: {sorted(id for id in given if given[id] > 1)}"
    for part in parts:
        for id, why in part.wanted:
            assert id in given, f"{id} {why}"


def shape(text: str) -> str:
    """The page without its words: elements, attributes' names, ids given by templates, and every entity."""
    text = _AFTER_ENTITY.sub(r"\1", _TEXT.sub(">", text))
    return _RANDOM_ID.sub("", _WORDS.sub(r' \1="', text))


@dataclass(frozen=True)
class _Part:
    """What a part of a page gives the other part and wants of it."""

    ids: tuple[str, ...]
    headings: int
    wanted: tuple[tuple[str, str], ...]
    """Ids that must be somewhere on the page, and what is wrong where they are not."""


def _judged(text: str) -> _Part:
    known = hash(shape(text))
    if known not in _JUDGED:
        _JUDGED[known] = _judge(html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text))
    return _JUDGED[known]


def _judge(page: Element) -> _Part:
    """Hold a part of a page to what all share, as far as it alone shows that."""
    elements = [each for each in page.iter() if isinstance(each.tag, str)]
    assert page.findtext("head/title", "").endswith("Brightlist")
    labeled = {each.get("for") for each in page.iter("label")}
    within_label = {each for label in page.iter("label") for each in label.iter()}
    wanted = []
    for each in elements:
        assert not _is_inline(each), f"inline: {each.tag} {each.attrib}"
        for id in (each.get("aria-describedby", "") + " " + each.get("aria-labelledby", "")).split():
            wanted.append((id, "describes something and is not there"))
        match each.tag:
            case "form" if each.get("method", "").lower() == "post":
                fields = {field.get("name") for field in each.iter("input")}
                assert "csrf_token" in fields, f"no token in the form to {each.get('action')}"
            case "input" | "select" | "textarea" if each.get("type") != "hidden":
                named = each.get("id") in labeled or each.get("aria-label") or each.get("aria-labelledby")
                assert named or each in within_label, f"no label: {each.tag} {each.attrib}"
            case "a" if each.get("href", "").startswith("#"):
                wanted.append((each.get("href", "")[1:], "is led to and is nowhere"))
            case "img":
                assert {"alt", "width", "height"} <= set(each.keys()), f"no alt or no size: {each.attrib}"
    ids = tuple(each.get("id", "") for each in elements if each.get("id") is not None)
    return _Part(ids, sum(each.tag == "h1" for each in elements), tuple(wanted))


def _is_inline(element: Element) -> bool:
    """Whether it carries style or script of its own, which the policy of the pages forbids."""
    of_its_own = element.tag == "style" or (element.tag == "script" and element.get("src") is None)
    return of_its_own or any(name == "style" or name.startswith("on") for name in element.attrib)
