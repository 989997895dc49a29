"""`brightlist enhance`: a folder of photos in, a folder of pictures out; run again, it goes on where it ended."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from brightlist.cli.job_commands import read_pairs
from brightlist.cli.outcomes import save_pictures
from brightlist.cli.surroundings import Surroundings, count, json_option, pass_surroundings, show_progress
from brightlist.client import Brightlist
from brightlist.errors import InvalidRequest
from brightlist.folder_orders import Wish, place, read_wish
from brightlist.models import JobStatusAnswer, PhotoType, QuoteAnswer
from brightlist.resumption import Resumption

LOOK_SECONDS = 5
"""How often the progress is shown, at least."""


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--address", required=True, help="Of the property: street, city, state, ZIP.")
@click.option("--preset", help="A preset of yours, by its name.")
@click.option(
    "--enhancement", "enhancements", multiple=True, help="As sky_enhancement; may be given several times."
)
@click.option("--type", "photo_type", type=click.Choice([each.value for each in PhotoType]), help="What they show.")
@click.option("--external-id", help="Your own id of the order.")
@click.option("--metadata", multiple=True, callback=read_pairs, help="A pair of your own, as agent=Dana.")
@click.option("--output", required=True, type=click.Path(file_okay=False, path_type=Path), help="For the pictures.")
@click.option("--yes", is_flag=True, help="Order without asking.")
@click.option("--again", is_flag=True, help="Order anew what was ordered before.")
@json_option
@pass_surroundings
def enhance(around: Surroundings, /, folder: Path, output: Path, **options: Any) -> None:
    """Order all photos of FOLDER, wait, and save the pictures.

    What the photos show follows from the enhancements, or from --type; photos of both kinds lie in the subfolders
    `interior` and `exterior`. The price is shown first. What has been done is noted in FOLDER.brightlist.json:
    after a break, run the same command again. It goes on where it ended, and never orders twice.
    """
    client, folder = around.connect(), folder.resolve()
    wish = read_wish(
        client,
        folder,
        options["enhancements"],
        options["preset"],
        options["photo_type"],
        address=options["address"],
        external_id=options["external_id"],
        metadata=options["metadata"] or None,
    )
    resumed = Resumption.of(folder, wish.photos, wish.fields, client.transport, again=options["again"])
    job_id = _place(client, wish, resumed, ask=not options["yes"])
    _wait(client, job_id)
    save_pictures(client, job_id, output, as_json=options["as_json"])


def _place(client: Brightlist, wish: Wish, resumed: Resumption, *, ask: bool) -> str:
    known, from_before = resumed.job_id, resumed.order is not None
    with ExitStack() as shown:
        bars: list[Any] = []

        def agree(quote: QuoteAnswer) -> None:
            _show(quote, len(wish.photos))
            if ask and resumed.agreed_cost != quote.credit_cost:
                click.confirm("Order them?", abort=True, err=True)
            bars.append(shown.enter_context(show_progress("Uploading", len(wish.photos))))

        try:
            job_id = place(client, wish, resumed, agree, on_sent=lambda _: bars[0].update(1))
        except InvalidRequest:
            if from_before:
                click.echo("Was it ordered before? Look with `brightlist jobs`, then use --again.", err=True)
            raise
    click.echo(f"Goes on with the job {job_id}." if known else f"Ordered: the job {job_id}.", err=True)
    return job_id


def _show(quote: QuoteAnswer, photos: int) -> None:
    for line in quote.lines:
        click.echo(f"  {line.label}, {line.quantity}: {line.credits:g}", err=True)
    for warning in quote.warnings:
        click.echo(f"  {warning}", err=True)
    click.echo(f"{count(photos, 'photo')} for {count(quote.credit_cost, 'credit')}.", err=True)


def _wait(client: Brightlist, job_id: str) -> None:
    with show_progress("Working", 100) as bar:

        def show(found: JobStatusAnswer) -> None:
            bar.update(found.progress.percentage - bar.pos)

        client.jobs.wait(job_id, hold=LOOK_SECONDS, on_status=show)
