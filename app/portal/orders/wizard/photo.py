"""The page of one photo: its enhancements, its furniture, and its renovations."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.domain import limits
from app.domain.amounts import counted
from app.domain.drafts import Step
from app.domain.errors import InvalidFields, InvalidRequest, Refusal
from app.domain.orders import MIN_DESCRIPTION
from app.models import DraftPhoto
from app.portal.orders.wizard.enhancements import GROUPS, describe_excluded, find_barred_here
from app.portal.orders.wizard.forecasts import ask_for_forecasts
from app.portal.orders.wizard.photo_form import PhotoForm, name_field, picture_field
from app.portal.orders.wizard.steps import (
    blueprint,
    find_photo,
    is_leaving,
    leave_wizard,
    list_problems,
    page,
    pressed_button,
    redirect_to_problem,
    reload_page,
    render_step,
)
from app.portal.orders.wizard.uploads import explain_refusal, receive
from app.portal.visitors import require_visitor, visitor
from app.services.orders import draft_photos, drafts
from app.services.orders.draft_photos import NewFile
from app.web.bodies import accept_body
from app.web.context import container
from app.web.fault_messages import message
from app.web.file_forms import read_form
from app.web.form_parts import FilePart
from engine.types.edit_request import MAX_CHANGES, MAX_REFERENCE_IMAGES, EditRequest
from engine.types.enhancements import ChangeType, PhotoType, RoomType, Style

_PICTURE_FIELDS = frozenset(map(picture_field, range(MAX_CHANGES)))
_REMOVE_CHANGE = re.compile(r"remove-change-(\d{1,3})")
_REMOVE_PICTURE = re.compile(r"remove-picture-(\d{1,3})-(\w{1,40})")
TOO_MANY = f"At most {MAX_REFERENCE_IMAGES} pictures show one change."
ADD, COPY, NEXT, PREVIOUS = "add-change", "copy", "next", "previous"


@blueprint.get("/<draft_id>/photos/<photo_id>")
def photo(photo_id: str) -> ResponseReturnValue:
    """The form of the photo; redirects where an earlier page is not complete, or the photo is not sorted."""
    row = find_photo(photo_id)
    return redirect_to_problem(Step.ENHANCEMENTS) or redirect_unsorted(row) or _page(row, _fill_form(row))


@blueprint.post("/<draft_id>/photos/<photo_id>")
@accept_body(MAX_CHANGES * MAX_REFERENCE_IMAGES * limits.MAX_FILE_BYTES, require_visitor)
def save_photo(photo_id: str) -> ResponseReturnValue:
    """Save the form, complete or not; go on to another page only if nothing is missing."""
    row = find_photo(photo_id)
    if redirection := redirect_unsorted(row):
        return redirection
    form, faults = _read_form()
    dropped = form.drop_excluded(_fill_form(row).enhancements.data or [])
    try:
        # The form has no field for hints: the photo keeps its hints.
        kept = _save(row, replace(form.edit_request(), hints=row.edit_request.hints))
    except InvalidFields as refusal:
        return _page(row, form, 422, {**_map_faults_to_fields(refusal), **faults})
    if not kept:
        return _page(row, form, 409)
    if dropped:
        flash(f"Saved.{describe_excluded(dropped)}")
    if _is_staying() and not faults:
        return redirect(url_for("drafts.photo", photo_id=photo_id, _anchor=_find_anchor(form)), 303)
    if not (is_leaving() or _is_staying()):
        faults = {**_list_missing(photo_id), **faults}
    if faults:
        return _page(page().rows[photo_id], _fill_form(page().rows[photo_id]), 422, faults)
    return _redirect_to_next(row)


def redirect_unsorted(row: DraftPhoto) -> ResponseReturnValue | None:
    """A redirect to the board for a photo that is not sorted, because its form depends on its type."""
    if row.id not in page().sorting.unsorted:
        return None
    flash(f"Sort {row.file_name} first: choose Interior or Exterior.")
    return redirect(url_for("board.show", _anchor=f"photo-{row.id}"), 303)


def _fill_form(row: DraftPhoto) -> PhotoForm:
    return PhotoForm.of(row.edit_request, page().content.enhancements_for(row.type))


def _read_form() -> tuple[PhotoForm, dict[str, str]]:
    """Read the form: store its files and apply its button. Also returns why files were refused, by field."""
    faults: dict[str, str] = {}
    added: dict[str, list[str]] = {}

    def take(part: FilePart) -> None:
        if part.name not in _PICTURE_FIELDS:
            return
        ids_of_field = added.setdefault(part.name, [])
        try:
            if len(ids_of_field) >= MAX_REFERENCE_IMAGES:
                raise InvalidRequest({"file": TOO_MANY})
            ids_of_field.append(receive(part, NewFile(PhotoType.INTERIOR, part.file_name, True)).id)
        except Refusal as refusal:
            name = draft_photos.plain_name(part.file_name) or "A file"
            faults[part.name] = f"{name}: {explain_refusal(refusal)}"

    read_form(take)
    form = PhotoForm.sent()
    rows = form.rows()
    for place, row in enumerate(rows):
        present, ids = row["reference_ids"], added.get(picture_field(place), [])
        if ids and len(present) + len(ids) > MAX_REFERENCE_IMAGES:
            faults[picture_field(place)] = TOO_MANY
        present += ids[: max(0, MAX_REFERENCE_IMAGES - len(present))]
    form.fill_changes(_apply_button(rows))
    return form, faults


def _apply_button(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Apply the pressed button to the changes; empty changes are dropped when the page is left."""
    if (found := _REMOVE_CHANGE.fullmatch(pressed_button())) and int(found[1]) < len(rows):
        del rows[int(found[1])]
    elif (found := _REMOVE_PICTURE.fullmatch(pressed_button())) and int(found[1]) < len(rows):
        ids = rows[int(found[1])]["reference_ids"]
        ids[:] = [each for each in ids if each != found[2]]
    elif pressed_button() == ADD and len(rows) < MAX_CHANGES:
        rows.append({"change_type": "", "description": "", "reference_text": "", "reference_ids": []})
    return rows if _is_staying() else [row for row in rows if any(row.values())]


def _save(row: DraftPhoto, edit_request: EditRequest) -> bool:
    here = container()
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, row.draft_id)
        kept = draft_photos.write(session, draft, row.id, edit_request, here.clock(), request.form.get("seen", ""))
        if kept and pressed_button() == COPY:
            count = draft_photos.copy_edit_request(session, draft, row.id, request.form.getlist("to"), here.clock())
            flash(f"Copied to {counted(count, 'photo')}.")
    reload_page()
    return kept


def _is_staying() -> bool:
    return pressed_button() in (ADD, COPY) or pressed_button().startswith("remove-")


def _find_anchor(form: PhotoForm) -> str:
    """The place on the page to return to: the new change, or the change before the removed one."""
    if pressed_button() == ADD:
        return f"changes-{len(form.changes) - 1}-change_type"
    if found := _REMOVE_CHANGE.fullmatch(pressed_button()):
        place = min(int(found[1]), len(form.changes)) - 1
        return f"changes-{place}-change_type" if place >= 0 else "add-change"
    return "copy" if pressed_button() == COPY else "changes"


def _list_missing(photo_id: str) -> dict[str, str]:
    return {
        problem.field: problem.message
        for problem in list_problems(Step.ENHANCEMENTS)
        if problem.photo_id == photo_id
    }


def _map_faults_to_fields(refusal: InvalidFields) -> dict[str, str]:
    """Messages by form field; `("changes", 1, "change_description")` is the field `changes-1-description`."""
    return {name_field(fault.where): message(fault) for fault in refusal.faults}


def _redirect_to_next(row: DraftPhoto) -> ResponseReturnValue:
    neighbor = _find_neighbors(row).get(pressed_button())
    if neighbor is not None:
        return redirect(url_for("drafts.photo", photo_id=neighbor.id), 303)
    if is_leaving():
        return leave_wizard()
    return redirect(url_for("board.show", _anchor=f"photo-{row.id}"), 303)


def _find_neighbors(row: DraftPhoto) -> Mapping[str, DraftPhoto | None]:
    order = page().order
    ids = [photo.id for photo_type in PhotoType for photo in order.photos_of(photo_type)]
    if row.id not in ids:
        return {}
    place = ids.index(row.id)
    previous_row = page().rows[ids[place - 1]] if place else None
    next_row = page().rows[ids[place + 1]] if place + 1 < len(ids) else None
    return {PREVIOUS: previous_row, NEXT: next_row}


def _page(
    row: DraftPhoto, form: PhotoForm, http_status: int = 200, faults: Mapping[str, str] | None = None
) -> ResponseReturnValue:
    choices: dict[str, Any] = {"styles": list(Style), "rooms": list(RoomType), "change_types": list(ChangeType)}
    limits_of_form = {
        "min_description": MIN_DESCRIPTION,
        "max_pictures": MAX_REFERENCE_IMAGES,
        "max_changes": MAX_CHANGES,
    }
    others = [each for each in page().photos(row.type) if each.id != row.id]
    change_count = len(form.changes)
    if not change_count:
        form.changes.append_entry()
    ask_for_forecasts()
    return render_step(
        Step.ENHANCEMENTS,
        "photo",
        http_status,
        photo=row,
        form=form,
        change_count=change_count,
        seen=page().rows[row.id].edit_request.mark,
        wrong=faults or {},
        barred=find_barred_here(),
        entries_of_type=GROUPS[row.type],
        shared=page().content.enhancements_for(row.type),
        others=others,
        neighbors=_find_neighbors(row),
        back_url=url_for("board.show", _anchor=f"photo-{row.id}"),
        **choices,
        **limits_of_form,
    )
