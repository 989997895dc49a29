"""Configures logging: all records go through structlog, as text or JSON, with the ids of the current operation."""

import logging
import sys

import structlog

from app.services import security_log
from app.settings import LogFormat

_LIBRARY_LOGGERS = ("gunicorn.error", "gunicorn.access", "rq.worker")
"""Loggers of libraries that install their own handlers, which are removed."""


def configure(log_format: LogFormat) -> None:
    """Log to standard error in this format. Calling it again has no effect.

    The security log keeps its own format, which docs/security.md describes.
    """
    root = logging.getLogger()
    if any(isinstance(each.formatter, structlog.stdlib.ProcessorFormatter) for each in root.handlers):
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_formatter(log_format))
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    for name in _LIBRARY_LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
    security_handler = logging.StreamHandler(sys.stderr)
    security_handler.setFormatter(logging.Formatter("%(message)s"))
    security_log.log.addHandler(security_handler)
    security_log.log.propagate = False


def _formatter(log_format: LogFormat) -> logging.Formatter:
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
    ]
    if log_format is LogFormat.JSON:
        last: list[structlog.typing.Processor] = [
            # Tracebacks as text: as dictionaries they would contain values of local variables, which may be secret.
            structlog.processors.format_exc_info,
            structlog.processors.EventRenamer("message"),
            structlog.processors.JSONRenderer(),
        ]
    else:
        plain = structlog.dev.plain_traceback
        lines = structlog.dev.ConsoleRenderer(
            colors=False, pad_event_to=0, timestamp_key="time", exception_formatter=plain
        )
        last = [lines]
    remove = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    return structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=[remove, *last])
