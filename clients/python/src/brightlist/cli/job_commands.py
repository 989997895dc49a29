"""`brightlist jobs`, `job`, `cancel` and `download`."""

from itertools import islice
from pathlib import Path

import click

from brightlist.cli.outcomes import describe_job, save_pictures
from brightlist.cli.surroundings import Surroundings, count, json_option, pass_surroundings, print_json, print_table


def read_pairs(_ctx: click.Context, _option: click.Parameter, texts: tuple[str, ...]) -> dict[str, str]:
    """Options `name=value` as pairs."""
    pairs = [text.partition("=") for text in texts]
    if wrong := [text for text, pair in zip(texts, pairs, strict=True) if not (pair[0] and pair[1])]:
        raise click.BadParameter(f"{wrong[0]} is not like agent=Dana.")
    return {name: value for name, _, value in pairs}


@click.command()
@click.option("--external-id", help="Only orders with this id of yours.")
@click.option("--metadata", multiple=True, callback=read_pairs, help="Only orders with this pair, as agent=Dana.")
@click.option("--status", multiple=True, help="Only jobs with this status; may be given several times.")
@click.option("--address", help="How the address begins.")
@click.option(
    "--limit", default=20, type=click.IntRange(min=1), show_default=True, help="At most so many, the newest first."
)
@json_option
@pass_surroundings
def jobs(
    around: Surroundings,
    external_id: str | None,
    metadata: dict[str, str],
    status: tuple[str, ...],
    address: str | None,
    limit: int,
    as_json: bool,
) -> None:
    """List jobs, the newest first."""
    found = around.connect().jobs.list_jobs(
        external_id=external_id, metadata=metadata or None, status=status, address=address, limit=min(limit, 100)
    )
    wanted = list(islice(found, limit))
    if as_json:
        print_json([each.raw for each in wanted])
    elif wanted:
        print_table(
            (each.job_id, each.status, f"{each.credit_cost:g}", f"{each.created_at:%Y-%m-%d %H:%M}", each.address)
            for each in wanted
        )
    else:
        click.echo("No jobs.", err=True)


@click.command()
@click.argument("job_id")
@json_option
@pass_surroundings
def job(around: Surroundings, job_id: str, as_json: bool) -> None:
    """Show a job: where it stands, what became of each photo, and what was refunded."""
    found = around.connect().jobs.show_job(job_id)
    if as_json:
        print_json(found.raw)
    else:
        describe_job(found)


@click.command()
@click.argument("job_id")
@json_option
@pass_surroundings
def cancel(around: Surroundings, job_id: str, as_json: bool) -> None:
    """Cancel a job, as far as its photos were not begun."""
    found = around.connect().jobs.cancel_job(job_id)
    if as_json:
        print_json(found.raw)
    else:
        click.echo(f"{found.outcome}; {count(found.credits_refunded, 'credit')} refunded.")


@click.command()
@click.argument("job_id")
@click.option(
    "--output", required=True, type=click.Path(file_okay=False, path_type=Path), help="Where to save them."
)
@json_option
@pass_surroundings
def download(around: Surroundings, job_id: str, output: Path, as_json: bool) -> None:
    """Save the pictures of a job. What is there already is not loaded again; what broke off goes on."""
    save_pictures(around.connect(), job_id, output, as_json=as_json)
