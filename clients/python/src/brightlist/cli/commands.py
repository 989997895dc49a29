"""The command `brightlist` with all its commands, and the exit code of each kind of failure."""

import json
from collections.abc import Mapping
from typing import Any

import click

from brightlist import errors
from brightlist.cli.enhance import enhance
from brightlist.cli.forwarding import listen, trigger
from brightlist.cli.job_commands import cancel, download, job, jobs
from brightlist.cli.login import login
from brightlist.cli.mcp_command import mcp
from brightlist.cli.surroundings import JSON
from brightlist.version import __version__

EXIT_CODES: Mapping[type[errors.BrightlistError], int] = {
    errors.WrongChoice: 2,
    errors.Unauthorized: 4,
    errors.NotConfigured: 4,
    errors.InsufficientCredits: 5,
    errors.RateLimited: 7,
    errors.ServerError: 7,
    errors.NoAnswer: 7,
    errors.NotDecided: 7,
    errors.DamagedDownload: 7,
    errors.BrightlistError: 3,
}
"""By the most special class that an error is of. 6 is of commands that end well without a picture (outcomes.py)."""


class Commands(click.Group):
    """A group whose commands end with a line for people, or JSON for programs, and an exit code when they fail."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except errors.BrightlistError as error:
            if ctx.meta.get(JSON):
                click.echo(json.dumps(describe(error)), err=True)
            else:
                click.echo(f"Error: {error}", err=True)
            ctx.exit(exit_code(error))


def exit_code(error: errors.BrightlistError) -> int:
    """With which code a command ends after this error."""
    return next(EXIT_CODES[kind] for kind in type(error).__mro__ if kind in EXIT_CODES)


def describe(error: errors.BrightlistError) -> dict[str, Any]:
    """The error as JSON: the service's own body where it refused, else a message."""
    if isinstance(error, errors.ApiError):
        return {"error": error.error, "code": error.code, **error.body}
    return {"error": type(error).__name__, "message": str(error)}


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, package_name="brightlist")
def main() -> None:
    """Photos of a house go in, listing-ready pictures come out.

    Sign in once with `brightlist login`, or set BRIGHTLIST_URL and BRIGHTLIST_API_KEY.

    \b
    Exit codes:
      0  done
      1  stopped by you
      2  wrong usage
      3  refused; the message says why
      4  no key, or the key is refused
      5  not enough credits
      6  the job has no pictures
      7  no answer, an overloaded service, a damaged file: run it again
    """


for command in (login, enhance, jobs, job, cancel, download, listen, trigger, mcp):
    main.add_command(command)
