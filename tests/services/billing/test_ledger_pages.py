"""The ledger of an account: filtered exactly, paged in both directions, flat however long it is."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest

from app.container import Container
from app.domain.events import SAMPLE_JOB
from app.domain.ledger import LedgerKind
from app.services.billing import credits, ledger_pages
from app.services.billing.credits import Movement
from app.services.billing.ledger_pages import BATCH, PAGE, LedgerFilter
from app.services.pagination import Cursor, TwoWayPage
from tests import ledgers
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock, photo

ALL = LedgerFilter()
BEGIN = datetime(2025, 1, 1, tzinfo=UTC)
STEP = timedelta(minutes=5)


@pytest.fixture
def clock() -> FakeClock:
    """Before everything that is listed here: ledgers begin with their first line."""
    clock = FakeClock()
    clock.now = BEGIN
    return clock


def listed(
    container: Container, account_id: str, wanted: LedgerFilter = ALL, at: Cursor | None = None
) -> TwoWayPage:
    with container.database.read_session() as session:
        return ledger_pages.paginate(session, account_id, wanted, at)


def reasons(page: TwoWayPage) -> list[str]:
    return [row.reason for row in page.rows]


def move(container: Container, account_id: str, at: datetime, reason: str) -> None:
    movement = Movement(Decimal(1), LedgerKind.PURCHASE, reason, reason)
    with container.database.unit_of_work() as session:
        credits.credit(session, account_id, [movement], at)


def test_a_line_names_its_order_and_whether_that_expired(container: Container, api: Api, clock: FakeClock) -> None:
    job_id = api.order([photo("BROKEN")])["jobId"]
    work(container)
    clock.pass_(days=8)
    container.sweep.expire_jobs()
    refund, order, opening = listed(container, api.account_id).rows
    assert (refund.kind, order.kind, opening.kind) == (
        LedgerKind.REFUND,
        LedgerKind.ORDER,
        LedgerKind.ADJUSTMENT,
    )
    assert refund.job_id == order.job_id == job_id
    assert order.address == "12 Garden Lane, Springfield, IL 62704"
    assert order.job_expired_at is not None
    assert opening.job_id is opening.address is opening.job_expired_at is None
    assert [row.amount for row in (refund, order, opening)] == [Decimal("0.5"), Decimal("-0.5"), Decimal(100)]
    assert [row.balance_after for row in (refund, order, opening)] == [Decimal(100), Decimal("99.5"), Decimal(100)]


def test_a_line_names_its_receipt(container: Container, api: Api, clock: FakeClock) -> None:
    with container.database.unit_of_work() as session:
        purchase = ledgers.paid(session, api.account_id, "10", 1200, clock())
        ledgers.taken_back(session, purchase, "5", 600, clock())
    reversal, bought, opening = listed(container, api.account_id).rows
    assert bought.purchase_id == reversal.purchase_id == purchase.id
    assert bought.receipt_number is not None
    assert opening.purchase_id is opening.receipt_number is None


def test_nobody_sees_a_line_of_another_account(container: Container, api: Api, other_api: Api) -> None:
    job_id = other_api.order([PHOTO])["jobId"]
    assert reasons(listed(container, api.account_id)) == ["Opening balance"]
    assert listed(container, api.account_id, LedgerFilter(job_id=job_id)).rows == []


def test_kinds_filter(container: Container, api: Api) -> None:
    api.order([photo("BROKEN")])
    work(container)
    for kind in (LedgerKind.ORDER, LedgerKind.REFUND, LedgerKind.ADJUSTMENT):
        assert [row.kind for row in listed(container, api.account_id, LedgerFilter(kind)).rows] == [kind]
    assert listed(container, api.account_id, LedgerFilter(LedgerKind.REVERSAL)).rows == []


def test_orders_filter(container: Container, api: Api) -> None:
    one, other = api.order([photo("BROKEN")])["jobId"], api.order([PHOTO])["jobId"]
    work(container)
    rows = listed(container, api.account_id, LedgerFilter(job_id=one)).rows
    assert [(row.kind, row.job_id) for row in rows] == [(LedgerKind.REFUND, one), (LedgerKind.ORDER, one)]
    assert len(listed(container, api.account_id, LedgerFilter(job_id=other)).rows) == 1


@pytest.mark.parametrize("job_id", ["nothing", "job_", "\x00", "%", "x" * 9000, SAMPLE_JOB])
def test_what_is_no_order_has_no_lines(container: Container, api: Api, job_id: str) -> None:
    assert listed(container, api.account_id, LedgerFilter(job_id=job_id)).rows == []


@pytest.mark.parametrize(
    ("since", "until", "found"),
    [
        (date(2026, 3, 2), None, "DCB"),
        (None, date(2026, 3, 2), "CBA"),
        (date(2026, 3, 2), date(2026, 3, 2), "CB"),
        (date(2026, 3, 4), date(2026, 3, 5), ""),
        (date(2026, 3, 1), date(2026, 3, 1), "A"),
        (date(2000, 1, 1), date(2099, 12, 31), "DCBA"),
    ],
)
def test_days_are_whole_and_in_utc(
    container: Container, other_api: Api, since: date | None, until: date | None, found: str
) -> None:
    account_id = other_api.account_id
    moments = ("03-01T23:59:59.999999", "03-02T00:00:00", "03-02T23:59:59.999999", "03-03T00:00:00")
    for name, moment in zip("ABCD", moments, strict=True):
        move(container, account_id, datetime.fromisoformat(f"2026-{moment}+00:00"), name)
    wanted = LedgerFilter(LedgerKind.PURCHASE, since, until)
    assert "".join(reasons(listed(container, account_id, wanted))) == found


def test_lines_written_in_another_order_than_they_were_begun_are_on_their_days(
    container: Container, api: Api
) -> None:
    midnight = datetime(2026, 3, 2, tzinfo=UTC)
    for minutes, name in ((3, "A"), (-4, "B"), (2, "C"), (-1, "D"), (1, "E")):
        move(container, api.account_id, midnight + timedelta(minutes=minutes), name)
    day = midnight.date()
    purchases = LedgerKind.PURCHASE
    assert reasons(listed(container, api.account_id, LedgerFilter(purchases, since=day))) == ["E", "C", "A"]
    before = LedgerFilter(purchases, until=day - timedelta(days=1))
    assert reasons(listed(container, api.account_id, before)) == ["D", "B"]


def test_pages_lead_to_each_other_in_both_directions(container: Container, api: Api) -> None:
    with container.database.unit_of_work() as session:
        ledgers.fill(session, api.account_id, 2 * PAGE + 7, BEGIN, STEP)
    there, cursor = [listed(container, api.account_id)], None
    while there[-1].older:
        there.append(listed(container, api.account_id, at=there[-1].older))
    assert [len(page.rows) for page in there] == [PAGE, PAGE, 8]
    assert [row.line_id for page in there for row in page.rows] == sorted(
        (row.line_id for page in there for row in page.rows), reverse=True
    )
    assert there[0].newer is None
    cursor = there[2].newer
    back = listed(container, api.account_id, at=cursor)
    assert reasons(back) == reasons(there[1])
    first = listed(container, api.account_id, at=back.newer)
    assert reasons(first) == reasons(there[0])
    assert (first.newer, first.older) == (None, there[0].older)


@pytest.mark.parametrize("place", [0, -1, 1, 2**63 - 1, 2**63, 10**400, -(10**400)])
def test_any_number_is_a_place(container: Container, api: Api, place: int) -> None:
    for newer in (True, False):
        assert reasons(listed(container, api.account_id, at=Cursor(place, newer))) == ["Opening balance"]


def test_batches_are_the_whole_ledger_and_hold_no_connection_between_two(container: Container, api: Api) -> None:
    with container.database.unit_of_work() as session:
        ledgers.fill(session, api.account_id, 2 * BATCH + 3, BEGIN, STEP)
    sizes, seen = [], set()
    for rows in ledger_pages.read_batches(container.database, api.account_id, LedgerFilter()):
        assert container.database.engine.pool.checkedout() == 0
        sizes.append(len(rows))
        seen |= {row.line_id for row in rows}
    assert sizes == [BATCH, BATCH, 4]
    assert len(seen) == sum(sizes)
    only = LedgerFilter(LedgerKind.REFUND)
    assert sum(map(len, ledger_pages.read_batches(container.database, api.account_id, only))) == BATCH // 2 + 1
