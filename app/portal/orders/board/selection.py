"""Changes to the selected photos, each by one button; and restoring photos that were removed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from flask import request
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from app.domain.amounts import counted
from app.domain.catalog import ENTRIES
from app.domain.drafts import TypedChange, read
from app.domain.errors import InvalidRequest
from app.domain.orders import MIN_DESCRIPTION
from app.domain.renovation_words import names_look
from app.models import Draft
from app.portal.orders.board.page import answer, blueprint, refuse, render_board
from app.portal.orders.wizard.enhancements import read_preset
from app.portal.orders.wizard.steps import draft_id, reload_page, strip_unprintable
from app.portal.visitors import visitor
from app.services.orders import (
    draft_groups,
    draft_photos,
    draft_removals,
    draft_selections,
    draft_sorting,
    drafts,
)
from app.services.orders.draft_sorting import Unsorted
from app.web.context import container
from engine.types.enhancements import ChangeType, Enhancement, PhotoType, RoomType, Style

PHOTO, ACT = "photo", "do"
SORT = "sort"
"""The act that sorts the photos beside its buttons; the selection does not matter."""
NOTHING_SELECTED = "Select photos first."
NO_CHOICE = "Choose what to do from the list."
MENU_FIELDS: Mapping[str, Sequence[str]] = {
    "furnish": ("room_type", "style"),
    "renovate": ("change_type", "change_description", "reference_text"),
}
"""The fields in the menu of an act, by the act's name."""


@dataclass(frozen=True, slots=True)
class Selected:
    """The selected photos and their draft. `detail`: what follows the act's name and `-` in the button's value."""

    session: Session
    draft: Draft
    ids: Sequence[str]
    detail: str
    now: datetime


@blueprint.post("/<draft_id>/selection")
def change() -> ResponseReturnValue:
    """Apply the button's act to the selected photos, or to none of them if one is not in the draft."""
    ids = list(dict.fromkeys(request.form.getlist(PHOTO)))
    name, _, detail = request.form.get(ACT, "").partition("-")
    if name == SORT:
        return _sort(detail, ids)
    act, here = ACTS.get(name), container()
    if act is None:
        return refuse(NO_CHOICE, ids)
    if not ids:
        return _refuse(InvalidRequest({PHOTO: NOTHING_SELECTED}), name, ids)
    try:
        with here.database.unit_of_work() as session:
            draft = drafts.get_open(session, visitor().account_id, draft_id())
            message = act(Selected(session, draft, ids, detail, here.clock()))
    except InvalidRequest as refusal:
        reload_page()
        return _refuse(refusal, name, ids)
    reload_page()
    return answer(message, ids)


def _sort(detail: str, selected: Sequence[str]) -> ResponseReturnValue:
    """Set the type of one unsorted photo, or of all photos that the page showed as unsorted for one reason.
    `detail`: the type, and the photo's id or the reason.
    """
    kind, _, whose = detail.partition("-")
    if kind not in list(PhotoType):
        return refuse(NO_CHOICE, selected)
    here = container()
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, draft_id())
        # Some of them may have been sorted or removed meanwhile.
        unsorted = draft_sorting.read(session, draft_photos.get_all(session, draft)).unsorted
        shown = request.form.getlist(whose) if whose in list(Unsorted) else [whose]
        ids = [each for each in shown if each in unsorted or each == whose]
        draft_selections.set_type(session, draft, ids, PhotoType(kind), here.clock())
    reload_page()
    return answer(f"{counted(len(ids), 'photo')} sorted as {kind}.", selected)


@blueprint.post("/<draft_id>/undo")
def undo() -> ResponseReturnValue:
    """Restore photos that were removed."""
    ids, here = request.form.getlist(PHOTO), container()
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, draft_id())
        restored = draft_removals.restore(session, draft, ids, here.clock())
    reload_page()
    duplicates = f" {restored.duplicate_count} already here." if restored.duplicate_count else ""
    return answer(f"{counted(restored.count, 'photo')} restored.{duplicates}")


def _refuse(refusal: InvalidRequest, name: str, ids: Sequence[str]) -> ResponseReturnValue:
    """The board with the refusal; the menu of the act is open and filled in as it was."""
    details = refusal.details or {ACT: NO_CHOICE}
    fields = MENU_FIELDS.get(name, ())
    return render_board(
        422,
        selected=ids,
        faults=[(f"#{each if each in fields else 'photos'}", str(why)) for each, why in details.items()],
        open_menu=name,
        menu_faults=details,
        filled_in={each: strip_unprintable(request.form.get(each, "")) for each in fields},
    )


def _add(selected: Selected) -> str:
    wanted = _read_enhancements(selected.detail)
    count = draft_selections.add_enhancements(selected.session, selected.draft, selected.ids, wanted, selected.now)
    return _summarize(f"{_label(wanted)} added to", count, selected)


def _drop(selected: Selected) -> str:
    wanted = _read_enhancements(selected.detail)
    count = draft_selections.drop_enhancements(selected.session, selected.draft, selected.ids, wanted, selected.now)
    return _summarize(f"{_label(wanted)} removed from", count, selected)


def _follow(selected: Selected) -> str:
    count = draft_selections.use_shared_enhancements(selected.session, selected.draft, selected.ids, selected.now)
    return _summarize("Same as all others again:", count, selected)


def _furnish(selected: Selected) -> str:
    style, room = request.form.get("style", ""), request.form.get("room_type", "")
    if style not in ("", *Style) or room not in ("", *RoomType) or not (style or room):
        raise InvalidRequest({"room_type": "Choose a room, a style or both."})
    count = draft_selections.furnish(
        selected.session,
        selected.draft,
        selected.ids,
        Style(style) if style else None,
        RoomType(room) if room else None,
        selected.now,
    )
    return _summarize("Furnished as chosen:", count, selected)


def _renovate(selected: Selected) -> str:
    typed = {name: request.form.get(name, "") for name in MENU_FIELDS["renovate"]}
    faults = {}
    if typed["change_type"] not in list(ChangeType):
        faults["change_type"] = "Choose what to change."
        typed["change_type"] = ChangeType.OTHER
    new = read(TypedChange, typed).change
    if len(new.change_description) < MIN_DESCRIPTION:
        faults["change_description"] = f"Describe the new look in at least {MIN_DESCRIPTION} characters."
    elif not new.reference_text and not names_look(new.change_description):
        faults["reference_text"] = "Name the material or the color, or give a reference in words."
    if faults:
        raise InvalidRequest(faults)
    count = draft_selections.add_change(selected.session, selected.draft, selected.ids, new, selected.now)
    return _summarize("To be renovated:", count, selected)


def _set_type(selected: Selected) -> str:
    if selected.detail not in list(PhotoType):
        raise InvalidRequest({ACT: NO_CHOICE})
    kind = PhotoType(selected.detail)
    count = draft_selections.set_type(selected.session, selected.draft, selected.ids, kind, selected.now)
    return f"{counted(count, 'photo')} moved to {'exterior' if kind is PhotoType.EXTERIOR else 'interior'}."


def _move(selected: Selected) -> str:
    by = -1 if selected.detail == "earlier" else 1
    count = draft_selections.move(selected.session, selected.draft, selected.ids, by, selected.now)
    return f"{counted(count, 'photo')} moved {'earlier' if by < 0 else 'later'}."


def _merge(selected: Selected) -> str:
    draft_groups.merge(selected.session, selected.draft, selected.ids, selected.now)
    return "The selected photos are now frames of one photo."


def _split(selected: Selected) -> str:
    photos = draft_selections.find(selected.session, selected.draft, selected.ids)
    groups = [frames[0].group_id for frames in photos if frames[0].group_id]
    if not groups:
        raise InvalidRequest({PHOTO: "None of the selected photos is made of several frames."})
    count = draft_groups.split(selected.session, selected.draft, groups, selected.now)
    return f"{counted(count, 'photo')} split: each frame is now a separate photo."


def _remove(selected: Selected) -> str:
    count = draft_removals.remove(selected.session, selected.draft, selected.ids, selected.now)
    return f"Removed {counted(count, 'photo')}."


ACTS: Mapping[str, Callable[[Selected], str]] = {
    "add": _add,
    "drop": _drop,
    "follow": _follow,
    "furnish": _furnish,
    "renovate": _renovate,
    "type": _set_type,
    "move": _move,
    "merge": _merge,
    "split": _split,
    "remove": _remove,
}
"""The acts by their names, with which the values of their buttons begin."""


def _read_enhancements(detail: str) -> Sequence[Enhancement]:
    """Read an enhancement's id, or the number of a suggested combination. Raises InvalidRequest otherwise."""
    found = [Enhancement(detail)] if detail in list(Enhancement) else read_preset(detail)
    if not found:
        raise InvalidRequest({ACT: NO_CHOICE})
    return found


def _label(enhancements: Sequence[Enhancement]) -> str:
    return " and ".join(ENTRIES[each].label for each in enhancements)


def _summarize(what: str, count: int, selected: Selected) -> str:
    rows = draft_photos.get_all(selected.session, selected.draft)
    unchanged = len(selected.ids) - count
    unsorted = draft_sorting.read(selected.session, rows).unsorted.keys() & set(selected.ids)
    unsorted_count = min(unchanged, len(unsorted))
    rest = f" {unchanged - unsorted_count} did not change." if unchanged > unsorted_count else ""
    if unsorted_count:
        verb, whom = ("is", "it") if unsorted_count == 1 else ("are", "them")
        rest += f" {unsorted_count} {verb} not sorted yet: sort {whom} first, then choose this again."
    return f"{what} {counted(count, 'photo')}.{rest}"
