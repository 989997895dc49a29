"""The operator's command for stored secrets: encrypts them again after the secret keys changed."""

import click

from app.cli.database import container, unit_of_work
from app.cli.groups import CommandGroup
from app.services.security import stored_secrets

secrets_group = CommandGroup("secrets", help="Stored secrets.")


@secrets_group.command("reencrypt")
def reencrypt() -> None:
    """Encrypt every stored secret with the newest key of SECRET_KEYS; harmless when repeated.

    Exits with 1 and names the secrets that no key can decrypt, if there are any.
    """
    count = 0
    unreadable: list[str] = []
    for place in stored_secrets.SEALED_COLUMNS:
        after, more = None, True
        while more:
            with unit_of_work() as session:
                done = stored_secrets.renew(session, container().vault, place, after)
            count, after, more = count + done.count, done.next, done.next is not None
            unreadable += done.unreadable
    click.echo(f"{count} stored secrets were encrypted anew")
    if unreadable:
        raise click.ClickException("no key opens these:\n" + "\n".join(unreadable))
