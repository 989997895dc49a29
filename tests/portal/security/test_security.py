"""Two-factor and the list of sign-ins, in the browser."""

import pyotp
import pytest
from flask import Flask
from webtest import TestResponse

from app.container import Container
from app.domain.devices import UNKNOWN, device
from app.services.accounts import users
from app.services.security import password_changes
from tests.fakes import FakeClock
from tests.portal.conftest import NewPerson
from tests.portal.mailbox import link, subjects
from tests.portal.person import PASSWORD, Person

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
CHROME = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36"
)
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1"


class Phone:
    """The app that shows codes, and the recovery codes on paper."""

    def __init__(self, person: Person, clock: FakeClock) -> None:
        page = person.open("/account/security")
        page = person.send(next(form for form in page.forms.values() if form.action.endswith("/begin")))
        self.totp = pyotp.TOTP(page.html.select_one("#secret").text.replace(" ", ""))
        self.clock = clock
        form = page.forms["two-factor-form"]
        form["code"], form["password"] = self.code(), PASSWORD
        self.shown = person.send(form)
        self.codes = self.shown.html.select_one("#codes").text.split()
        clock.pass_(minutes=2)

    def code(self) -> str:
        return self.totp.at(self.clock())


@pytest.fixture
def phone(person: Person, clock: FakeClock) -> Phone:
    return Phone(person, clock)


def first_step(person: Person, path: str = "/sign-in", password: str = PASSWORD) -> TestResponse:
    form = person.open(path).forms["sign-in"]
    form["email"], form["password"] = person.email, password
    return person.send(form)


def second_step(person: Person, page: TestResponse, code: str, status: int = 200) -> TestResponse:
    form = page.forms["code-form"]
    form["code"] = code
    return person.send(form, status=status)


def test_setting_up_shows_picture_and_secret_and_is_on_after_a_right_code(
    person: Person, clock: FakeClock, container: Container
) -> None:
    page = person.post("/account/security/two-factor/begin")
    assert page.html.select_one(".qr-frame svg.qr path")
    secret = page.html.select_one("#secret").text.replace(" ", "")
    assert person.open("/account/security/two-factor").html.select_one("#secret").text.replace(" ", "") == secret
    form = page.forms["two-factor-form"]
    form["code"], form["password"] = "000000", PASSWORD
    assert "The code is wrong" in person.send(form, status=422).text
    form["code"], form["password"] = pyotp.TOTP(secret).at(clock()), "wrong"
    assert "The password is wrong" in person.send(form, status=422).text
    assert "Off" in person.open("/account/security").html.select_one("section").text
    form["password"] = PASSWORD
    page = person.send(form)
    assert len(page.html.select_one("#codes").text.split()) == 10
    assert page.html.select_one("#codes").has_attr("readonly")
    assert page.headers["Cache-Control"] == "no-store"
    assert "10 recovery codes are left" in person.open("/account/security").text
    assert subjects(container, person.email) == ["Two-factor sign-in is on"]
    assert person.send(form).request.path == "/account/security", "sent twice, the page says how things stand"
    assert secret not in person.open("/account/security/two-factor").text


def test_signing_in_asks_for_the_code_and_goes_on_to_where_it_was_going(
    person: Person, phone: Phone, app: Flask
) -> None:
    other = Person(app, person.email)
    page = first_step(other, "/orders?status=x")
    assert page.request.path == "/sign-in/code"
    assert other.open("/orders").request.path == "/sign-in", "the password alone opens nothing"
    page = other.open("/sign-in/code?next=/orders?status%3Dx")
    assert second_step(other, page, phone.code()).request.path_qs == "/orders?status=x"


def test_each_step_gives_a_new_session(person: Person, phone: Phone, app: Flask) -> None:
    other = Person(app, person.email)
    tokens = [other.open("/sign-in").forms["theme"]["csrf_token"].value]
    page = first_step(other)
    tokens.append(page.forms["theme"]["csrf_token"].value)
    tokens.append(second_step(other, page, phone.code()).forms["theme"]["csrf_token"].value)
    # A token is signed with a time; what it stands for is in its first part.
    assert len({token.split(".")[0] for token in tokens}) == 3


def test_a_wrong_or_used_code_lets_nobody_in(person: Person, phone: Phone, app: Flask) -> None:
    other, another = Person(app, person.email), Person(app, person.email)
    page, code = first_step(other), phone.code()
    for wrong in ("", "123", "x" * 10_000, "\x00" * 6):
        assert second_step(other, page, wrong, status=422).html.select_one("#code-error")
    second_step(other, page, code)
    assert second_step(another, first_step(another), code, status=422)


def test_a_recovery_code_lets_in_once_and_is_told_by_mail(
    person: Person, phone: Phone, app: Flask, container: Container
) -> None:
    other, another = Person(app, person.email), Person(app, person.email)
    assert second_step(other, first_step(other), phone.codes[0]).request.path == "/orders"
    second_step(another, first_step(another), phone.codes[0], status=422)
    assert "A recovery code was used" in subjects(container, person.email)
    assert "9 recovery codes are left" in person.open("/account/security").text


def test_between_the_steps_are_five_minutes(person: Person, phone: Phone, app: Flask, clock: FakeClock) -> None:
    other = Person(app, person.email)
    page = first_step(other)
    clock.pass_(minutes=5)
    assert other.open("/sign-in/code").request.path == "/sign-in/code"
    clock.pass_(seconds=1)
    assert other.open("/sign-in/code?next=/orders").request.path_qs == "/sign-in?next=/orders"
    assert second_step(other, page, phone.code()).request.path == "/sign-in"


def test_nobody_takes_the_second_step_first(stranger: Person) -> None:
    assert stranger.open("/sign-in/code").request.path == "/sign-in"
    assert stranger.post("/sign-in/code", code="123456").request.path == "/sign-in"


def test_the_first_step_is_worth_nothing_once_the_password_is_another(
    person: Person, phone: Phone, app: Flask, container: Container
) -> None:
    other = Person(app, person.email)
    page = first_step(other)
    with container.database.unit_of_work() as session:
        password_changes.set_password(session, users.get(session, person.user_id, lock=True), "ladder copper moss")
    assert second_step(other, page, phone.code()).request.path == "/sign-in"


def test_guessing_codes_is_bounded_for_the_account_not_only_for_an_address(
    person: Person, phone: Phone, app: Flask, clock: FakeClock
) -> None:
    other = Person(app, person.email)
    for guess in range(9):
        other.web.extra_environ["REMOTE_ADDR"] = f"192.0.2.{guess}"
        second_step(other, first_step(other), "000000", status=422)
        clock.pass_(minutes=2)
    page = second_step(other, first_step(other), phone.code(), status=429)
    assert "Too many tries" in page.text
    assert int(page.headers["Retry-After"]) > 60


def test_a_new_password_by_mail_does_not_get_round_the_code(
    person: Person, phone: Phone, stranger: Person, container: Container
) -> None:
    form = stranger.open("/reset").forms["reset"]
    form["email"] = person.email
    stranger.send(form)
    form = stranger.open(link(container, person.email, "/reset/")).forms["reset"]
    form["password"] = "ladder copper moss"
    page = stranger.send(form)
    assert page.request.path == "/sign-in/code"
    assert second_step(stranger, page, phone.code()).request.path == "/orders"


def test_new_recovery_codes_need_password_and_code_and_end_the_old(
    person: Person, phone: Phone, app: Flask
) -> None:
    form = person.open("/account/security/recovery-codes").forms["codes-form"]
    for code, password in ((phone.code(), "wrong"), ("000000", PASSWORD)):
        form["code"], form["password"] = code, password
        person.send(form, status=422)
    form["code"], form["password"] = phone.code(), PASSWORD
    fresh = person.send(form).html.select_one("#codes").text.split()
    assert not set(fresh) & set(phone.codes)
    other = Person(app, person.email)
    page = first_step(other)
    second_step(other, page, phone.codes[0], status=422)
    second_step(other, page, fresh[0])


def test_switching_off_needs_password_and_code(
    person: Person, phone: Phone, app: Flask, container: Container
) -> None:
    form = person.open("/account/security/two-factor/off").forms["off-form"]
    for code, password in ((phone.code(), "wrong"), ("000000", PASSWORD)):
        form["code"], form["password"] = code, password
        person.send(form, status=422)
    form["code"], form["password"] = phone.code(), PASSWORD
    assert "Two-factor sign-in is off" in person.send(form).text
    assert first_step(Person(app, person.email)).request.path == "/orders"
    assert "Two-factor sign-in is off" in subjects(container, person.email)


def test_recovery_codes_without_two_factor_lead_back(person: Person) -> None:
    assert person.post("/account/security/recovery-codes", password=PASSWORD).request.path == "/account/security"


def test_browsers_are_listed_in_words_and_signed_out_one_by_one(person: Person, app: Flask) -> None:
    other = Person(app, person.email)
    other.web.extra_environ.update(HTTP_USER_AGENT=FIREFOX, REMOTE_ADDR="192.0.2.7")
    other.sign_in()
    page = person.open("/account/security")
    rows = page.html.select(".browsers li")
    assert len(rows) == 2
    (mine,) = [row for row in rows if "This browser" in row.text]
    (theirs,) = [row for row in rows if row is not mine]
    assert "Firefox on Linux" in theirs.text
    assert "192.0.2.7" in theirs.text
    assert not mine.select("form")
    assert "recognize one? Sign it out" in page.text
    page = person.post(theirs.form["action"])
    assert "recognize it? Change your password." in " ".join(page.html.main.get_text("").split())
    assert len(page.html.select(".browsers li")) == 1
    assert other.open("/orders").request.path == "/sign-in"
    assert person.open("/orders").request.path == "/orders"


def test_everywhere_else_is_signed_out_at_once(person: Person, app: Flask) -> None:
    others = [Person(app, person.email) for _ in range(3)]
    for each in others:
        each.sign_in()
    page = person.post("/account/security/sign-ins/end")
    assert "Every other browser is signed out" in page.text
    assert {each.open("/orders").request.path for each in others} == {"/sign-in"}
    assert person.open("/orders").request.path == "/orders"


def test_nobody_ends_another_accounts_sign_in(person: Person, new_person: NewPerson, app: Flask) -> None:
    kim, kims = new_person("kim@example.com"), Person(app, "kim@example.com")
    kims.sign_in()
    action = kim.open("/account/security").html.select_one(".browsers form")["action"]
    for path in (action, "/account/security/sign-ins/nonsense/end"):
        person.post(path, status=404)
    assert kims.open("/orders").request.path == "/orders"


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (FIREFOX, "Firefox on Linux"),
        (CHROME, "Chrome on Windows"),
        (CHROME + " Edg/140.0", "Edge on Windows"),
        (IPHONE, "Safari on iPhone"),
        ("curl/8.5.0", "curl"),
        ("", UNKNOWN),
        ("<script>", UNKNOWN),
    ],
)
def test_a_browser_is_told_in_short_and_honest_words(told: str, words: str) -> None:
    assert device(told) == words
