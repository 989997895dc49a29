"""An operation that is marked as deprecated announces it on every answer, in the document and on its page."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from email.utils import parsedate_to_datetime

import pytest
from flask import Blueprint, Flask
from werkzeug.test import EnvironBuilder

from app.api.v1.credits import show_credits
from app.api.v1.operations import OPERATIONS, serve
from app.api.v1.resources import RESOURCE_NAMES
from app.application import create_app
from app.container import Container
from app.domain.deprecation import NOTICE, Deprecation
from app.domain.errors import Conflict
from app.web import admission
from tests.beginnings import Known
from tests.conftest import Api, api_of

SINCE = date(2027, 1, 1)
ENDING = Deprecation(SINCE, SINCE + NOTICE, "Use `GET /user/credits`.")
HEADERS = {
    "Deprecation": "@1798761600",
    "Sunset": "Sat, 01 Jan 2028 00:00:00 GMT",
    "Link": '<https://old.example/docs/versions>; rel="deprecation"; type="text/html"',
}


@pytest.fixture
def old(container: Container, jo: Known, monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    """A client of a service that has a deprecated operation."""
    container.settings = container.settings.model_copy(update={"base_url": "https://old.example"})
    blueprint = Blueprint("old_v1", __name__)
    declared = replace(OPERATIONS["show_credits"], path="/user/balance", deprecation=ENDING, body=None)

    def show_old_balance():
        return show_credits()

    def refuse_old_balance():
        raise Conflict("It is over.")

    serve(blueprint, declared)(show_old_balance)
    serve(blueprint, replace(declared, path="/user/balance/refused"))(refuse_old_balance)
    monkeypatch.setitem(RESOURCE_NAMES, "old_v1", "credits")
    app: Flask = create_app(container=container)
    app.register_blueprint(blueprint, url_prefix="/api/v1", name="api_v1.old_v1")
    yield api_of(app, jo)
    for name in ("show_old_balance", "refuse_old_balance"):
        del OPERATIONS[name]


def test_every_answer_has_the_headers_even_a_refusal(old: Api) -> None:
    answers = {
        200: old.get("/user/balance"),
        409: old.get("/user/balance/refused"),
        401: old.client.get("/api/v1/user/balance"),
    }
    for status, answer in answers.items():
        assert answer.status_code == status
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert parsedate_to_datetime(HEADERS["Sunset"]).date() == ENDING.until


def test_a_refusal_before_the_body_is_read_has_them_too(old: Api) -> None:
    environ = EnvironBuilder("/api/v1/user/balance").get_environ()
    refused = admission.admit(old.client.application, environ)
    assert refused is not None
    assert (refused.status_code, {name: refused.headers.get(name) for name in HEADERS}) == (401, HEADERS)


def test_other_operations_have_none(old: Api) -> None:
    assert not {*HEADERS} & {*old.get("/user/credits").headers.keys()}


def test_the_document_and_its_page_say_so(old: Api) -> None:
    paths = old.get("/openapi.json").json["paths"]
    operation = paths["/user/balance"]["get"]
    assert operation["deprecated"] is True
    assert operation["description"].startswith("Deprecated since 2027-01-01; ends on 2028-01-01. Use `GET")
    assert {*HEADERS} <= {*operation["responses"]["200"]["headers"]} & {*operation["responses"]["401"]["headers"]}
    assert paths["/user/credits"]["get"]["deprecated"] is False
    assert '/user/balance</code> <span class="deprecated">' in old.client.get("/docs/api/credits").text.replace(
        "<wbr>", ""
    )
    assert "<code>show_old_balance</code>" in old.client.get("/docs/versions").text


def test_nobody_gets_less_time_than_was_promised() -> None:
    with pytest.raises(ValueError, match="2028-01-01 at the earliest"):
        Deprecation(SINCE, SINCE + NOTICE - timedelta(days=1), "")
