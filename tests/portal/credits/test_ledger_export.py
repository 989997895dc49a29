"""The ledger as a file: whole, exact, harmless, made while it is sent."""

import csv
import io
from datetime import timedelta
from decimal import Decimal

import pytest
from flask import Flask

from app.container import Container
from app.domain.ids import Prefix, new_id
from app.domain.ledger import LedgerKind
from app.portal.credits import ledger
from app.services.billing import credits
from app.services.billing.credits import Movement
from app.services.billing.ledger_pages import BATCH
from tests import ledgers
from tests.conftest import Api, work
from tests.fakes import photo
from tests.portal.conftest import NewPerson
from tests.portal.person import Person
from tests.statements import counted

Line = dict[str, str]


def rows(person: Person, query: str = "") -> list[Line]:
    answer = person.web.get(f"/credits/ledger.csv{query}")
    assert (answer.status_int, answer.headers["Content-Type"]) == (200, "text/csv; charset=utf-8")
    return list(csv.DictReader(io.StringIO(answer.body.decode(), newline="")))


def gift(container: Container, person: Person, reason: str) -> None:
    movement = Movement(Decimal("0.25"), LedgerKind.ADJUSTMENT, new_id(Prefix.EVENT), reason)
    with container.database.unit_of_work() as session:
        credits.credit(session, person.account_id, [movement], container.clock())


def test_every_line_is_there_exactly_newest_first(person: Person, api: Api, container: Container) -> None:
    job_id = api.order([photo("BROKEN")])["jobId"]
    work(container)
    with container.database.unit_of_work() as session:
        purchase = ledgers.paid(session, person.account_id, "12.5", 1500, container.clock())
    bought, refund, order, opening = rows(person)
    assert order == {
        "moved_at_utc": "2026-11-20T12:00:00.000Z",
        "kind": "order",
        "reason": "Order: 12 Garden Lane, Springfield, IL 62704",
        "order_id": job_id,
        "order_address": "12 Garden Lane, Springfield, IL 62704",
        "purchase_id": "",
        "receipt_number": "",
        "credits": "-0.50",
        "balance_after": "99.50",
    }
    assert (bought["purchase_id"], bought["credits"], bought["balance_after"]) == (purchase.id, "12.50", "112.50")
    assert bought["receipt_number"].isdigit()
    assert (refund["order_id"], refund["credits"]) == (job_id, "0.50")
    assert (opening["reason"], opening["credits"]) == ("Opening balance", "100.00")


def test_the_file_is_named_by_the_day_and_kept_by_nobody(person: Person) -> None:
    answer = person.web.get("/credits/ledger.csv")
    assert answer.headers["Content-Disposition"] == "attachment; filename=brightlist-credits-2026-11-20.csv"
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_filter_of_the_page_holds_for_the_file(person: Person, api: Api, container: Container) -> None:
    job_id = api.order([photo("BROKEN")])["jobId"]
    work(container)
    assert [row["kind"] for row in rows(person, "?kind=refund")] == ["refund"]
    assert [row["kind"] for row in rows(person, f"?job={job_id}")] == ["refund", "order"]
    assert len(rows(person, "?month=2026-11")) == 3
    assert rows(person, "?from=2026-11-21") == rows(person, "?to=2026-11-19") == []


def test_nobody_gets_lines_of_another_account(person: Person, new_person: NewPerson) -> None:
    kim = new_person("kim@example.com", "7")
    assert [row["credits"] for row in rows(kim)] == ["7.00"]
    assert [row["credits"] for row in rows(person)] == ["100.00"]


def test_no_text_is_a_formula(person: Person, container: Container, subtests: pytest.Subtests) -> None:
    for start in ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d"):
        with subtests.test(start=start):
            gift(container, person, f"{start}cmd|' /C calc'!A0")
            assert rows(person)[0]["reason"] == f"'{start}cmd|' /C calc'!A0"


@pytest.mark.parametrize("reason", ["Öl; \"quoted\", 'and' more\nlines", "1=1", " =1", "'=1", ""])
def test_every_other_text_is_what_it_was(person: Person, container: Container, reason: str) -> None:
    gift(container, person, reason)
    assert rows(person)[0]["reason"] == reason


def test_the_first_line_names_the_columns_even_of_an_empty_ledger(new_person: NewPerson) -> None:
    answer = new_person("new@example.com", "0").web.get("/credits/ledger.csv")
    assert answer.text == ",".join(ledger.COLUMNS) + "\r\n"


def test_a_long_ledger_is_read_as_it_is_sent_and_holds_no_connection(
    person: Person, app: Flask, container: Container
) -> None:
    with container.database.unit_of_work() as session:
        ledgers.fill(session, person.account_id, 2 * BATCH, container.clock(), timedelta(seconds=1))
    client, pool = app.test_client(), container.database.engine.pool
    for cookie in person.web.cookiejar:
        client.set_cookie(cookie.name, cookie.value.strip('"'))
    answer = client.get("/credits/ledger.csv", buffered=False)
    chunks = iter(answer.response)
    assert next(chunks).decode().splitlines() == [",".join(ledger.COLUMNS)]
    sizes = []
    for _ in range(3):
        assert counted(lambda: sizes.append(next(chunks).count(b"\n"))) == 1
        assert pool.checkedout() == 0
    assert sizes == [BATCH, BATCH, 1]
    assert next(chunks, None) is None
