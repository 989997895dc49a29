"""The pages of staff: accounts, jobs, deliveries, payments, the queue; what they show, and who sees none of it."""

from decimal import Decimal

import pytest

from app.container import Container
from app.domain.payments import Dispute, PurchaseState
from app.models import Purchase
from app.portal.staff import words as staff_words
from app.services.accounts import accounts
from app.services.security import api_keys
from app.services.webhooks import webhooks
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock
from tests.portal.person import Person
from tests.portal.staff.staffing import change, purchase, words
from tests.sandboxes import enter_test_mode
from tests.sent_back import ordered, send_back
from tests.services.hooks import FakeTransport, answered, fail_for_good, register

LISTS = ("accounts", "jobs", "deliveries", "payments", "queue")
HOSTILE = (
    "%00",
    "%25",
    "_",
    "x" * 10_000,
    "%ed%a0%80",
    "%ff%fe",
    "'",
    "%5c",
    "<script>alert(1)</script>",
    "acc_",
    "@",
)
SEARCHES = ("accounts?q=", "accounts?in=name&q=", "jobs?q=", "deliveries?q=", "deliveries?show=late&q=")


def test_everybody_else_finds_none_of_it(person: Person, stranger: Person, api: Api, reviewer: Person) -> None:
    job_id = api.order([PHOTO])["jobId"]
    paths = [f"/staff/{each}" for each in LISTS] + [f"/staff/accounts/{api.account_id}", f"/staff/jobs/{job_id}"]
    for path in paths:
        person.open(path, status=404)
        person.fragment(path, status=404)
        assert stranger.open(path).request.path == "/sign-in"
        reviewer.open(path)
    assert person.open("/orders").html.select_one('a[href^="/staff"]') is None


def test_every_page_of_staff_leads_to_every_other(reviewer: Person) -> None:
    reviews = [f"/reviews{each}" for each in ("", "/settled", "/sent-back", "/log")]
    for path in (*reviews, *(f"/staff/{each}" for each in LISTS)):
        nav = reviewer.open(path).html.select_one('nav[aria-label="Staff"]')
        assert [each.text for each in nav.select("a")] == [
            "Reviews", "Accounts", "Jobs", "Deliveries", "Payments", "Queue", "Log",
        ]  # fmt: skip
        assert len(nav.select("[aria-current]")) == 1, path
    assert reviewer.open("/staff/jobs").html.select_one('nav[aria-label="Main"] [aria-current]').text == "Staff"


def test_an_unknown_id_is_not_found(reviewer: Person, api: Api) -> None:
    for path in ("accounts/acc_x", "jobs/" + api.account_id, "deliveries/dlv_" + "0" * 22, "accounts/%00"):
        reviewer.open(f"/staff/{path}", status=404)
    for path in (f"accounts/acc_{'0' * 22}/suspend", f"jobs/job_{'0' * 22}/fail", "payments/pur_x/settle"):
        reviewer.open(f"/staff/{path}", status=404)
        reviewer.post(f"/staff/{path}", status=404, reason="x")
    reviewer.post(f"/staff/deliveries/dlv_{'0' * 22}/redeliver", status=404)
    for each in ("accounts", "jobs", "deliveries"):
        reviewer.open(f"/staff/{each}?after=nonsense", status=404)


@pytest.mark.long
def test_whatever_is_typed_into_a_search_gives_a_plain_page(
    reviewer: Person, api: Api, subtests: pytest.Subtests
) -> None:
    api.order([PHOTO])
    for strange in HOSTILE:
        with subtests.test(strange=strange):
            for path in SEARCHES:
                page = reviewer.open(f"/staff/{path}{strange}")
                assert page.html.select_one("#q"), "the field is there again"
                assert not page.html.select("main script")
            for path in ("accounts?show=", "jobs?status=", "deliveries?show=", "payments?show=", "accounts?in="):
                reviewer.open(f"/staff/{path}{strange}")
            for field in ("staff", "job", "account"):
                reviewer.open(f"/reviews/log?{field}={strange}")
            reviewer.open(f"/staff/accounts?q={'%25' if strange == '_' else '_'}")


def test_an_account_is_found_by_the_beginning_of_its_email_or_name_and_by_its_id(
    reviewer: Person, container: Container, clock: FakeClock
) -> None:
    with container.database.unit_of_work() as session:
        made = [
            accounts.create(session, email, clock(), name=name)
            for email, name in (("zoe@example.com", "Zoë Ängström"), ("zoo@example.com", "ZOE ADAMS"))
        ]
    for query, found in (
        ("q=zo", ["ZOE ADAMS", "Zoë Ängström"]),
        ("q=ZOE%40", ["Zoë Ängström"]),
        ("q=oe%40", []),
        ("in=name&q=zoe", ["ZOE ADAMS"]),
        ("in=name&q=zo%C3%AB%20%C3%A4", ["Zoë Ängström"]),
        ("in=name&q=adams", []),
        (f"in=name&q={made[0].organization_id}", ["Zoë Ängström"]),
        ("q=z_", []),
    ):
        page = reviewer.open(f"/staff/accounts?{query}")
        assert sorted(each.text for each in page.html.select("tbody th a")) == found, query
    told = words(reviewer.open("/staff/accounts?q=nobody"))
    assert "No account found No e-mail address begins with “nobody”." in told
    assert "No account is flagged" in words(reviewer.open("/staff/accounts?show=flagged"))


def test_accounts_are_listed_by_what_is_the_matter_with_them(
    reviewer: Person, person: Person, api: Api, container: Container, clock: FakeClock
) -> None:
    change(container, api.account_id, flagged_at=clock(), flag_reason="<b>owes</b> credits")
    change(container, person.account_id, suspended_at=clock(), suspended_reason="Chargebacks")
    page = reviewer.open("/staff/accounts?show=flagged")
    assert "<b>owes</b> credits" in words(page)
    assert [each["href"] for each in page.html.select("tbody th a")] == [f"/staff/accounts/{api.account_id}"]
    assert "Chargebacks" in words(reviewer.open("/staff/accounts?show=suspended"))
    assert "rae@example.com" in words(reviewer.open("/staff/accounts?show=staff"))
    assert len(reviewer.open("/staff/accounts").html.select("tbody tr")) == 3


def test_an_account_shows_how_it_stands(reviewer: Person, person: Person, api: Api, container: Container) -> None:
    register(container, api.account_id)
    api.order([PHOTO], address="1 <i>Elm</i> Street, Reno, NV 89501")
    purchase(container, api.account_id, credits_owed=Decimal("2.5"), problem="Paid 9.00, not 10.00")
    change(container, api.account_id, name="<script>x</script>")
    page = reviewer.open(f"/staff/accounts/{api.account_id}")
    told = words(page)
    for part in ("<script>x</script>", "1 <i>Elm</i> Street", "2.5 credits", "Paid 9.00, not 10.00", "ims_live_"):
        assert part in told
    assert "agency.example" in told
    assert "Nothing sent yet" in told
    assert "99.5 credits" in told
    assert "Browsers signed in1" in words(reviewer.open(f"/staff/accounts/{person.account_id}"))
    assert page.html.select_one("script:not([src])") is None


def test_a_job_is_found_by_id_account_and_address(reviewer: Person, api: Api, other_api: Api) -> None:
    mine = api.order([PHOTO], address="12 Garden Lane, Reno, NV 89501")["jobId"]
    theirs = other_api.order([PHOTO], address="12 Garden Lane East, Reno, NV 89501")["jobId"]
    for query, found in (
        (mine, [mine]),
        ("JO%40example.com", [mine]),
        (other_api.account_id, [theirs]),
        ("12 garden", [mine, theirs]),
        ("12 Garden Lane E", [theirs]),
        ("Garden", []),
        ("nobody%40example.com", []),
    ):
        page = reviewer.open(f"/staff/jobs?q={query}")
        assert sorted(each["href"][-26:] for each in page.html.select("tbody th a")) == sorted(found), query
    assert reviewer.open("/staff/jobs?status=failed").html.select("tbody tr") == []
    assert len(reviewer.open("/staff/jobs?status=pending").html.select("tbody tr")) == 2
    page = reviewer.open("/staff/jobs?q=12&status=failed")
    assert "looks through every status, so “Failed” was not applied." in words(page)
    assert page.html.select("#state [selected]") == []


def test_overdue_jobs_are_listed_with_the_longest_overdue_at_the_top(
    reviewer: Person, api: Api, clock: FakeClock
) -> None:
    first = api.order([PHOTO])["jobId"]
    clock.pass_(minutes=5)
    second = api.order([PHOTO])["jobId"]
    assert "No job found" in words(reviewer.open("/staff/jobs?status=overdue"))
    reviewer.keep_using(clock, hours=3)
    page = reviewer.open("/staff/jobs?status=overdue")
    assert [each["href"][-26:] for each in page.html.select("tbody th a")] == [first, second]
    assert "Overdue" in words(page)


def test_staff_see_which_order_is_of_test_mode(reviewer: Person, api: Api, container: Container) -> None:
    for each, is_told in ((api, False), (enter_test_mode(api, container), True)):
        told = words(reviewer.open(f"/staff/jobs/{each.order([PHOTO])['jobId']}"))
        assert ("Test order: its credits have no value" in told) is is_told


def test_a_job_shows_everything_that_happened_to_it(
    reviewer: Person, api: Api, container: Container, transport: FakeTransport
) -> None:
    register(container, api.account_id)
    job_id = api.order([PHOTO, b"\xff\xd8\xffBROKEN"])["jobId"]
    work(container)
    told = words(reviewer.open(f"/staff/jobs/{job_id}"))
    for part in (
        "interior-1",
        "The photo cannot be decoded.",
        "job.approved",
        "agency.example",
        "Refund",
        "No picture",
    ):
        assert part in told
    assert "Fail the job" not in told
    assert "Put back" not in told


def test_deliveries_that_fail_are_listed_across_accounts(
    reviewer: Person, api: Api, container: Container, clock: FakeClock, transport: FakeTransport
) -> None:
    assert "No delivery has failed" in words(reviewer.open("/staff/deliveries"))
    webhook_id, _ = register(container, api.account_id, "job.created")
    transport.results = [answered(500)]
    fail_for_good(api, container, clock)
    reviewer.begin_signed_in()
    page = reviewer.open("/staff/deliveries")
    assert "job.created" in words(page)
    assert "Answered 500." in words(page)
    for search in (webhook_id, api.account_id, "jo%40example.com"):
        assert len(reviewer.open(f"/staff/deliveries?q={search}").html.select("tbody tr")) == 1
        assert len(reviewer.open(f"/staff/deliveries?show=held&q={search}").html.select("tbody tr")) == 0
    api.order([PHOTO])
    clock.pass_(seconds=50)
    assert "No delivery is late" in words(reviewer.open("/staff/deliveries?show=late"))
    clock.pass_(seconds=20)
    assert len(reviewer.open("/staff/deliveries?show=late").html.select("tbody tr")) == 1
    page = reviewer.open(page.html.select_one("tbody th a")["href"])
    assert "Answered 500." in words(page)
    assert "jo@example.com" in words(page)


def test_purchases_are_listed_by_what_is_open_on_them(reviewer: Person, api: Api, container: Container) -> None:
    assert "Nothing is open" in words(reviewer.open("/staff/payments"))
    wrong = purchase(container, api.account_id, problem="Paid <b>9.00</b>")
    fought = purchase(container, api.account_id, dispute=Dispute.OPEN)
    fine = purchase(container, api.account_id)
    for show, found in (("attention", [wrong]), ("disputed", [fought]), ("all", [wrong, fought, fine])):
        page = reviewer.open(f"/staff/payments?show={show}")
        assert sorted(each.text for each in page.html.select("tbody code")) == sorted(found)
    assert "Paid <b>9.00</b>" in words(reviewer.open("/staff/payments"))


@pytest.mark.parametrize(
    ("cents", "told"), [(0, ["Paid"]), (400, ["Paid", "Partly refunded"]), (1000, ["Paid", "Refunded"])]
)
def test_a_purchase_that_was_refunded_is_called_so(cents: int, told: list[str]) -> None:
    bought = Purchase(state=PurchaseState.PAID, price_cents=1000, refunded_cents=cents, credits_owed=Decimal(0))
    assert [word.label for word in staff_words.describe_purchase(bought)] == told


def test_a_held_delivery_says_who_can_send_it_and_no_moment_of_a_next_attempt(
    reviewer: Person, api: Api, container: Container, transport: FakeTransport
) -> None:
    webhook_id, _ = register(container, api.account_id, "job.created")
    api.order([PHOTO], address="12 Garden Lane, Reno, NV 89501")
    with container.database.unit_of_work() as session:
        webhooks.switch_off(session, api.account_id, webhook_id)
    page = reviewer.open("/staff/deliveries?show=held").click("job.created")
    assert "The webhook is off. Its owner turned it off. Only its owner can turn it on" in words(page)
    assert "Its owner turned it off." in words(reviewer.open(f"/staff/accounts/{api.account_id}"))
    with container.database.unit_of_work() as session:
        webhooks.switch_on(session, api.account_id, webhook_id, container.clock())
    page = reviewer.open(page.request.path)
    assert "Only its owner can send it" in words(page)
    assert "Next attempt" not in words(page)
    assert "12 Garden Lane, Reno, NV 89501" in page.html.select_one('.points a[href^="/staff/jobs/"]').text
    assert "No failed delivery matches." in words(reviewer.open(f"/staff/deliveries?q={webhook_id}"))


def test_revoked_keys_stand_below_those_that_are_not(reviewer: Person, api: Api, container: Container) -> None:
    with container.database.unit_of_work() as session:
        key, _ = api_keys.create(session, api.account_id, container.clock(), name="Old")
        api_keys.revoke(session, api.account_id, key.id, container.clock())
    card = reviewer.open(f"/staff/accounts/{api.account_id}").html.select_one("#keys").find_parent("section")
    assert card.select_one("details summary").text == "1 revoked key"
    assert [len(table.select("tbody tr")) for table in card.select("table")] == [1, 1]
    assert "Old" in card.select_one("details tbody").text


def test_a_job_tells_which_result_its_customer_sent_back(reviewer: Person, api: Api, container: Container) -> None:
    job_id = ordered(api, container, contents=(PHOTO, PHOTO))
    revision = send_back(container, job_id, "other", place=1)
    rows = (
        reviewer.open(f"/staff/jobs/{job_id}").html.select_one("#photos").find_parent("section").select("tbody tr")
    )
    assert [[each["href"] for each in row.select("a")] for row in rows] == [
        [],
        [f"/reviews/sent-back/{revision.id}"],
    ]


def test_what_staff_did_says_on_which_job(reviewer: Person, api: Api, container: Container) -> None:
    job_id = api.order([PHOTO], address="12 Garden Lane, Reno, NV 89501")["jobId"]
    work(container, automatic=False)
    reviewer.post(f"/reviews/{job_id}/claim")
    acts = reviewer.open(f"/staff/accounts/{api.account_id}").html.select_one("#log").find_parent("section")
    assert acts.select_one(f'.acts a[href="/staff/jobs/{job_id}"]').text == "12 Garden Lane, Reno, NV 89501"
    acts = reviewer.open(f"/staff/jobs/{job_id}").html.select_one("#log").find_parent("section")
    assert acts.select(".acts a") == []


def test_a_photo_that_no_worker_took_before_its_job_failed_has_no_result(reviewer: Person, api: Api) -> None:
    job_id = api.order([PHOTO])["jobId"]
    assert "Due since" in words(reviewer.open(f"/staff/jobs/{job_id}"))
    form = reviewer.open(f"/staff/jobs/{job_id}/fail").forms["deed"]
    form["reason"] = "Broken"
    told = words(reviewer.send(form))
    assert "No result 0 Ended before its turn" in told
    assert "Time limit ended" not in told
