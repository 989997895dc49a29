"""A draft as the order it would be, for the one validator; and that validator's faults, put on the wizard."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from app.domain.catalogue import Enhancement, PhotoType
from app.domain.drafts import DraftedPhoto, DraftOrder, Step
from app.domain.edit_requests import RenovationChange
from app.domain.errors import InvalidRequest
from app.domain.order_rules import read_order
from app.domain.orders import MIN_DESCRIPTION, PlaceOrder


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that keeps a draft from being an order: on which page, at which photo and field, and what to do."""

    step: Step
    message: str
    photo_id: str | None = None
    field: str = ""


def as_order(draft: DraftOrder) -> PlaceOrder:
    """The order. Raises InvalidRequest in the words of the interface; see find_problems() for the wizard's."""
    return read_order(as_data(draft), draft.from_imagery)


def as_data(draft: DraftOrder) -> dict[str, Any]:
    """The draft as the body of an order: exactly what the API would be sent, complete or not."""
    content = draft.content
    data: dict[str, Any] = {
        "address": content.address,
        "serviceType": content.service_type,
        "uploadSessionId": draft.session_id,
        "photoConfigs": [_config(photo, index, draft) for photo, index in _own_lists(draft)],
        "virtualStaging": dict(_staging(draft)),
        "renovations": dict(_renovations(draft)),
    }
    for group in PhotoType:
        data[f"{group}Files"] = [
            {"filePath": photo.storage_key, "fileName": photo.file_name} for photo in draft.photos_of(group)
        ]
        data[f"{group}Enhancements"] = list(content.enhancements_for(group)) if content.covers(group) else []
    return data


def find_problems(draft: DraftOrder) -> list[Problem]:
    """Everything that is missing or wrong, first page first."""
    found = _judged(draft)
    # One renovation that cannot be read keeps the validator from judging the others: they have their own turn.
    faulty = {problem.photo_id for problem in found if problem.field.startswith("changes-")}
    if faulty:
        plain = [
            replace(photo, edit_request=photo.edit_request.model_copy(update={"changes": ()}))
            if photo.id in faulty
            else photo
            for photo in draft.photos
        ]
        found += [problem for problem in _judged(replace(draft, photos=plain)) if problem.photo_id not in faulty]
    return _in_order(found)


def problems_of(draft: DraftOrder, refusal: InvalidRequest) -> list[Problem]:
    """The faults of the draft's order, each where the wizard can mend it."""
    return _in_order(_problem(draft, path, message) for path, message in (refusal.details or {}).items())


def _judged(draft: DraftOrder) -> list[Problem]:
    try:
        as_order(draft)
    except InvalidRequest as refusal:
        return problems_of(draft, refusal)
    return []


def _in_order(found: Iterable[Problem]) -> list[Problem]:
    order = list(Step)
    return sorted(dict.fromkeys(found), key=lambda problem: order.index(problem.step))


def _own_lists(draft: DraftOrder) -> Iterator[tuple[DraftedPhoto, int]]:
    """Photos with their own list; and those left with none, so that the fault names the photo."""
    for group in PhotoType:
        for index, photo in enumerate(draft.photos_of(group)):
            if photo.edit_request.enhancements is not None or not draft.edit_request(photo).steps:
                yield photo, index


def _config(photo: DraftedPhoto, index: int, draft: DraftOrder) -> dict[str, Any]:
    return {"photoType": photo.type, "photoIndex": index, "enhancements": draft.edit_request(photo).steps}


def _staging(draft: DraftOrder) -> Iterator[tuple[str, dict[str, Any]]]:
    for index, photo in enumerate(draft.photos_of(PhotoType.INTERIOR)):
        edit_request = draft.edit_request(photo)
        if Enhancement.STAGING in edit_request.steps and edit_request.staging:
            given = {"style": edit_request.staging.style, "roomType": edit_request.staging.room_type}
            yield str(index), {name: value for name, value in given.items() if value is not None}


def _renovations(draft: DraftOrder) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for index, photo in enumerate(draft.photos_of(PhotoType.INTERIOR)):
        edit_request = draft.edit_request(photo)
        if Enhancement.RENOVATION in edit_request.steps and edit_request.changes:
            yield str(index), [_entry(change, draft.references) for change in edit_request.changes]


def _entry(change: RenovationChange, references: Mapping[str, str]) -> dict[str, Any]:
    given = {
        "changeType": change.change_type,
        "changeDescription": change.change_description,
        "referenceText": change.reference_text,
        "referenceImages": [references[each] for each in change.reference_images if each in references] or None,
    }
    return {name: value for name, value in given.items() if value is not None}


_PLACES = (
    (re.compile(r"address"), Step.ADDRESS, "street"),
    (re.compile(r"serviceType"), Step.SERVICE, "service_type"),
    (re.compile(r"uploadSessionId"), Step.PHOTOS, ""),
    (re.compile(r"(?P<group>exterior|interior)Files"), Step.PHOTOS, "{group}"),
    (re.compile(r"(?P<group>exterior|interior)Files\[(?P<index>\d+)\].*"), Step.PHOTOS, ""),
    (re.compile(r"(?P<group>exterior|interior)Enhancements.*"), Step.ENHANCEMENTS, "{group}"),
    (re.compile(r"photoConfigs\[(?P<number>\d+)\].*"), Step.ENHANCEMENTS, "enhancements"),
    (re.compile(r"virtualStaging\.(?P<interior>\d+).*"), Step.ENHANCEMENTS, "staging"),
    (re.compile(r"renovations\.(?P<interior>\d+)"), Step.ENHANCEMENTS, "changes"),
    (
        re.compile(r"renovations\.(?P<interior>\d+)\[(?P<row>\d+)\]\.changeType"),
        Step.ENHANCEMENTS,
        "changes-{row}-change_type",
    ),
    (
        re.compile(r"renovations\.(?P<interior>\d+)\[(?P<row>\d+)\]\.changeDescription"),
        Step.ENHANCEMENTS,
        "changes-{row}-description",
    ),
    (
        re.compile(r"renovations\.(?P<interior>\d+)\[(?P<row>\d+)\].*"),
        Step.ENHANCEMENTS,
        "changes-{row}-reference_text",
    ),
)
_SAID = (
    (re.compile(r"address"), "Enter an address with at least one letter and one digit, 5 to 300 characters long."),
    (re.compile(r"serviceType"), "Choose which photos the order is for."),
    (re.compile(r"uploadSessionId"), "These files are no longer kept. Start a new order."),
    (re.compile(r"exteriorFiles"), "Add at least one exterior photo."),
    (re.compile(r"interiorFiles"), "Add at least one interior photo."),
    (re.compile(r"\w+Files\[.*"), "This file is no longer there. Remove it and add it again."),
    (re.compile(r"exteriorEnhancements"), "Choose at least one enhancement for the exterior."),
    (re.compile(r"interiorEnhancements"), "Choose at least one enhancement for the interior."),
    (re.compile(r"renovations\.\d+"), "Add at least one change to renovate, or untick the renovation."),
    (re.compile(r".*changeType"), "Choose what to change."),
    (re.compile(r".*changeDescription"), f"Describe the change in at least {MIN_DESCRIPTION} characters."),
    (re.compile(r"renovations\.\d+\[\d+\]"), "Give a reference: either in words or in pictures."),
    (
        re.compile(r"renovations\.\d+\[\d+\]\.referenceImages.*"),
        "A reference picture is no longer there. Remove it and add it again.",
    ),
)


def _problem(draft: DraftOrder, path: str, message: str) -> Problem:
    for pattern, step, field in _PLACES:
        if found := pattern.fullmatch(path):
            parts = found.groupdict()
            photo = _photo(draft, parts)
            return Problem(step, _said(path, message), photo.id if photo else None, field.format(**parts))
    return Problem(Step.REVIEW, f"{path}: {message}")


def _photo(draft: DraftOrder, parts: Mapping[str, str]) -> DraftedPhoto | None:
    if "interior" in parts:
        return draft.photos_of(PhotoType.INTERIOR)[int(parts["interior"])]
    if "index" in parts:
        return draft.photos_of(PhotoType(parts["group"]))[int(parts["index"])]
    return list(_own_lists(draft))[int(parts["number"])][0] if "number" in parts else None


def _said(path: str, message: str) -> str:
    """In words that know no field of the interface. Lengths are told as they are found."""
    if "at most" in message:
        return message
    return next((words for pattern, words in _SAID if pattern.fullmatch(path)), message)
