"""Which mails people get is theirs to say."""

from decimal import Decimal

import pytest
from webtest import TestResponse

from app.container import Container
from app.domain.notices import Notice
from app.models import Organization, User
from app.services.billing import credits
from tests import reading
from tests.portal.mailbox import subjects
from tests.portal.person import Person


def save(person: Person, off: tuple[Notice, ...] = (), limit: str = "5", status: int = 200) -> TestResponse:
    form = person.open("/account/notifications").forms["notices-form"]
    for box in form.fields["wanted"]:
        box.checked = box._value not in off
    form["low_balance"] = limit
    return person.send(form, status=status)


def mails_off(container: Container, person: Person) -> list[str]:
    return reading.one(container, User, person.user_id).mails_off


def low_balance(container: Container, person: Person) -> Decimal | None:
    return reading.one(container, Organization, person.account_id).low_balance


def test_all_are_on_at_first_and_the_account_page_leads_there(person: Person) -> None:
    page = person.open("/account")
    assert "All on" in page.html.select_one("[aria-labelledby=mails]").text
    page = person.open(page.html.select_one('main a[href="/account/notifications"]')["href"])
    form = page.forms["notices-form"]
    assert [box.checked for box in form.fields["wanted"]] == [True] * len(Notice)
    assert form["low_balance"].value == "5"


def test_choices_are_kept_and_obeyed(person: Person, container: Container) -> None:
    page = save(person, (Notice.LOW_BALANCE, Notice.NEW_SIGN_IN), "7,5")
    assert "Your choice is saved" in page.text
    form = page.forms["notices-form"]
    assert {box._value for box in form.fields["wanted"] if not box.checked} == {
        Notice.LOW_BALANCE,
        Notice.NEW_SIGN_IN,
    }
    assert form["low_balance"].value == "7.5"
    assert low_balance(container, person) == Decimal("7.5")
    assert "2 turned off" in person.open("/account").text
    with container.database.unit_of_work() as session:
        credits.adjust(session, person.account_id, Decimal(-99), "Spent", container.clock())
    assert subjects(container, person.email) == []
    save(person)
    assert mails_off(container, person) == []


def test_no_amount_means_never(person: Person, container: Container) -> None:
    save(person, limit="")
    assert low_balance(container, person) is None
    assert person.open("/account/notifications").forms["notices-form"]["low_balance"].value == ""


def test_what_is_no_amount_is_refused_with_the_input_kept(
    person: Person, container: Container, subtests: pytest.Subtests
) -> None:
    for limit in ("0", "-1", "x", "1e400", "5.001", "NaN", "<b>", "5\x00 6", "x" * 10_000):
        with subtests.test(limit=limit):
            page = save(person, (Notice.ORDER_READY,), limit, status=422)
            assert page.html.select_one("#low_balance-error")
            boxes = page.forms["notices-form"].fields["wanted"]
            assert [box._value for box in boxes if not box.checked] == [Notice.ORDER_READY]
            assert (low_balance(container, person), mails_off(container, person)) == (5, [])


def test_kinds_that_there_are_not_change_nothing(person: Person, container: Container) -> None:
    person.post("/account/notifications", wanted="everything", low_balance="5")
    assert mails_off(container, person) == list(Notice)


def test_a_sign_in_from_elsewhere_is_told_once(person: Person, app, container: Container) -> None:
    for _ in range(2):
        other = Person(app, person.email)
        other.web.extra_environ.update(HTTP_USER_AGENT="curl/8.5.0", REMOTE_ADDR="198.51.100.7")
        other.sign_in()
    assert subjects(container, person.email) == ["New sign-in: curl"]
