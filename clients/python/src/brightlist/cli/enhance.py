"""`brightlist enhance`: a folder of photos in, a folder of pictures out; run again, it goes on where it ended."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from brightlist.cli.job_commands import read_pairs
from brightlist.cli.outcomes import save_pictures
from brightlist.cli.resumption import Resumption
from brightlist.cli.surroundings import Surroundings, json_option, pass_surroundings, show_progress
from brightlist.client import Brightlist
from brightlist.errors import ApiError, Conflict, InvalidPhotos, InvalidRequest
from brightlist.models import CatalogAnswer, JobStatusAnswer, PhotoType, PlaceOrder, PresetAnswer, QuoteRequest
from brightlist.uploads import Photo, Upload, find_photos

LOOK_SECONDS = 5
"""How often the progress is shown, at least."""


@dataclass(frozen=True)
class Wish:
    """What is to be done with a folder: its photos, and the fields of the order."""

    photos: list[Photo]
    fields: dict[str, Any]

    def counts(self) -> dict[str, Any]:
        """How many photos of each type there are, as quotes ask."""
        count = {kind.value: sum(each.type == kind for each in self.photos) for kind in PhotoType}
        service = "both" if all(count.values()) else next(kind for kind, number in count.items() if number)
        return {"service_type": service, **{f"{kind}_count": number for kind, number in count.items()}}


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
    wish = _read_wish(client, folder, options)
    resumed = Resumption.of(folder, wish.photos, wish.fields, client.transport.root, again=options["again"])
    if resumed.job_id is None:
        _order(client, wish, resumed, ask=not options["yes"])
    else:
        click.echo(f"Goes on with the job {resumed.job_id}.", err=True)
    job_id = str(resumed.job_id)
    _wait(client, job_id)
    save_pictures(client, job_id, output, as_json=options["as_json"])


def _read_wish(client: Brightlist, folder: Path, options: dict[str, Any]) -> Wish:
    preset = _find_preset(client, options["preset"]) if options["preset"] else None
    lists = _sort(client.catalog.show_catalog(), options["enhancements"])
    wanted = {kind for kind in PhotoType if lists[kind] or (preset and _has(preset, kind))}
    if not wanted:
        raise click.UsageError("Say what to do: --preset or --enhancement.")
    subfolders = any((folder / kind).is_dir() for kind in PhotoType)
    kind = options["photo_type"] or (next(iter(wanted)).value if len(wanted) == 1 and not subfolders else None)
    if kind is None and not subfolders:
        raise InvalidPhotos(
            "Are these rooms or the outside? Say --type, or sort them into the subfolders interior and exterior."
        )
    return Wish(
        photos=find_photos(folder, kind),
        fields={
            "address": options["address"],
            "external_id": options["external_id"],
            "metadata": options["metadata"] or None,
            "preset_id": preset.id if preset else None,
            **{f"{each}_enhancements": names for each, names in lists.items() if names},
        },
    )


def _find_preset(client: Brightlist, name: str) -> PresetAnswer:
    presets = client.presets.list_presets().presets
    found = next((each for each in presets if each.name.casefold() == name.casefold()), None)
    if found is None:
        names = ", ".join(each.name for each in presets) or "none"
        raise click.BadParameter(f"No preset is called {name}. There are: {names}.", param_hint="--preset")
    return found


def _has(preset: PresetAnswer, kind: PhotoType) -> bool:
    lists = {PhotoType.INTERIOR: preset.interior_enhancements, PhotoType.EXTERIOR: preset.exterior_enhancements}
    return bool(lists[kind])


def _sort(catalog: CatalogAnswer, names: tuple[str, ...]) -> dict[PhotoType, list[str]]:
    groups = {str(each.id): each.group for each in catalog.enhancements}
    if unknown := [name for name in names if name not in groups]:
        raise click.BadParameter(f"{unknown[0]} is none of {', '.join(groups)}.", param_hint="--enhancement")
    return {kind: [name for name in names if groups[name] == kind] for kind in PhotoType}


def _order(client: Brightlist, wish: Wish, resumed: Resumption, *, ask: bool) -> None:
    if resumed.order is not None:
        _send_again(client, resumed, resumed.order)
        return
    _quote(client, wish, resumed, ask=ask)
    upload = _upload(client, wish, resumed)
    order = PlaceOrder(**wish.fields, **upload.order_fields())
    resumed.begin_order(order)
    try:
        _send_order(client, resumed, order)
    except InvalidRequest:
        # Perhaps the uploads are no longer kept. Only now is it known that they were never ordered.
        resumed.forget_upload()
        raise


def _send_again(client: Brightlist, resumed: Resumption, order: PlaceOrder) -> None:
    try:
        _send_order(client, resumed, order)
    except InvalidRequest:
        click.echo("It may have been ordered before: look with `brightlist jobs`, then use --again.", err=True)
        raise


def _send_order(client: Brightlist, resumed: Resumption, order: PlaceOrder) -> None:
    try:
        placed = client.orders.create_order_from_uploads(order, idempotency_key=resumed.order_key)
    except Conflict as error:
        if error.job_id is None:
            raise
        resumed.end_order(error.job_id)
    except ApiError as error:
        if not error.may_try_again and not isinstance(error, InvalidRequest):
            resumed.forget_order()
        raise
    else:
        resumed.end_order(placed.job_id)
        click.echo(f"Ordered for {placed.credit_cost:g} credits: the job {placed.job_id}.", err=True)


def _quote(client: Brightlist, wish: Wish, resumed: Resumption, *, ask: bool) -> None:
    quote = client.orders.quote_order(QuoteRequest(**wish.fields, **wish.counts()))
    for line in quote.lines:
        click.echo(f"  {line.label}, {line.quantity}: {line.credits:g}", err=True)
    for warning in quote.warnings:
        click.echo(f"  {warning}", err=True)
    click.echo(f"{len(wish.photos)} photos for {quote.credit_cost:g} credits.", err=True)
    if ask and resumed.agreed_cost != quote.credit_cost:
        click.confirm("Order them?", abort=True, err=True)
    resumed.agree(quote.credit_cost)


def _upload(client: Brightlist, wish: Wish, resumed: Resumption) -> Upload:
    upload = resumed.upload
    if upload is None or upload.is_over:
        upload = client.uploads.begin(wish.photos)
        resumed.begin_upload(upload)
    waiting = sum(not each.sent for each in upload.files)
    with show_progress("Uploading", waiting) as bar:

        def note(_: object) -> None:
            resumed.save()
            bar.update(1)

        client.uploads.send(upload, on_sent=note)
    return upload


def _wait(client: Brightlist, job_id: str) -> None:
    with show_progress("Working", 100) as bar:

        def show(found: JobStatusAnswer) -> None:
            bar.update(found.progress.percentage - bar.pos)

        client.jobs.wait(job_id, hold=LOOK_SECONDS, on_status=show)
