"""Changes to many photos of a draft at once: their type, enhancements, furniture, renovations and order.

The caller has locked the draft, see drafts.get_open(). Each function skips photos to which the change does not
apply, returns how many it changed, and raises NotFound, with nothing changed, for an id that is not the draft's. An
enhancement for only one photo type is not added to photos that are not sorted, because they may turn out to have
the other type.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain

from sqlalchemy.orm import Session

from app.domain.catalog import ENTRIES, keep_compatible
from app.domain.errors import NotFound
from app.models import Draft, DraftPhoto
from app.services.orders import draft_photos, draft_sorting, drafts
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
    """Set the type of the photos, move them behind the photos that have the type already, and remove enhancements
    of the other type. With `is_guess`, photos whose type the customer chose are skipped, and the others keep their
    place in the order in which they were added.

    The files keep their storage keys. So the row, not the key, shows the type of a draft's photo.
    """
    photos = find(session, draft, photo_ids)
    first_position = draft_photos.next_position(session, draft)
    if is_guess:
        photos = [frames for frames in photos if not any(frame.type_is_chosen for frame in frames)]
    else:
        for frame in chain.from_iterable(photos):
            frame.type_is_chosen = True
    changed = [frames for frames in photos if frames[0].type is not photo_type]
    for position, frame in enumerate(chain.from_iterable(changed), first_position):
        frame.type, frame.position = photo_type, frame.position if is_guess else position
        frame.edit_request = fit_to_type(frame.edit_request, photo_type)
    drafts.touch(session, draft, now)
    return len(changed)


def apply_guesses(session: Session, draft: Draft, now: datetime) -> None:
    """Set the types that workers found, for photos that the customer did not sort."""
    guesses = draft_sorting.read(session, draft_photos.get_all(session, draft)).guesses
    for kind in PhotoType:
        ids = [photo_id for photo_id, found in guesses.items() if found is kind]
        if ids:
            set_type(session, draft, ids, kind, now, is_guess=True)


def add_enhancements(
    session: Session, draft: Draft, photo_ids: Sequence[str], enhancements: Sequence[Enhancement], now: datetime
) -> int:
    """Add these enhancements to the photos: to each photo those of its type, in place of enhancements that they
    exclude.
    """

    def add(photo: DraftPhoto, request: EditRequest) -> EditRequest:
        fitting = [each for each in enhancements if ENTRIES[each].group is photo.type]
        present = request.steps
        return _with_enhancements(request, keep_compatible([*present, *fitting], present)) if fitting else request

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
        lambda _photo, request: _with_enhancements(
            request, [each for each in request.steps if each not in dropped]
        ),
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
    """Set style and room type of the virtual staging; with None, each photo keeps its own. Interior photos without
    staging get it.
    """

    def stage(photo: DraftPhoto, request: EditRequest) -> EditRequest:
        if photo.type is not PhotoType.INTERIOR:
            return request
        present = request.staging or Staging()
        staging = Staging(style=style or present.style, room_type=room_type or present.room_type)
        return replace(_with_enhancements(request, [*request.steps, Enhancement.STAGING]), staging=staging)

    return _change(session, draft, photo_ids, stage, now)


def add_change(
    session: Session, draft: Draft, photo_ids: Sequence[str], change: RenovationChange, now: datetime
) -> int:
    """Add this renovation change to interior photos that have fewer than MAX_CHANGES. Empty changes do not count
    and are removed.
    """

    def renovate(photo: DraftPhoto, request: EditRequest) -> EditRequest:
        changes = tuple(each for each in request.changes if each != RenovationChange())
        if photo.type is not PhotoType.INTERIOR or len(changes) >= MAX_CHANGES:
            return request
        return replace(
            _with_enhancements(request, [*request.steps, Enhancement.RENOVATION]), changes=(*changes, change)
        )

    return _change(session, draft, photo_ids, renovate, now)


def use_shared_enhancements(session: Session, draft: Draft, photo_ids: Sequence[str], now: datetime) -> int:
    """Use the draft's list of enhancements for these photos again, in place of their own lists."""
    firsts = [frames[0] for frames in find(session, draft, photo_ids)]
    photos = [each for each in firsts if each.edit_request.enhancements is not None]
    for photo in photos:
        photo.edit_request = replace(photo.edit_request, enhancements=None)
    drafts.touch(session, draft, now)
    return len(photos)


def move(session: Session, draft: Draft, photo_ids: Sequence[str], by: int, now: datetime) -> int:
    """Move each photo by one place among the photos of its type: toward the start if `by` is negative, else toward
    the end.
    """
    chosen = {frames[0].id for frames in find(session, draft, photo_ids)}
    photos = [frames[0] for frames in draft_photos.group_frames(draft_photos.get_all(session, draft))]
    ids: list[str] = []
    for kind in PhotoType:
        ids += _move_ids([photo.id for photo in photos if photo.type is kind], chosen, by)
    draft_photos.arrange(session, draft, ids, now)
    return len(chosen)


def fit_to_type(request: EditRequest, photo_type: PhotoType) -> EditRequest:
    """The edit request without enhancements of the other type; if none remain, the photo uses the draft's list."""
    if request.enhancements is None:
        return request
    fitting = tuple(each for each in request.enhancements if ENTRIES[each].group is photo_type)
    return replace(request, enhancements=fitting or None)


def find(session: Session, draft: Draft, photo_ids: Sequence[str]) -> list[list[DraftPhoto]]:
    """The files of each of these photos, in the draft's order. Raises NotFound for ids that are not the draft's,
    and for reference pictures, frames other than the first, and files that were removed.
    """
    wanted = set(photo_ids)
    photos = draft_photos.group_frames(draft_photos.get_all(session, draft))
    found = [frames for frames in photos if frames[0].id in wanted]
    if len(found) != len(wanted):
        raise NotFound
    return found


def _change(session: Session, draft: Draft, photo_ids: Sequence[str], change: Change, now: datetime) -> int:
    """Apply `change` to the edit request of each photo that is sorted. A photo without a list of enhancements of
    its own first gets the draft's list for its type.
    """
    content, changed = drafts.content_of(draft), 0
    photos = find(session, draft, photo_ids)
    unsorted = draft_sorting.read(session, list(chain.from_iterable(photos))).unsorted
    for photo in (frames[0] for frames in photos if frames[0].id not in unsorted):
        shared = tuple(content.enhancements_for(photo.type))
        request = photo.edit_request
        resolved = request if request.enhancements is not None else replace(request, enhancements=shared)
        new_request = change(photo, resolved)
        if new_request != resolved:
            photo.edit_request, changed = new_request, changed + 1
    drafts.touch(session, draft, now)
    return changed


def _with_enhancements(request: EditRequest, enhancements: Iterable[Enhancement]) -> EditRequest:
    return replace(request, enhancements=tuple(in_pipeline_order(enhancements)))


def _move_ids(ids: list[str], chosen: set[str], by: int) -> list[str]:
    """The ids with each chosen one moved by one place; chosen neighbors stay together."""
    ids = ids if by < 0 else ids[::-1]
    for index in range(1, len(ids)):
        if ids[index] in chosen and ids[index - 1] not in chosen:
            ids[index - 1], ids[index] = ids[index], ids[index - 1]
    return ids if by < 0 else ids[::-1]
