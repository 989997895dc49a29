"""Which stored pictures a visitor may see: customers see those of their own orders, staff see those of all
orders.
"""

from sqlalchemy import ColumnElement, Select, or_, select, true
from sqlalchemy.orm import Session

from app.domain.actors import Visitor
from app.domain.errors import NotFound, require_found
from app.domain.ids import Prefix, is_id
from app.domain.lifecycle import DOWNLOADABLE, SHOWABLE
from app.models import Draft, DraftPhoto, Job, Photo, Preview, Result, Revision, StoredOutlook, StoredPicture
from app.services.previews import previews
from engine.types.pictures import PreviewSize
from engine.types.report import Verdict


def find_draft_preview(session: Session, visitor: Visitor, draft_id: str, photo_id: str, size: PreviewSize) -> str:
    """The storage key of a draft photo's preview. Raises NotFound, also when the preview is not made (yet)."""
    _require_ids(draft_id, Prefix.DRAFT, photo_id, Prefix.DRAFT_PHOTO)
    query = _select_previews().join(DraftPhoto, DraftPhoto.storage_key == Preview.source_key).join(Draft)
    query = query.where(Draft.account_id == visitor.account_id, Draft.id == draft_id, DraftPhoto.id == photo_id)
    return previews.key_of(require_found(session.scalar(query)), size)


def find_original_preview(session: Session, visitor: Visitor, job_id: str, photo_id: str, size: PreviewSize) -> str:
    """The storage key of a preview of the photo that was ordered. Raises NotFound like find_draft_preview()."""
    _require_ids(job_id, Prefix.JOB, photo_id, Prefix.PHOTO)
    query = _select_previews().join(Photo, Photo.storage_key == Preview.source_key).join(Job)
    query = query.where(Job.id == job_id, Photo.id == photo_id, *_is_visible(visitor))
    return previews.key_of(require_found(session.scalar(query)), size)


def find_compared(
    session: Session, visitor: Visitor, job_id: str, photo_id: str
) -> tuple[str, StoredPicture | None]:
    """The storage key of the photo that was ordered, and the picture of its result, with which it is compared.
    Raises NotFound like find_draft_preview().
    """
    _require_ids(job_id, Prefix.JOB, photo_id, Prefix.PHOTO)
    query = select(Photo).join(Preview, Preview.source_key == Photo.storage_key).join(Job, Job.id == Photo.job_id)
    query = query.where(Preview.width.is_not(None), Job.id == job_id, Photo.id == photo_id, *_is_visible(visitor))
    photo = require_found(session.scalar(query))
    return photo.storage_key, photo.result.picture if photo.result else None


def find_result_preview(session: Session, visitor: Visitor, job_id: str, photo_id: str, size: PreviewSize) -> str:
    """The storage key of a result's preview. If the checks approved the result, customers see it at once; if a
    reviewer approved it, they see it once the whole order is decided.

    Raises NotFound like find_draft_preview().
    """
    _require_ids(job_id, Prefix.JOB, photo_id, Prefix.PHOTO)
    query = _select_previews().join(StoredPicture, StoredPicture.storage_key == Preview.source_key)
    query = query.join(Result, Result.picture_id == StoredPicture.id).join(Job, Job.id == Result.job_id)
    query = query.where(
        Job.id == job_id, Result.photo_id == photo_id, *_is_visible(visitor), *_is_released(visitor)
    )
    return previews.key_of(require_found(session.scalar(query)), size)


def get_layout(session: Session, visitor: Visitor, outlook_id: str) -> bytes:
    """The JPEG file of the furnished room of an outlook. Staff see those of ordered photos. Raises NotFound, also
    where no furniture was placed, or the picture is not rendered (yet).
    """
    if not is_id(outlook_id, Prefix.OUTLOOK):
        raise NotFound
    of_order = select(Photo.id).where(Photo.storage_key == StoredOutlook.source_key).exists()
    visible = StoredOutlook.account_id == visitor.account_id
    query = select(StoredOutlook.layout_preview).where(StoredOutlook.id == outlook_id)
    return require_found(session.scalar(query.where(or_(visible, of_order) if visitor.is_staff else visible)))


def find_round_preview(
    session: Session, visitor: Visitor, job_id: str, revision_id: str, size: PreviewSize, *, made: bool
) -> str:
    """The storage key of a preview of the picture that was sent back in a round. Staff also see the picture that
    was `made` in the round, rounds that reviewers began, and pictures that were rejected.

    Raises NotFound like find_draft_preview().
    """
    picture = _get_round_picture(_get_round(session, visitor, job_id, revision_id, made=made), made=made)
    key = picture.storage_key if picture else None
    return previews.key_of(require_found(session.scalar(_select_previews().where(Preview.source_key == key))), size)


def find_compared_of_round(
    session: Session, visitor: Visitor, job_id: str, revision_id: str, *, made: bool
) -> tuple[str, StoredPicture | None]:
    """The storage key of the photo that was ordered, and the picture of the round with which it is compared. A
    visitor who may see that picture may see both. Raises NotFound like find_draft_preview().
    """
    revision = _get_round(session, visitor, job_id, revision_id, made=made)
    query = select(Photo.storage_key).join(Preview, Preview.source_key == Photo.storage_key)
    key = session.scalar(query.where(Preview.width.is_not(None), Photo.id == revision.photo_id))
    return require_found(key), _get_round_picture(revision, made=made)


def find_original(session: Session, visitor: Visitor, job_id: str, photo_id: str) -> str:
    """The storage key of the photo that was ordered. Raises NotFound."""
    _require_ids(job_id, Prefix.JOB, photo_id, Prefix.PHOTO)
    query = select(Photo.storage_key).join(Job, Job.id == Photo.job_id)
    return require_found(session.scalar(query.where(Job.id == job_id, Photo.id == photo_id, *_is_visible(visitor))))


def find_result(session: Session, visitor: Visitor, job_id: str, photo_id: str) -> tuple[str, str]:
    """The storage key of a result and its media type; customers see it once it can be downloaded. Raises
    NotFound.
    """
    _require_ids(job_id, Prefix.JOB, photo_id, Prefix.PHOTO)
    made = select(StoredPicture.storage_key, StoredPicture.media_type)
    made = made.join(Result, Result.picture_id == StoredPicture.id).join(Job, Job.id == Result.job_id)
    made = made.where(Job.id == job_id, Result.photo_id == photo_id, *_is_visible(visitor))
    if not visitor.is_staff:
        made = made.where(Result.verdict == Verdict.APPROVED, Job.status.in_(DOWNLOADABLE))
    row = session.execute(made).one_or_none()
    key, media_type = row if row else (None, None)
    return require_found(key), require_found(media_type)


def _select_previews() -> Select[str]:
    # The width is set once the pictures are made.
    return select(Preview.source_key).where(Preview.width.is_not(None))


def _is_visible(visitor: Visitor) -> tuple[ColumnElement[bool], ...]:
    """Conditions on the job: it is the visitor's, unless they are staff, and it still has its pictures."""
    mine = true() if visitor.is_staff else Job.account_id == visitor.account_id
    return (mine, Job.expired_at.is_(None))


def _is_released(visitor: Visitor) -> tuple[ColumnElement[bool], ...]:
    """Conditions for a customer to see a result, see find_result_preview(); staff see every result."""
    if visitor.is_staff:
        return ()
    settled = or_(Job.status.in_(DOWNLOADABLE), Result.decided_by.is_(None))
    return (Result.verdict == Verdict.APPROVED, Job.status.in_(SHOWABLE), settled)


def _require_ids(first: str, first_prefix: Prefix, second: str, second_prefix: Prefix) -> None:
    if not (is_id(first, first_prefix) and is_id(second, second_prefix)):
        raise NotFound


def _get_round(session: Session, visitor: Visitor, job_id: str, revision_id: str, *, made: bool) -> Revision:
    """A round whose picture the visitor may see, see find_round_preview()."""
    _require_ids(job_id, Prefix.JOB, revision_id, Prefix.REVISION)
    query = select(Revision).join(Job, Job.id == Revision.job_id)
    revision = session.scalar(query.where(Job.id == job_id, Revision.id == revision_id, *_is_visible(visitor)))
    if revision is None or ((revision.by_reviewer or revision.lacked_result or made) and not visitor.is_staff):
        raise NotFound
    return revision


def _get_round_picture(revision: Revision, *, made: bool) -> StoredPicture | None:
    return revision.made if made else revision.before
