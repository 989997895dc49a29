"""The security log: one line of JSON for each event, with account, time and IP address, without secrets.

What was done for an organization is also a row of the table `activity`, which its owners can read.
"""

import json
import logging
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from app.database import call_after_commit
from app.domain.security_events import SecurityEvent
from app.models import Activity

NAME = "brightlist.security"
EVENT = "security_event"
"""The attribute of a log record in which the event's name is."""
MAX_ABOUT = 300
log = logging.getLogger(NAME)


class DoneBy(NamedTuple):
    """Who did something for an organization: one of its members, or one of its API keys; if neither, the service
    itself."""

    user_id: str | None = None
    key_id: str | None = None


_NOBODY = DoneBy()


@dataclass(frozen=True, slots=True)
class Origin:
    """The request in which an event occurs."""

    request_id: str
    address: str
    rule: str
    """The URL rule, not the path, because some paths contain a secret."""
    sender: DoneBy = _NOBODY


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


def name_sender(*, user_id: str | None = None, key_id: str | None = None) -> None:
    """Say who sent the present request for an organization, once that is known."""
    here = origin.get()
    if here is not None:
        origin.set(replace(here, sender=DoneBy(user_id, key_id)))


def sender_id() -> str | None:
    """The id of the member who sent the present request; None for API keys, operators and workers."""
    return _find_sender().user_id


def record_activity(
    session: Session, event: SecurityEvent, account_id: str, about: str, now: datetime, **ids: str | None
) -> None:
    """Log like record_after_commit() what was done for the organization, and add it to what its owners can read.

    `about`: the name of the thing concerned, which only the owners read; it is cut to MAX_ABOUT characters.
    `ids`: as of record(); `user` is the user whom it concerns.
    """
    record_activity_of(session, _find_sender(), event, account_id, about, now, **ids)


def record_activity_of(
    session: Session,
    sender: DoneBy,
    event: SecurityEvent,
    account_id: str,
    about: str,
    now: datetime,
    **ids: str | None,
) -> None:
    """Like record_activity(), for something that another request than the present one, or none, began."""
    by = {"user_id": sender.user_id, "key_id": sender.key_id, "concerned_id": ids.get("user")}
    session.add(Activity(account_id=account_id, event=event, about=about[:MAX_ABOUT], created_at=now, **by))
    record_after_commit(session, event, account_id, by_user=sender.user_id, by_key=sender.key_id, **ids)


def _find_sender() -> DoneBy:
    here = origin.get()
    return here.sender if here else _NOBODY


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
