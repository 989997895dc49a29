"""The page of credits: balance, ways to buy, usage, and the ledger with its filters and pages."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import product

import pytest
from flask import Flask
from webtest import TestResponse

from app.container import Container
from app.domain.ids import Prefix, new_id
from app.domain.ledger import LedgerKind
from app.domain.payments import PurchaseState
from app.services.billing import credits
from app.services.billing.credits import Movement
from app.services.billing.ledger_pages import PAGE
from app.services.orders import drafts
from tests import ledgers
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock, photo
from tests.portal.conftest import NewPerson
from tests.portal.person import Person
from tests.portal.programs import api_of
from tests.statements import counted

EVIL = '"><script>alert(1)</script><b>'


def lines(page: TestResponse) -> list[list[str]]:
    rows = page.html.select("#ledger tbody tr")
    return [[" ".join(cell.text.split()) for cell in row.select("td, th")] for row in rows]


def move(container: Container, person: Person, kind: LedgerKind, amount: str, reason: str = "Words") -> None:
    given, cause = Decimal(amount), f"{kind}:{new_id(Prefix.EVENT)}"
    movement = Movement(abs(given), kind, cause, reason)
    with container.database.unit_of_work() as session:
        if given < 0:
            credits.debit(session, person.account_id, movement, container.clock())
        else:
            credits.credit(session, person.account_id, [movement], container.clock())


def test_who_never_had_credits_sees_how_to_get_some(new_person: NewPerson) -> None:
    page = new_person("new@example.com", "0").open("/credits")
    assert page.html.select_one(".figure").text.split() == ["0", "credits"]
    assert "No activity yet" in page.text
    assert not page.html.select("#ledger-filter, #export, svg.chart, #figures")
    assert page.html.select_one("#buy")


def test_a_line_tells_when_why_how_much_and_what_was_left(person: Person, api: Api, container: Container) -> None:
    job_id = api.order([photo("BROKEN")])["jobId"]
    work(container)
    refund, order, opening = lines(person.open("/credits"))
    moment, address = "Nov 20, 2026, 12:00 UTC", "12 Garden Lane, Springfield, IL 62704"
    assert order == [moment, f"Order: {address}", "\u22120.5", "99.5"]
    assert refund[0] == moment
    assert refund[1].startswith("Refund: ")
    assert refund[1].endswith(f"Order: {address}")
    assert refund[2:] == ["+0.5", "100"]
    assert opening == [moment, "Opening balance Adjustment", "+100", "100"]
    links = person.open("/credits").html.select("#ledger tbody a")
    assert {link["href"] for link in links} == {f"/properties/{job_id}"}


def test_lines_of_an_expired_order_are_marked_and_lead_to_it(
    person: Person, api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = api.order([PHOTO])["jobId"]
    work(container)
    clock.pass_(days=8)
    container.sweep.expire_jobs()
    person.sign_in()
    page = person.open("/credits")
    row = page.html.select_one("#ledger tbody tr")
    assert row.select_one(".tag").text == "Expired"
    assert "Expired" in person.open(row.select_one("a")["href"]).text
    assert row.select_one("a")["href"] == f"/properties/{job_id}"


def test_a_purchase_leads_to_its_receipt_and_what_was_taken_back_too(person: Person, container: Container) -> None:
    now = container.clock()
    with container.database.unit_of_work() as session:
        purchase = ledgers.paid(session, person.account_id, "10", 1200, now)
        ledgers.taken_back(session, purchase, "5", 600, now)
    page = person.open("/credits")
    links = [link for link in page.html.select("#ledger tbody a") if "Receipt" in link.text]
    assert [link["href"] for link in links] == [f"/credits/purchases/{purchase.id}/receipt"] * 2
    assert person.open(links[0]["href"]).html.h1.text == links[0].text


def test_purchases_under_way_are_named_with_their_pages(person: Person, container: Container) -> None:
    with container.database.unit_of_work() as session:
        for state in {*PurchaseState} - {PurchaseState.PAID}:
            ledgers.begun(session, person.account_id, "7.5", 900, container.clock(), state=state)
    notices = [" ".join(each.text.split()) for each in person.open("/credits").html.select(".notice")]
    assert len(notices) == 2
    assert all("7.5 credits for $9.00, created Nov 20, 2026, 12:00 UTC." in notice for notice in notices)


@pytest.mark.parametrize(("amount", "low"), [("1", False), ("0.5", True), ("0", False)])
def test_a_balance_below_the_last_price_is_said(
    new_person: NewPerson, app: Flask, container: Container, amount: str, low: bool
) -> None:
    person = new_person("lo@example.com", amount)
    if amount != "0":
        move(container, person, LedgerKind.ADJUSTMENT, "1")
        api_of(person, app, container).order([PHOTO, PHOTO])
    page = person.open("/credits")
    assert ("lower than the price of your last order: 1 credit." in page.text) is low


def test_the_usage_is_drawn_by_month_with_its_figures(
    new_person: NewPerson, container: Container, clock: FakeClock
) -> None:
    today, clock.now = clock.now, datetime(2026, 9, 1, tzinfo=UTC)
    person = new_person("old@example.com")
    for day, amount in ((datetime(2026, 9, 3, tzinfo=UTC), "-30"), (datetime(2026, 10, 3, tzinfo=UTC), "-7.5")):
        clock.now = day
        move(container, person, LedgerKind.ORDER, amount)
    move(container, person, LedgerKind.REFUND, "2.5")
    clock.now = today
    person.sign_in()
    page = person.open("/credits")
    chart = page.html.select_one("svg.chart")
    assert [each.text for each in chart.select(".month > title")][-3:] == [
        "September 2026: 30 credits",
        "October 2026: 5 credits",
        "November 2026: 0 credits",
    ]
    assert [each.text for each in chart.select(".scale")] == ["0", "10", "20", "30"]
    heights = [float(each["height"]) for each in chart.select(".used")]
    assert heights == [160, pytest.approx(160 / 6, abs=0.1)]
    assert "35 credits" in page.html.select_one("#usage").text
    figures = [[cell.text for cell in row.select("th, td")] for row in page.html.select("details tbody tr")]
    assert len(figures) == 12
    assert figures[1] == ["Oct 2026", "7.5", "2.5", "5", "0", "0"]
    october = person.open(page.html.select("details tbody a")[1]["href"])
    assert [line[2] for line in lines(october)] == ["+2.5", "\u22127.5"]
    assert october.forms["ledger-filter"]["from"].value == "2026-10-01"
    assert october.forms["ledger-filter"]["to"].value == "2026-10-31"


def test_kinds_filter_as_a_form_and_stand_in_the_address(person: Person, api: Api, container: Container) -> None:
    api.order([photo("BROKEN")])
    work(container)
    form = person.open("/credits").forms["ledger-filter"]
    assert [option[2] for option in form["kind"].options] == [
        "Everything",
        "Purchases",
        "Orders",
        "Refunds",
        "Adjustments",
        "Returned payments",
    ]
    form["kind"] = "refund"
    page = person.send(form)
    assert "kind=refund" in page.request.query_string
    assert [line[2] for line in lines(page)] == ["+0.5"]
    assert page.forms["ledger-filter"]["kind"].value == "refund"
    assert page.html.select_one("#export")["href"] == "/credits/ledger.csv?kind=refund"
    assert len(lines(person.open(page.html.select_one("#clear")["href"]))) == 3


def test_one_order_has_its_lines_and_leads_from_its_page(person: Person, api: Api, container: Container) -> None:
    job_id = api.order([photo("BROKEN")])["jobId"]
    api.order([PHOTO])
    work(container)
    (link,) = [each for each in person.open(f"/orders/{job_id}").html.select("a") if "ledger" in each.text]
    page = person.open(link["href"])
    assert [line[2] for line in lines(page)] == ["+0.5", "\u22120.5"]
    assert "Only the order for 12 Garden Lane" in page.text
    form = page.forms["ledger-filter"]
    form["kind"] = "refund"
    assert [line[2] for line in lines(person.send(form))] == ["+0.5"]


def test_another_accounts_order_has_no_lines(person: Person, other_api: Api) -> None:
    job_id = other_api.order([PHOTO])["jobId"]
    page = person.open(f"/credits?job={job_id}")
    assert lines(page) == []
    assert "Nothing matches" in page.text
    assert "Garden" not in page.text


def test_days_that_make_no_sense_are_told_at_their_field(person: Person, subtests: pytest.Subtests) -> None:
    for query, said in (
        ("from=2026-02-30", "Enter a first day that exists"),
        ("to=tomorrow", "Enter a last day that exists"),
        ("from=2026-11-20&to=2026-11-19", "The last day is before the first"),
        ("from=0001-01-01", "from 2000 to 2099"),
        ("to=9999-12-31", "from 2000 to 2099"),
        ("to=2026-W47-1", "Enter a last day that exists"),
        ("from=%D9%A2%D9%A0%D9%A2%D9%A6-11-01", "Enter a first day that exists"),
        ("from=" + "9" * 5000, "Enter a first day that exists"),
        ("month=2026-13", "A month is written as"),
        ("month=november", "A month is written as"),
    ):
        with subtests.test(query=query, said=said):
            page = person.open(f"/credits?{query}", 422)
            (link,) = page.html.select(".summary a")
            assert said in link.text
            assert page.html.select_one(link["href"]).find_previous(class_="error").text == f"Error: {link.text}"
            assert "Error: " in page.html.title.text
            assert lines(page) == []
            for name in ("from", "to"):
                assert (f"{name}=" not in query) or page.forms["ledger-filter"][name].value
            assert "This did not work" in person.open(f"/credits/ledger.csv?{query}", 400).text


def test_what_is_no_kind_and_no_place_filters_nothing(person: Person, subtests: pytest.Subtests) -> None:
    for query in (
        "kind=nonsense",
        "kind=%00",
        "job=%00",
        "before=x",
        "before=-5",
        "after=1e9",
        "before=" + "9" * 6000,
        f"kind={EVIL}",
    ):
        with subtests.test(query=query):
            assert len(lines(person.open(f"/credits?{query}"))) == 1


@pytest.mark.parametrize("query", [f"job={EVIL}", "job=" + "x" * 5000, "from=2026-12-01", "to=2000-01-01"])
def test_what_nothing_fits_says_so_and_can_be_cleared(person: Person, query: str) -> None:
    page = person.open(f"/credits?{query}")
    assert "Nothing matches" in page.text
    assert EVIL not in page.text
    assert len(lines(person.open(page.html.select_one("#clear")["href"]))) == 1


NO_DRAFTS = ["x", EVIL, "dft_7Qm2ZcW9sXk4NfTb1LhPve"]
NO_AMOUNTS = ["x", "-5", "1e9999999", "NaN", "9" * 5000, "0", EVIL, "5000.5", "%00"]


def test_no_amount_and_no_draft_breaks_the_page(person: Person, subtests: pytest.Subtests) -> None:
    for draft, amount in product(NO_DRAFTS, NO_AMOUNTS):
        with subtests.test(draft=draft, amount=amount):
            page = person.open(f"/credits?credits={amount}&draft={draft}")
            assert EVIL not in page.text
            assert "back to your order" not in page.text


def test_buying_for_a_draft_leads_back_to_it(person: Person, other_api: Api, container: Container) -> None:
    def begun(account_id: str) -> str:
        with container.database.unit_of_work() as session:
            return drafts.begin(session, account_id, container.upload_quota, container.clock()).id

    mine, theirs = begun(person.account_id), begun(other_api.account_id)
    page = person.open(f"/credits?credits=3&draft={mine}")
    assert page.html.select_one(f'.notice a[href="/properties/{mine}#basket"]')
    assert not person.open(f"/credits?draft={theirs}").html.select(".notice")


def test_whatever_stands_in_a_reason_is_text(person: Person, container: Container) -> None:
    move(container, person, LedgerKind.ADJUSTMENT, "1", f"Gift {EVIL}")
    page = person.open("/credits")
    assert "<script>alert" not in page.text
    assert EVIL in page.html.select_one("#ledger tbody th").text


def test_pages_are_links_that_keep_the_filter(person: Person, container: Container) -> None:
    with container.database.unit_of_work() as session:
        ledgers.fill(session, person.account_id, 4 * PAGE, container.clock(), timedelta(minutes=1))
    first = person.open("/credits?kind=order")
    second = person.open(first.html.select_one("#older")["href"])
    assert "kind=order" in second.request.query_string
    assert (len(lines(first)), len(lines(second))) == (PAGE, PAGE)
    assert not second.html.select("#older")
    assert not {line[1] for line in lines(first)} & {line[1] for line in lines(second)}
    assert lines(person.open(second.html.select_one("#newer")["href"])) == lines(first)


def test_the_number_of_queries_does_not_grow_with_the_ledger(
    person: Person, api: Api, container: Container
) -> None:
    api.order([PHOTO])
    few = counted(lambda: person.open("/credits"))
    with container.database.unit_of_work() as session:
        ledgers.fill(
            session, person.account_id, 2 * PAGE, container.clock() - timedelta(days=200), timedelta(days=1)
        )
        for number in range(30):
            when = container.clock() + timedelta(seconds=number)
            ledgers.paid(session, person.account_id, "10", 1200, when)
            ledgers.begun(session, person.account_id, "20", 2400, when)
    for _ in range(5):
        api.order([PHOTO])
    assert counted(lambda: person.open("/credits")) == few <= 6
