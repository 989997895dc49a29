"""What is done to many photos of a draft at once: their type, effects, furnishing, renovations and order.

The caller holds the draft, see drafts.get_open(). Each act leaves photos that it does not fit as they are, says
how many it changed, and raises NotFound, with nothing changed, where an id is not the draft's.
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
    """Say what the photos show; a guess passes over those whose type was said before, and no guess changes it from
    then on. Their files stay where they are: what a file of a draft shows its row says, not its place in the store.
    Effects of the other type go.
    """
    photos = find(session, draft, photo_ids)
    following = draft_photos.next_position(session, draft, photo_type)
    open_ones = [frames for frames in photos if not (is_guess and frames[0].type_is_chosen)]
    moved = [frames for frames in open_ones if frames[0].type is not photo_type]
    for photo in (frame for frames in open_ones for frame in frames):
        photo.type_is_chosen = photo.type_is_chosen or not is_guess
    for place, photo in enumerate(frame for frames in moved for frame in frames):
        photo.type, photo.position = photo_type, following + place
        photo.edit_request = _fitting(photo.edit_request, photo_type)
    drafts.touch(session, draft, now)
    return len(moved)


def add_enhancements(
    session: Session, draft: Draft, photo_ids: Sequence[str], enhancements: Sequence[Enhancement], now: datetime
) -> int:
    """Let these be done to the photos beside what is done to them already."""

    def add(photo: DraftPhoto, request: EditRequest) -> EditRequest:
        fitting = [each for each in enhancements if ENTRIES[each].group is photo.type]
        return _with(request, [*request.steps, *fitting]) if fitting else request

    return _change(session, draft, photo_ids, add, now)


def drop_enhancements(
    session: Session, draft: Draft, photo_ids: Sequence[str], enhancements: Iterable[Enhancement], now: datetime
) -> int:
    """Let these not be done to the photos."""
    gone = set(enhancements)
    return _change(
        session,
        draft,
        photo_ids,
        lambda _photo, request: _with(request, [each for each in request.steps if each not in gone]),
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
    """Let the rooms be furnished so; what is None stays as each photo has it. What is not chosen yet is chosen."""

    def stage(photo: DraftPhoto, request: EditRequest) -> EditRequest:
        if photo.type is not PhotoType.INTERIOR:
            return request
        before = request.staging or Staging()
        staging = Staging(style=style or before.style, room_type=room_type or before.room_type)
        return replace(_with(request, [*request.steps, Enhancement.STAGING]), staging=staging)

    return _change(session, draft, photo_ids, stage, now)


def add_change(
    session: Session, draft: Draft, photo_ids: Sequence[str], change: RenovationChange, now: datetime
) -> int:
    """Let this be renovated in the rooms, beside what is renovated already."""

    def renovate(photo: DraftPhoto, request: EditRequest) -> EditRequest:
        if photo.type is not PhotoType.INTERIOR or len(request.changes) >= MAX_CHANGES:
            return request
        changes = (*(each for each in request.changes if each != RenovationChange()), change)
        return replace(_with(request, [*request.steps, Enhancement.RENOVATION]), changes=changes)

    return _change(session, draft, photo_ids, renovate, now)


def follow_all(session: Session, draft: Draft, photo_ids: Sequence[str], now: datetime) -> int:
    """Let the photos have the list that is chosen for all of their type, whatever follows."""
    firsts = [frames[0] for frames in find(session, draft, photo_ids)]
    photos = [each for each in firsts if each.edit_request.enhancements is not None]
    for photo in photos:
        photo.edit_request = replace(photo.edit_request, enhancements=None)
    drafts.touch(session, draft, now)
    return len(photos)


def move(session: Session, draft: Draft, photo_ids: Sequence[str], by: int, now: datetime) -> int:
    """Put each photo one place later, or earlier below 0, among those of its type; never past the ends."""
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
    """The files of each of these photos, in their order. Raises NotFound for others' ids, for those of reference
    pictures, of frames other than the first, and of what was taken out.
    """
    wanted = set(photo_ids)
    photos = draft_photos.group_frames(draft_photos.get_all(session, draft))
    found = [frames for frames in photos if frames[0].id in wanted]
    if len(found) != len(wanted):
        raise NotFound
    return found


def _change(session: Session, draft: Draft, photo_ids: Sequence[str], change: Change, now: datetime) -> int:
    content, changed = drafts.content_of(draft), 0
    for photo in (frames[0] for frames in find(session, draft, photo_ids)):
        shared = tuple(content.enhancements_for(photo.type))
        before = photo.edit_request
        whole = before if before.enhancements is not None else replace(before, enhancements=shared)
        after = change(photo, whole)
        if after != whole:
            photo.edit_request, changed = after, changed + 1
    drafts.touch(session, draft, now)
    return changed


def _with(request: EditRequest, enhancements: Iterable[Enhancement]) -> EditRequest:
    return replace(request, enhancements=tuple(in_pipeline_order(enhancements)))


def _fitting(request: EditRequest, photo_type: PhotoType) -> EditRequest:
    """The same without the effects of the other type; without any left, the list of all of the type."""
    if request.enhancements is None:
        return request
    fitting = tuple(each for each in request.enhancements if ENTRIES[each].group is photo_type)
    return replace(request, enhancements=fitting or None)


def _moved(ids: list[str], chosen: set[str], by: int) -> list[str]:
    """The ids with each chosen one moved by one place; those that stand together stay together."""
    ids = ids if by < 0 else ids[::-1]
    for at in range(1, len(ids)):
        if ids[at] in chosen and ids[at - 1] not in chosen:
            ids[at - 1], ids[at] = ids[at], ids[at - 1]
    return ids if by < 0 else ids[::-1]
