"""Counts events for the metrics by listening to SQLAlchemy sessions, database errors and loggers.

So services and the domain do not depend on metrics.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Engine, event, inspect
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.orm import ORMExecuteState, Session

from app import metrics
from app.database import UNAVAILABLE, call_after_commit
from app.domain.lifecycle import SETTLED
from app.domain.sending import DeliveryState
from app.models import Delivery, Job, LedgerLine, Result
from app.services import security_log
from app.services.billing.credits import LIVEMODE
from engine.types.report import Verdict

Count = Callable[[], None]
_ENDED_STATES = frozenset({DeliveryState.SUCCEEDED, DeliveryState.FAILED})


def _count_security_event(record: logging.LogRecord) -> bool:
    """A filter that counts each record of the security log and keeps all records."""
    found = getattr(record, security_log.EVENT, None)
    if found is not None:
        metrics.SECURITY_EVENTS.labels(found).inc()
    return True


def _count_unhandled(program: str, record: logging.LogRecord) -> bool:
    """A filter that counts records of unhandled errors, which have a traceback, and keeps all records."""
    if record.levelno >= logging.ERROR and record.exc_info and not isinstance(record.exc_info[1], UNAVAILABLE):
        metrics.UNHANDLED.labels(program).inc()
    return True


def listen(program: str) -> None:
    """Start counting in this process, whose name in metrics is `program`. Calling it again has no effect."""
    if event.contains(Session, "after_flush", _count_after_commit):
        return
    event.listen(Session, "after_flush", _count_after_commit)
    event.listen(Session, "do_orm_execute", _count_ledger_after_commit)
    event.listen(Engine, "handle_error", _count_fault)
    security_log.log.addFilter(_count_security_event)
    for handler in logging.getLogger().handlers:
        handler.addFilter(partial(_count_unhandled, program))


def _count_after_commit(session: Session, _context: Any) -> None:
    """Count the changes of this flush after the session has committed; not at all after a rollback."""
    for each in (*session.new, *session.dirty):
        for count in _list_counts(each):
            call_after_commit(session, count)


def _count_ledger_after_commit(state: ORMExecuteState) -> None:
    """Count ledger lines, which are inserted by statements and so are not among the objects of a flush. Lines of
    sandboxes are not counted, because they have no value.
    """
    is_ledger = state.bind_mapper is not None and state.bind_mapper.class_ is LedgerLine
    if state.is_insert and is_ledger and state.execution_options.get(LIVEMODE, True):
        lines = [state.parameters] if isinstance(state.parameters, Mapping) else state.parameters or ()
        call_after_commit(state.session, partial(_count_lines, lines))


def _count_lines(lines: Sequence[Mapping[str, Any]]) -> None:
    for line in lines:
        kind = line["kind"].value
        metrics.LEDGER_LINES.labels(kind).inc()
        metrics.LEDGER_CREDITS.labels(kind).inc(float(abs(line["amount"])))


def _list_counts(row: object) -> Iterator[Count]:
    if isinstance(row, Job) and row.livemode and _has_changed(row, "status"):
        yield metrics.JOBS.labels(row.status.value).inc
        if row.status in SETTLED and row.settled_at is not None:
            seconds = (row.settled_at - row.created_at).total_seconds()
            yield partial(metrics.JOB_SECONDS.labels(row.status.value).observe, seconds)
    elif isinstance(row, Delivery) and _has_changed(row, "state") and row.state in _ENDED_STATES:
        yield metrics.DELIVERIES.labels(row.state.value).inc
    elif isinstance(row, Result):
        yield from _list_result_counts(row)


def _list_result_counts(result: Result) -> Iterator[Count]:
    if _has_changed(result, "verdict") and result.verdict in (Verdict.APPROVED, Verdict.REJECTED):
        yield metrics.RESULTS.labels(result.verdict.value, str(result.reason or "")).inc
    if _has_changed(result, "picture"):
        for step in result.report.steps:
            outcome = "made" if step.applied else str(step.reason or "declined")
            yield metrics.STEPS.labels(step.enhancement.value, outcome).inc


def _has_changed(row: object, name: str) -> bool:
    return bool(inspect(row).attrs[name].history.has_changes())


def _count_fault(context: ExceptionContext) -> None:
    if isinstance(context.sqlalchemy_exception, UNAVAILABLE):
        metrics.FAULTS.labels("database").inc()
