"""How commands say no."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from app.domain.errors import Refusal


def report_refusals(command: Callable[..., Any]) -> Callable[..., Any]:
    """Refusals as one line on stderr and exit 1, never a traceback."""

    @wraps(command)
    def run(*arguments: Any, **options: Any) -> Any:
        try:
            return command(*arguments, **options)
        except Refusal as refusal:
            faults = (refusal.details or {}).values()
            raise click.ClickException(" ".join(map(str, faults)) or refusal.message) from None

    return run
