"""The reasons why a draft cannot be ordered yet: each with a message, its page, its photo and its field."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from app.domain.draft_orders import as_order, list_configured_photos
from app.domain.draft_parts import split
from app.domain.drafts import DraftOrder, Step
from app.domain.errors import InvalidFields
from app.domain.field_errors import Fault, FaultCode
from app.domain.orders import MIN_DESCRIPTION
from app.web.fault_messages import message, path
from engine.types.enhancements import PhotoType

SENTENCES: Mapping[FaultCode, str] = {
    FaultCode.NO_UPLOAD_SESSION: "These files are no longer kept. Start a new order.",
    FaultCode.NO_PHOTOS: "Add at least one {photo_type} photo.",
    FaultCode.NO_IMAGERY: "Add at least one {photo_type} photo.",
    FaultCode.NOT_SORTED: "Some photos are not sorted yet. Wait until they are, or sort them yourself.",
    FaultCode.ALL_DECLINED: "Nothing you chose can be done as the photos are. Each photo says why.",
    FaultCode.FRAMES_MISSING: "Some frames of merged photos are not uploaded yet. Wait, or leave them out.",
    FaultCode.NOT_UPLOADED: "This file no longer exists. Remove it and add it again.",
    FaultCode.OTHER_SESSION: "This file no longer exists. Remove it and add it again.",
    FaultCode.NO_ENHANCEMENT: "Choose at least one enhancement for the {photo_type}.",
    FaultCode.NO_CHANGES: "Add at least one change to renovate, or remove the renovation.",
    FaultCode.ONE_REFERENCE: "Name the material or the color, or give a reference: either in words or in pictures.",
    FaultCode.BARRED: "Confirm that you order what {rule} bars, or remove it from the order.",
}
"""Messages that depend only on the code of a fault."""
FIELD_SENTENCES: Mapping[str | int, str] = {
    "mls": "Choose the listing service from the list.",
    "jurisdiction": "Choose the law from the list.",
    "address": "Enter an address with at least one letter and one digit, 5 to 300 characters long.",
    "serviceType": "Add your photos.",
    "changeType": "Choose what to change.",
    "changeDescription": f"Describe the change in at least {MIN_DESCRIPTION} characters.",
    "referenceImages": "A reference picture no longer exists. Remove it and add it again.",
}
"""Messages for any fault of these fields, except text that is too long, which has its own message."""
UNSORTED_ANCHOR = "unsorted"
"""The part of the board with the photos that are not sorted."""
_CHANGE_FIELDS = {"changeType": "change_type", "changeDescription": "description"}
_PLACES: Mapping[str, tuple[Step, str]] = {
    "address": (Step.ADDRESS, "street"),
    # The service type follows from the photos: without a photo it is not known yet.
    "serviceType": (Step.PHOTOS, "files"),
    "uploadSessionId": (Step.PHOTOS, ""),
    "mls": (Step.ADDRESS, "mls"),
    "jurisdiction": (Step.ADDRESS, "jurisdiction"),
    "acceptsBarred": (Step.REVIEW, "accept-barred"),
}
_TYPES_BY_FIELD = {f"{group}{noun}": group for group in PhotoType for noun in ("Files", "Enhancements")}


@dataclass(frozen=True, slots=True)
class Problem:
    """A reason why a draft cannot be ordered yet: its page, its photo and field, and a message that says what to
    do.
    """

    step: Step
    message: str
    photo_id: str | None = None
    field: str = ""


def find_problems(draft: DraftOrder) -> list[Problem]:
    """Everything that is missing or wrong, in the order of the steps."""
    return _sort_by_step(problem for part in split(draft) for problem in _find_in_part(part))


def _find_in_part(draft: DraftOrder) -> list[Problem]:
    found = _validate(draft)
    # If a renovation cannot be read, the validator does not check other photos: check those without it.
    faulty = {problem.photo_id for problem in found if problem.field.startswith("changes-")}
    if faulty:
        plain = [
            replace(photo, edit_request=replace(photo.edit_request, changes=())) if photo.id in faulty else photo
            for photo in draft.photos
        ]
        found += [problem for problem in _validate(replace(draft, photos=plain)) if problem.photo_id not in faulty]
    return found


def problems_of(draft: DraftOrder, faults: Iterable[Fault]) -> list[Problem]:
    """Convert faults of the draft's order to problems, each at the place where the user can fix it."""
    return _sort_by_step(_find_place(draft, fault) for fault in faults)


def _validate(draft: DraftOrder) -> list[Problem]:
    try:
        as_order(draft)
    except InvalidFields as refusal:
        return problems_of(draft, refusal.faults)
    return []


def _sort_by_step(found: Iterable[Problem]) -> list[Problem]:
    order = list(Step)
    return sorted(dict.fromkeys(found), key=lambda problem: order.index(problem.step))


def _find_place(draft: DraftOrder, fault: Fault) -> Problem:
    text = _find_message(fault)
    match fault.where:
        case ("address" | "serviceType" | "uploadSessionId" as field,) | ("listing", str(field)):
            step, form_field = _PLACES[field]
            return Problem(step, text, field=form_field)
        case ("photos",):
            return Problem(Step.PHOTOS, text)
        case ("exteriorFiles" | "interiorFiles" as field,):
            return Problem(Step.PHOTOS, text, field=_TYPES_BY_FIELD[field])
        case ("exteriorFiles" | "interiorFiles" as field, int(index), *_):
            return Problem(Step.PHOTOS, text, draft.photo_of_file(_TYPES_BY_FIELD[field], index).id)
        case ("exteriorEnhancements" | "interiorEnhancements" as field, *_):
            return Problem(Step.ENHANCEMENTS, text, field=_TYPES_BY_FIELD[field])
    return _find_photo_place(draft, fault, text)


def _find_photo_place(draft: DraftOrder, fault: Fault, text: str) -> Problem:
    """The problem of a fault of a single photo, on that photo's page."""
    match fault.where:
        case ("photoConfigs", int(number), *_):
            photo, field = list_configured_photos(draft)[number][0], "enhancements"
        case ("virtualStaging", str(index), *_):
            photo, field = draft.photos_of(PhotoType.INTERIOR)[int(index)], "staging"
        case ("renovations", str(index)):
            photo, field = draft.photos_of(PhotoType.INTERIOR)[int(index)], "changes"
        case ("renovations", str(index), int(row), *rest):
            photo = draft.photos_of(PhotoType.INTERIOR)[int(index)]
            field = f"changes-{row}-{_CHANGE_FIELDS.get(str(next(iter(rest), '')), 'reference_text')}"
        case _:
            return Problem(Step.REVIEW, f"{path(fault.where)}: {text}")
    return Problem(Step.ENHANCEMENTS, text, photo.id, field)


def _find_message(fault: Fault) -> str:
    """The message for the fault, without names of API fields."""
    if fault.code is FaultCode.TOO_LONG:
        return message(fault)
    named = [FIELD_SENTENCES[part] for part in fault.where if part in FIELD_SENTENCES]
    sentence = named[-1] if named else SENTENCES.get(fault.code)
    return sentence.format(**fault.params) if sentence else message(fault)
