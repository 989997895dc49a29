"""Tries to sign in: guessing stays slow, and nobody keeps an owner out by guessing."""

from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from webtest import TestResponse

from app.container import Container
from app.domain.sign_in_limits import NEW_BROWSERS_PER_HOUR, SIGN_IN_STAGES, TURN_VALID_FOR
from app.services.accounts import users
from app.services.security import password_changes
from tests.fakes import FakeClock
from tests.portal.conftest import NewPerson
from tests.portal.person import PASSWORD, Person

SHOWN_ALIKE = ("csrf_token", "value=", "Reference")
At = Callable[..., Person]


def try_(browser: Person, email: str, password: str = "wrong battery") -> TestResponse:
    fields = {"email": email, "password": password, "csrf_token": browser.token()}
    return browser.web.post("/sign-in", fields, expect_errors=True)


def got_in(answer: TestResponse) -> bool:
    return answer.status_int == 303


def wait_of(answer: TestResponse) -> int:
    return int(answer.headers.get("Retry-After", "0"))


@pytest.fixture
def at(app: Flask) -> At:
    """at(address) -> a browser there that nobody knows."""

    def begin(address: str) -> Person:
        browser = Person(app)
        browser.web.extra_environ["REMOTE_ADDR"] = address
        return browser

    return begin


@pytest.fixture
def strangers(at: At) -> Iterator[Person]:
    """Browsers at as many addresses, each in a network of its own, as anybody has."""
    return (at(f"10.{number // 250}.{number % 250}.1") for number in range(10_000))


@pytest.fixture
def attacked(person: Person, strangers: Iterator[Person]) -> str:
    """The e-mail of an account that a thousand addresses guess at."""
    for _ in range(int(SIGN_IN_STAGES[1].up_to) + 1):
        assert not got_in(try_(next(strangers), person.email))
    return person.email


def test_strangers_spend_nothing_of_a_known_browser(person: Person, at: At, strangers: Iterator[Person]) -> None:
    known = at("192.0.2.1")
    assert got_in(try_(known, person.email, PASSWORD))
    known.send(known.open("/orders").forms["sign-out"])
    for _ in range(60):
        try_(next(strangers), person.email)
    neighbor = at("192.0.2.1")
    while try_(neighbor, person.email).status_int != 429:
        pass
    assert got_in(try_(known, person.email, PASSWORD)), "also beside a stranger at the same address"


def test_an_owner_at_a_new_browser_waits_seconds_and_gets_in(
    at: At, attacked: str, clock: FakeClock, strangers: Iterator[Person]
) -> None:
    owner = at("192.0.2.1")
    answer = try_(owner, attacked, PASSWORD)
    assert (answer.status_int, wait_of(answer)) == (429, SIGN_IN_STAGES[-1].wait_seconds)
    assert wait_of(answer) < 10
    assert f"Try again in {SIGN_IN_STAGES[-1].wait_seconds} seconds" in answer.html.select_one(".summary").text
    assert answer.forms["sign-in"]["email"].value == attacked
    clock.pass_(seconds=SIGN_IN_STAGES[-1].wait_seconds - 1)
    assert wait_of(try_(owner, attacked, PASSWORD)) == 1, "asked too early, the wait begins no second time"
    for _ in range(10):
        try_(next(strangers), attacked)
    clock.pass_(seconds=1)
    assert got_in(try_(owner, attacked, PASSWORD))
    owner.send(owner.open("/orders").forms["sign-out"])
    assert got_in(try_(owner, attacked, PASSWORD)), "from now on the account knows it"


def test_a_turn_is_one_try_and_not_anothers(at: At, attacked: str, clock: FakeClock) -> None:
    stranger, elsewhere = at("192.0.2.1"), at("192.0.2.2")
    try_(stranger, attacked)
    elsewhere.web.set_cookie("brightlist", stranger.web.cookies["brightlist"].strip('"'))
    clock.pass_(seconds=SIGN_IN_STAGES[-1].wait_seconds)
    assert try_(elsewhere, attacked).status_int == 429
    assert try_(stranger, attacked).status_int == 422
    assert wait_of(try_(stranger, attacked)) == SIGN_IN_STAGES[-1].wait_seconds
    clock.pass_(seconds=SIGN_IN_STAGES[-1].wait_seconds + TURN_VALID_FOR.total_seconds() + 1)
    assert try_(stranger, attacked).status_int == 429, "a turn does not hold for ever"


@pytest.mark.long
def test_the_more_strangers_guess_the_fewer_tries_has_each_address(
    person: Person, at: At, strangers: Iterator[Person], clock: FakeClock
) -> None:
    def compared(browser: Person) -> int:
        tried = 0
        for _ in range(20):
            tried += try_(browser, person.email).status_int == 422
            clock.pass_(seconds=20)
        return tried

    calm = compared(at("192.0.2.1"))
    busy = compared(at("198.51.100.1"))
    for _ in range(int(SIGN_IN_STAGES[1].up_to)):
        try_(next(strangers), person.email)
    assert (calm, busy, compared(at("203.0.113.1"))) == (NEW_BROWSERS_PER_HOUR, 4, 3)


def test_the_right_password_is_no_guess_however_many_browsers_it_comes_from(
    person: Person, at: At, clock: FakeClock
) -> None:
    for _ in range(25):
        assert got_in(try_(at("192.0.2.1"), person.email, PASSWORD))
        clock.pass_(seconds=10)
    assert [try_(at("192.0.2.1"), person.email).status_int for _ in range(5)] == [422] * 5
    assert got_in(try_(at("192.0.2.1"), person.email, PASSWORD))
    clock.pass_(minutes=1)
    assert [try_(at("192.0.2.1"), person.email).status_int for _ in range(6)] == [422] * 5 + [429]


def test_one_address_alone_makes_nothing_harder_for_others_than_its_own_few_tries(
    person: Person, at: At, clock: FakeClock
) -> None:
    stranger = at("192.0.2.1")
    for _ in range(50):
        try_(stranger, person.email)
        clock.pass_(seconds=10)
    answer = try_(at("192.0.2.2"), person.email, PASSWORD)
    assert wait_of(answer) <= SIGN_IN_STAGES[1].wait_seconds


@pytest.mark.long
@pytest.mark.parametrize(
    ("network", "most"),
    [("2001:db8:0:1::{:x}", NEW_BROWSERS_PER_HOUR), ("2001:db8:0:{:x}::1", 60), ("192.0.2.{}", 60)],
)
def test_addresses_of_one_network_are_bounded_together(
    person: Person, at: At, clock: FakeClock, network: str, most: int
) -> None:
    tried = 0
    for number in range(1, 71):
        browser = at(network.format(number))
        waits = try_(browser, person.email).status_int == 429
        clock.pass_(seconds=SIGN_IN_STAGES[-1].wait_seconds)
        tried += not waits or try_(browser, person.email).status_int == 422
    assert NEW_BROWSERS_PER_HOUR <= tried <= most


@pytest.mark.long
def test_whether_the_account_exists_shows_in_no_answer_and_no_wait(
    person: Person, new_person: NewPerson, at: At
) -> None:
    answers: dict[str, list[tuple[int, int, str]]] = {}
    for number, email in enumerate((person.email, "nobody@example.com")):
        answers[email] = []
        for place in range(110):
            answer = try_(at(f"10.{number}.{place}.1"), email)
            lines = [line for line in answer.text.splitlines() if not any(each in line for each in SHOWN_ALIKE)]
            answers[email].append((answer.status_int, wait_of(answer), "\n".join(lines)))
    mine, nobodys = answers.values()
    assert mine == nobodys
    assert {status for status, _, _ in mine} == {422, 429}


def test_a_known_browser_guesses_no_faster_than_ten_times_a_minute(
    person: Person, at: At, clock: FakeClock
) -> None:
    known = at("192.0.2.1")
    try_(known, person.email, PASSWORD)
    known.send(known.open("/orders").forms["sign-out"])
    clock.pass_(minutes=1)
    assert [try_(known, person.email).status_int for _ in range(11)] == [422] * 10 + [429]


def test_a_browser_is_known_to_the_accounts_it_was_signed_in_to_and_until_their_password_changes(
    person: Person, new_person: NewPerson, at: At, container: Container, strangers: Iterator[Person]
) -> None:
    other, known = new_person("kim@example.com"), at("192.0.2.1")
    try_(known, other.email, PASSWORD)
    known.send(known.open("/orders").forms["sign-out"])
    for _ in range(20):
        try_(next(strangers), person.email)
        try_(next(strangers), other.email)
    assert try_(known, person.email, PASSWORD).status_int == 429
    assert try_(known, other.email).status_int == 422
    with container.database.unit_of_work() as session:
        password_changes.set_password(session, users.get(session, other.user_id, lock=True), "ladder copper moss")
    assert try_(known, other.email, PASSWORD).status_int == 429


@pytest.mark.parametrize("cookie", ["x", "x" * 43, "x" * 10_000])
def test_a_made_up_cookie_makes_no_browser_known(at: At, attacked: str, cookie: str) -> None:
    forger = at("192.0.2.1")
    forger.web.set_cookie("known", cookie)
    assert try_(forger, attacked, PASSWORD).status_int == 429


def test_guessing_at_an_account_keeps_its_owner_from_no_act_of_their_own(person: Person, attacked: str) -> None:
    form = person.open("/account/password").forms["password-form"]
    form["password"], form["new_password"] = PASSWORD, "ladder copper moss"
    assert person.send(form).request.path == "/account"
