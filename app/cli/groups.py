"""The class of command groups."""

from typing import Any

import click
from flask.cli import AppGroup

from app.domain.errors import InvalidRequest, Refusal
from app.web.fault_messages import describe_faults


class CommandGroup(AppGroup):
    """Commands that run in the application's context. A refusal becomes one line on stderr and exit status 1."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command given in `ctx`. Raises ClickException instead of a Refusal."""
        try:
            return super().invoke(ctx)
        except Refusal as refusal:
            details = describe_faults(refusal) if isinstance(refusal, InvalidRequest) else refusal.details or {}
            message = " ".join(map(str, details.values())) or refusal.message or refusal.error
            raise click.ClickException(message) from None
