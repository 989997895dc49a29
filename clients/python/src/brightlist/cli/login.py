"""`brightlist login`: keeps the key."""

import sys

import click

from brightlist.cli.surroundings import Surroundings, complete_url, pass_surroundings
from brightlist.client import URL_VARIABLE
from brightlist.errors import Forbidden
from brightlist.private_files import write_private

KEY_START = "ims_"
"""What live and test keys begin with."""


@click.command()
@click.option("--url", envvar=URL_VARIABLE, prompt="URL of the service", help="As https://brightlist.example")
@pass_surroundings
def login(around: Surroundings, url: str) -> None:
    """Keep an API key for the other commands.

    The key is asked for without showing it, or read from standard input, and kept where you alone can read it. Make
    one on the page API keys of the portal.
    """
    url = complete_url(url).rstrip("/")
    key = _read_key()
    if not key.startswith(KEY_START):
        raise click.ClickException(f"This is no API key: they begin with {KEY_START}.")
    client = around.connect_with(url, key)
    try:
        name = client.credits.show_credits().profile.name
    except Forbidden:
        # A key that may not read the balance is a key all the same.
        name = "a key that may not read the balance"
    write_private(around.credentials_file, {"url": url, "key": key})
    free = " Nothing is charged with it, as it is a test key." if client.transport.is_test else ""
    click.echo(f"Signed in as {name}.{free} The key is kept in {around.credentials_file}.")


def _read_key() -> str:
    if sys.stdin.isatty():
        return str(click.prompt("API key", hide_input=True)).strip()
    return sys.stdin.readline().strip()
