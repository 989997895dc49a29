"""What staff do on their pages: told before, done once, refused in words, and never without a line in the log."""

from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.staff import MAX_REASON
from app.models import Organization, StaffAct
from tests import reading
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock
from tests.portal.conftest import NewPerson
from tests.portal.person import Person
from tests.portal.staff.staffing import change, purchase, words
from tests.services.hooks import FakeTransport, answered, deliver_all, fail_for_good, register


def log(container: Container) -> list[StaffAct]:
    return reading.found(container, select(StaffAct).order_by(StaffAct.id))


def grant(reviewer: Person, account_id: str, way: str, amount: str, reason: str, status: int = 200) -> Any:
    form = reviewer.open(f"/staff/accounts/{account_id}/credits").forms["deed"]
    form["way"], form["amount"], form["reason"] = way, amount, reason
    return reviewer.send(form, status=status)


def say(reviewer: Person, path: str, reason: str | None = None, status: int = 200) -> Any:
    form = reviewer.open(path).forms["deed"]
    if reason is not None:
        form["reason"] = reason
    return reviewer.send(form, status=status)


def test_credits_are_given_and_taken_to_the_hundredth(reviewer: Person, api: Api, container: Container) -> None:
    asked = words(reviewer.open(f"/staff/accounts/{api.account_id}/credits"))
    assert "The balance is 100 credits now." in asked
    assert "recorded in the log permanently, with your name" in asked
    page = grant(reviewer, api.account_id, "give", " 12.25 ", "For the\r\nbroken order")
    assert page.request.path == f"/staff/accounts/{api.account_id}"
    assert "+12.25 credits: For the broken order" in words(page)
    grant(reviewer, api.account_id, "take", "0.25", "Too much")
    assert api.credits() == 112
    assert [(each.account_id, each.staff_id, each.detail) for each in log(container)] == [
        (api.account_id, reviewer.account_id, "+12.25 credits: For the broken order"),
        (api.account_id, reviewer.account_id, "-0.25 credits: Too much"),
    ]


def test_a_form_pressed_twice_moves_credits_once(reviewer: Person, api: Api, container: Container) -> None:
    form = reviewer.open(f"/staff/accounts/{api.account_id}/credits").forms["deed"]
    form["way"], form["amount"], form["reason"] = "give", "5", "Sorry"
    reviewer.send(form)
    assert "nothing was done twice" in words(reviewer.send(form))
    assert api.credits() == 105
    assert len(log(container)) == 1


def test_no_more_is_taken_than_is_there(reviewer: Person, api: Api, container: Container) -> None:
    page = grant(reviewer, api.account_id, "take", "100.01", "Back", status=422)
    fault = page.html.select_one('.summary a[href="#amount"]').text
    assert fault == "The balance is 100 credits: no more than 100 can be taken."
    assert page.forms["deed"]["reason"].value == "Back"
    assert (api.credits(), log(container)) == (100, [])


NO_AMOUNTS = ["", "0", "-5", "1.005", "NaN", "Infinity", "1e30", "1,5", "five", "100000.01", "\x00", "9" * 5000]


def test_what_is_no_amount_is_refused(
    reviewer: Person, api: Api, container: Container, subtests: pytest.Subtests
) -> None:
    for amount in NO_AMOUNTS:
        with subtests.test(amount=amount):
            page = grant(reviewer, api.account_id, "give", amount, "Because", status=422)
            assert page.html.title.text.startswith("Error: ")
            assert page.html.select_one('.summary a[href="#amount"]')
            assert (api.credits(), log(container)) == (100, [])


def test_every_field_that_is_missing_is_named(reviewer: Person, api: Api) -> None:
    page = reviewer.send(reviewer.open(f"/staff/accounts/{api.account_id}/credits").forms["deed"], status=422)
    assert [each["href"] for each in page.html.select(".summary a")] == ["#way", "#amount", "#reason"]
    path = f"/staff/accounts/{api.account_id}"
    for deed, reason in (("suspend", ""), ("flag", " \x0b\t"), ("suspend", "x" * (MAX_REASON + 1))):
        page = say(reviewer, f"{path}/{deed}", reason, status=422)
        assert page.html.select_one('.summary a[href="#reason"]')
    assert page.forms["deed"]["reason"].value == "x" * (MAX_REASON + 1)


def test_who_is_suspended_is_out_at_once_and_comes_back_when_restored(
    reviewer: Person, new_person: NewPerson, container: Container
) -> None:
    sam = new_person("sam@example.com", "5")
    path = f"/staff/accounts/{sam.account_id}"
    assert "1 browser signed in now is signed out." in words(reviewer.open(f"{path}/suspend"))
    page = say(reviewer, f"{path}/suspend", "<b>Chargebacks</b>")
    assert "Suspended since" in words(page)
    assert "<b>Chargebacks</b>" in words(page)
    assert sam.open("/orders").request.path == "/sign-in"
    assert "suspended already" in words(reviewer.post(f"{path}/suspend", reason="Again", status=409))
    page = say(reviewer, f"{path}/restore")
    assert reading.one(container, Organization, sam.account_id).suspended_at is None
    sam.sign_in()
    assert sam.open("/orders").request.path == "/orders"
    assert "no longer suspended" in words(reviewer.post(f"{path}/restore", status=409))
    assert [each.action for each in log(container)] == ["suspend", "restore"]


def test_nobody_suspends_themself(reviewer: Person, container: Container) -> None:
    path = f"/staff/accounts/{reviewer.account_id}"
    assert reviewer.open(path).html.select_one(f'a[href="{path}/suspend"]') is None
    assert "cannot suspend yourself" in words(reviewer.post(f"{path}/suspend", reason="Oops", status=409))
    assert reviewer.open("/staff/accounts").request.path == "/staff/accounts"
    assert log(container) == []


def test_a_flag_is_set_said_anew_and_cleared(reviewer: Person, api: Api, container: Container) -> None:
    path = f"/staff/accounts/{api.account_id}"
    say(reviewer, f"{path}/flag", "Owes 3 credits")
    say(reviewer, f"{path}/flag", "Owes 5 credits")
    assert reading.one(container, Organization, api.account_id).flag_reason == "Owes 5 credits"
    say(reviewer, f"{path}/clear-flag")
    assert reading.one(container, Organization, api.account_id).flagged_at is None
    assert "no longer flagged" in words(reviewer.post(f"{path}/clear-flag", status=409))
    assert [each.detail for each in log(container)] == [
        "Owes 3 credits",
        "Owes 5 credits Before: Owes 3 credits",
        "It was flagged: Owes 5 credits",
    ]


def test_a_deleted_account_is_left_alone(
    reviewer: Person, api: Api, container: Container, clock: FakeClock
) -> None:
    change(container, api.account_id, deleted_at=clock())
    path = f"/staff/accounts/{api.account_id}"
    assert "Deleted" in words(reviewer.open(path))
    reviewer.post(f"{path}/suspend", reason="x", status=404)
    reviewer.post(f"{path}/credits", reason="x", way="give", amount="1", status=404)
    assert log(container) == []


def test_a_job_fails_with_its_reason_and_everything_comes_back(
    reviewer: Person, api: Api, container: Container
) -> None:
    job_id = api.order([PHOTO, PHOTO])["jobId"]
    asked = words(reviewer.open(f"/staff/jobs/{job_id}/fail"))
    assert "Its whole price, 1 credit, is refunded to the owner." in asked
    page = say(reviewer, f"/staff/jobs/{job_id}/fail", "The photos show a <b>person</b>.")
    assert "The photos show a <b>person</b>." in words(page)
    status = api.status(job_id)
    assert (status["status"], status["error"]) == ("failed", "The photos show a <b>person</b>.")
    assert api.credits() == 100
    assert "it can no longer be failed" in words(
        reviewer.post(f"/staff/jobs/{job_id}/fail", reason="Again", status=409)
    )
    assert [(each.job_id, each.account_id) for each in log(container)] == [(job_id, api.account_id)]
    assert work(container) == 0


def test_a_job_is_put_back_for_workers_to_take_now(
    reviewer: Person, api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = api.order([PHOTO, b"\xff\xd8\xffCRASH"])["jobId"]
    work(container)
    container.queue.notified.clear()
    assert work(container) == 0, "the second try comes later"
    page = say(reviewer, f"/staff/jobs/{job_id}/requeue")
    assert "1 waiting, 0 left by a worker that died." in words(page)
    assert len(container.queue.notified) == 1
    assert work(container) == 1
    for _ in range(3):
        clock.pass_(minutes=1)
        work(container)
    assert api.status(job_id)["progress"]["completed"] == 2
    assert "no longer being worked on" in words(reviewer.post(f"/staff/jobs/{job_id}/requeue", status=409))


def test_a_delivery_is_sent_again_for_its_owner(
    reviewer: Person, api: Api, container: Container, clock: FakeClock, transport: FakeTransport
) -> None:
    register(container, api.account_id, "job.created")
    transport.results = [answered(500)]
    fail_for_good(api, container, clock)
    reviewer.begin_signed_in()
    page = reviewer.open(reviewer.open("/staff/deliveries").html.select_one("tbody th a")["href"])
    page = reviewer.send(page.forms["redeliver"])
    assert "Sent again" in words(page)
    assert "redeliver" not in page.forms
    path = f"{page.request.path}/redeliver"
    assert "on its way already" in words(reviewer.post(path, status=409))
    transport.results = [answered(200)]
    deliver_all(container)
    assert "Delivered" in words(reviewer.open(page.request.path))
    assert "job.created to https://agency.example/hooks" in log(container)[0].detail


def test_what_is_open_on_a_purchase_is_settled_with_a_note(
    reviewer: Person, api: Api, container: Container
) -> None:
    purchase_id = purchase(container, api.account_id, problem="Paid 9.00", credits_owed=Decimal(4))
    path = f"/staff/payments/{purchase_id}/settle"
    asked = words(reviewer.open(path))
    assert "4 credits owed are forgiven" in asked
    assert "Settle the purchase of 10 credits for $10.00 by Jo" in asked
    assert f"The purchase is {purchase_id}." in asked
    assert "Nothing is open" in words(say(reviewer, path, "The bank mixed it up"))
    assert "Nothing is open on this purchase" in words(reviewer.post(path, reason="Again", status=409))
    assert [each.detail for each in log(container)] == [
        f"{purchase_id}: The bank mixed it up It was: Paid 9.00; 4 credits owed"
    ]
    assert api.credits() == 100


def test_the_log_tells_of_accounts_and_is_filtered_by_them(reviewer: Person, api: Api, other_api: Api) -> None:
    for each in (api, other_api):
        grant(reviewer, each.account_id, "give", "1", "<i>Sorry</i>")
    page = reviewer.open(f"/reviews/log?account={api.account_id}")
    assert len(page.html.select("tbody tr")) == 1
    assert "Changed the balance" in words(page)
    assert "jo@example.com" in words(page)
    assert "<i>Sorry</i>" in words(page)
    assert len(reviewer.open("/reviews/log").html.select("tbody tr")) == 2
