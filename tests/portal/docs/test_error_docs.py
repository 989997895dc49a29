"""/docs/errors: every code that the API answers has a page, and every error answer leads to its own."""

from decimal import Decimal
from urllib.parse import urlsplit

import pytest
from flask import Flask

from app.application import create_app
from app.container import Container
from app.domain import errors
from app.settings import Settings
from app.web.error_examples import EXAMPLES
from app.web.errors import STATUS, doc_url
from app.web.fault_messages import MESSAGES
from tests.conftest import Api
from tests.portal.person import Person

FOR_PROGRAMS = [kind for kind in STATUS if kind.for_programs]


@pytest.mark.parametrize("kind", FOR_PROGRAMS, ids=lambda kind: kind.__name__)
def test_every_error_has_a_page_that_says_what_to_do(kind: type[errors.Refusal], stranger: Person) -> None:
    page = stranger.open(f"/docs/errors/{kind.code}")
    text = " ".join(page.html.main.text.split())
    assert kind.advice(), "say in the second paragraph of its docstring what to do"
    assert f"{STATUS[kind]}: {kind.error}" in text
    for words in (kind.meaning(), kind.advice(), EXAMPLES[kind].message):
        assert words.replace("`", "") in text
    linked = {link["href"] for link in stranger.open("/docs/errors").html.select("main table a")}
    assert f"/docs/errors/{kind.code}" in linked


def test_only_codes_have_pages(app: Flask) -> None:
    for code in ("nothing", "stale_page", "InvalidRequest"):
        assert app.test_client().get(f"/docs/errors/{code}").status_code == 404


def test_each_fault_of_a_field_is_on_the_page_of_invalid_requests(stranger: Person) -> None:
    text = stranger.open("/docs/errors/invalid_request").html.main.text
    assert "Must have at most limit things." in text
    assert all(message in text for message in MESSAGES.values() if "{" not in message)


def test_the_page_names_the_operations_that_answer_the_error(stranger: Person) -> None:
    page = stranger.open("/docs/errors/insufficient_credits")
    links = {link["href"] for link in page.html.select(".operations a")}
    assert "/docs/api/orders#create_order" in links
    assert "/docs/api/uploads#create_upload_urls" not in links
    assert not stranger.open("/docs/errors/unauthorized").html.select(".operations")


def test_an_operation_leads_to_the_pages_of_its_errors(stranger: Person) -> None:
    links = {link["href"] for link in stranger.open("/docs/api/orders").html.select("table.refusals a")}
    codes = {kind.code for kind in FOR_PROGRAMS}
    assert "/docs/errors/insufficient_credits" in links
    assert links <= {f"/docs/errors/{code}" for code in codes}


@pytest.fixture
def failing(container: Container) -> Flask:
    """An application with a path for each kind of error."""
    app = create_app(container=container)
    app.testing = False

    def fail(name: str) -> None:
        raise next(example for kind, example in EXAMPLES.items() if kind.__name__ == name)

    app.add_url_rule("/api/v1/fail/<name>", view_func=fail)
    app.add_url_rule("/files/broken", "broken", lambda: 1 / 0)
    return app


def test_every_error_answer_leads_to_the_page_of_its_code(failing: Flask, settings: Settings) -> None:
    client = failing.test_client()
    paths = [f"/api/v1/fail/{kind.__name__}" for kind in FOR_PROGRAMS]
    answers = [client.get(path) for path in (*paths, "/api/v1/nothing", "/files/broken")]
    answers.append(client.delete("/api/v1/openapi.json"))
    assert [answer.status_code for answer in answers] == [*(STATUS[kind] for kind in FOR_PROGRAMS), 404, 500, 405]
    for answer in answers:
        address = answer.json["docUrl"]
        assert address == f"{settings.base_url}/docs/errors/{answer.json['code']}"
        assert client.get(urlsplit(address).path).status_code == 200, address


def test_an_address_is_that_of_the_service_as_the_world_sees_it(failing: Flask, container: Container) -> None:
    container.settings = container.settings.model_copy(update={"base_url": "https://photos.example"})
    with failing.app_context():
        assert doc_url("conflict") == "https://photos.example/docs/errors/conflict"


def test_an_example_is_exactly_what_is_sent(failing: Flask, api: Api) -> None:
    examples = api.get("/openapi.json").json["components"]["examples"]
    answered = [kind for kind in FOR_PROGRAMS if kind.__name__ in examples]
    assert len(answered) == len(examples)
    for kind in answered:
        sent = failing.test_client().get(f"/api/v1/fail/{kind.__name__}").json
        assert examples[kind.__name__]["value"].keys() == sent.keys()
        assert {**examples[kind.__name__]["value"], "requestId": sent["requestId"]} == sent
    amounts = examples["InsufficientCredits"]["value"]["details"]
    assert Decimal(str(amounts["required"])) - Decimal(str(amounts["current"])) == Decimal(
        str(amounts["shortfall"])
    )
