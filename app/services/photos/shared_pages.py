"""Pages of share links, on which clients see, comment on and download pictures. Anyone who has the link may do so
without signing in.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Select, or_, select, update
from sqlalchemy.orm import Session, selectinload

from app.domain.errors import Conflict, InvalidRequest, NotFound, require_found
from app.domain.ids import digest_of_secret
from app.domain.lifecycle import DOWNLOADABLE
from app.domain.order_files import MAX_PHOTOS
from app.domain.ports import Storage
from app.domain.shares import MAX_CHANGES, ClientAnswer
from app.domain.sizes import DownloadSize
from app.models import (
    Job,
    Organization,
    Photo,
    Preview,
    Result,
    ShareComment,
    ShareLink,
    ShareResponse,
    StoredPicture,
)
from app.services.accounts import brandings, organizations, passwords
from app.services.accounts.brandings import StudioLook
from app.services.mail import notices
from app.services.photos import downloads, naming, results, zip_downloads
from app.services.photos.results import ResultsPage
from app.services.photos.zip_downloads import ArchiveEntry
from app.services.previews import previews
from engine.types.enhancements import PhotoType
from engine.types.pictures import PreviewSize
from engine.types.report import Verdict

FILE_URL_SECONDS = 300
"""How long a client has to begin the download that they asked for."""
RECORD_INTERVAL = timedelta(minutes=5)
"""Least time between two recorded views of a page."""


@dataclass(frozen=True, slots=True)
class SharedPage:
    """The page of a share link: the studio's look, the pictures, and the client's comments by the photo's number in
    the order. `sender`: the name of the studio, or else of the agent who made the link; it may be empty.
    `zip_bytes`: the length of the ZIP of all pictures, by size.
    """

    link: ShareLink
    look: StudioLook
    sender: str
    zip_bytes: Mapping[DownloadSize, int | None]
    results: ResultsPage
    comments: Mapping[int, ShareComment]


def find(session: Session, token: str, now: datetime, *, answers: bool = False, lock: bool = False) -> ShareLink:
    """The link with this token. `answers`: also load the clients' answers and comments. `lock`: lock the link, so
    that nobody else changes it, or its answers and comments, until this unit of work ends.

    Raises the same NotFound for a link that is unknown, expired or revoked, whose account is suspended or deleted,
    or whose pictures are removed.
    """
    found = select(ShareLink).join(Job, Job.id == ShareLink.job_id)
    found = found.join(Organization, Organization.id == ShareLink.account_id)
    if answers:
        found = found.options(selectinload(ShareLink.response), selectinload(ShareLink.comments))
    found = found.where(
        ShareLink.token_digest == digest_of_secret(token),
        ShareLink.revoked_at.is_(None),
        ShareLink.expires_at > now,
        Job.expired_at.is_(None),
        Job.status.in_(DOWNLOADABLE),
        Organization.deleted_at.is_(None),
        Organization.suspended_at.is_(None),
    )
    return require_found(session.scalar(found.with_for_update(of=ShareLink) if lock else found))


def read(session: Session, link: ShareLink, now: datetime) -> SharedPage:
    """Everything that the page shows; viewing it delivers nothing. Raises NotFound if there is no picture."""
    page = results.read(session, link.account_id, link.job_id, now)
    if page is None or not page.shown:
        raise NotFound
    look = brandings.find(session, link.account_id)
    sender = look.studio_name or organizations.get_owner(session, link.account_id).user.name
    zip_bytes = results.measure(page, naming.list_names(session, [page.job]))
    return SharedPage(link, look, sender, zip_bytes, page, {each.number: each for each in link.comments})


def check_pin(link: ShareLink, pin: str) -> None:
    """Raise InvalidRequest unless this is the link's PIN."""
    if link.pin_digest is None or not passwords.verify_pin(link.pin_digest, pin.strip()):
        raise InvalidRequest({"pin": "This is not the PIN. Ask the person who sent you the link."})


def record_seen(session: Session, link: ShareLink, now: datetime) -> None:
    """Record that a client views the page, at most once in RECORD_INTERVAL."""
    unseen = or_(ShareLink.last_seen_at.is_(None), ShareLink.last_seen_at <= now - RECORD_INTERVAL)
    seen = update(ShareLink).where(ShareLink.id == link.id, unseen).values(last_seen_at=now)
    session.execute(seen.execution_options(synchronize_session=False))


def was_seen_lately(link: ShareLink, now: datetime) -> bool:
    """Whether record_seen() would record nothing."""
    return link.last_seen_at is not None and link.last_seen_at > now - RECORD_INTERVAL


def preview_key(session: Session, link: ShareLink, number: int, *, result: bool, size: PreviewSize) -> str:
    """The storage key of a small picture of the photo with this number, or of its `result`. Raises NotFound."""
    source = StoredPicture.storage_key if result else Photo.storage_key
    made = _select_numbered(link.job_id, number).with_only_columns(source, Result.verdict, Preview.width)
    made = made.outerjoin(StoredPicture, StoredPicture.id == Result.picture_id)
    row = session.execute(made.outerjoin(Preview, Preview.source_key == source)).first()
    if row is None or row.verdict is not Verdict.APPROVED or row.width is None:
        raise NotFound
    return previews.key_of(str(row[0]), size)


def find_compared(session: Session, link: ShareLink, number: int) -> tuple[str, StoredPicture | None]:
    """The storage key of the photo with this number, and the picture of its result. Raises NotFound."""
    photo = session.scalar(_select_numbered(link.job_id, number))
    if photo is None or photo.result is None or photo.result.verdict is not Verdict.APPROVED:
        raise NotFound
    return photo.storage_key, photo.result.picture


def comment(
    session: Session, link: ShareLink, number: int, favorite: bool | None, text: str | None, now: datetime
) -> None:
    """Store the client's comment on one picture, or whether it is a favorite; None leaves a value as it is. A
    picture with neither text nor favorite has no row. The link's owner gets a mail about the first comment.

    The caller has locked the link. Raises NotFound for a picture that the page does not show.
    """
    image_id = _find_image_id(session, link.job_id, number)
    kept = session.get(ShareComment, (link.id, number))
    favorite = favorite if favorite is not None else kept is not None and kept.favorite
    text = text if text is not None else kept.text if kept else ""
    if not favorite and not text:
        if kept is not None:
            session.delete(kept)
        return
    kept = kept or ShareComment(share_link_id=link.id, number=number)
    kept.image_id, kept.favorite, kept.text, kept.said_at = image_id, favorite, text, now
    session.add(kept)
    if link.commented_at is None:
        link.commented_at = now
        notices.report_client_commented(session, session.get_one(Job, link.job_id), now)


def answer(session: Session, link: ShareLink, client_answer: ClientAnswer, now: datetime) -> None:
    """Store the client's answer about all pictures, in place of their earlier one. The link's owner gets a mail
    when the verdict is the first or has changed.

    The caller has locked the link. Raises Conflict when the answer was changed MAX_CHANGES times.
    """
    kept = session.get(ShareResponse, link.id)
    is_new_verdict = kept is None or kept.verdict is not client_answer.verdict
    if kept is not None and kept.changes >= MAX_CHANGES:
        raise Conflict("This answer was changed too often. Write to the person who sent you the link.")
    changes = kept.changes + 1 if kept else 0
    kept = kept or ShareResponse(share_link_id=link.id)
    kept.verdict, kept.name, kept.email, kept.message = (
        client_answer.verdict,
        client_answer.name,
        client_answer.email,
        client_answer.message,
    )
    kept.changes, kept.said_at = changes, now
    session.add(kept)
    if is_new_verdict:
        notices.report_client_answered(session, session.get_one(Job, link.job_id), client_answer, now)


def download(
    session: Session, storage: Storage, link: ShareLink, number: int, size: DownloadSize, now: datetime
) -> str:
    """A fresh URL for one picture in this size. It works only for FILE_URL_SECONDS, because a saved URL should end
    soon after the link is revoked. The first download delivers the order, as a download by its owner does.

    Raises NotFound, also where the link does not allow downloads.
    """
    _require_download(link)
    image_id = _find_image_id(session, link.job_id, number)
    downloads.deliver(session, link.account_id, link.job_id, now)
    return downloads.link_copy(session, storage, link.job_id, image_id, size, FILE_URL_SECONDS)


def archive(
    session: Session, storage: Storage, link: ShareLink, size: DownloadSize, now: datetime
) -> tuple[str, list[ArchiveEntry]]:
    """The name and the entries of a ZIP of all pictures in this size. Like download(), it delivers the order and
    raises NotFound; Conflict while they are not made in this size.
    """
    _require_download(link)
    job = downloads.deliver(session, link.account_id, link.job_id, now)
    return f"{zip_downloads.folder_of(job)}.zip", zip_downloads.entries(session, storage, job, size=size)


def _require_download(link: ShareLink) -> None:
    if not link.may_download:
        raise NotFound


def _find_image_id(session: Session, job_id: str, number: int) -> str:
    row = session.execute(_select_numbered(job_id, number).with_only_columns(Result.id, Result.verdict)).first()
    if row is None or row.verdict is not Verdict.APPROVED:
        raise NotFound
    return str(row.id)


def _select_numbered(job_id: str, number: int) -> Select[Photo]:
    """The query for the photo with this number, counted as in results.read(), and its result."""
    if not 1 <= number <= len(PhotoType) * MAX_PHOTOS:
        raise NotFound
    rows = select(Photo).join(Result, Result.photo_id == Photo.id).where(Photo.job_id == job_id)
    return rows.order_by(Photo.type, Photo.index).offset(number - 1).limit(1)
