"""The operator's command that exports reviewers' and customers' verdicts on results, before retention deletes
them.
"""

from datetime import UTC, datetime
from pathlib import Path

import click

from app.cli.database import container
from app.cli.groups import CommandGroup
from app.services.exports import feedback_export

ENDINGS = (".csv", ".zip")


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
    try:
        # Other users of the machine must not see the pictures.
        file.touch(0o600, exist_ok=False)
    except OSError as error:
        raise click.ClickException(f"{file} cannot be made: {error.strerror}.") from None
    try:
        with file.open("wb") as out:
            write = feedback_export.write_archive if file.suffix.lower() == ".zip" else feedback_export.write_table
            done = write(here.storage, found, out)
    except BaseException:
        file.unlink()
        raise
    click.echo(f"{done.verdicts} verdicts, {done.pictures} of them with pictures: {file}")
