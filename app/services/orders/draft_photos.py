"""Photos of a draft: places are made for uploads and confirmed, photos are ordered, edited and deleted.

A photo that was removed by draft_removals does not count as the draft's until it is restored. Callers that change
anything have locked the draft, see drafts.get_open().
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import PurePosixPath

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.domain import limits
from app.domain.capture import Capture
from app.domain.drafts import DraftedFrame, DraftedPhoto, DraftOrder
from app.domain.errors import InvalidRequest, NotFound, require_found
from app.domain.ids import Prefix, is_id
from app.domain.ports import Storage
from app.models import Draft, DraftPhoto
from app.services.orders import draft_arrivals, drafts
from app.services.previews import previews
from app.services.uploads import bucket_uploads, quotas, uploads
from engine.types.edit_request import EditRequest
from engine.types.enhancements import PhotoType

MAX_FILE_NAME = 255
"""The maximum length of a customer's file name that is stored, in characters."""


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file that is about to be uploaded: a photo, or a reference picture, which shows how a renovation should
    look.

    `sha256` and `size_bytes` describe its content; None and 0 mean that the sender does not know them.
    `type_is_chosen` and `capture`: see DraftPhoto.
    """

    type: PhotoType
    file_name: str
    is_reference: bool = False
    sha256: str | None = None
    size_bytes: int = 0
    type_is_chosen: bool = False
    capture: Capture | None = None


def get_all(session: Session, draft: Draft) -> list[DraftPhoto]:
    """All uploaded files of the draft, photos and reference pictures, in their order and in one query."""
    mine = select(DraftPhoto).where(DraftPhoto.draft_id == draft.id, *drafts.ARRIVED)
    return list(session.scalars(mine.order_by(DraftPhoto.type, DraftPhoto.position, DraftPhoto.id)))


def as_draft_order(
    draft: Draft, rows: Sequence[DraftPhoto], *, imagery: bool, unsorted: Collection[str]
) -> DraftOrder:
    """The whole draft as the rules in app.domain take it, from the `rows` of get_all(). If the customer chose no
    service type, it follows from the types of the photos, except those in `unsorted` (by id, see draft_sorting).
    `imagery`: whether a source of public imagery is configured.
    """
    photos = [_as_drafted_photo(frames, frames[0].id not in unsorted) for frames in group_frames(rows)]
    return DraftOrder(
        session_id=draft.upload_session_id,
        content=drafts.content_of(draft).for_photos({photo.type for photo in photos if photo.is_sorted}),
        photos=photos,
        references={row.id: row.storage_key for row in rows if row.is_reference},
        imagery=imagery,
    )


def group_frames(rows: Iterable[DraftPhoto]) -> list[list[DraftPhoto]]:
    """Group the files by photo, in the order of `rows`, without reference pictures."""
    photos: dict[tuple[PhotoType, str], list[DraftPhoto]] = {}
    for row in rows:
        if not row.is_reference:
            photos.setdefault((row.type, row.group_id or row.id), []).append(row)
    return list(photos.values())


def add_photos(
    session: Session,
    draft: Draft,
    files: Sequence[NewFile],
    now: datetime,
    under_way: timedelta = draft_arrivals.UNDER_WAY,
) -> list[DraftPhoto]:
    """Make a place for the upload of each file, in the order of `files`. `under_way`: how long the uploads count as
    under way until a page reports them.

    Raises InvalidRequest when the draft would have more than MAX_DRAFT_FILES photos, and the exceptions of
    uploads.add_slots().
    """
    if photos := sum(not file.is_reference for file in files):
        _require_free_places(session, draft, photos)
    made = {kind: iter(_make_rows(session, draft, kind, files, now, now + under_way)) for kind in PhotoType}
    rows = [next(made[file.type]) for file in files]
    for position, row in enumerate(rows, next_position(session, draft)):
        row.position = position
    session.add_all(rows)
    session.flush()
    return rows


def confirm(session: Session, storage: Storage, draft: Draft, photo_id: str, now: datetime) -> DraftPhoto:
    """Record that the file was uploaded: from now on it belongs to the draft. Harmless to repeat.

    Raises InvalidRequest when the file is not in the store or the draft has MAX_DRAFT_FILES photos already, and
    NotFound for ids that are not the draft's.
    """
    photo = get(session, draft, photo_id)
    if photo.uploaded_at is None:
        stored = storage.stat(photo.storage_key)
        if stored is None:
            raise InvalidRequest({"file": "Nothing has arrived yet. Send the file again."})
        if not photo.is_reference:
            _require_free_places(session, draft, 1)
        photo.size_bytes, photo.uploaded_at = stored.size_bytes, now
        previews.request(session, photo.storage_key, uploads.prefix(draft.upload_session_id), now)
        draft.updated_at = now
        if photo.group_id is not None:
            _join_frames(session, photo)
    return photo


def _join_frames(session: Session, photo: DraftPhoto) -> None:
    """Let a frame that has arrived follow the first frame of its photo that is there. That first frame has the
    photo's id, type and edit request.
    """
    mine = select(DraftPhoto).where(
        DraftPhoto.draft_id == photo.draft_id, DraftPhoto.group_id == photo.group_id, DraftPhoto.id != photo.id
    )
    frames = session.scalars(mine.where(*drafts.ARRIVED).order_by(DraftPhoto.position, DraftPhoto.id))
    first = frames.first()
    if first is None:
        return
    photo.type, photo.type_is_chosen = first.type, first.type_is_chosen
    photo.position = max(photo.position, first.position + 1)


def get(session: Session, draft: Draft, photo_id: str) -> DraftPhoto:
    """One file of the draft. Raises NotFound, also for a file that was removed."""
    mine = select(DraftPhoto).where(
        DraftPhoto.id == photo_id, DraftPhoto.draft_id == draft.id, DraftPhoto.removed_at.is_(None)
    )
    return require_found(session.scalar(mine) if is_id(photo_id, Prefix.DRAFT_PHOTO) else None)


def arrange(session: Session, draft: Draft, photo_ids: Sequence[str], now: datetime) -> None:
    """Put these photos in this order, before all others of their type. A photo that has frames is named by its
    first frame, and all its frames move. Raises NotFound for ids that are not the draft's.
    """
    mine = select(DraftPhoto).where(
        DraftPhoto.draft_id == draft.id, ~DraftPhoto.is_reference, DraftPhoto.removed_at.is_(None)
    )
    rows = list(session.scalars(mine.order_by(DraftPhoto.position, DraftPhoto.id)))
    if not {each.id for each in rows}.issuperset(photo_ids):
        raise NotFound
    places = {photo_id: place for place, photo_id in enumerate(photo_ids)}
    photos = sorted(group_frames(rows), key=lambda frames: places.get(frames[0].id, len(places)))
    for position, frame in enumerate(frame for frames in photos for frame in frames):
        frame.position = position
    drafts.touch(session, draft, now)


def erase(session: Session, storage: Storage, draft: Draft, photo: DraftPhoto) -> None:
    """Delete a file of the draft, removed before or not, with its previews; its bytes no longer count."""
    uploads.lock_open(session, draft.upload_session_id)
    size_bytes = quotas.uncount(session, photo.storage_key)
    if size_bytes is None and (stored := storage.stat(photo.storage_key)) is not None:
        size_bytes = stored.size_bytes
    if size_bytes:
        quotas.release(session, draft.upload_session_id, size_bytes)
    session.delete(photo)
    previews.forget_file(session, photo.storage_key)
    session.flush()
    incoming = () if storage.direct_origin is None else (bucket_uploads.incoming_key(photo.storage_key),)
    for key in (photo.storage_key, *incoming, *previews.list_keys(photo.storage_key)):
        storage.delete(key)


def write(
    session: Session,
    draft: Draft,
    photo_id: str,
    edit_request: EditRequest,
    now: datetime,
    seen: str | None = None,
) -> bool:
    """Store the photo's edit request. `seen`: the mark of the edit request that the customer was shown; None
    replaces any edit request.

    Returns False, with nothing changed, when another edit request was stored meanwhile, for instance from another
    browser tab. Raises NotFound for a photo or a reference picture that is not the draft's.
    """
    photo = get(session, draft, photo_id)
    _require_references(session, draft, edit_request)
    if photo.edit_request != edit_request and seen is not None and seen != photo.edit_request.mark:
        return False
    photo.edit_request = edit_request
    drafts.touch(session, draft, now)
    return True


def copy_edit_request(session: Session, draft: Draft, photo_id: str, to_ids: Sequence[str], now: datetime) -> int:
    """Copy the photo's edit request to these other photos of its type, which keep their own hints; returns the
    number of changed photos. Raises NotFound for ids that are not the draft's.
    """
    photo = get(session, draft, photo_id)
    others = [get(session, draft, each) for each in dict.fromkeys(to_ids)]
    fitting = [each for each in others if each.type is photo.type and not each.is_reference and each is not photo]
    for each in fitting:
        each.edit_request = replace(photo.edit_request, hints=each.edit_request.hints)
    drafts.touch(session, draft, now)
    return len(fitting)


def plain_name(file_name: str) -> str:
    """The customer's own name of a file, without folders and unprintable characters; the start of a long name is
    cut.
    """
    name = PurePosixPath(file_name.replace("\\", "/")).name
    return "".join(each for each in name if each.isprintable())[-MAX_FILE_NAME:].strip()


def _make_rows(
    session: Session,
    draft: Draft,
    kind: PhotoType,
    files: Sequence[NewFile],
    now: datetime,
    expected_until: datetime,
) -> list[DraftPhoto]:
    files_of_kind = [file for file in files if file.type is kind]
    if not files_of_kind:
        return []
    slots = uploads.add_slots(session, draft.upload_session_id, kind, len(files_of_kind))
    return [
        DraftPhoto(
            draft_id=draft.id,
            type=kind,
            is_reference=file.is_reference,
            file_name=plain_name(file.file_name) or f"{kind}-{slot.index + 1}",
            storage_key=slot.key,
            size_bytes=file.size_bytes,
            sha256=file.sha256,
            type_is_chosen=file.type_is_chosen,
            capture=file.capture and file.capture.model_dump(mode="json"),
            created_at=now,
            expected_until=expected_until,
        )
        for file, slot in zip(files_of_kind, slots, strict=True)
    ]


def count_free_places(session: Session, draft: Draft) -> int:
    """How many more photos the draft may have."""
    conditions = (DraftPhoto.draft_id == draft.id, *drafts.ARRIVED, ~DraftPhoto.is_reference)
    return max(0, limits.MAX_DRAFT_FILES - (session.scalar(select(func.count()).where(*conditions)) or 0))


def _require_free_places(session: Session, draft: Draft, count: int) -> None:
    left = count_free_places(session, draft)
    if count > left:
        advice = f"there is room for {left} more" if left else "remove one to add another"
        raise InvalidRequest({"photos": f"{limits.MAX_DRAFT_FILES} photos are taken at a time; {advice}."})


def next_position(session: Session, draft: Draft) -> int:
    """The position after the last photo of either type, so that photos keep the order in which they were added when
    they turn out to have the other type.
    """
    last = select(func.max(DraftPhoto.position)).where(DraftPhoto.draft_id == draft.id)
    found = session.scalar(last)
    return 0 if found is None else found + 1


def _require_references(session: Session, draft: Draft, edit_request: EditRequest) -> None:
    ids = {each for change in edit_request.changes for each in change.reference_images}
    if ids:
        mine = select(DraftPhoto.id).where(DraftPhoto.draft_id == draft.id, DraftPhoto.is_reference)
        if not ids <= set(session.scalars(mine)):
            raise NotFound


def _as_drafted_photo(frames: Sequence[DraftPhoto], is_sorted: bool) -> DraftedPhoto:
    first = frames[0]
    photo = DraftedPhoto(first.id, first.type, first.file_name, first.storage_key, first.edit_request)
    photo = replace(photo, is_sorted=is_sorted)
    if len(frames) == 1:
        return photo
    drafted_frames = tuple(DraftedFrame(each.id, each.file_name, each.storage_key) for each in frames)
    return replace(photo, frames=drafted_frames, group_id=first.group_id)
