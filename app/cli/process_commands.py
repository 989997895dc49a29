"""The commands that run processes of the service: `python -m app.cli.processes …` or `flask --app wsgi …`.

This module does not import pages or the API, which would cost each process memory, and time at its start.
"""

import sys
import time
from collections.abc import Iterator

import click
import requests

from app import monitoring
from app.cli.demo import create_accounts
from app.connections import COMMANDS, SENDING, WORK, ConnectionUse
from app.container import Container
from app.database import Database
from app.domain.disclosure.rule_files import RuleFileError
from app.domain.ports import PICTURE_QUEUES, QueueName
from app.migrations import OtherVersionError, migrate
from app.monitoring import exporter
from app.settings import SettingsError, load_settings
from app.settings.programs import WEB
from app.supervision import run_service
from app.tasks.periodic import run_forever
from app.tasks.worker import work

READY_SECONDS = 60
"""How long to wait for the web process before giving up the announcement."""
SENDERS = frozenset({QueueName.HOOKS_FAST, QueueName.HOOKS_SLOW})
"""Queues whose workers have many threads, see tasks.hooks."""


def _container(program: str, use: ConnectionUse, *, signs: bool = False) -> Container:
    """A container for this process, after its logs and metrics were started.

    Prints the reason and exits with 2 if the settings are not valid, a rule file has a fault or, with `signs`,
    the certificate or key for signing pictures cannot be used.
    """
    try:
        settings = load_settings()
        monitoring.start(settings, program)
        here = Container(settings, connections=use)
        _ = signs and here.credentials
        return here
    except (SettingsError, RuleFileError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)


@click.command("up")
def up() -> None:
    """Start everything in the foreground: web, workers, sweeper, and Redis where none is set."""
    here = _container("up", COMMANDS, signs=True)
    sys.exit(run_service(here.settings, lambda: bring_up_to_date(here.database), lambda: _announce(here)))


def bring_up_to_date(database: Database) -> None:
    """Migrate the tables to this version. Raises ClickException, with the reason, where that is not possible."""
    try:
        migrate(database)
    except OtherVersionError as error:
        raise click.ClickException(str(error)) from None


def _announce(here: Container) -> Iterator[str]:
    """The lines to print once the service is ready, with those of the demo accounts, which the first start creates.

    Waits until /readyz answers. No lines on a host that does not run the web program.
    """
    if not here.settings.runs(WEB):
        return
    url = f"http://{here.settings.host}:{here.settings.port}/readyz"
    deadline = time.monotonic() + READY_SECONDS
    while not _ready(url):
        if time.monotonic() > deadline:
            yield "The service did not become ready; see the messages above."
            return
        time.sleep(0.1)
    yield f"\n  Brightlist is ready at {here.settings.base_url}\n"
    if here.settings.demo:
        for line in create_accounts(here):
            yield f"  {line}" if line else ""


def _ready(url: str) -> bool:
    try:
        return requests.get(url, timeout=2).ok
    except requests.RequestException:
        return False


@click.command("work")
@click.argument("queue_name", type=click.Choice([each.value for each in QueueName]), default=QueueName.PHOTOS.value)
@click.option("--no-rooms", is_flag=True, help="Of photos: leave those that take long to workers for rooms alone.")
def work_command(queue_name: str, no_rooms: bool) -> None:
    """Run one worker process for this queue; a worker for photos works on rooms, too, when no other photo is
    due.
    """
    which = QueueName(queue_name)
    more = (QueueName.ROOMS,) if which is QueueName.PHOTOS and not no_rooms else ()
    use = SENDING if which in SENDERS else WORK
    work(_container(queue_name, use, signs=which in PICTURE_QUEUES), which, *more)


@click.command("sweeper")
def sweeper() -> None:
    """Run the timers; any number of copies may run."""
    run_forever(_container("sweeper", WORK).sweep)


@click.command("migrate")
def migrate_command() -> None:
    """Migrate the tables to this version; several machines may do so at once, while others serve."""
    bring_up_to_date(_container("migrate", COMMANDS).database)


@click.command("metrics")
@click.option("--only-this-machine", is_flag=True, help="Tell nothing of database and Redis: elsewhere one does.")
def metrics_command(only_this_machine: bool) -> None:
    """Run the exporter for Prometheus, on METRICS_HOST and METRICS_PORT."""
    here = _container("metrics", COMMANDS)
    settings = here.settings
    if settings.metrics_port is None:
        raise click.ClickException("METRICS_PORT: it says where to listen, and is not set.")
    service = None if only_this_machine else exporter.ServiceCollector(here.database, here.queue, here.clock)
    try:
        exporter.run_forever(settings, service)
    except OSError as error:
        place = f"port {settings.metrics_port} of METRICS_HOST {settings.metrics_host}"
        raise click.ClickException(f"METRICS_PORT: cannot listen on {place} ({error.strerror}).") from None


ALL = (up, work_command, sweeper, migrate_command, metrics_command)
processes = click.Group("processes", ALL, help="The processes of the service.")
