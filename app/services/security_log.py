"""The security log: one line of JSON for each event, with account, time and IP address, without secrets."""

import json
import logging
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy.orm import Session

from app.database import call_after_commit
from app.domain.security_events import SecurityEvent

NAME = "brightlist.security"
EVENT = "security_event"
"""The attribute of a log record in which the event's name is."""
log = logging.getLogger(NAME)


@dataclass(frozen=True, slots=True)
class Origin:
    """The request in which an event occurs."""

    request_id: str
    address: str
    rule: str
    """The URL rule, not the path, because some paths contain a secret."""


origin: ContextVar[Origin | None] = ContextVar("security_origin", default=None)
"""The present request; None in the operator's commands and in workers."""


def record(event: SecurityEvent, whose: str | None = None, **ids: str | None) -> None:
    """Log the event at once, even if the transaction rolls back: for an attempt that was refused.

    `whose`: the id of the user or organization concerned. `ids`: other ids and fixed words, never user input.
    """
    _write(logging.WARNING, event, whose, ids)


def record_after_commit(session: Session, event: SecurityEvent, whose: str | None, **ids: str | None) -> None:
    """Log the event after the session has committed; nothing is logged if it rolls back."""
    call_after_commit(session, lambda: _write(logging.INFO, event, whose, ids))


def _write(level: int, event: SecurityEvent, whose: str | None, ids: dict[str, str | None]) -> None:
    here = origin.get()
    line = {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "event": event,
        "account": whose,
        "request": here.request_id if here else None,
        "address": here.address if here else None,
        "rule": here.rule if here else None,
        **ids,
    }
    # json.dumps() gives ASCII with every control character escaped, so no value can start a new line.
    text = json.dumps({name: value for name, value in line.items() if value is not None})
    log.log(level, "%s", text, extra={EVENT: event.value})
