"""Converts a draft to the order that it would become, so that drafts and orders have the same validator."""

from collections.abc import Iterator, Mapping
from typing import Any

from app.domain.disclosure.listing import Listing, find_jurisdiction, find_jurisdiction_of
from app.domain.drafts import DraftedPhoto, DraftOrder
from app.domain.hint_requests import keep_suitable
from app.domain.order_rules import read_order
from app.domain.orders import PlaceOrder
from app.domain.renovation_words import names_look
from engine.types.edit_request import RenovationChange
from engine.types.enhancements import Enhancement, PhotoType
from engine.types.hints import SceneHints
from engine.types.options import EffectOptions


def as_order(draft: DraftOrder, *, accepts_barred: bool = True) -> PlaceOrder:
    """The order. `accepts_barred`: enhancements that are barred where the property is advertised are accepted.

    Raises InvalidFields, with faults located in the fields of the API's order.
    """
    return read_order(to_body(draft, accepts_barred=accepts_barred), draft.from_imagery)


def listing_of(draft: DraftOrder) -> Listing:
    """Where the draft's property is advertised; the jurisdiction is the chosen one, else the jurisdiction of the
    address.
    """
    content = draft.content
    by_address = find_jurisdiction_of(content.region) if content.region else find_jurisdiction(content.address)
    return Listing(jurisdiction=content.jurisdiction or by_address, mls=content.mls)


def to_body(draft: DraftOrder, *, accepts_barred: bool = True) -> dict[str, Any]:
    """The draft, complete or not, as the body of an order that would be sent to the API."""
    content = draft.content
    listing = listing_of(draft).model_dump(include={"jurisdiction", "mls"}) | {"acceptsBarred": accepts_barred}
    data: dict[str, Any] = {
        "address": content.address,
        "serviceType": content.service_type,
        "uploadSessionId": draft.session_id,
        "photoConfigs": [_config(photo, index, draft) for photo, index in list_configured_photos(draft)],
        "virtualStaging": dict(_list_staging(draft)),
        "renovations": dict(_list_renovations(draft)),
        "listing": listing,
        "externalId": content.external_id,
        "metadata": content.metadata,
    }
    if content.options:
        data["options"] = content.options.chosen
    for group in PhotoType:
        data[f"{group}Files"] = [entry for photo in draft.photos_of(group) for entry in _list_files(photo)]
        data[f"{group}Enhancements"] = list(content.enhancements_for(group)) if content.covers(group) else []
    return data


def list_configured_photos(draft: DraftOrder) -> list[tuple[DraftedPhoto, int]]:
    """The photos with an entry in photoConfigs, in the same order, each with its place among the photos of its
    type.

    These are the photos with enhancements, options or hints of their own, and photos without any enhancement, so
    that the fault about this names the photo.
    """
    return [
        (photo, index)
        for group in PhotoType
        for index, photo in enumerate(draft.photos_of(group))
        if _has_own_list(photo, draft) or _own_options(photo, draft) or _own_hints(photo, draft)
    ]


def _list_files(photo: DraftedPhoto) -> Iterator[dict[str, Any]]:
    if not photo.frames:
        yield {"filePath": photo.storage_key, "fileName": photo.file_name}
    for frame in photo.frames:
        yield {"filePath": frame.storage_key, "fileName": frame.file_name, "group": photo.group_id}


def _has_own_list(photo: DraftedPhoto, draft: DraftOrder) -> bool:
    return photo.edit_request.enhancements is not None or not draft.edit_request(photo).steps


def _own_options(photo: DraftedPhoto, draft: DraftOrder) -> EffectOptions | None:
    """The photo's own options for effects that it gets; its other options stay in the draft."""
    return photo.edit_request.chosen_options.only_for(draft.edit_request(photo).steps)


def _own_hints(photo: DraftedPhoto, draft: DraftOrder) -> SceneHints | None:
    """The photo's own hints that suit its type and its enhancements; its other hints stay in the draft."""
    hints = photo.edit_request.hints
    return hints and keep_suitable(hints, draft.edit_request(photo).steps, photo.type)


def _config(photo: DraftedPhoto, index: int, draft: DraftOrder) -> dict[str, Any]:
    config: dict[str, Any] = {"photoType": photo.type, "photoIndex": index}
    if _has_own_list(photo, draft):
        config["enhancements"] = draft.edit_request(photo).steps
    if options := _own_options(photo, draft):
        config["options"] = options.chosen
    if hints := _own_hints(photo, draft):
        config["hints"] = hints
    return config


def _list_staging(draft: DraftOrder) -> Iterator[tuple[str, dict[str, Any]]]:
    for index, photo in enumerate(draft.photos_of(PhotoType.INTERIOR)):
        edit_request = draft.edit_request(photo)
        if Enhancement.STAGING in edit_request.steps and edit_request.staging:
            given = {"style": edit_request.staging.style, "roomType": edit_request.staging.room_type}
            yield str(index), {name: value for name, value in given.items() if value is not None}


def _list_renovations(draft: DraftOrder) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for index, photo in enumerate(draft.photos_of(PhotoType.INTERIOR)):
        edit_request = draft.edit_request(photo)
        if Enhancement.RENOVATION in edit_request.steps and edit_request.changes:
            yield str(index), [_change_entry(change, draft.references) for change in edit_request.changes]


def _change_entry(change: RenovationChange, references: Mapping[str, str]) -> dict[str, Any]:
    images = [references[each] for each in change.reference_images if each in references] or None
    # A description that names a look also serves as the reference where none is given.
    is_own = not (change.reference_text or images) and names_look(change.change_description)
    given = {
        "changeType": change.change_type,
        "changeDescription": change.change_description,
        "referenceText": change.change_description if is_own else change.reference_text,
        "referenceImages": images,
    }
    return {name: value for name, value in given.items() if value is not None}
