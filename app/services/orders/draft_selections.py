"""Changes to many photos of a draft at once: their type, effects, furnishing, renovations and order.

The caller has locked the draft, see drafts.get_open(). Each function skips photos that the change does not fit,
returns how many it changed, and raises NotFound, with nothing changed, for an id that is not the draft's.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy.orm import Session

from app.domain.catalog import ENTRIES
from app.domain.errors import NotFound
from app.models import Draft, DraftPhoto
from app.services.orders import draft_photos, drafts
from engine.types.edit_request import MAX_CHANGES, EditRequest, RenovationChange, Staging
from engine.types.enhancements import Enhancement, PhotoType, RoomType, Style, in_pipeline_order

Change = Callable[[DraftPhoto, EditRequest], EditRequest]


def set_type(
    session: Session,
    draft: Draft,
    photo_ids: Sequence[str],
    photo_type: PhotoType,
    now: datetime,
    *,
    is_guess: bool = False,
) -> int:
    """Set the type of the photos. A guess (`is_guess`) skips photos whose type was chosen before; a chosen type is
    never replaced by a later guess. Effects of the other type are dropped.

    The files keep their keys, so the type of a draft's file is in its row, not in its key.
    """
    photos = find(session, draft, photo_ids)
    first_position = draft_photos.next_position(session, draft, photo_type)
    changeable = [frames for frames in photos if not (is_guess and frames[0].type_is_chosen)]
    moved = [frames for frames in changeable if frames[0].type is not photo_type]
    for photo in (frame for frames in changeable for frame in frames):
        photo.type_is_chosen = photo.type_is_chosen or not is_guess
    for place, photo in enumerate(frame for frames in moved for frame in frames):
        photo.type, photo.position = photo_type, first_position + place
        photo.edit_request = _fitting(photo.edit_request, photo_type)
    drafts.touch(session, draft, now)
    return len(moved)


def add_enhancements(
    session: Session, draft: Draft, photo_ids: Sequence[str], enhancements: Sequence[Enhancement], now: datetime
) -> int:
    """Add these enhancements to those that the photos have already."""

    def add(photo: DraftPhoto, request: EditRequest) -> EditRequest:
        fitting = [each for each in enhancements if ENTRIES[each].group is photo.type]
        return _with(request, [*request.steps, *fitting]) if fitting else request

    return _change(session, draft, photo_ids, add, now)


def drop_enhancements(
    session: Session, draft: Draft, photo_ids: Sequence[str], enhancements: Iterable[Enhancement], now: datetime
) -> int:
    """Remove these enhancements from the photos."""
    dropped = set(enhancements)
    return _change(
        session,
        draft,
        photo_ids,
        lambda _photo, request: _with(request, [each for each in request.steps if each not in dropped]),
        now,
    )


def furnish(
    session: Session,
    draft: Draft,
    photo_ids: Sequence[str],
    style: Style | None,
    room_type: RoomType | None,
    now: datetime,
) -> int:
    """Set style and room type of the virtual staging; None keeps what each photo has. Photos without staging get
    it.
    """

    def stage(photo: DraftPhoto, request: EditRequest) -> EditRequest:
        if photo.type is not PhotoType.INTERIOR:
            return request
        present = request.staging or Staging()
        staging = Staging(style=style or present.style, room_type=room_type or present.room_type)
        return replace(_with(request, [*request.steps, Enhancement.STAGING]), staging=staging)

    return _change(session, draft, photo_ids, stage, now)


def add_change(
    session: Session, draft: Draft, photo_ids: Sequence[str], change: RenovationChange, now: datetime
) -> int:
    """Add this renovation change to interior photos that have fewer than MAX_CHANGES, in place of an empty
    change.
    """

    def renovate(photo: DraftPhoto, request: EditRequest) -> EditRequest:
        changes = tuple(each for each in request.changes if each != RenovationChange())
        if photo.type is not PhotoType.INTERIOR or len(changes) >= MAX_CHANGES:
            return request
        return replace(_with(request, [*request.steps, Enhancement.RENOVATION]), changes=(*changes, change))

    return _change(session, draft, photo_ids, renovate, now)


def use_shared_enhancements(session: Session, draft: Draft, photo_ids: Sequence[str], now: datetime) -> int:
    """Let the photos follow the list for all photos of their type again, also when it changes later."""
    firsts = [frames[0] for frames in find(session, draft, photo_ids)]
    photos = [each for each in firsts if each.edit_request.enhancements is not None]
    for photo in photos:
        photo.edit_request = replace(photo.edit_request, enhancements=None)
    drafts.touch(session, draft, now)
    return len(photos)


def move(session: Session, draft: Draft, photo_ids: Sequence[str], by: int, now: datetime) -> int:
    """Move each photo by one place among those of its type: earlier where `by` is negative, else later. None passes
    the ends.
    """
    chosen = {frames[0].id for frames in find(session, draft, photo_ids)}
    photos = [frames[0] for frames in draft_photos.group_frames(draft_photos.get_all(session, draft))]
    ids = [
        each
        for kind in PhotoType
        for each in _moved([photo.id for photo in photos if photo.type is kind], chosen, by)
    ]
    draft_photos.arrange(session, draft, ids, now)
    return len(chosen)


def find(session: Session, draft: Draft, photo_ids: Sequence[str]) -> list[list[DraftPhoto]]:
    """The files of each of these photos, in the draft's order. Raises NotFound for ids that are not the draft's,
    and for reference pictures, frames other than the first, and files that were taken out.
    """
    wanted = set(photo_ids)
    photos = draft_photos.group_frames(draft_photos.get_all(session, draft))
    found = [frames for frames in photos if frames[0].id in wanted]
    if len(found) != len(wanted):
        raise NotFound
    return found


def _change(session: Session, draft: Draft, photo_ids: Sequence[str], change: Change, now: datetime) -> int:
    """Apply `change` to each photo's edit request, in which the list of its type stands in for a list of
    its own.
    """
    content, changed = drafts.content_of(draft), 0
    for photo in (frames[0] for frames in find(session, draft, photo_ids)):
        shared = tuple(content.enhancements_for(photo.type))
        request = photo.edit_request
        resolved = request if request.enhancements is not None else replace(request, enhancements=shared)
        new_request = change(photo, resolved)
        if new_request != resolved:
            photo.edit_request, changed = new_request, changed + 1
    drafts.touch(session, draft, now)
    return changed


def _with(request: EditRequest, enhancements: Iterable[Enhancement]) -> EditRequest:
    return replace(request, enhancements=tuple(in_pipeline_order(enhancements)))


def _fitting(request: EditRequest, photo_type: PhotoType) -> EditRequest:
    """The request without the effects of the other type; where none is left, with the list for all of its type."""
    if request.enhancements is None:
        return request
    fitting = tuple(each for each in request.enhancements if ENTRIES[each].group is photo_type)
    return replace(request, enhancements=fitting or None)


def _moved(ids: list[str], chosen: set[str], by: int) -> list[str]:
    """The ids with each chosen one moved by one place; chosen neighbors stay together."""
    ids = ids if by < 0 else ids[::-1]
    for index in range(1, len(ids)):
        if ids[index] in chosen and ids[index - 1] not in chosen:
            ids[index - 1], ids[index] = ids[index], ids[index - 1]
    return ids if by < 0 else ids[::-1]
