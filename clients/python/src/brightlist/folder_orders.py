"""Ordering a folder of photos: what is wanted of it, its price, and the order, which is never placed twice."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brightlist.client import Brightlist
from brightlist.errors import ApiError, Conflict, InvalidPhotos, InvalidRequest, WrongChoice
from brightlist.models import CatalogAnswer, PhotoType, PlaceOrder, PresetAnswer, QuoteAnswer, QuoteRequest
from brightlist.resumption import Resumption
from brightlist.uploads import Photo, SentFile, Upload, find_photos


@dataclass(frozen=True)
class Wish:
    """What is to be done with a folder: its photos, and the fields of the order."""

    photos: list[Photo]
    fields: dict[str, Any]

    def quote(self, client: Brightlist) -> QuoteAnswer:
        """What the order would cost."""
        inside, outside = (sum(each.type == kind for each in self.photos) for kind in ("interior", "exterior"))
        service = "both" if inside and outside else "interior" if inside else "exterior"
        counts = {"interior_count": inside, "exterior_count": outside}
        return client.orders.quote_order(QuoteRequest(service_type=service, **{**self.fields, **counts}))


def read_wish(
    client: Brightlist,
    folder: Path,
    enhancements: Sequence[str],
    preset: str | None = None,
    photo_type: str | None = None,
    **fields: Any,
) -> Wish:
    """The wish for a folder. What its photos show is `photo_type`, or follows from subfolders, or from the
    enhancements and the preset, which is named by its name. `fields`: others of the order.

    Raises WrongChoice, InvalidPhotos.
    """
    found = _find_preset(client, preset) if preset else None
    lists = _sort(client.catalog.show_catalog(), enhancements)
    wanted = {kind for kind in PhotoType if lists[kind] or (found and _has(found, kind))}
    if not wanted:
        raise WrongChoice("Say what to do: a preset or an enhancement.")
    subfolders = any((folder / kind).is_dir() for kind in PhotoType)
    kind = photo_type or (next(iter(wanted)).value if len(wanted) == 1 and not subfolders else None)
    if kind is None and not subfolders:
        raise InvalidPhotos(
            "Are these rooms or the outside? Say the type, or sort them into subfolders, interior and exterior."
        )
    chosen = {f"{each}_enhancements": names for each, names in lists.items() if names}
    given = {**fields, **chosen, "preset_id": found.id if found else None}
    return Wish(find_photos(folder, kind), {name: value for name, value in given.items() if value is not None})


def place(
    client: Brightlist,
    wish: Wish,
    resumed: Resumption,
    agree: Callable[[QuoteAnswer], None],
    on_sent: Callable[[SentFile], None] = lambda _: None,
) -> str:
    """Order the folder as far as that is not done yet; the id of the job. `agree` is told the price before anything
    is sent, and raises where it is too much. An order that was sent before is only asked for its answer.
    """
    if resumed.job_id is not None:
        return resumed.job_id
    if resumed.order is not None:
        return _send(client, resumed, resumed.order)
    quote = wish.quote(client)
    agree(quote)
    resumed.agree(quote.credit_cost)
    upload = _upload(client, wish, resumed, on_sent)
    order = PlaceOrder(**wish.fields, **upload.order_fields())
    resumed.begin_order(order)
    try:
        return _send(client, resumed, order)
    except InvalidRequest:
        # Perhaps the uploads are no longer kept. Only now is it known that they were never ordered.
        resumed.forget_upload()
        raise


def _find_preset(client: Brightlist, name: str) -> PresetAnswer:
    presets = client.presets.list_presets().presets
    found = next((each for each in presets if each.name.casefold() == name.casefold()), None)
    if found is None:
        raise WrongChoice(
            f"No preset is called {name}: {', '.join(each.name for each in presets) or 'there is none'}."
        )
    return found


def _has(preset: PresetAnswer, kind: PhotoType) -> bool:
    lists = {PhotoType.INTERIOR: preset.interior_enhancements, PhotoType.EXTERIOR: preset.exterior_enhancements}
    return bool(lists[kind])


def _sort(catalog: CatalogAnswer, names: Sequence[str]) -> dict[PhotoType, list[str]]:
    groups = {str(each.id): each.group for each in catalog.enhancements}
    if unknown := [name for name in names if name not in groups]:
        raise WrongChoice(f"{unknown[0]} is no enhancement: {', '.join(groups)}.")
    return {kind: [name for name in names if groups[name] == kind] for kind in PhotoType}


def _upload(client: Brightlist, wish: Wish, resumed: Resumption, on_sent: Callable[[SentFile], None]) -> Upload:
    upload = resumed.upload
    if upload is None or upload.is_over:
        upload = client.uploads.begin(wish.photos)
        resumed.begin_upload(upload)

    def note(file: SentFile) -> None:
        resumed.save()
        on_sent(file)

    client.uploads.send(upload, on_sent=note)
    return upload


def _send(client: Brightlist, resumed: Resumption, order: PlaceOrder) -> str:
    try:
        job_id = client.orders.create_order_from_uploads(order, idempotency_key=resumed.order_key).job_id
    except Conflict as error:
        if error.job_id is None:
            raise
        job_id = error.job_id
    except ApiError as error:
        if not error.may_try_again and not isinstance(error, InvalidRequest):
            resumed.forget_order()
        raise
    resumed.end_order(job_id)
    return job_id
