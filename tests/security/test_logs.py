"""No secret stands in any log: of a whole journey, with everything that may go wrong on it."""

import logging
import re
from dataclasses import replace
from typing import Any

import pyotp
import pytest
from flask import Flask
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from app.adapters.vault import FernetVault
from app.container import Container
from app.domain.sending import MailNotSentError
from app.services.accounts import accounts, users
from app.services.billing import credits
from app.services.mail import outbox
from app.services.security import password_resets, totp
from app.services.webhooks import webhooks
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock
from tests.portal.mailbox import link, links
from tests.portal.person import PASSWORD, Person
from tests.portal.security.test_security import Phone, first_step, second_step
from tests.services.hooks import FakeTransport, answered, deliver_all, fail_for_good, register, sweep

NEW, EMAIL = "ladder copper moss", "nia@example.com"
Secrets = dict[str, str]


def breaking(*_: Any, **__: Any) -> None:
    """In place of a service: a statement that fails, with everything that the service was given."""
    sessions = [each for each in _ if isinstance(each, Session)]
    given = {f"p{number}": str(each) for number, each in enumerate([*_, *__.values()])}
    joined = " || ".join(f"CAST(:{each} AS TEXT)" for each in given)
    sessions[0].execute(text(f"INSERT INTO account (id) VALUES ({joined})"), given)


def away(*_: Any, **__: Any) -> None:
    """In place of a service: the database cannot be asked."""
    raise OperationalError("SELECT nowhere", {"given": str(_)}, OSError("no connection"), hide_parameters=True)


class LostMailer:
    """A mail server that refuses, and one that breaks."""

    def __init__(self) -> None:
        self.tried = 0

    def send(self, letter: Any, mail_id: str) -> None:
        self.tried += 1
        if self.tried % 2:
            raise MailNotSentError("refused for now", permanent=False)
        raise RuntimeError("the mail server broke")


def sign_up(person: Person, container: Container, secrets: Secrets) -> None:
    form = person.open("/sign-up").forms["sign-up"]
    form["name"], form["email"], form["password"] = "Nia", EMAIL, PASSWORD
    person.send(form)
    secrets |= {"password": PASSWORD, "confirmation": link(container, EMAIL, "/sign-up/").rpartition("/")[2]}
    person.send(person.open(link(container, EMAIL, "/sign-up/")).forms["confirm"])
    person.email = EMAIL
    with container.database.unit_of_work() as session:
        member = accounts.find(session, EMAIL)
        credits.adjust(session, member.organization_id, 10, "Opening balance", container.clock())
        person.account_id = member.organization_id


def make_key(person: Person, app: Flask, secrets: Secrets) -> Api:
    form = person.open("/keys/new").forms["key-form"]
    form["name"] = "Script"
    secrets["api key"] = person.send(form).html.select_one("#secret").text
    return Api(app.test_client(), person.account_id, secrets["api key"])


def use_webhooks(api: Api, container: Container, clock: FakeClock, secrets: Secrets) -> None:
    container.transport = FakeTransport([answered(500)])
    hook, secrets["webhook secret"] = register(container, api.account_id, "job.created")
    with container.database.unit_of_work() as session:
        _, secrets["new webhook secret"] = webhooks.rotate(session, container.vault, api.account_id, hook, clock())
    fail_for_good(api, container, clock)
    api.order(interior=[PHOTO])
    kept = container.dispatch
    container.dispatch = replace(kept, vault=FernetVault("x" * 32))
    deliver_all(container)
    sweep(container)
    container.dispatch = kept


def send_mail(container: Container, clock: FakeClock) -> None:
    container.mailer = LostMailer()
    for _ in range(2):
        with container.database.read_session() as session:
            due = outbox.QUEUE.due(session, clock(), 100)
        for mail_id in due:
            container.mail_worker.send(mail_id)
        clock.pass_(minutes=6)


def forget_password(person: Person, container: Container, secrets: Secrets, patch: pytest.MonkeyPatch) -> None:
    form = person.open("/reset").forms["reset"]
    form["email"] = EMAIL
    person.send(form)
    (path,) = {each for each in links(container, EMAIL) if each.startswith("/reset/")}
    secrets |= {"reset link": path.rpartition("/")[2], "new password": NEW}
    form = person.open(path).forms["reset"]
    form["password"] = NEW
    with patch.context() as broken:
        for fault, status in ((breaking, 500), (away, 503)):
            broken.setattr(password_resets, "finish", fault)
            person.send(form, status=status)
    person.send(form)


def break_sign_in(person: Person, app: Flask, patch: pytest.MonkeyPatch) -> None:
    browser = Person(app, EMAIL)
    form = browser.open("/sign-in").forms["sign-in"]
    form["email"], form["password"] = EMAIL, "a wrong battery"
    browser.send(form, status=422)
    form["password"] = PASSWORD
    with patch.context() as broken:
        broken.setattr(users, "authenticate", breaking)
        browser.send(form, status=500)
        broken.setattr(users, "has_password", breaking)
        form = person.open("/account/delete").forms["delete-form"]
        form["password"], form["code"] = PASSWORD, "000000"
        person.send(form, status=500)


def cookies(person: Person) -> Secrets:
    kept = {name: value.strip('"') for name, value in person.web.cookies.items() if name != "theme"}
    token = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', person.open("/account/name").text)
    return {**{f"cookie {name}": value for name, value in kept.items()}, "form token": token[1]}


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """Everything that anybody logs."""
    caplog.set_level(logging.DEBUG)
    return caplog


@pytest.mark.long
def test_no_log_of_a_whole_journey_holds_a_secret(
    app: Flask,
    container: Container,
    clock: FakeClock,
    stranger: Person,
    monkeypatch: pytest.MonkeyPatch,
    told: pytest.LogCaptureFixture,
) -> None:
    secrets: Secrets = {"secret key": container.settings.secret_key.get_secret_value()}
    sign_up(stranger, container, secrets)
    secrets |= cookies(stranger)
    api = make_key(stranger, app, secrets)
    phone = Phone(stranger, clock)
    secrets |= {"seed": phone.totp.secret} | {f"recovery code {code}": code for code in phone.codes}
    secrets["upload link"] = (
        api.post("/orders/upload-urls", {"interiorCount": 1})
        .json["interiorUrls"][0]["uploadUrl"]
        .rpartition("/")[2]
    )
    use_webhooks(api, container, clock, secrets)
    work(container)
    person = Person(app, EMAIL)
    page = first_step(person)
    second_step(person, page, "123 456", status=422)
    secrets["code"] = phone.code()
    second_step(person, page, secrets["code"])
    secrets |= {f"second {name}": value for name, value in cookies(person).items()}
    break_sign_in(person, app, monkeypatch)
    with monkeypatch.context() as broken:
        broken.setattr(webhooks, "create", breaking)
        body = {"url": "https://agency.example/hooks?token=hush-hush"}
        assert api.post("/webhooks", body, headers={"Idempotency-Key": "once"}).status_code == 500
    secrets["token in a URL"] = "hush-hush"
    forget_password(Person(app), container, secrets, monkeypatch)
    with container.database.read_session() as session:
        assert not totp.use_code(session, FernetVault("x" * 32), stranger.account_id, "123456", clock())
    send_mail(container, clock)
    for expected in (
        "broke",
        "cannot be opened",
        "refused for now",
        "the mail server broke",
        "INSERT INTO account",
        "put off",
    ):
        assert expected in told.text, "the journey went through what may go wrong"
    assert len(told.records) > 10
    assert [name for name, secret in secrets.items() if secret in told.text] == []
    assert not re.findall(r"gAAAAA\w+|\$argon2\w*\$", told.text), "nor what stands for one in the database"


def test_a_secret_in_a_log_would_be_found(told: pytest.LogCaptureFixture) -> None:
    seed = pyotp.random_base32()
    logging.getLogger("app.anything").debug("the seed is %s", seed)
    assert seed in told.text
