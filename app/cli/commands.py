"""The operator's commands: `flask --app wsgi …`."""

import click
from flask import Flask
from flask.cli import with_appcontext

from app.cli import process_commands
from app.cli.accounts import accounts_group
from app.cli.amounts import parse_amount
from app.cli.database import container, unit_of_work
from app.cli.engines import engines_group
from app.cli.groups import CommandGroup
from app.cli.keys import keys_group
from app.cli.secrets import secrets_group
from app.cli.storage import storage_group
from app.cli.verdicts import verdicts_group
from app.cli.webhooks import webhooks_group
from app.domain.api_types import iso
from app.models import Job
from app.services import audit
from app.services.accounts import accounts
from app.services.billing import credits


def install(app: Flask) -> None:
    """Add the commands to the application."""
    for command in (
        *process_commands.ALL,
        accounts_group,
        keys_group,
        credits_group,
        engines_group,
        jobs_group,
        secrets_group,
        storage_group,
        verdicts_group,
        webhooks_group,
        sweep,
        check,
    ):
        app.cli.add_command(command)


credits_group = CommandGroup("credits", help="Credits.")


@credits_group.command("grant")
@click.argument("email")
@click.argument("amount")
@click.option("--reason", required=True)
def grant_credits(email: str, amount: str, reason: str) -> None:
    """Add credits to an account; `-- -5` deducts 5."""
    wanted = parse_amount(amount)
    with unit_of_work() as session:
        member = accounts.find(session, email)
        credits.adjust(session, member.organization_id, wanted, reason, container().clock())
        balance = credits.balance(session, member.organization_id)
    click.echo(f"{member.user.email} has {balance} credits")


jobs_group = CommandGroup("jobs", help="Jobs.")


@jobs_group.command("show")
@click.argument("job_id")
def show_job(job_id: str) -> None:
    """Print the state of a job and its photos."""
    with container().database.read_session() as session:
        job = session.get(Job, job_id)
        if job is None:
            raise click.ClickException(f"There is no job {job_id}.")
        click.echo(f"{job.id} {job.status}: {job.address}, account {job.account_id}")
        click.echo(f"created {iso(job.created_at)}, cost {job.credit_cost}, refunded {job.credits_refunded}")
        for line in filter(None, (job.error, job.undeliverable_reason)):
            click.echo(line)
        for photo in job.photos:
            result = photo.result
            outcome = f"{result.verdict} {result.reason or ''} {result.message}" if result else "no result"
            tries = f"{photo.attempts} tries"
            click.echo(
                f"  {photo.id} {photo.type}-{photo.index} {photo.file_name}: {photo.state}, {tries}, {outcome}"
            )


@click.command("sweep")
@with_appcontext
def sweep() -> None:
    """Run every timer of the sweeper once, now."""
    container().sweep.everything()


@click.command("check")
@with_appcontext
def check() -> None:
    """Compare ledger with balances, and jobs with photos and files; exit 1 on any mismatch."""
    process_commands.bring_up_to_date(container().database)
    with container().database.read_session() as session:
        found = list(audit.find_mismatches(session, container().storage))
    for mismatch in found:
        click.echo(mismatch)
    if found:
        raise click.ClickException(f"{len(found)} mismatches.")
    click.echo("All accounts, jobs and files agree.")
