"""Errors that nothing handled, told to a Sentry: their tracebacks and our ids, no more."""

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


def start(settings: Settings, program: str) -> None:
    """Report what is logged as an error with its traceback, from now on.

    Neither values of variables, requests, addresses nor anything else that customers sent goes out.
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
        before_send=_with_ids,
    )
    sentry_sdk.set_tag("program", program)
    observe(_flushed)


def _with_ids(event: Any, hint: dict[str, Any]) -> Any:
    """None, so nothing, for what has no traceback: that was expected, and stands in the log."""
    if "exc_info" not in hint:
        return None
    event["tags"] = {**event.get("tags", {}), **{key: str(value) for key, value in get_contextvars().items()}}
    return event


@contextmanager
def _flushed(_name: str, _ids: Ids) -> Iterator[None]:
    try:
        yield
    finally:
        if metrics.is_work_horse():
            # It ends without a word to anybody.
            sentry_sdk.flush(FLUSH_SECONDS)
