"""How groups of commands run: within the application, and saying no in one line."""

from typing import Any

import click
from flask.cli import AppGroup

from app.domain.errors import InvalidRequest, Refusal
from app.web.fault_messages import describe_faults


class CommandGroup(AppGroup):
    """Commands in the application's context; a refusal is one line on stderr and exit 1, never a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was named. Raises ClickException for what is refused."""
        try:
            return super().invoke(ctx)
        except Refusal as refusal:
            details = describe_faults(refusal) if isinstance(refusal, InvalidRequest) else refusal.details or {}
            said = " ".join(map(str, details.values())) or refusal.message or refusal.error
            raise click.ClickException(said) from None
