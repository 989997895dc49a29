"""The operator's commands for releases of the engine that make pictures beside the one of this service."""

from datetime import datetime

import click

from app.adapters.engine_process import describe_engine
from app.cli.database import container, unit_of_work
from app.cli.groups import CommandGroup
from app.domain.dates import format_day
from app.domain.engines import EngineMissingError
from app.domain.mail_text import one_line
from app.models import StoredRelease
from app.services import engine_releases, engines
from app.settings import plain_environment
from engine.version import engine_version

engines_group = CommandGroup("engines", help="Releases of the engine beside this one.")


@engines_group.command("add")
@click.argument("python")
def add_release(python: str) -> None:
    """Add the engine that the interpreter PYTHON runs, so that it can make pictures; print its version. PYTHON is a
    whole path, the same on every host of workers.
    """
    try:
        description = describe_engine(python, plain_environment())
    except EngineMissingError as missing:
        raise click.ClickException(one_line(str(missing))) from None
    with unit_of_work() as session:
        release = engine_releases.add(session, python, description, container().clock())
    click.echo(release.version)


@engines_group.command("list")
def list_releases() -> None:
    """Print the releases, newest first: which is stable, which is announced, which is that of this service."""
    now = container().clock()
    with container().database.read_session() as session:
        stable = engines.read_stable(session, now)
        releases = engine_releases.list_releases(session)
    click.echo(f"{engine_version():24}  latest{'' if stable.version else ', and stable: none is named'}")
    for each in releases:
        click.echo(f"{each.version:24}  {_describe(each, stable)}  {each.python}")


@engines_group.command("stable")
@click.argument("version")
@click.option("--from", "day", type=click.DateTime(["%Y-%m-%d"]), required=True, help="The first day, in UTC.")
def announce_stable(version: str, day: datetime) -> None:
    """Name the release that is stable from a day on, and mail that to the owners of the accounts concerned."""
    with unit_of_work() as session:
        mails = engine_releases.announce(session, version, day.date(), container().clock())
    click.echo(f"{version} is stable from {format_day(day)} on; {_count(mails)}")


@engines_group.command("withdraw")
def withdraw_stable() -> None:
    """Withdraw the announcement of the next stable release, and mail that too."""
    with unit_of_work() as session:
        mails = engine_releases.withdraw(session, container().clock())
    click.echo(f"The announcement is withdrawn; {_count(mails)}")


@engines_group.command("remove")
@click.argument("version")
@click.option(
    "--although-stable",
    is_flag=True,
    help="Remove it even if it is stable: then the release of this service makes its pictures.",
)
def remove_release(version: str, although_stable: bool) -> None:
    """Remove a release: pictures that it has not made yet are made by another one."""
    with unit_of_work() as session:
        mails = engine_releases.remove(session, version, container().clock(), although_stable=although_stable)
    click.echo(f"{version} is removed; {_count(mails)}")


def _describe(release: StoredRelease, stable: engines.StableEngine) -> str:
    if release.version == stable.version:
        return "stable"
    if stable.next is not None and release.version == stable.next.version:
        return f"stable from {format_day(stable.next.starts_at)} on"
    return "kept"


def _count(mails: int) -> str:
    return f"{mails} mail{'' if mails == 1 else 's'}"
