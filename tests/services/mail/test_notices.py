"""Mails that can be switched off: written with what they tell, once, to whoever wants them."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.actors import Browser
from app.domain.errors import InsufficientCredits, InvalidRequest
from app.domain.ids import Prefix, new_id
from app.domain.notices import WORDS, Notice
from app.domain.payments import Provider
from app.domain.shares import ClientAnswer, ShareVerdict
from app.models import Job, Mail, Organization, Purchase, User
from app.services.accounts import organizations, users
from app.services.billing import credits
from app.services.mail import notices
from app.services.orders import jobs
from app.services.security import sign_ins as sign_ins_
from app.services.webhooks import health, webhooks
from tests.conftest import PHOTO, Api, work
from tests.fakes import photo
from tests.services.hooks import register
from tests.services.security.test_key_rotation import at_once
from tests.statements import counted


def mails(container: Container) -> list[Mail]:
    with container.database.read_session() as session:
        return list(session.scalars(select(Mail).order_by(Mail.created_at, Mail.id)))


def subjects(container: Container) -> list[str]:
    return [mail.subject for mail in mails(container)]


def change(container: Container, account_id: str, **values: object) -> None:
    with container.database.unit_of_work() as session:
        user, organization = session.get_one(User, account_id), session.get_one(Organization, account_id)
        for name, value in values.items():
            setattr(user if name == "mails_off" else organization, name, value)


def fail(container: Container, job_id: str, error: str = "It broke.") -> None:
    with container.database.unit_of_work() as session:
        jobs.fail(session, jobs.lock(session, job_id), error, container.clock())


def spend(container: Container, account_id: str, amount: str) -> None:
    with container.database.unit_of_work() as session:
        credits.adjust(session, account_id, -Decimal(amount), "Spent", container.clock())


def test_a_job_that_is_ready_is_told_once_with_the_way_to_its_results(api: Api, container: Container) -> None:
    job = api.order(interior=[PHOTO], address="1 Garden Lane")["jobId"]
    assert mails(container) == []
    work(container)
    api.get(f"/downloads/{job}")
    (mail,) = mails(container)
    assert (mail.to, mail.subject) == ("jo@example.com", "Ready: 1 Garden Lane")
    assert f"/properties/{job}" in mail.text


def test_a_job_that_failed_is_told_with_its_reason_and_what_came_back(api: Api, container: Container) -> None:
    job = api.order(interior=[PHOTO], address="1 Garden Lane")["jobId"]
    fail(container, job, "The machines\r\nstopped.")
    (mail,) = mails(container)
    assert mail.subject == "Failed, refunded: 1 Garden Lane"
    assert "The machines stopped." in mail.text
    assert "Refunded to your balance: 0.5 credits" in " ".join(mail.text.split())
    assert f"/properties/{job}\n" in mail.text


def test_a_job_that_gave_nothing_is_told_with_its_reason_and_what_came_back(api: Api, container: Container) -> None:
    api.order(interior=[photo("DECLINE")], address="1 Garden Lane")
    work(container)
    (mail,) = mails(container)
    assert mail.subject == "Not deliverable, refunded: 1 Garden Lane"
    assert "Not available." in mail.text
    assert "Refunded to your balance: 0.5 credits" in " ".join(mail.text.split())


def test_many_jobs_at_once_are_one_mail_each(api: Api, container: Container) -> None:
    for _ in range(3):
        api.order(interior=[PHOTO])
    work(container)
    assert len(mails(container)) == 3


def test_a_job_that_moves_in_vain_tells_nothing(api: Api, container: Container) -> None:
    job = api.order(interior=[PHOTO])["jobId"]
    with pytest.raises(RuntimeError), container.database.unit_of_work() as session:
        jobs.fail(session, jobs.lock(session, job), "x", container.clock())
        raise RuntimeError
    assert mails(container) == []


@pytest.mark.parametrize(("spent", "told"), [("95", False), ("95.01", True), ("96", True), ("100", True)])
def test_a_balance_is_told_when_it_falls_below_the_limit(
    api: Api, container: Container, spent: str, told: bool
) -> None:
    spend(container, api.account_id, spent)
    assert len(mails(container)) == told


def test_a_low_balance_is_told_once_for_each_time_it_falls(api: Api, container: Container) -> None:
    for amount in ("96", "1", "1"):
        spend(container, api.account_id, amount)
    assert subjects(container) == ["Your balance is low: 4 credits"]
    with container.database.unit_of_work() as session:
        credits.adjust(session, api.account_id, Decimal(50), "More", container.clock())
    spend(container, api.account_id, "50")
    assert len(mails(container)) == 2


def test_an_order_that_takes_the_balance_below_the_limit_tells_it(api: Api, container: Container) -> None:
    change(container, api.account_id, low_balance=Decimal(100))
    api.order(interior=[PHOTO])
    assert subjects(container) == ["Your balance is low: 99.5 credits"]


def test_a_refused_debit_tells_nothing_and_no_limit_means_never(api: Api, container: Container) -> None:
    with pytest.raises(InsufficientCredits):
        spend(container, api.account_id, "101")
    change(container, api.account_id, low_balance=None)
    spend(container, api.account_id, "100")
    assert mails(container) == []


def test_of_many_debits_at_once_one_tells(api: Api, container: Container) -> None:
    change(container, api.account_id, low_balance=Decimal(50))
    came = at_once(*[lambda: spend(container, api.account_id, "20")] * 4)
    assert came == [None] * 4
    assert len(mails(container)) == 1


def test_a_debit_that_crosses_nothing_asks_for_nothing_more(api: Api, container: Container) -> None:
    said: list[str] = []
    counted(lambda: spend(container, api.account_id, "1"), said)
    assert len([each for each in said if "credits" in each and each.startswith("UPDATE account ")]) == 1
    assert [each for each in said if each.startswith("SELECT")] == []


def make_failing(container: Container, api: Api) -> None:
    hook, _ = register(container, api.account_id)
    with container.database.unit_of_work() as session:
        webhook = webhooks.get(session, api.account_id, hook)
        health.note_gone(session, webhook, container.clock())


def pay(container: Container, api: Api) -> None:
    now = container.clock()
    with container.database.unit_of_work() as session:
        bought = Purchase(
            id=new_id(Prefix.PURCHASE),
            account_id=api.account_id,
            form_token="t" * 20,
            credits=Decimal(50),
            price_cents=55_00,
            currency="usd",
            provider=next(iter(Provider)),
            created_at=now,
            checked_at=now,
        )
        session.add(bought)
        session.flush()
        notices.report_purchase_paid(session, bought, 17, now)


def sign_in_from_elsewhere(container: Container, api: Api) -> None:
    for address in ("192.0.2.1", "198.51.100.1"):
        with container.database.unit_of_work() as session:
            browser = Browser("Firefox", address)
            sign_ins_.begin(session, api.account_id, browser, container.clock(), timedelta(hours=1))


def answer_as_client(container: Container, api: Api) -> None:
    job_id, said = api.order(interior=[PHOTO])["jobId"], ClientAnswer(ShareVerdict.APPROVED, "Kim", "", "")
    with container.database.unit_of_work() as session:
        notices.report_client_answered(session, session.get_one(Job, job_id), said, container.clock())


HAPPENINGS: dict[Notice, Callable[[Container, Api], object]] = {
    Notice.ORDER_READY: lambda container, api: (api.order(interior=[PHOTO]), work(container)),
    Notice.ORDER_UNDELIVERABLE: lambda container, api: (api.order(interior=[photo("DECLINE")]), work(container)),
    Notice.ORDER_FAILED: lambda container, api: fail(container, api.order(interior=[PHOTO])["jobId"]),
    Notice.CLIENT_ANSWERED: answer_as_client,
    Notice.PURCHASE_PAID: pay,
    Notice.LOW_BALANCE: lambda container, api: spend(container, api.account_id, "96"),
    Notice.WEBHOOK_FAILS: make_failing,
    Notice.NEW_SIGN_IN: sign_in_from_elsewhere,
}


@pytest.mark.parametrize("notice", HAPPENINGS)
def test_each_notice_is_told_with_all_others_switched_off(api: Api, container: Container, notice: Notice) -> None:
    change(container, api.account_id, mails_off=[each for each in Notice if each is not notice])
    HAPPENINGS[notice](container, api)
    assert len(mails(container)) == 1


@pytest.mark.parametrize("notice", HAPPENINGS)
def test_a_notice_that_is_switched_off_is_not_told(api: Api, container: Container, notice: Notice) -> None:
    change(container, api.account_id, mails_off=[notice])
    HAPPENINGS[notice](container, api)
    assert mails(container) == []


@pytest.mark.parametrize("gone", ["suspended_at", "deleted_at"])
def test_nothing_goes_to_an_account_that_is_suspended_or_deleted(api: Api, container: Container, gone: str) -> None:
    job = api.order(interior=[PHOTO])["jobId"]
    hook, _ = register(container, api.account_id)
    change(container, api.account_id, **{gone: container.clock()})
    fail(container, job)
    spend(container, api.account_id, "96")
    pay(container, api)
    with container.database.unit_of_work() as session:
        health.note_gone(session, webhooks.get(session, api.account_id, hook), container.clock())
    assert mails(container) == []


def test_every_notice_has_its_words() -> None:
    assert set(WORDS) == set(Notice)


@pytest.mark.parametrize("amount", ["0", "-1", "0.001", "1000000.01", "NaN", "Infinity", "1e99"])
def test_what_is_no_limit_is_refused_and_changes_nothing(api: Api, container: Container, amount: str) -> None:
    with pytest.raises(InvalidRequest), container.database.unit_of_work() as session:
        user, organization = users.get(session, api.account_id), organizations.get(session, api.account_id)
        notices.choose(user, organization, [], Decimal(amount))
    with container.database.read_session() as session:
        user, organization = users.get(session, api.account_id), organizations.get(session, api.account_id)
    assert (user.mails_off, organization.low_balance) == ([], 5)
