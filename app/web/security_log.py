"""What requests give the security log: where they come from, and the refusals that are events of it."""

import logging
from collections.abc import Mapping

from flask import Flask, g, request

from app.domain import errors
from app.domain.security_events import SecurityEvent
from app.services import security_log
from app.services.security_log import Origin
from app.web import request_ids

EVENTS: Mapping[type[errors.Refusal], SecurityEvent] = {
    errors.StalePage: SecurityEvent.FORM_REFUSED,
    errors.Unauthorized: SecurityEvent.KEY_REFUSED,
    errors.Forbidden: SecurityEvent.SCOPE_MISSING,
    errors.Suspended: SecurityEvent.ACCOUNT_SUSPENDED,
    errors.LinkForged: SecurityEvent.LINK_REFUSED,
    errors.NotFound: SecurityEvent.NOT_FOUND,
}
"""The refusals that are events. Throttling is written down where it is counted, once a window."""


def install(app: Flask) -> None:
    """Tell the security log of every request, and give the log a way out where the process has none."""
    app.before_request(_begin)
    app.teardown_request(_end)
    security_log.log.setLevel(logging.INFO)
    if not security_log.log.hasHandlers():
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(message)s"))
        security_log.log.addHandler(handler)


def refused(refusal: errors.Refusal) -> None:
    """Write the refusal of this request down, where it is an event."""
    event = EVENTS.get(type(refusal))
    if event is not None:
        security_log.record(event, whose_request())


def whose_request() -> str | None:
    """The user at the browser or the organisation of the key, as far as that is known by now; the database is not
    asked.
    """
    if actor := g.get("actor"):
        return str(actor.account_id)
    visitor = getattr(g.get("_login_user"), "visitor", None)
    return visitor.user_id if visitor else None


def _begin() -> None:
    rule = str(request.url_rule or "unknown")
    security_log.origin.set(Origin(request_ids.current(), request.remote_addr or "", rule))


def _end(_error: BaseException | None) -> None:
    security_log.origin.set(None)
