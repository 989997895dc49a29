"""What came of a job, for people and programs."""

from pathlib import Path

import click

from brightlist.cli.surroundings import count, print_json, show_progress
from brightlist.client import Brightlist
from brightlist.jobs import USABLE
from brightlist.models import JobAnswer

NO_PICTURES = 6
"""The exit code of a command whose job gave no picture."""


def describe_job(found: JobAnswer) -> None:
    """Print a job and each of its photos."""
    click.echo(f"{found.job_id}  {found.status}  {found.address}")
    refunded = f", {found.credits_refunded:g} refunded" if found.credits_refunded else ""
    price, done = count(found.credit_cost, "credit"), found.progress
    click.echo(f"{price}{refunded}; {done.completed} of {done.total} done")
    if found.error:
        click.echo(found.error)
    if found.undeliverable:
        click.echo(found.undeliverable.reason)
    for photo in found.photos:
        click.echo(f"  {photo.file_name}: {photo.state}{f': {photo.message}' if photo.message else ''}")
        for step in photo.steps:
            if step.message:
                click.echo(f"    {step.enhancement}: {step.state}: {step.message}")


def save_pictures(client: Brightlist, job_id: str, output: Path, *, as_json: bool) -> None:
    """Save the pictures of a job that has some, and say so; else say why not and end with NO_PICTURES."""
    found = client.jobs.show_job(job_id)
    if found.status not in USABLE:
        if as_json:
            print_json({"job": found.raw, "files": []})
        else:
            describe_job(found)
        click.get_current_context().exit(NO_PICTURES)
    with show_progress("Downloading", found.progress.total) as bar:
        files = client.downloads.save(job_id, output, on_saved=lambda _: bar.update(1))
    if as_json:
        print_json({"job": client.jobs.show_job(job_id).raw, "files": [str(each) for each in files]})
        return
    click.echo(f"Pictures of {found.address} in {output}: {len(files)}.")
    for photo in found.photos:
        if photo.message:
            click.echo(f"  {photo.file_name}: {photo.state}: {photo.message}")
