"""Operators' commands about accounts, and the accounts of a first start."""

import re

import pytest
from flask import Flask

from app.cli import demo
from app.container import Container
from app.services.accounts import accounts, users
from app.services.security import api_keys
from tests.portal.person import PASSWORD, Person


@pytest.fixture
def run(app: Flask):
    return lambda *words: app.test_cli_runner().invoke(args=[*words])


def test_a_locked_out_owner_gets_a_new_password(run, app: Flask) -> None:
    run("accounts", "create", "jo@example.com", "--password", PASSWORD)
    person = Person(app, "jo@example.com")
    person.sign_in()
    made = run("accounts", "password", "Jo@example.com")
    assert re.fullmatch(r"[a-z0-9]{5}(-[a-z0-9]{5}){3}\n", made.stdout)
    assert person.open("/orders").request.path == "/sign-in"
    assert person.sign_in(made.stdout.strip()).request.path == "/orders"


def test_an_account_made_without_a_password_can_be_given_one(run, app: Flask) -> None:
    run("accounts", "create", "jo@example.com")
    password = run("accounts", "password", "jo@example.com").stdout.strip()
    assert Person(app, "jo@example.com").sign_in(password).request.path == "/orders"


def test_two_factor_stays_unless_it_is_dropped_too(run, container: Container) -> None:
    run("accounts", "create", "jo@example.com")
    for words, kept in (((), True), (("--without-two-factor",), False)):
        with container.database.unit_of_work() as session:
            account = users.find(session, "jo@example.com")
            account.totp_secret, account.totp_since = container.vault.seal("x"), container.clock()
        run("accounts", "password", "jo@example.com", *words)
        with container.database.read_session() as session:
            assert (users.find(session, "jo@example.com").totp_since is not None) is kept


def test_an_account_is_given_another_weight(run, container: Container) -> None:
    run("accounts", "create", "jo@example.com")
    done = run("accounts", "weight", "jo@example.com", "2")
    assert (done.exit_code, done.output) == (0, "")
    with container.database.read_session() as session:
        assert accounts.find(session, "jo@example.com").organization.weight == 2


def test_unknown_accounts_and_weak_passwords_are_refused_in_one_line(run) -> None:
    for words in (
        ("accounts", "password", "nobody@example.com"),
        ("accounts", "password", "nobody"),
        ("accounts", "create", "jo@example.com", "--password", "short"),
        ("accounts", "create", "jo@example.com", "--name", "x" * 201),
        ("accounts", "weight", "nobody@example.com", "2"),
    ):
        refused = run(*words)
        assert refused.exit_code == 1, words
        assert refused.output.startswith("Error: ")
        assert refused.output.count("\n") == 1


def test_the_first_start_prints_sign_ins_that_work(app: Flask, container: Container) -> None:
    told = "\n".join(demo.create_accounts(container))
    assert "http://localhost/sign-in" in told
    sign_ins = re.findall(r"(\S+@brightlist\.local) +password (\S+)", told)
    assert [email for email, _ in sign_ins] == ["demo@brightlist.local", "reviewer@brightlist.local"]
    pages = [Person(app, email).sign_in(password) for email, password in sign_ins]
    assert "100 credits" in pages[0].text
    (secret,) = re.findall(r"ims_live_\w+", told)
    with container.database.read_session() as session:
        assert api_keys.recognize(session, secret, container.clock())
        staff = [users.find(session, email).is_staff for email, _ in sign_ins]
    assert staff == [False, True]


def test_later_starts_make_and_print_nothing(container: Container) -> None:
    demo.create_accounts(container)
    assert demo.create_accounts(container) == []
