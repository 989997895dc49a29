"""The security log: every event with who, when and from where, one line each, and nothing secret."""

import json
import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from flask import Flask

from app.container import Container
from app.domain.actors import Scope
from app.domain.security_events import SecurityEvent
from app.services import security_log
from app.services.security import api_keys
from app.services.webhooks import webhooks
from tests.architecture.source import APP, ROOT
from tests.conftest import Api
from tests.fakes import FakeClock
from tests.portal.person import PASSWORD, Person
from tests.portal.security.test_security import Phone, first_step, second_step
from tests.services.hooks import register

Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Lines:
    """What was written down since the last time."""
    caplog.set_level(logging.INFO, security_log.NAME)

    def taken() -> list[dict[str, Any]]:
        found = [json.loads(each.getMessage()) for each in caplog.records if each.name == security_log.NAME]
        caplog.clear()
        return found

    return taken


def events(lines: Lines) -> list[str]:
    return [each["event"] for each in lines()]


def test_a_sign_in_and_a_wrong_one_are_told_with_who_when_and_from_where(
    app: Flask, person: Person, lines: Lines
) -> None:
    other = Person(app, person.email)
    lines()
    other.web.extra_environ["HTTP_X_REQUEST_ID"] = "request-00042"
    other.post("/sign-in", status=422, email=person.email, password="wrong battery")
    (failed,) = lines()
    assert abs(datetime.now(UTC) - datetime.fromisoformat(failed.pop("time"))).total_seconds() < 60
    assert failed == {
        "event": "sign_in.failed",
        "account": person.account_id,
        "request": "request-00042",
        "address": "127.0.0.1",
        "rule": "/sign-in",
    }
    other.post("/sign-in", status=422, email="nobody@example.com", password="wrong battery")
    (unknown,) = lines()
    assert "account" not in unknown
    other.sign_in()
    (begun,) = lines()
    assert (begun["event"], begun["account"]) == ("sign_in.begun", person.account_id)


def test_the_second_factor_is_told_when_it_is_changed_wrong_or_replaced(
    app: Flask, person: Person, clock: FakeClock, lines: Lines
) -> None:
    phone = Phone(person, clock)
    assert "two_factor.on" in events(lines)
    other = Person(app, person.email)
    page = first_step(other)
    second_step(other, page, "000 000", status=422)
    assert events(lines) == ["two_factor.code_failed"]
    second_step(other, page, phone.codes[0])
    assert events(lines) == ["two_factor.recovery_code_used", "sign_in.begun"]


def test_a_new_password_is_told_and_a_wrong_proof(person: Person, lines: Lines) -> None:
    form = person.open("/account/password").forms["password-form"]
    lines()
    form["password"], form["new_password"] = "wrong battery", "ladder copper moss"
    person.send(form, status=422)
    assert events(lines) == ["proof.failed"]
    form["password"], form["new_password"] = PASSWORD, "ladder copper moss"
    person.send(form)
    assert "password.changed" in events(lines)


def test_keys_and_webhooks_are_told_by_their_ids(container: Container, api: Api, lines: Lines) -> None:
    now = container.clock()
    lines()
    with container.database.unit_of_work() as session:
        key, secret = api_keys.create(session, api.account_id, now, name="Script", scopes=Scope, expires_at=None)
    (made,) = lines()
    assert (made["event"], made["account"], made["key"]) == ("key.made", api.account_id, key.id)
    assert secret not in json.dumps(made)
    hook, _ = register(container, api.account_id, "job.created")
    with container.database.unit_of_work() as session:
        webhooks.rotate(session, container.vault, api.account_id, hook, now)
        webhooks.switch_secret(session, api.account_id, hook, now)
        webhooks.delete(session, api.account_id, hook, now)
        api_keys.revoke(session, api.account_id, key.id, now)
    told = lines()
    assert [each["event"] for each in told] == [
        "webhook.made",
        "webhook.secret_changed",
        "webhook.secret_changed",
        "webhook.deleted",
        "key.revoked",
    ]
    assert {each["webhook"] for each in told[:4]} == {hook}


def test_what_is_refused_to_programs_is_told(app: Flask, container: Container, api: Api, lines: Lines) -> None:
    with container.database.unit_of_work() as session:
        _, secret = api_keys.create(
            session, api.account_id, container.clock(), name="Reader", scopes=[Scope.JOBS_READ], expires_at=None
        )
    path = "/jobs/job_0000000000000000000000/status"
    lines()
    assert Api(app.test_client(), api.account_id, "ims_live_wrong").get(path).status_code == 401
    reader = Api(app.test_client(), api.account_id, secret)
    assert reader.get("/webhooks").status_code == 403
    assert reader.get(path).status_code == 404
    told = lines()
    assert [each["event"] for each in told] == ["key.refused", "key.scope_missing", "access.not_found"]
    assert [each.get("account") for each in told] == [None, api.account_id, api.account_id]


def test_a_form_without_its_token_and_a_page_of_staff_are_told(person: Person, lines: Lines) -> None:
    lines()
    person.web.post("/account/name", {"name": "Other"}, expect_errors=True)
    (told,) = lines()
    assert (told["event"], told["rule"]) == ("form.refused", "/account/name")
    person.open("/reviews", status=404)
    assert "access.not_staff" in events(lines)


def test_throttling_is_told_once_a_window(person: Person, app: Flask, lines: Lines) -> None:
    other = Person(app, person.email)
    for number in range(14):
        other.post("/sign-in", status=422 if number < 10 else 429, email=person.email, password="wrong battery")
    told = [each for each in lines() if each["event"] == "throttled"]
    assert 1 <= len(told) <= 2
    assert {each["quota"] for each in told} <= {"sign-ins", "new-browsers"}


def test_what_did_not_commit_is_not_told(container: Container, api: Api, lines: Lines) -> None:
    lines()
    with pytest.raises(ZeroDivisionError), container.database.unit_of_work() as session:
        api_keys.create(session, api.account_id, container.clock(), name="Script", scopes=Scope, expires_at=None)
        raise ZeroDivisionError
    assert lines() == []


def test_nobody_writes_a_line_of_their_own(person: Person, app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, security_log.NAME)
    security_log.record(SecurityEvent.STAFF_ACT, 'a"}\n{"event": "x', deed="b\r\u2028\x1b[2Jü")
    other = Person(app)
    other.web.extra_environ |= {"HTTP_X_REQUEST_ID": "short\tid", "HTTP_USER_AGENT": "evil\x1b[2J"}
    other.post("/sign-in", status=422, email=f"evil\n{person.email}", password="{}")
    written = [each.getMessage() for each in caplog.records if each.name == security_log.NAME]
    assert len(written) == 2
    assert all(re.fullmatch(r"[\x20-\x7e]+", each) for each in written)
    assert "evil" not in written[1]


def test_every_event_is_written_somewhere_and_listed_for_operators() -> None:
    source = "".join(each.read_text() for each in APP.rglob("*.py"))
    assert [each.name for each in SecurityEvent if f"SecurityEvent.{each.name}" not in source] == []
    section = (ROOT / "docs" / "security.md").read_text().partition("## What is logged")[2].partition("\n## ")[0]
    listed = re.findall(r"`([a-z_]+(?:\.[a-z_]+)?)`", section.partition("| Event | When |")[2])
    assert set(listed) - {
        "account",
        "count",
        "deed",
        "staff",
        "job",
        "quota",
        "user",
        "invitation",
        "by_user",
        "by_key",
    } == {*map(str, SecurityEvent)}
