"""The commands that run a process of the service: `python -m app.cli.processes …` or `flask --app wsgi …`.

They load neither pages nor the API, for which each of ten processes would pay at its start, in time and memory.
"""

import sys
import time

import click
import requests

from app.cli.demo import create_accounts
from app.connections import COMMANDS, SENDING, WORK, ConnectionUse
from app.container import Container
from app.domain.ports import QueueName
from app.settings import SettingsError, load_settings
from app.tasks.periodic import run_forever
from app.tasks.worker import work

READY_SECONDS = 60


SENDERS = frozenset({QueueName.HOOKS_FAST, QueueName.HOOKS_SLOW})
"""Queues whose workers send with many threads."""


def _container(use: ConnectionUse) -> Container:
    """The running parts; ends the process, with the reason, where the settings make no sense."""
    try:
        return Container(load_settings(), connections=use)
    except SettingsError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


@click.command("work")
@click.argument("queue_name", type=click.Choice([each.value for each in QueueName]), default=QueueName.PHOTOS.value)
def work_command(queue_name: str) -> None:
    """Run one worker process, for photos or for the queue named."""
    which = QueueName(queue_name)
    work(_container(SENDING if which in SENDERS else WORK), which)


@click.command("sweeper")
def sweeper() -> None:
    """Run the timers; any number of copies may run."""
    run_forever(_container(WORK).sweep)


@click.command("announce")
def announce() -> None:
    """Wait until the service is ready and say where it is; on the first start make accounts to try it with."""
    here = _container(COMMANDS)
    url = f"http://{here.settings.host}:{here.settings.port}/readyz"
    deadline = time.monotonic() + READY_SECONDS
    while not _ready(url):
        if time.monotonic() > deadline:
            raise click.ClickException("The service did not become ready; see the messages above.")
        time.sleep(0.2)
    click.echo(f"\n  Brightlist is ready at {here.settings.base_url}\n")
    if here.settings.demo:
        for line in create_accounts(here):
            click.echo(f"  {line}" if line else "")


def _ready(url: str) -> bool:
    try:
        return requests.get(url, timeout=2).ok
    except requests.RequestException:
        return False


@click.group()
def processes() -> None:
    """The processes of the service."""


for each in (work_command, sweeper, announce):
    processes.add_command(each)

if __name__ == "__main__":
    processes()
