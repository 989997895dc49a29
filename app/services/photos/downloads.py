"""Downloads: the approved pictures of a job and their variants. The first request for results delivers the job."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from app.domain.content_credentials import CredentialKind
from app.domain.disclosure.listing import Listing
from app.domain.errors import Conflict, InvalidRequest, NotFound, NotReady, require_found
from app.domain.file_names import slug, stem_of
from app.domain.lifecycle import DOWNLOADABLE, UNSETTLED, Status
from app.domain.ports import Storage
from app.domain.sizes import DownloadSize
from app.domain.variants import MESSAGES, VariantObstacle, exempt_steps, leave_out
from app.models import Job, Photo, PhotoFrame, Preview, Result, StoredPicture
from app.services.orders import jobs
from app.services.photos import frames, naming, variants
from app.services.previews import previews
from engine.types.enhancements import Enhancement, PhotoType
from engine.types.pictures import PreviewSize
from engine.types.report import QualityReport, Verdict


# The name follows the API's field `variant`. A variant of a result is something else: a StoredPicture, see
# variants.py.
class Variant(StrEnum):
    """The file of a photo that a URL is for."""

    ORIGINAL = "original"
    ALTERED = "altered"
    LABELED = "labeled"
    BASE = "base"
    """The picture with only the steps that need no disclosure."""


@dataclass(frozen=True, slots=True)
class Image:
    """One approved picture with fresh URLs: of the picture, its original, its labeled copy where there is one, and
    its base once it is made.

    `frame_urls`: all frames in their order, for a photo of several frames; its original is the best exposed frame.
    `listing`: where the property is advertised. `credentials` are in the picture's file, `labeled_credentials` in
    its labeled copy.
    """

    id: str
    photo_id: str
    index: int
    file_name: str
    type: PhotoType
    url: str
    original_url: str
    frame_urls: tuple[str, ...]
    labeled_url: str | None
    base_url: str | None
    width: int
    height: int
    size_bytes: int
    report: QualityReport
    listing: Listing
    engine_version: str | None
    credentials: CredentialKind
    labeled_credentials: CredentialKind


@dataclass(frozen=True, slots=True)
class VariantFile:
    """One variant of a picture, with fresh URLs once it is made: of the variant and, where there is one, its
    labeled copy. Where the kept steps could not be done alone, `url` is the original's.
    """

    variant: StoredPicture
    kept: Sequence[Enhancement]
    left_out: Sequence[Enhancement]
    url: str | None = None
    labeled_url: str | None = None


def deliver(session: Session, account_id: str, job_id: str, now: datetime) -> Job:
    """The account's job, ready to download. The first call moves it to delivered and records the event, exactly
    once also when several calls come at the same time.

    Raises NotFound, and NotReady while there is nothing to download.
    """
    job = jobs.get(session, account_id, job_id)
    require_ready(job)
    if job.status is Status.APPROVED:
        job = jobs.lock(session, job_id)
        if job.expired_at is not None:
            raise NotFound
        if job.status is Status.APPROVED:
            jobs.move(session, job, Status.DELIVERED, now)
    return job


def deliver_several(session: Session, account_id: str, job_ids: Iterable[str], now: datetime) -> list[Job]:
    """Deliver several jobs, all or none; returns them in the order of `job_ids`.

    Raises NotFound, and NotReady where one of them has nothing to download.
    """
    # Locked in the order of their ids, so that two requests for the same jobs never wait for each other.
    distinct_ids = list(dict.fromkeys(job_ids))
    delivered = {job_id: deliver(session, account_id, job_id, now) for job_id in sorted(distinct_ids)}
    return [delivered[job_id] for job_id in distinct_ids]


def require_ready(job: Job) -> None:
    """Raise NotFound once the pictures are removed, and NotReady while there is nothing to download."""
    if job.expired_at is not None:
        raise NotFound
    if job.status not in DOWNLOADABLE:
        raise NotReady(job.status, _explain_not_ready(job.status))


def list_images(session: Session, storage: Storage, job: Job, valid_seconds: int) -> list[Image]:
    """All approved pictures of the job, exterior first, in their order."""
    found = session.execute(select_approved(job.id)).all()
    previews_by_key = previews.get_all(session, [key_of(result) for result, _ in found])
    variants_by_result = variants.get_variants(session, [job.id])
    frames_by_photo = frames.get_all(session, job.id)

    def make_image(result: Result, photo: Photo) -> Image:
        key = key_of(result)
        name = result_name(photo.file_name, key)
        base, picture = find_base(result, photo, variants_by_result.get(result.id, ())), result.picture
        return Image(
            id=result.id,
            photo_id=photo.id,
            index=photo.index,
            file_name=name,
            type=photo.type,
            url=storage.download_url(key, name, valid_seconds),
            original_url=original_url(storage, photo, valid_seconds),
            frame_urls=tuple(
                original_url(storage, each, valid_seconds) for each in frames_by_photo.get(photo.id, ())
            ),
            labeled_url=_labeled_url(storage, photo.file_name, previews_by_key.get(key), valid_seconds),
            base_url=_base_url(storage, base, result, photo, photo.file_name, valid_seconds),
            width=picture.width or 0,
            height=picture.height or 0,
            size_bytes=picture.size_bytes or 0,
            report=result.report,
            listing=job.listing,
            engine_version=picture.engine_version,
            credentials=picture.credentials or CredentialKind.NONE,
            labeled_credentials=_credentials_of(previews_by_key.get(key)),
        )

    return [make_image(result, photo) for result, photo in found]


def select_approved(job_id: str) -> Select[Result, Photo]:
    """The query for all approved results of the job with their photos, exterior first, in order."""
    query = select(Result, Photo).join(Photo, Photo.id == Result.photo_id)
    mine = query.where(Result.job_id == job_id, Result.verdict == Verdict.APPROVED)
    return mine.order_by(Photo.type, Photo.index)


def link(
    session: Session, storage: Storage, job_id: str, image_id: str, variant: Variant, valid_seconds: int
) -> str:
    """A fresh URL for one file of an approved picture of the job.

    Raises NotFound for a picture that is missing or not approved, or has no labeled copy or base (yet).
    """
    result, photo = _find_approved(session, job_id, image_id)
    if variant is Variant.ORIGINAL:
        return original_url(storage, photo, valid_seconds)
    key, name = key_of(result), _find_name(session, job_id, photo)
    if variant is Variant.ALTERED:
        return storage.download_url(key, result_name(name, key), valid_seconds)
    if variant is Variant.BASE:
        base = find_base(result, photo, variants.get_variants(session, [job_id]).get(result.id, ()))
        url = _base_url(storage, base, result, photo, name, valid_seconds)
        if url is None:
            raise NotFound("The base of this picture is still being made, or could not be.")
        return url
    preview = previews.get_all(session, [key]).get(key)
    labeled = _labeled_url(storage, name, preview, valid_seconds)
    if labeled is None:
        raise NotFound("There is no labeled copy of this picture, or it is still being made.")
    return labeled


def link_copy(
    session: Session, storage: Storage, job_id: str, image_id: str, size: DownloadSize, valid_seconds: int
) -> str:
    """A fresh URL for an approved picture of the job in this size. Raises NotFound, also while it is being made."""
    result, photo = _find_approved(session, job_id, image_id)
    key, name = key_of(result), _find_name(session, job_id, photo)
    if size is DownloadSize.FULL:
        return storage.download_url(key, result_name(name, key), valid_seconds)
    if not previews.has_copies(previews.get_all(session, [key]).get(key), size):
        raise NotFound("This picture is being made in this size. Try again in a few seconds.")
    return storage.download_url(previews.key_of(key, size), result_name(name, key, size), valid_seconds)


def _find_name(session: Session, job_id: str, photo: Photo) -> str:
    return naming.list_names(session, [session.get_one(Job, job_id)])[photo.id]


def request_without(
    session: Session, account_id: str, job_id: str, image_id: str, left_out: Collection[Enhancement], now: datetime
) -> VariantFile:
    """Request an approved picture without the steps `left_out`, free of charge; harmless to repeat. A variant that
    could not be made is tried again.

    Raises NotFound, NotReady while there are no results, InvalidRequest at the field `without`, and Conflict with
    the reason where the variant cannot be made.
    """
    job, result, _ = _get_approved(session, account_id, job_id, image_id)
    report = result.report
    if not left_out or not set(left_out) <= set(report.applied):
        raise InvalidRequest(
            {"without": f"Name steps that were done on this picture: {', '.join(report.applied)}."}
        )
    if set(left_out) == set(report.applied):
        raise InvalidRequest({"without": "Leave at least one step: without any the picture is the original."})
    kept = leave_out(report, left_out)
    made = variants.request(session, job, result, kept, now, retry_failed=True)
    if isinstance(made, VariantObstacle):
        raise Conflict(MESSAGES[made], details={"reason": made.value})
    return VariantFile(made, kept, _list_left_out(made, result))


def list_variants(
    session: Session, storage: Storage, account_id: str, job_id: str, image_id: str, valid_seconds: int
) -> list[VariantFile]:
    """All variants of an approved picture, the oldest first. Raises NotFound and NotReady."""
    job, result, photo = _get_approved(session, account_id, job_id, image_id)
    mine = variants.get_variants(session, [job.id]).get(result.id, [])
    previews_by_key = previews.get_all(session, [each.storage_key for each in mine if each.storage_key])
    return [_variant_file(storage, each, result, photo, previews_by_key, valid_seconds) for each in mine]


def link_variant(
    session: Session,
    storage: Storage,
    job_id: str,
    image_id: str,
    variant_id: str,
    valid_seconds: int,
    *,
    labeled: bool = False,
) -> str:
    """A fresh URL for one variant of an approved picture of the job, or for its `labeled` copy.

    Raises NotFound, also while the file is being made.
    """
    result, photo = _find_approved(session, job_id, image_id)
    variant = session.get(StoredPicture, variant_id)
    if variant is None or not (variant.is_variant and variants.list_kept(variant, result, photo)):
        raise NotFound
    previews_by_key = previews.get_all(session, [variant.storage_key] if labeled and variant.storage_key else [])
    file = _variant_file(storage, variant, result, photo, previews_by_key, valid_seconds)
    url = file.labeled_url if labeled else file.url
    if url is None:
        raise NotFound("This version of the picture is still being made, or could not be.")
    return url


def _credentials_of(preview: Preview | None) -> CredentialKind:
    """The credentials in the labeled copy; NONE also where there is no copy, or it was made before they were
    recorded.
    """
    return (preview.credentials if preview else None) or CredentialKind.NONE


def has_labeled(preview: Preview | None) -> bool:
    """Whether the labeled copy is in the store."""
    return preview is not None and preview.label is not None and preview.width is not None


def find_base(result: Result, photo: Photo, made: Iterable[StoredPicture]) -> Variant | StoredPicture | None:
    """The base of a result, which has only the steps that need no disclosure: the original, the altered picture
    itself, or one of its variants `made`; None while that variant is not made.
    """
    kept = exempt_steps(result.report)
    if not kept:
        return Variant.ORIGINAL
    if len(kept) == len(result.report.applied):
        return Variant.ALTERED
    found = variants.find_variant(made, result, photo, kept)
    if found is not None and found.has_declined:
        return Variant.ORIGINAL
    return found if found is not None and found.storage_key is not None else None


def _base_url(
    storage: Storage,
    base: Variant | StoredPicture | None,
    result: Result,
    photo: Photo,
    photo_name: str,
    valid_seconds: int,
) -> str | None:
    if base is None:
        return None
    if base is Variant.ORIGINAL:
        return original_url(storage, photo, valid_seconds)
    if isinstance(base, StoredPicture):
        key = base.storage_key or ""
        return storage.download_url(key, variant_name(photo_name, key, Variant.BASE), valid_seconds)
    key = key_of(result)
    return storage.download_url(key, result_name(photo_name, key), valid_seconds)


def _labeled_url(storage: Storage, file_name: str, preview: Preview | None, valid_seconds: int) -> str | None:
    if preview is None or not has_labeled(preview):
        return None
    name = labeled_name(file_name, preview.label or "")
    return storage.download_url(previews.key_of(preview.source_key, PreviewSize.LABELED), name, valid_seconds)


def original_url(storage: Storage, file: Photo | PhotoFrame, valid_seconds: int) -> str:
    """A fresh URL for the photo itself, or for one of its frames."""
    # The name is the customer's own, so its extension may be wrong.
    return storage.download_url(file.storage_key, file.file_name, valid_seconds, extension_fits=False)


def key_of(result: Result) -> str:
    """The storage key of an approved result's picture."""
    if result.storage_key is None:
        raise LookupError(f"{result.id} is approved without a picture")
    return result.storage_key


def result_name(file_name: str, key: str, size: DownloadSize = DownloadSize.FULL) -> str:
    """The photo's own name with the extension of the result's picture; copies in other sizes are JPEG."""
    return f"{stem_of(file_name)}.{key.rpartition('.')[2] if size is DownloadSize.FULL else 'jpg'}"


def labeled_name(file_name: str, label: str) -> str:
    """The photo's own name with the words of the label: `room-virtually-staged.jpg`."""
    return f"{stem_of(file_name)}-{slug(label)}.jpg"


def variant_name(file_name: str, key: str, suffix: str) -> str:
    """The photo's own name followed by the `suffix`: `front-base.jpg`."""
    return f"{stem_of(file_name)}-{suffix}.{key.rpartition('.')[2]}"


def _get_approved(session: Session, account_id: str, job_id: str, image_id: str) -> tuple[Job, Result, Photo]:
    job = jobs.get(session, account_id, job_id)
    require_ready(job)
    return job, *_find_approved(session, job_id, image_id)


def _find_approved(session: Session, job_id: str, image_id: str) -> tuple[Result, Photo]:
    row = require_found(session.execute(select_approved(job_id).where(Result.id == image_id)).one_or_none())
    return row[0], row[1]


def _variant_file(
    storage: Storage,
    variant: StoredPicture,
    result: Result,
    photo: Photo,
    previews_by_key: Mapping[str, Preview],
    valid_seconds: int,
) -> VariantFile:
    preview, name = previews_by_key.get(variant.storage_key or ""), _name_variant(variant, result, photo)
    return VariantFile(
        variant=variant,
        kept=variants.list_kept(variant, result, photo),
        left_out=_list_left_out(variant, result),
        url=_variant_url(storage, variant, result, photo, valid_seconds),
        labeled_url=_labeled_url(storage, name, preview, valid_seconds),
    )


def _variant_url(
    storage: Storage, variant: StoredPicture, result: Result, photo: Photo, valid_seconds: int
) -> str | None:
    if variant.has_declined:
        return original_url(storage, photo, valid_seconds)
    if variant.storage_key is None:
        return None
    return storage.download_url(variant.storage_key, _name_variant(variant, result, photo), valid_seconds)


def _name_variant(variant: StoredPicture, result: Result, photo: Photo) -> str:
    left_out = (each.replace("_", "-") for each in _list_left_out(variant, result))
    return variant_name(photo.file_name, variant.storage_key or "", "-".join(("without", *left_out)))


def _list_left_out(variant: StoredPicture, result: Result) -> list[Enhancement]:
    return [each for each in result.report.applied if each in variant.settings.left_out]


def _explain_not_ready(status: Status) -> str:
    if status in UNSETTLED:
        return "The results are not ready yet; ask for the job's status and download when it is approved."
    return "This job has no usable result, so there is nothing to download; its credits were refunded."
