"""Reports unhandled errors to Sentry: only their tracebacks and our ids."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sentry_sdk
from sentry_sdk.integrations.logging import LoggingIntegration
from structlog.contextvars import get_contextvars

from app import metrics
from app.log_context import Ids, observe
from app.settings import Settings

FLUSH_SECONDS = 2.0
"""How long a work-horse may wait for its reports to be sent."""


def start(settings: Settings, program: str) -> None:
    """Report every later log record of level ERROR that has a traceback.

    Values of variables, requests, IP addresses and other data of customers are not sent.
    """
    if settings.sentry_dsn is None:
        return
    sentry_sdk.init(
        dsn=settings.sentry_dsn.get_secret_value(),
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[LoggingIntegration(level=None, event_level=logging.ERROR)],
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        before_send=_add_ids,
    )
    sentry_sdk.set_tag("program", program)
    observe(_flush_after)


def _add_ids(event: Any, hint: dict[str, Any]) -> Any:
    """The event with our ids as tags; None, so that it is not sent, if the log record has no traceback."""
    if "exc_info" not in hint:
        return None
    event["tags"] = {**event.get("tags", {}), **{key: str(value) for key, value in get_contextvars().items()}}
    return event


@contextmanager
def _flush_after(_name: str, _ids: Ids) -> Iterator[None]:
    try:
        yield
    finally:
        if metrics.is_work_horse():
            # A work-horse ends with os._exit(), which does not send waiting reports.
            sentry_sdk.flush(FLUSH_SECONDS)
