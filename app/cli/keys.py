"""The operator's commands for API keys."""

from decimal import Decimal

import click

from app.cli.database import container, unit_of_work
from app.cli.groups import CommandGroup
from app.domain.actors import Scope
from app.domain.amounts import amount
from app.domain.api_types import iso
from app.domain.errors import InvalidRequest
from app.domain.keys import key_state, parse_budget
from app.domain.mail_text import one_line
from app.models import ApiKey
from app.services import sandboxes
from app.services.accounts import accounts, organizations
from app.services.billing import budgets
from app.services.security import api_keys

keys_group = CommandGroup("keys", help="API keys.")


@keys_group.command("create")
@click.argument("email")
@click.option("--name", default="API key")
@click.option("--test", "is_test", is_flag=True, help="Make a test key, with which nothing is charged.")
@click.option("--scope", "scopes", multiple=True, type=click.Choice([each.value for each in Scope]))
@click.option("--budget", metavar="CREDITS", help="What it may spend in a calendar month (UTC) at most.")
def create_key(email: str, name: str, scopes: tuple[str, ...], is_test: bool, budget: str | None) -> None:
    """Make an API key and print only that to stdout. It cannot be shown again."""
    most = None if budget is None else _read_budget(budget)
    with unit_of_work() as session:
        account_id, now = accounts.find(session, email).organization_id, container().clock()
        wanted = [Scope(scope) for scope in scopes] or list(Scope)
        whose = sandboxes.get_or_create(session, account_id, now).id if is_test else account_id
        key, secret = api_keys.create(session, whose, now, name=name, scopes=wanted)
        api_keys.set_budget(session, whose, key.id, most, now)
    click.echo(secret)


@keys_group.command("list")
@click.argument("email")
def list_keys(email: str) -> None:
    """Print the account's keys, newest first, and after them its test keys."""
    with unit_of_work() as session:
        live = accounts.find(session, email).organization
        for each in organizations.with_sandboxes(session, [live]):
            page = None
            while page is None or page.next:
                page = api_keys.paginate(session, each.id, page.next if page else None)
                spent = budgets.list_spent(session, page.rows, container().clock())
                for key in page.rows:
                    click.echo(_line(key, spent[key.id]))


@keys_group.command("revoke")
@click.argument("key_id")
def revoke_key(key_id: str) -> None:
    """Revoke a key, of any account, at once."""
    with unit_of_work() as session:
        found = session.get(ApiKey, key_id)
        if found is None:
            raise click.ClickException(f"There is no key {one_line(key_id)}.")
        key = api_keys.revoke(session, found.account_id, key_id, container().clock())
    click.echo(f"{key.id} is revoked")


def _read_budget(text: str) -> Decimal:
    try:
        return parse_budget(text)
    except InvalidRequest as refused:
        raise click.BadParameter((refused.details or {})["budget"]) from None


def _line(key: ApiKey, spent: Decimal) -> str:
    used = iso(key.last_used_at) if key.last_used_at else "never"
    state = key_state(key, container().clock())
    shown = f"{key.visible_prefix}…{key.visible_suffix}"
    limit = "" if key.budget is None else f" of {amount(key.budget)}"
    return (
        f"{key.id}  {state:8}  {shown}  {' '.join(key.scopes)}  last used {used}  "
        f"{amount(spent)}{limit} spent this month  {key.name}"
    )
