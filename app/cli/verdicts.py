"""The operator's commands that export reviewers' and customers' verdicts on results and what they showed on photos,
before retention deletes them.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, TypeVar

import click

from app.cli.database import container
from app.cli.groups import CommandGroup
from app.services.exports import feedback_export, outline_export

ENDINGS = (".csv", ".zip")
Written = TypeVar("Written")


verdicts_group = CommandGroup("verdicts", help="What reviewers decided on results, and customers said of them.")


@verdicts_group.command("export")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--since", type=click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M"]), help="Decided or said since then, UTC."
)
def export(file: Path, since: datetime | None) -> None:
    """Write reviewers' decisions and customers' "not right" to FILE: .csv for the table alone, .zip with pictures.

    Pictures, and what customers said, are exported only of orders whose owner had agreed, under Account, before
    placing them. An existing FILE is not replaced: it may contain what is no longer in the database.
    """
    if file.suffix.lower() not in ENDINGS:
        raise click.BadParameter("Name a file that ends in .csv or .zip.", param_hint="FILE")
    here = container()
    with here.database.read_session() as session:
        found = feedback_export.list_judged(session, since.replace(tzinfo=UTC) if since else None)
    write = feedback_export.write_archive if file.suffix.lower() == ".zip" else feedback_export.write_table
    done = _write_new(file, lambda out: write(here.storage, found, out))
    click.echo(f"{done.verdicts} verdicts, {done.pictures} of them with pictures: {file}")


@verdicts_group.command("outlines")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--since", type=click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M"]), help="Ordered since then, UTC.")
def outlines(file: Path, since: datetime | None) -> None:
    """Write photos with what people showed on them (hints) to FILE, a .zip, to train the net with.

    Only of orders whose owner had agreed, under Account, before placing them. An existing FILE is not replaced.
    """
    if file.suffix.lower() != ".zip":
        raise click.BadParameter("Name a file that ends in .zip.", param_hint="FILE")
    here = container()
    with here.database.read_session() as session:
        shown = list(outline_export.list_shown(session, since.replace(tzinfo=UTC) if since else None))
    count = _write_new(file, lambda out: outline_export.write_archive(here.storage, shown, out))
    click.echo(f"{count} photos with hints: {file}")


def _write_new(file: Path, write: Callable[[BinaryIO], Written]) -> Written:
    """Make the file and write it; if writing fails, the file is removed again. Raises ClickException if the file
    cannot be made.
    """
    try:
        # Other users of the machine must not see the pictures.
        file.touch(0o600, exist_ok=False)
    except OSError as error:
        raise click.ClickException(f"{file} cannot be made: {error.strerror}.") from None
    try:
        with file.open("wb") as out:
            return write(out)
    except BaseException:
        file.unlink()
        raise
