"""Events of an account, each stored once: recorded, numbered, read in their order, forgotten."""

import logging
from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.database import call_before_commit
from app.domain.errors import require_found
from app.domain.events import EventName
from app.domain.ids import Prefix, is_id
from app.domain.retention import EVENTS_KEPT, TEST_EVENTS_KEPT
from app.models import Delivery, Event, EventCount, Organization
from app.services.pagination import Page, cut_page
from app.services.webhooks import deliveries

log = logging.getLogger(__name__)

BATCH = 1000
_RECORDED = "events_recorded"
NO_SYNCHRONIZATION = {"synchronize_session": False}


def record(session: Session, event: Event, now: datetime, callback_id: str | None = None) -> None:
    """Record the event in the transaction of the change that it reports, with its deliveries, see
    deliveries.record(). Its number is taken when the transaction commits.
    """
    session.add(event)
    session.flush()
    if _RECORDED not in session.info:
        session.info[_RECORDED] = []
        call_before_commit(session, lambda: _number(session))
    session.info[_RECORDED].append(event)
    deliveries.record(session, event, now, callback_id)


def _number(session: Session) -> None:
    """Give the events of this unit of work the next numbers of their accounts.

    The row that counts an account's events is the last one that the transaction locks, right before its commit: so
    numbers are in the order of commits, a reader that has seen a number has seen all smaller ones, nobody waits for
    it longer than a commit takes, and no two transactions wait for each other.
    """
    account_id = attrgetter("account_id")
    for each, recorded in groupby(sorted(session.info.pop(_RECORDED), key=account_id), account_id):
        mine = list(recorded)
        last = _take_numbers(session, each, len(mine))
        for number, event in enumerate(mine, last - len(mine) + 1):
            event.number = number


def _take_numbers(session: Session, account_id: str, count: int) -> int:
    """The last of the next `count` numbers of the account."""
    session.flush()
    counted = update(EventCount).where(EventCount.account_id == account_id).values(last=EventCount.last + count)
    taking = counted.returning(EventCount.last).execution_options(**NO_SYNCHRONIZATION)
    last = session.scalar(taking)
    if last is None:
        try:
            with session.begin_nested():
                session.execute(insert(EventCount).values(account_id=account_id, last=0))
        except IntegrityError:
            log.debug("the count of %s was begun meanwhile", account_id)
        last = session.execute(taking).scalar_one()
    return last


def read_after(
    session: Session,
    account_id: str,
    after: str | None,
    name: EventName | None,
    limit: int,
    hidden: EventName | None = None,
) -> Page[Event, str]:
    """At most `limit` events of the account that follow the event `after`, or its first ones, in the order in which
    they were committed. `name`: only events of this name. `hidden`: no events of this name.

    Raises NotFound if no event of the account has the id, or the event is not kept any more.
    """
    numbered = select(Event).where(
        Event.account_id == account_id, Event.number > _find_number(session, account_id, after)
    )
    if name is not None:
        numbered = numbered.where(Event.name == name)
    if hidden is not None:
        numbered = numbered.where(Event.name != hidden)
    found: Sequence[Event] = session.scalars(numbered.order_by(Event.number).limit(limit + 1)).all()
    return cut_page(found, limit, lambda event: event.id)


def _find_number(session: Session, account_id: str, event_id: str | None) -> int:
    if event_id is None:
        return 0
    mine = select(Event.number).where(Event.id == event_id, Event.account_id == account_id)
    return require_found(session.scalar(mine) if is_id(event_id, Prefix.EVENT) else None)


def forget(session: Session, now: datetime) -> int:
    """Delete up to BATCH events whose time is over, unless a delivery of the event is still kept; returns how many.
    Events of test mode are kept for TEST_EVENTS_KEPT.
    """
    is_delivered = select(Delivery.number).where(Delivery.event_id == Event.id).exists()
    undelivered = select(Event.id).where(~is_delivered).limit(BATCH)
    live = undelivered.where(Event.created_at <= now - EVENTS_KEPT)
    # The query begins with the sandboxes, which have few events, because reading all events of that age would be
    # slow.
    of_sandbox = Event.account_id.in_(select(Organization.id).where(Organization.sandbox_of.is_not(None)))
    tried = undelivered.where(of_sandbox, Event.created_at <= now - TEST_EVENTS_KEPT)
    ids = {event_id for query in (live, tried) for event_id in session.scalars(query)}
    session.execute(delete(Event).where(Event.id.in_(ids)))
    return len(ids)
