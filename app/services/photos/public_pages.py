"""Public pages: the originals of an order's altered pictures, shown to anyone while the owner publishes them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.orm import Session, selectinload

from app.domain.disclosure.listing import caption
from app.domain.errors import Conflict, LinkExpired, require_found
from app.domain.ids import random_base62
from app.domain.ports import Storage
from app.domain.retention import PUBLIC_PAGES_KEPT_MONTHS, TEST_RESULTS_KEPT
from app.models import Job, PublicPage, PublicPicture, Result
from app.services.orders import jobs
from app.services.photos import downloads, pictures
from app.services.previews import previews
from engine.types.file_facts import PersonalDetail
from engine.types.pictures import PreviewSize

PATH = "/o"
"""The path of all public pages, followed by their tokens; short, because people type it from print."""
BATCH = 100
TOKEN_LENGTH = 12
"""Characters of base 62, together 71 bits: short enough to be typed, too long to be guessed."""
MONTH = timedelta(days=30)


def publish(
    session: Session,
    account_id: str,
    job_id: str,
    now: datetime,
    *,
    shows_address: bool = False,
    months: int = PUBLIC_PAGES_KEPT_MONTHS,
) -> PublicPage:
    """Publish the originals of the job's altered pictures for `months` of 30 days. A live page keeps its address
    and pictures, and gets the pictures that were added to the results since; `shows_address` and `months` change.
    The page of a test job ends when the job's pictures are removed.

    Raises NotFound, NotReady while there are no results, and Conflict if no picture needs a disclosure.
    """
    job = jobs.lock(session, jobs.get(session, account_id, job_id).id)
    downloads.require_ready(job)
    page = find_live(session, account_id, job_id, now)
    if page is None:
        page = PublicPage(account_id=account_id, job_id=job_id, token=random_base62(TOKEN_LENGTH), created_at=now)
        page.jurisdiction = job.listing.jurisdiction
    known = {each.image_id for each in page.pictures}
    page.pictures += [each for each in _list_pictures(session, job) if each.image_id not in known]
    if not page.pictures:
        raise Conflict("No picture of this order was altered in a way that must be disclosed.")
    page.address = job.address if shows_address else None
    page.expires_at = now + months * MONTH
    if not job.livemode and job.settled_at is not None:
        page.expires_at = min(page.expires_at, job.settled_at + TEST_RESULTS_KEPT)
    session.add(page)
    session.flush()
    for picture in page.pictures:
        if picture.copy_sha256 is None:
            pictures.request_public_copy(session, picture.original_key, now)
    return page


def _list_pictures(session: Session, job: Job) -> list[PublicPicture]:
    listing, found = job.listing, []
    numbers = {photo.id: number for number, photo in enumerate(job.photos, 1)}
    for result, photo in session.execute(downloads.select_approved(job.id)):
        if words := caption(listing, result.report.applied):
            picture = PublicPicture(number=numbers[photo.id], image_id=result.id, file_name=photo.file_name)
            picture.original_key, picture.original_sha256 = photo.storage_key, photo.sha256
            _show(picture, result, words)
            found.append(picture)
    return found


def _show(picture: PublicPicture, result: Result, words: str) -> None:
    made, report = result.picture, result.report
    picture.altered_key, picture.altered_sha256 = downloads.key_of(result), made.sha256
    picture.enhancements, picture.caption = [each.value for each in report.applied], words
    picture.report, picture.engine_version, picture.credentials = report, made.engine_version, made.credentials


def replace(session: Session, job: Job, result: Result, now: datetime) -> None:
    """Show the current picture of a locked job's result on live pages that show its previous picture.

    A current picture that needs no disclosure is not shown, because the property may still be advertised with the
    previous one.
    """
    words = caption(job.listing, result.report.applied)
    if words is None:
        return
    published = select(PublicPicture).join(PublicPage, PublicPage.id == PublicPicture.public_page_id)
    mine = published.where(PublicPage.job_id == job.id, is_live(now), PublicPicture.image_id == result.id)
    for picture in session.scalars(mine):
        _show(picture, result, words)


def url_of(base_url: str, page: PublicPage) -> str:
    """The address of the page, as people print it. With `/NUMBER` behind it, it is the page of one picture."""
    return f"{base_url.rstrip('/')}{PATH}/{page.token}"


def find_live(session: Session, account_id: str, job_id: str, now: datetime) -> PublicPage | None:
    """The live page of the account's job; None if nothing is published."""
    mine = select(PublicPage).where(PublicPage.account_id == account_id, PublicPage.job_id == job_id, is_live(now))
    return session.scalar(mine.order_by(PublicPage.created_at.desc()).limit(1))


def find(session: Session, token: str, now: datetime) -> PublicPage:
    """The page with this token. Raises NotFound, and LinkExpired once it was revoked or has expired."""
    query = select(PublicPage).options(selectinload(PublicPage.pictures))
    page = require_found(session.scalar(query.where(PublicPage.token == token[: TOKEN_LENGTH + 1])))
    if page.revoked_at is not None or page.expires_at <= now:
        raise LinkExpired("These pictures are no longer published. Ask the agent who advertises the property.")
    return page


def find_picture(page: PublicPage, number: int) -> PublicPicture:
    """One picture of the page. Raises NotFound."""
    return require_found(next((each for each in page.pictures if each.number == number), None))


def original_key(picture: PublicPicture) -> str:
    """The storage key of the original that the page shows: a copy without metadata or, until that is made, the
    photo's file.
    """
    if picture.copy_sha256 is None:
        return picture.original_key
    return previews.key_of(picture.original_key, PreviewSize.PUBLIC)


def find_personal_details(session: Session, page: PublicPage) -> Mapping[int, list[PersonalDetail]]:
    """Personal details in the metadata of a page's originals, by picture number; pictures not examined yet are
    missing.
    """
    previews_by_key = previews.get_all(session, (each.original_key for each in page.pictures))
    known = ((each.number, previews_by_key.get(each.original_key)) for each in page.pictures)
    return {
        number: [PersonalDetail(detail) for detail in row.holds]
        for number, row in known
        if row is not None and row.holds is not None
    }


def revoke(session: Session, account_id: str, job_id: str, now: datetime) -> None:
    """Revoke the pages of the job; harmless to repeat. Raises NotFound for another account's job."""
    job = jobs.get_even_expired(session, account_id, job_id)
    _revoke(session, PublicPage.job_id == job.id, now)


def revoke_all(session: Session, account_id: str, now: datetime) -> None:
    """Revoke all pages of the account, and erase addresses and file names, because they may name a person or
    house.
    """
    _revoke(session, PublicPage.account_id == account_id, now)
    mine = select(PublicPage.id).where(PublicPage.account_id == account_id)
    session.execute(update(PublicPicture).where(PublicPicture.public_page_id.in_(mine)).values(file_name=""))
    session.execute(update(PublicPage).where(PublicPage.account_id == account_id).values(address=None))


def list_kept_keys(session: Session, job_id: str, now: datetime) -> set[str]:
    """The storage keys of the job's published files, which are kept when its other files are removed."""
    pages = select(PublicPage).where(PublicPage.job_id == job_id, is_live(now))
    shown = (picture for page in session.scalars(pages) for picture in page.pictures)
    return {key for picture in shown for key in _list_published_keys(picture)}


def list_ended(session: Session, now: datetime) -> list[str]:
    """The ids of at most BATCH pages that were revoked or have expired, whose files may still be in the store."""
    over = PublicPage.revoked_at.is_not(None) | (PublicPage.expires_at <= now)
    ended = select(PublicPage.id).where(PublicPage.purged_at.is_(None), over)
    return list(session.scalars(ended.order_by(PublicPage.expires_at).limit(BATCH)))


def purge(session: Session, storage: Storage, page_id: str, now: datetime) -> None:
    """Remove the files of a page that has ended, unless its job still has them or another page shows them."""
    page = session.get_one(PublicPage, page_id)
    job = jobs.lock(session, page.job_id)
    if job.expired_at is not None and job.purged_at is None:
        return  # expiry.purge() may be running and may have read this page as live: the next sweep continues here.
    if job.purged_at is not None:
        kept_keys = list_kept_keys(session, page.job_id, now)
        for key in {key for picture in page.pictures for key in _list_all_keys(picture)} - kept_keys:
            storage.delete(key)
        for picture in page.pictures:
            # Another page that shows this original still needs its small pictures, whether its copy is made or not.
            if previews.key_of(picture.original_key, PreviewSize.THUMB) not in kept_keys:
                previews.forget_file(session, picture.original_key)
    page.purged_at = now


def _revoke(session: Session, which: ColumnElement[bool], now: datetime) -> None:
    ended = update(PublicPage).where(which, PublicPage.revoked_at.is_(None)).values(revoked_at=now)
    session.execute(ended.execution_options(synchronize_session="fetch"))


def is_live(now: datetime) -> ColumnElement[bool]:
    """The condition that a page is published now."""
    return PublicPage.revoked_at.is_(None) & (PublicPage.expires_at > now)


def _list_published_keys(picture: PublicPicture) -> Iterable[str]:
    """The storage keys that are kept while the picture is published."""
    small = [
        previews.key_of(key, size)
        for key in _list_source_keys(picture)
        for size in (PreviewSize.THUMB, PreviewSize.VIEW)
    ]
    return original_key(picture), picture.altered_key, *small


def _list_all_keys(picture: PublicPicture) -> Iterable[str]:
    """The storage keys of all files that the picture may have."""
    return *_list_source_keys(picture), *(
        made for key in _list_source_keys(picture) for made in previews.list_keys(key)
    )


def _list_source_keys(picture: PublicPicture) -> Sequence[str]:
    return picture.original_key, picture.altered_key
