"""The log at very many deliveries: every page reads by an index, in as many statements as with one."""

import os
import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from app.container import Container
from app.domain.sending import DeliveryState
from app.domain.webhooks import WebhookRequest
from app.models import Delivery, Event
from app.services.accounts import accounts
from app.services.webhooks import delivery_log, health, webhooks
from app.services.webhooks import pages as webhook_pages
from app.services.webhooks.delivery_log import DeliveryFilter
from app.services.webhooks.pages import DeliveryLogPage
from app.settings import Settings
from tests import databases
from tests.databases import WORKER
from tests.fakes import FakeClock, FakeQueue
from tests.plans import effort, plan
from tests.services.hooks import URL
from tests.statements import counted

MANY = 100_000 if databases.GIVEN else 30_000
"""SQLite takes a dozen steps for each row, so fewer show it as well."""
OF_FEW = MANY * 3 // 5
"""The later one of the two deliveries of the webhook that has few."""
MOST_EFFORT = 50_000
"""Steps of SQLite, a dozen or more a row, or rows of PostgreSQL: the figures need most, however long the log."""
MOMENT = {
    "sqlite": f"datetime('2026-11-20 12:00:00', '-' || ({MANY} - i) || ' seconds') || '.000000'",
    "postgresql": f"timestamptz '2026-11-20 12:00:00Z' - ({MANY} - i) * interval '1 second'",
}
"""When it was written: the last one at the fake clock's beginning."""
EMPTY = {"sqlite": "x''", "postgresql": "''"}
DELIVERY = {
    "number": "i",
    "id": "'dlv_0000000000' || (100000000000 + i)",
    "event_name": "CASE WHEN i % 1000 = 0 THEN 'job.failed' ELSE 'job.created' END",
    "state": "CASE WHEN i % 10 < 7 THEN 'succeeded' WHEN i % 10 < 9 THEN 'failed' ELSE 'held' END",
    "attempts_made": "1",
    "by_hand": "i < 0",
    "created_at": "MOMENT",
    "failed_at": "CASE WHEN i % 10 IN (7, 8) THEN MOMENT END",
}
ATTEMPT = {
    "delivery_number": "i",
    "number": "1",
    "by_hand": "i < 0",
    "outcome": "CASE WHEN i % 10 < 7 THEN 'succeeded' ELSE 'rejected' END",
    "message": "''",
    "started_at": "MOMENT",
    "ended_at": "MOMENT",
    "request_headers": "'{}'",
    "response_status": "CASE WHEN i % 10 < 7 THEN 200 ELSE 500 END",
    "response_headers": "'{}'",
    "response_body": "EMPTY",
    "phases": "'{}'",
}


class Crowd:
    """An account with a webhook of very many deliveries and one of a few, in the same tables."""

    def __init__(self, container: Container) -> None:
        self.container, now = container, container.clock()
        with container.database.unit_of_work() as session:
            member = accounts.create(session, "many@example.com", now)
            self.account_id = member.organization_id
            self.many, self.few = (
                webhooks.create(session, container.vault, member.organization_id, WebhookRequest(url=URL), now)[
                    0
                ].id
                for _ in range(2)
            )
            event = Event(account_id=member.organization_id, name="job.created", body="{}", created_at=now)
            session.add(event)
            session.flush()
            self.event_id = event.id
        self._fill()

        with container.database.read_session() as session:
            middle = {self.many: MANY // 2 + 1, self.few: OF_FEW}
            self.place = {hook: session.get_one(Delivery, number).id for hook, number in middle.items()}

    @property
    def now(self) -> datetime:
        """When it is looked at."""
        return self.container.clock()

    def log(
        self, session: Session, hook: str, wanted: DeliveryFilter | None = None, after: str | None = None
    ) -> DeliveryLogPage:
        """A page of a log."""
        return webhook_pages.read_log(session, self.account_id, hook, wanted or DeliveryFilter(), after)

    def _fill(self) -> None:
        with self.container.database.unit_of_work() as session:
            dialect = session.get_bind().dialect.name
            hook = f"CASE WHEN i IN (500, {OF_FEW}) THEN '{self.few}' ELSE '{self.many}' END"
            delivery = {**DELIVERY, "webhook_id": hook, "event_id": f"'{self.event_id}'"}
            for table, columns in (("delivery", delivery), ("attempt", ATTEMPT)):
                values = (
                    ", ".join(columns.values()).replace("MOMENT", MOMENT[dialect]).replace("EMPTY", EMPTY[dialect])
                )
                numbers = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MANY})"
                insert = f"INSERT INTO {table} ({', '.join(columns)}) {numbers} SELECT {values} FROM n"
                session.execute(text(insert.replace(":", r"\:")))
            session.execute(text("ANALYZE"))


@pytest.fixture(scope="module")
def crowd(migrated: str | Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crowd]:
    folder = tmp_path_factory.mktemp("crowd")
    if isinstance(migrated, Path):
        url = databases.copy_of(migrated, folder)
        yield from living(folder, url)
        return
    with databases.server_database(f"crowd_{WORKER}_{os.getpid()}") as url:
        yield from living(folder, url)


def living(folder: Path, url: str) -> Iterator[Crowd]:
    container = Container(Settings(data_dir=folder, database_url=url, secret_key="s" * 32), FakeClock())
    container.queue = FakeQueue()
    yield Crowd(container)
    container.database.engine.dispose()


LOOKS: dict[str, Callable[[Session, Crowd, str], object]] = {
    "the list of webhooks": lambda session, crowd, _: webhook_pages.list_webhooks(
        session, crowd.account_id, crowd.now
    ),
    "one webhook": lambda session, crowd, hook: webhook_pages.read_webhook(
        session, crowd.account_id, hook, crowd.now
    ),
    "the figures": lambda session, crowd, hook: health.figures(
        session, webhooks.get(session, crowd.account_id, hook), crowd.now
    ),
    "the log": lambda session, crowd, hook: crowd.log(session, hook),
    "the log further down": lambda session, crowd, hook: crowd.log(session, hook, after=crowd.place[hook]),
    "one delivery": lambda session, crowd, hook: webhook_pages.read_delivery(
        session, crowd.account_id, crowd.place[hook]
    ),
    **{
        f"what is {state}": lambda session, crowd, hook, state=state: crowd.log(
            session, hook, DeliveryFilter(state)
        )
        for state in DeliveryState
    },
    "a usual event": lambda session, crowd, hook: crowd.log(
        session, hook, DeliveryFilter(event_name="job.created")
    ),
    "one order": lambda session, crowd, hook: crowd.log(session, hook, DeliveryFilter(job_id="job_" + "0" * 22)),
    "a rare event": lambda session, crowd, hook: crowd.log(session, hook, DeliveryFilter(event_name="job.failed")),
    "an event that never was": lambda session, crowd, hook: crowd.log(
        session, hook, DeliveryFilter(event_name="x")
    ),
    "an event in a state it never has": lambda session, crowd, hook: crowd.log(
        session, hook, DeliveryFilter(DeliveryState.HELD, "job.failed")
    ),
}


@pytest.mark.parametrize("look", LOOKS)
def test_a_look_sends_as_few_statements_and_sees_as_few_rows_whatever_there_is(look: str, crowd: Crowd) -> None:
    with crowd.container.database.read_session() as session:
        many, few = (
            counted(lambda hook=hook: LOOKS[look](session, crowd, hook)) for hook in (crowd.many, crowd.few)
        )
        assert many - few in (0, 1), "the last attempts are asked for where there are deliveries"
        work = effort(session, lambda: LOOKS[look](session, crowd, crowd.many))
    assert work <= MOST_EFFORT


def test_what_is_rare_is_found_by_going_on(crowd: Crowd) -> None:
    found, after, pages = [], None, 0
    with crowd.container.database.read_session() as session:
        while pages == 0 or after:
            page = crowd.log(session, crowd.many, DeliveryFilter(event_name="job.failed"), after)
            found += [entry.delivery.number for entry in page.entries]
            after, pages = page.next, pages + 1
    assert found == [number for number in range(MANY, 0, -1000) if number != OF_FEW]
    assert pages <= MANY / delivery_log.MAX_SCANNED + 1


def test_what_failed_lately_is_counted_by_the_state(crowd: Crowd) -> None:
    since = crowd.now + timedelta(seconds=1)
    with crowd.container.database.read_session() as session:
        told = plan(session, lambda: delivery_log.count_failed(session, crowd.account_id, crowd.many, since))
    assert "ix_delivery_" in told
    assert not re.search(r"SCAN delivery|Seq Scan on delivery", told)


def test_figures_count_so_far_and_no_further(crowd: Crowd) -> None:
    with crowd.container.database.read_session() as session:
        details = webhook_pages.read_webhook(session, crowd.account_id, crowd.many, crowd.now)
    assert (details.health.failed, details.health.held, details.health.waiting) == (1001, 1001, 0)
    assert [health.format_count(each) for each in (0, 1000, 1001)] == ["0", "1,000", "1,000+"]
    assert details.health.attempts == health.MAX_MEASURED
    assert details.health.failure_rate is not None


def test_twenty_webhooks_are_listed_in_as_many_statements_as_two(crowd: Crowd) -> None:
    def look() -> int:
        with crowd.container.database.read_session() as session:
            return counted(lambda: webhook_pages.list_webhooks(session, crowd.account_id, crowd.now))

    two = look()
    with crowd.container.database.unit_of_work() as session:
        for _ in range(18):
            webhooks.create(session, crowd.container.vault, crowd.account_id, WebhookRequest(url=URL), crowd.now)
    assert look() == two
