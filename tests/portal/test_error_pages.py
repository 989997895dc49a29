"""Refusals and faults as pages: plain words, one way on, a reference; also when the database is away."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from flask import Flask
from werkzeug.exceptions import HTTPException, default_exceptions

from app.application import create_app
from app.container import Container
from app.database import Database
from app.domain import errors
from app.domain.errors import Refusal
from app.web import error_pages
from app.web.errors import STATUS
from tests.conftest import Api
from tests.portal.person import Person

FORM = "http://localhost/orders?q=lane"
RAISED: list[tuple[Refusal | HTTPException, int]] = [
    (errors.InvalidRequest({"street": "Enter the street.", "city": "Enter the city."}), 400),
    (errors.StalePage(), 400),
    (errors.Forbidden(), 403),
    (errors.NotFound(), 404),
    (errors.Conflict("It was placed already."), 409),
    (errors.LinkExpired("The link was used."), 410),
    (errors.TooLarge("A file may have at most 50 MB."), 413),
    (errors.UnsupportedMedia("The file is not JPEG."), 415),
    (errors.IdempotencyMismatch("Sent before with other words."), 422),
    (errors.RateLimited("tries", 5, 30), 429),
    *((default_exceptions[status](), status) for status in (400, 403, 404, 405, 408, 410, 413, 415, 422, 429, 500)),
]
ENGLISH_OF_THE_FRAMEWORK = ("URL", "server", "request", "browser", "Correct the fields", "idempotency")


@pytest.fixture
def app(container: Container) -> Flask:
    """An application that takes one more page: it has not answered anybody yet."""
    app = create_app(container=container)
    app.testing = False
    return app


@pytest.fixture
def broken(app: Flask) -> list[Exception]:
    """A page that raises whatever is in the list."""
    raised: list[Exception] = []

    def page() -> str:
        raise raised[0]

    app.add_url_rule("/breaks", view_func=page, methods=["GET", "POST"])
    return raised


def test_every_refusal_is_a_page_in_plain_words_with_one_way_on(
    broken: list[Exception], person: Person, subtests: pytest.Subtests
) -> None:
    for error, status in RAISED:
        with subtests.test(error=error, status=status):
            broken[:] = [error]
            page = person.open("/breaks", status)
            main = page.html.main
            assert len(main.select("a")) == 1
            assert main.select_one("#reference").text == page.headers["X-Request-Id"]
            assert main.select_one("[data-copy=reference]")
            assert page.html.select_one(".balance").text.strip().endswith("100 credits")
            told = main.get_text(" ")
            for words in ENGLISH_OF_THE_FRAMEWORK:
                assert words not in told.replace(page.headers["X-Request-Id"], "")


def test_every_status_of_a_refusal_has_its_page() -> None:
    shown_by_forms = {401}  # who is not signed in is led to sign in
    assert {*STATUS.values()} - shown_by_forms <= {*error_pages.PAGES}


def test_faults_of_a_form_are_all_told(broken: list[Exception], person: Person) -> None:
    broken.append(errors.InvalidRequest({"street": "Enter the street.", "city": "Enter <b>the</b> city."}))
    page = person.open("/breaks", 400)
    assert [each.text for each in page.html.select("main li")] == ["Enter the street.", "Enter <b>the</b> city."]


def test_too_many_tries_say_when(broken: list[Exception], person: Person) -> None:
    broken.append(errors.RateLimited("tries", 5, 30))
    page = person.open("/breaks?a=1", 429)
    assert "Wait 30 seconds, then try again." in page.text
    assert page.headers["Retry-After"] == "30"
    assert page.html.select_one("main a")["href"] == "/breaks?a=1"
    broken[0] = errors.RateLimited("tries", 5, 600)
    assert "Wait 10 minutes" in person.open("/breaks", 429).text


@pytest.mark.parametrize("error", [errors.TooLarge("x"), errors.UnsupportedMedia("x"), errors.Conflict("x")])
def test_what_a_form_sent_in_vain_leads_back_to_the_form(
    broken: list[Exception], person: Person, error: Refusal
) -> None:
    broken.append(error)
    answer = person.web.post("/breaks", headers={"Referer": FORM}, expect_errors=True)
    assert answer.html.select_one("main a")["href"] == "/orders?q=lane"


@pytest.mark.parametrize(
    "referrer",
    ["", "https://evil.example/x", "http://localhost//evil.example", "http://localhost/\\evil.example", "nonsense"],
)
def test_the_way_back_never_leads_elsewhere(broken: list[Exception], person: Person, referrer: str) -> None:
    broken.append(errors.TooLarge("x"))
    answer = person.web.post("/breaks", headers={"Referer": referrer}, expect_errors=True)
    assert answer.html.select_one("main a")["href"] == "/orders"


def test_who_is_not_signed_in_is_led_to_the_front_page(stranger: Person) -> None:
    page = stranger.open("/nowhere", 404)
    assert page.html.select_one("main a")["href"] == "/"


def test_a_fault_is_told_without_its_inside(broken: list[Exception], person: Person, container: Container) -> None:
    container.settings = container.settings.model_copy(update={"support_email": "help@example.com"})
    broken.append(RuntimeError("secret inside"))
    page = person.open("/breaks", 500)
    assert "secret" not in page.text
    assert "send us the reference" in page.text
    assert page.html.select_one("main a[href^=mailto]").text == "help@example.com"


def test_htmx_gets_a_line_instead_of_a_page(broken: list[Exception], person: Person) -> None:
    told = ((errors.Conflict("It was placed already."), 409, "placed already"), (RuntimeError(), 500, "went wrong"))
    for error, status, words in told:
        broken[:] = [error]
        answer = person.fragment("/breaks", status)
        assert words in answer.text
        assert "<html" not in answer.text
        assert len(answer.text) < 500


def test_programs_still_get_json(api: Api) -> None:
    answer = api.get("/nowhere")
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")


@pytest.fixture(params=["away", "no database"])
def lost(container: Container, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple[int, str]]:
    """The database is away, which passes, or what lies there is none; the status and words to expect of it."""
    path, passes = tmp_path / "lost.db", request.param == "away"
    if passes:
        path.mkdir()
    else:
        path.write_bytes(b"nothing that a database would write" * 100)
    with patch.object(container, "database", Database(f"sqlite:///{path}")):
        yield (503, "Unavailable for a moment") if passes else (500, "Something went wrong on our side")


def test_without_a_database_what_needs_one_says_so(person: Person, stranger: Person, lost: tuple[int, str]) -> None:
    status, words = lost
    form = stranger.open("/sign-in").forms["sign-in"]
    form["email"], form["password"] = person.email, "whatever"
    page = stranger.send(form, status=status)
    assert words in page.text
    assert page.html.select_one("#reference")


def test_without_a_database_nobody_is_taken_for_signed_out(person: Person, lost: tuple[int, str]) -> None:
    status, words = lost
    page = person.open("/orders", status)
    assert words in page.text
    assert page.html.select_one("main a")["href"] == "/orders"
    poll = person.fragment("/orders?poll=1", status)
    assert "HX-Redirect" not in poll.headers


def test_without_a_database_pages_that_need_none_still_come(person: Person, stranger: Person, lost: object) -> None:
    stranger.open("/sign-in")
    for each in (person, stranger):
        page = each.open("/nowhere", 404)
        assert "Not found" in page.text
        assert page.html.select_one("main a")["href"] == "/", "nobody can say who they are"
