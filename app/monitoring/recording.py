"""Counts what happens from outside: by what sessions commit, engines report and loggers write.

So neither services nor rules know that they are counted.
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
from engine.types.report import Verdict

Count = Callable[[], None]
_ENDED = frozenset({DeliveryState.SUCCEEDED, DeliveryState.FAILED})


def _count_security_event(record: logging.LogRecord) -> bool:
    """Count the lines of the security log as they are written; let all pass."""
    found = getattr(record, security_log.EVENT, None)
    if found is not None:
        metrics.SECURITY_EVENTS.labels(found).inc()
    return True


def _count_unhandled(program: str, record: logging.LogRecord) -> bool:
    """Count errors that are logged with their traceback: nobody expected them. Let all pass."""
    if record.levelno >= logging.ERROR and record.exc_info and not isinstance(record.exc_info[1], UNAVAILABLE):
        metrics.UNHANDLED.labels(program).inc()
    return True


def listen(program: str) -> None:
    """Count from now on in this process, whose name is `program`; once more does no harm."""
    if event.contains(Session, "after_flush", _note):
        return
    event.listen(Session, "after_flush", _note)
    event.listen(Session, "do_orm_execute", _note_ledger)
    event.listen(Engine, "handle_error", _count_fault)
    security_log.log.addFilter(_count_security_event)
    for handler in logging.getLogger().handlers:
        handler.addFilter(partial(_count_unhandled, program))


def _note(session: Session, _context: Any) -> None:
    """Count once it has committed, and not at all when it does not."""
    for each in (*session.new, *session.dirty):
        for count in _counts(each):
            call_after_commit(session, count)


def _note_ledger(state: ORMExecuteState) -> None:
    """Lines of the ledger are inserted by statements, which flushes do not see."""
    if state.is_insert and state.bind_mapper is not None and state.bind_mapper.class_ is LedgerLine:
        lines = [state.parameters] if isinstance(state.parameters, Mapping) else state.parameters or ()
        call_after_commit(state.session, partial(_count_lines, lines))


def _count_lines(lines: Sequence[Mapping[str, Any]]) -> None:
    for line in lines:
        kind = line["kind"].value
        metrics.LEDGER_LINES.labels(kind).inc()
        metrics.LEDGER_CREDITS.labels(kind).inc(float(abs(line["amount"])))


def _counts(row: object) -> Iterator[Count]:
    if isinstance(row, Job) and _changed(row, "status"):
        yield metrics.JOBS.labels(row.status.value).inc
        if row.status in SETTLED and row.settled_at is not None:
            took = (row.settled_at - row.created_at).total_seconds()
            yield partial(metrics.JOB_SECONDS.labels(row.status.value).observe, took)
    elif isinstance(row, Delivery) and _changed(row, "state") and row.state in _ENDED:
        yield metrics.DELIVERIES.labels(row.state.value).inc
    elif isinstance(row, Result):
        yield from _of_result(row)


def _of_result(result: Result) -> Iterator[Count]:
    if _changed(result, "verdict") and result.verdict in (Verdict.APPROVED, Verdict.REJECTED):
        yield metrics.RESULTS.labels(result.verdict.value, str(result.reason or "")).inc
    if _changed(result, "picture"):
        for step in result.report.steps:
            outcome = "made" if step.applied else str(step.reason or "declined")
            yield metrics.STEPS.labels(step.enhancement.value, outcome).inc


def _changed(row: object, name: str) -> bool:
    return bool(inspect(row).attrs[name].history.has_changes())


def _count_fault(context: ExceptionContext) -> None:
    if isinstance(context.sqlalchemy_exception, UNAVAILABLE):
        metrics.FAULTS.labels("database").inc()
