"""The audit after a soak: what customers believe, what the database says and what lies in the store must agree."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from app.container import Container
from app.domain.ledger import LedgerKind
from app.domain.sending import DeliveryState
from app.models import Delivery, Event, Job, LedgerLine, Organization, Webhook
from app.services import audit
from bench.soak.customers import OPENING_CREDITS, Customer, Figures

MOST_SENDS = 5
AFTER_RETENTION = timedelta(days=9)
"""By then every job is expired and every upload unused, as far as the sweep is concerned."""
MOST_SWEEPS = 20


@dataclass(frozen=True, slots=True)
class Line:
    """One figure, and whether it is as it must be."""

    name: str
    value: Any
    good: bool = True


def audited(here: Container, customers: Sequence[Customer], figures: Figures) -> Iterator[Line]:
    """Every figure of orders, money and deliveries."""
    ours = [each.account_id for each in customers]
    with here.database.read_session() as session:
        jobs = list(session.scalars(select(Job).where(Job.account_id.in_(ours))))
        lines = list(session.scalars(select(LedgerLine).where(LedgerLine.account_id.in_(ours))))
        balances = list(session.scalars(select(Organization.credits).where(Organization.id.in_(ours))))
        mismatches = list(audit.find_mismatches(session, here.storage))
    ordered = set(figures.orders.values())
    yield Line("orders that customers believe placed", len(figures.orders))
    yield _none("customers who gave up", figures.broken)
    yield _none("orders lost", ordered - {job.id for job in jobs})
    yield _none("orders doubled", [job.id for job in jobs if job.id not in ordered] + _doubles(figures))
    kinds = {kind: [line for line in lines if line.kind is kind] for kind in LedgerKind}
    charged = [line.job_id for line in kinds[LedgerKind.ORDER]]
    yield _none("jobs not charged exactly once", [job.id for job in jobs if charged.count(job.id) != 1])
    back = {job.id: sum(line.amount for line in kinds[LedgerKind.REFUND] if line.job_id == job.id) for job in jobs}
    yield _none("jobs with a wrong refund", [job.id for job in jobs if back[job.id] != job.credits_refunded])
    spent = sum((job.credit_cost - job.credits_refunded for job in jobs), Decimal(0))
    exact = sum(balances, Decimal(0)) == OPENING_CREDITS * len(customers) - spent
    yield Line("credits spent, and balances to match", spent, exact)
    yield _none("faults that the service's own audit finds", mismatches)
    yield Line("how orders ended", dict(figures.statuses), set(figures.statuses) <= {"approved", "delivered"})
    yield from _deliveries(here, ours, customers)


def _doubles(figures: Figures) -> list[str]:
    jobs = list(figures.orders.values())
    return [job for job in jobs if jobs.count(job) > 1]


def _deliveries(here: Container, ours: list[str], customers: Sequence[Customer]) -> Iterator[Line]:
    its = (
        select(Delivery.state, Delivery.attempts_made, Delivery.id)
        .join(Webhook)
        .where(Webhook.account_id.in_(ours))
    )
    twice = select(Event.id).where(Event.account_id.in_(ours), Event.job_id.is_not(None))
    same = twice.with_only_columns(Event.job_id, Event.name).group_by(Event.job_id, Event.name)
    with here.database.read_session() as session:
        found = session.execute(its).all()
        doubled = session.execute(same.having(func.count() > 1)).all()
    sends = {delivery: count for each in customers for delivery, count in each.receiver.seen.items()}
    yield Line("deliveries", len(found))
    yield _none("events that a job has twice", doubled)
    yield _none("deliveries not made", [row.id for row in found if row.state is not DeliveryState.SUCCEEDED])
    yield _none("deliveries that no receiver saw", [row.id for row in found if row.id not in sends])
    most = max([*sends.values(), *(row.attempts_made for row in found), 0])
    yield Line("most sends of one delivery", most, most <= MOST_SENDS)
    yield Line("deliveries sent more than once", sum(count > 1 for count in sends.values()))
    yield _none("faults that receivers found", [fault for each in customers for fault in each.receiver.faults])


def store(here: Container, listed: Callable[[], list[str]] | None = None) -> Iterator[Line]:
    """What is left in the store after a sweep behind the retention: nothing. The service must have ended.

    `listed`: what lies there, where it is no folder.
    """
    look = listed or (lambda: _files(here.settings.storage_path))
    before = look()
    late = Container(here.settings, lambda: datetime.now(UTC) + AFTER_RETENTION)
    for _ in range(MOST_SWEEPS):
        late.sweep.everything()
        late.storage.tidy(0)
        if not look():
            break
    late.database.engine.dispose()
    yield Line("files in the store", len(before))
    yield _none("files left by the sweep after the retention", look())


def _files(root: Path) -> list[str]:
    return [str(each.relative_to(root)) for each in root.rglob("*") if each.is_file()]


def _none(name: str, found: Any) -> Line:
    found = list(found)
    shown = f"{len(found)}: {found[:3]}" if found else 0
    return Line(name, shown, not found)
