"""What staff look at costs the same with very many rows as with few: every list reads a stretch of an index."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, event, text
from sqlalchemy.orm import Session

from app.database import Database
from app.domain.lifecycle import Status
from app.services.billing import purchase_list
from app.services.security import staff_acts
from app.services.staff import accounts as staff_accounts
from app.services.staff import deliveries as staff_deliveries
from app.services.staff import jobs as staff_jobs
from app.services.staff import queue as staff_queue
from app.services.staff.accounts import AccountField, AccountGroup
from tests import databases
from tests.plans import touching

MANY = 100_000 if databases.GIVEN else 20_000
"""SQLite says how it would read the tables, which is the same for a fifth as many; PostgreSQL counts the rows."""
NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
MOST_ROWS = 12_000
"""That a statement may touch: the queue looks at a thousand due things of a kind, and at what belongs to them."""
MOMENT = {
    "sqlite": "datetime('2026-11-01', '+' || (i * 10) || ' seconds') || '.000000'",
    "postgresql": "timestamptz '2026-11-01 00:00:00Z' + i * interval '10 seconds'",
}
ROWS = {
    "users": {
        "id": "'acc_0000000000' || (100000000000 + i)",
        "email": "'p' || i || '@example.com'",
        "name": "'Pat ' || i",
        "is_staff": "i % 20000 = 0",
        "created_at": "MOMENT",
        "mails_off": "'[]'",
    },
    "account": {
        "id": "'acc_0000000000' || (100000000000 + i)",
        "credits": "0",
        "weight": "1",
        "keeps_photos": "false",
        "engine_channel": "'latest'",
        "file_names": "''",
        "created_at": "MOMENT",
        "flagged_at": "CASE WHEN i % 10000 = 0 THEN MOMENT END",
        "suspended_at": "CASE WHEN i % 3 = 0 THEN MOMENT END",
    },
    "membership": {
        "user_id": "'acc_0000000000' || (100000000000 + i)",
        "organization_id": "'acc_0000000000' || (100000000000 + i)",
        "role": "'owner'",
        "created_at": "MOMENT",
    },
    "job": {
        "id": "'job_0000000000' || (100000000000 + i)",
        "account_id": "'acc_0000000000' || (100000000000 + 1 + i % 10)",
        "livemode": "true",
        "upload_session_id": "'ups_' || i",
        "address": "i || ' Garden Lane, Springfield, IL 62704'",
        "address_slug": "i || '-garden-lane-springfield-il-62704'",
        "listing": "'{}'",
        "kept_bytes": "0",
        "service_type": "'interior'",
        "status": "CASE WHEN i % 100 = 0 THEN 'pending' WHEN i % 7 = 0 THEN 'failed' ELSE 'delivered' END",
        "credit_cost": "0",
        "engine_version": "'0.14.0+3f9a2c1b'",
        "generative_calls": "0",
        "property_credits": "0",
        "credits_refunded": "0",
        "interior_count": "1",
        "exterior_count": "0",
        "created_at": "MOMENT",
        "deadline_at": "MOMENT",
    },
    "photo": {
        "id": "'pho_0000000000' || (100000000000 + i)",
        "job_id": "'job_0000000000' || (100000000000 + i)",
        "type": "'interior'",
        '"index"': "0",
        "file_name": "'x'",
        "storage_key": "'x'",
        "size_bytes": "1",
        "from_imagery": "i < 0",
        "edit_request": "'{}'",
        "work_size": "'light'",
        "postponements": "0",
        "image_credits": "0",
        "state": "'waiting'",
        "attempts": "0",
        "next_attempt_at": "MOMENT",
    },
    "webhook": {
        "id": "'whk_0000000000' || (100000000000 + i)",
        "account_id": "'acc_0000000000' || (100000000000 + i)",
        "url": "'https://a.example/' || i",
        "events": "'[]'",
        "secret": "'x'",
        "active": "i > 0",
        "created_at": "MOMENT",
        "healthy_since": "MOMENT",
        "failed_deliveries": "0",
        "warnings": "0",
    },
    "event": {
        "id": "'evt_0000000000' || (100000000000 + i)",
        "account_id": "'acc_0000000000' || (100000000000 + 1 + i % 10)",
        "job_id": "'job_0000000000' || (100000000000 + i)",
        "name": "'job.created'",
        "body": "'{}'",
        "created_at": "MOMENT",
        "number": "i",
    },
    "delivery": {
        "id": "'dlv_0000000000' || (100000000000 + i)",
        "webhook_id": "'whk_0000000000' || (100000000000 + 1 + i % 10)",
        "event_id": "'evt_0000000000' || (100000000000 + i)",
        "event_name": "'x'",
        "state": "CASE i % 4 WHEN 0 THEN 'failed' WHEN 1 THEN 'held' WHEN 2 THEN 'waiting' ELSE 'succeeded' END",
        "attempts_made": "0",
        "by_hand": "i < 0",
        "next_attempt_at": "MOMENT",
        "created_at": "MOMENT",
    },
    "purchase": {
        "id": "'pur_0000000000' || (100000000000 + i)",
        "account_id": "'acc_0000000000' || (100000000000 + i)",
        "form_token": "'t' || i",
        "credits": "100",
        "price_cents": "100",
        "currency": "'usd'",
        "provider": "'stripe'",
        "state": "CASE WHEN i % 3 = 0 THEN 'open' ELSE 'paid' END",
        "refunded_cents": "0",
        "disputed_cents": "0",
        "dispute": "CASE WHEN i % 20000 = 0 THEN 'open' END",
        "credits_taken": "0",
        "credits_owed": "CASE WHEN i % 20000 = 1 THEN 100 ELSE 0 END",
        "credits_forgiven": "0",
        "created_at": "MOMENT",
        "checked_at": "MOMENT",
    },
    "staff_act": {
        "staff_id": "'acc_0000000000' || (100000000000 + 20000)",
        "account_id": "'acc_0000000000' || (100000000000 + 1 + i % 10)",
        "job_id": "'job_0000000000' || (100000000000 + i)",
        "action": "'flag'",
        "detail": "''",
        "created_at": "MOMENT",
    },
}


@pytest.fixture(scope="module")
def crowded(migrated: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A database with many rows of everything that staff list."""
    url = (
        databases.copy_of(migrated, tmp_path_factory.mktemp("many")) if not isinstance(migrated, str) else migrated
    )
    if isinstance(migrated, str):
        databases.empty(url)
    database = Database(url)
    dialect = database.engine.dialect.name
    with database.engine.execution_options(writes=True).begin() as connection:
        for table, columns in ROWS.items():
            values = ", ".join(columns.values()).replace("MOMENT", MOMENT[dialect])
            numbers = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MANY})"
            insert = f"INSERT INTO {table} ({', '.join(columns)}) {numbers} SELECT {values} FROM n"
            connection.execute(text(insert.replace(":", r"\:")))
        connection.execute(text("ANALYZE"))
    yield database
    database.engine.dispose()


def account_id(number: int) -> str:
    return f"acc_0000000000{100_000_000_000 + number}"


def middle(kind: str) -> str:
    return f"{kind}_0000000000{100_000_000_000 + MANY // 2}"


Look = Callable[[Session], object]
ACCOUNTS: dict[str, Look] = {
    "accounts": lambda s: staff_accounts.paginate(s, staff_accounts.AccountFilter(), middle("acc")),
    "flagged": lambda s: staff_accounts.paginate(
        s, staff_accounts.AccountFilter(show=AccountGroup.FLAGGED), middle("acc")
    ),
    "suspended": lambda s: staff_accounts.paginate(s, staff_accounts.AccountFilter(show=AccountGroup.SUSPENDED)),
    "staff": lambda s: staff_accounts.paginate(s, staff_accounts.AccountFilter(show=AccountGroup.STAFF)),
    "by e-mail": lambda s: staff_accounts.paginate(s, staff_accounts.AccountFilter("p"), middle("acc")),
    "by name": lambda s: staff_accounts.paginate(
        s, staff_accounts.AccountFilter("pat", AccountField.NAME), middle("acc")
    ),
    "one account": lambda s: staff_accounts.describe(s, account_id(2), NOW),
    "log": lambda s: staff_acts.paginate(s, staff_acts.ActFilter(), MANY // 2),
    "log of an account": lambda s: staff_acts.paginate(
        s, staff_acts.ActFilter(account_id=account_id(2)), MANY // 2
    ),
    "staff by name": lambda s: staff_acts.list_staff(s, account_id(7)),
}
JOBS: dict[str, Look] = {
    "jobs": lambda s: staff_jobs.paginate(s, staff_jobs.JobFilter(), NOW, middle("job")),
    "failed": lambda s: staff_jobs.paginate(s, staff_jobs.JobFilter(status=Status.FAILED), NOW, middle("job")),
    "overdue": lambda s: staff_jobs.paginate(s, staff_jobs.JobFilter(overdue=True), NOW, middle("job")),
    "of an account": lambda s: staff_jobs.paginate(s, staff_jobs.JobFilter("P2@example.com"), NOW, middle("job")),
    "of an account, failed": lambda s: staff_jobs.paginate(
        s, staff_jobs.JobFilter(account_id(2), Status.FAILED), NOW
    ),
    "by address": lambda s: staff_jobs.paginate(s, staff_jobs.JobFilter(str(MANY // 2)[0]), NOW, middle("job")),
    "one job": lambda s: staff_jobs.describe(s, middle("job"), NOW),
}
WORK: dict[str, Look] = {
    **{
        f"deliveries {show}{' of ' + search if search else ''}": (
            lambda s, show=show, search=search: staff_deliveries.paginate(
                s,
                staff_deliveries.StaffDeliveryFilter(show, search),
                NOW,
                middle("dlv") if show != "late" else None,
            )
        )
        for show in staff_deliveries.DeliveryGroup
        for search in ("", "p2@example.com", f"whk_0000000000{100_000_000_002}")
    },
    "later deliveries": lambda s: staff_deliveries.paginate(
        s,
        staff_deliveries.StaffDeliveryFilter(staff_deliveries.DeliveryGroup.LATE),
        NOW,
        f"dlv_0000000000{100_000_000_002 + MANY // 2}",
    ),
    "one delivery": lambda s: staff_deliveries.describe(s, middle("dlv")),
    **{
        f"purchases {show}": (lambda s, show=show: purchase_list.paginate(s, show, middle("pur")))
        for show in purchase_list.PurchaseFilter
    },
    "queue": lambda s: staff_queue.health(s, NOW),
}
LOOKS = ACCOUNTS | JOBS | WORK


def statements(session: Session, look: Look) -> list[tuple[str, Any]]:
    """What the look sends."""
    found: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement.startswith(("SELECT", "WITH", "(")):
            found.append((statement, parameters))

    event.listen(session.get_bind(), "before_cursor_execute", note)
    try:
        look(session)
    finally:
        event.remove(session.get_bind(), "before_cursor_execute", note)
    return found


def dear(connection: Connection, statement: str, parameters: Any) -> list[str]:
    """What in the plan of a statement grows with the table."""
    if connection.dialect.name == "sqlite":
        plan = [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)]
        whole = [each for each in plan if re.match(r"SCAN (?!.*USING)(?!\(|anon|CONSTANT|n\b)", each)]
        # The few rows of one thing may be sorted; those of a range, which may be any number, may not.
        # Members of one organization are few.
        ranged = any(re.search(r"[<>]", each) and "organization_id=?" not in each for each in plan)
        return whole + [each for each in plan if ranged and each == "USE TEMP B-TREE FOR ORDER BY"]
    rows = connection.exec_driver_sql(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", parameters).scalar_one()
    return list(touching(rows[0]["Plan"], MOST_ROWS))


@pytest.mark.parametrize("name", LOOKS)
def test_no_look_of_staff_reads_a_table_through(crowded: Database, name: str) -> None:
    with crowded.read_session() as session:
        for statement, parameters in statements(session, LOOKS[name]):
            assert dear(session.connection(), statement, parameters) == [], statement


@pytest.mark.parametrize("name", LOOKS)
def test_every_look_takes_a_few_statements_whatever_it_finds(crowded: Database, name: str) -> None:
    with crowded.read_session() as session:
        assert len(statements(session, LOOKS[name])) <= 23


@pytest.mark.parametrize("search", ["p", "P1", f"p{MANY - 1}"])
def test_pages_of_a_search_follow_each_other_without_gap_or_repeat(crowded: Database, search: str) -> None:
    for field in AccountField:
        wanted, found, after = (
            staff_accounts.AccountFilter("Pat 9998" if field is AccountField.NAME else search, field),
            [],
            None,
        )
        with crowded.read_session() as session:
            for _ in range(4):
                page = staff_accounts.paginate(session, wanted, after)
                found += [row.organization_id for row in page.rows]
                after = page.next
                if after is None:
                    break
        assert len(found) == len(set(found)) > 0
        shown = [
            staff_jobs.JobFilter(overdue=True),
            staff_jobs.JobFilter("1"),
            staff_jobs.JobFilter("p2@example.com"),
        ]
    for wanted_jobs in shown:
        jobs: list[str] = []
        after = None
        with crowded.read_session() as session:
            for _ in range(3):
                of_jobs = staff_jobs.paginate(session, wanted_jobs, NOW, after)
                jobs += [row.job.id for row in of_jobs.rows]
                after = of_jobs.next
        assert len(jobs) == len(set(jobs)) == 75


def test_the_queue_counts_no_further_than_it_says(crowded: Database) -> None:
    with crowded.read_session() as session:
        health = staff_queue.health(session, NOW)
    fast = health.queues[staff_queue.QueueName.HOOKS_FAST]
    assert (fast.count, fast.more) == (staff_queue.MAX_COUNTED + 1, True)
    assert NOW - fast.since > timedelta(days=19)
    assert len(health.nearest) == staff_queue.NEAREST_JOBS
