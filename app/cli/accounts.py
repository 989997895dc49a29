"""The operator's commands for accounts."""

import click

from app.cli.amounts import parse_amount
from app.cli.database import container, unit_of_work
from app.cli.groups import CommandGroup
from app.services.accounts import accounts, organizations
from app.services.billing import credits
from app.services.security import password_changes

accounts_group = CommandGroup("accounts", help="Accounts.")


@accounts_group.command("create")
@click.argument("email")
@click.option("--name", default="")
@click.option("--password")
@click.option("--credits", "credits_", default="0", help="Credits to start with.")
@click.option("--staff", is_flag=True)
def create_account(email: str, name: str, password: str | None, credits_: str, staff: bool) -> None:
    """Make an account. Without --password nobody can sign in until `accounts password` has made a password."""
    amount, now = parse_amount(credits_), container().clock()
    with unit_of_work() as session:
        member = accounts.create(session, email, now, name=name, password=password, staff=staff)
        if amount:
            credits.adjust(session, member.organization_id, amount, "Opening balance", now)
    click.echo(f"{member.organization_id} {member.user.email}")


@accounts_group.command("password")
@click.argument("email")
@click.option("--without-two-factor", is_flag=True, help="Switch two-factor off too, for who lost phone and codes.")
def new_password(email: str, without_two_factor: bool) -> None:
    """Give an account a new random password and print only that to stdout. All its sign-ins end."""
    with unit_of_work() as session:
        now = container().clock()
        password = password_changes.generate(session, email, now, without_two_factor=without_two_factor)
    click.echo(password)


@accounts_group.command("weight")
@click.argument("email")
@click.argument("weight", type=int)
def set_weight(email: str, weight: int) -> None:
    """Set how many photos of the account workers take in a row, 1 (the default of all accounts) to 10."""
    with unit_of_work() as session:
        organizations.set_weight(session, accounts.find(session, email).organization_id, weight)
