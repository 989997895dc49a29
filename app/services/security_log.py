"""The security log: one line of JSON for each event, with who, when and from where, and nothing secret."""

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
"""What a record of the log has beside its line: the event's name."""
log = logging.getLogger(NAME)


@dataclass(frozen=True, slots=True)
class Origin:
    """The request that an event belongs to."""

    request_id: str
    address: str
    rule: str
    """The pattern of its path: in some paths stands a secret."""


origin: ContextVar[Origin | None] = ContextVar("security_origin", default=None)
"""The request being answered; None on the operator's command line and in workers."""


def record(event: SecurityEvent, whose: str | None = None, **ids: str | None) -> None:
    """Write the event down now: for what was tried and refused. `whose`: the id of the user that it is about, or of
    the organization. `ids` are ids and words of ours, never input.
    """
    _write(logging.WARNING, event, whose, ids)


def record_after_commit(session: Session, event: SecurityEvent, whose: str | None, **ids: str | None) -> None:
    """Write the event down once what the session changed has committed, and not at all when it did not."""
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
    # ASCII, with every control character escaped: nothing can begin a line of its own.
    told = json.dumps({name: value for name, value in line.items() if value is not None})
    log.log(level, "%s", told, extra={EVENT: event.value})
