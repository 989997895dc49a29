"""How commands say no."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from app.domain.errors import InvalidRequest, Refusal
from app.web.fault_messages import describe_faults


def report_refusals(command: Callable[..., Any]) -> Callable[..., Any]:
    """Refusals as one line on stderr and exit 1, never a traceback."""

    @wraps(command)
    def run(*arguments: Any, **options: Any) -> Any:
        try:
            return command(*arguments, **options)
        except Refusal as refusal:
            details = describe_faults(refusal) if isinstance(refusal, InvalidRequest) else refusal.details or {}
            raise click.ClickException(" ".join(map(str, details.values())) or refusal.message) from None

    return run
