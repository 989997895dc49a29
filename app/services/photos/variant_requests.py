"""Variants as their owner asks for them and gets them: without some steps of an approved picture, and its base."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from app.domain.catalogue import Enhancement
from app.domain.errors import Conflict, InvalidRequest, NotFound
from app.domain.ports import PreviewSize, Storage
from app.domain.quality import QualityReport
from app.domain.variants import MESSAGES, NoVariant, leave_out
from app.models import Job, Photo, PictureVariant, Preview, Result
from app.services.orders import jobs
from app.services.photos import downloads, variants
from app.services.previews import previews


@dataclass(frozen=True, slots=True)
class VariantFile:
    """One variant of a picture, with fresh URLs once it is there: for itself and, where there is one, its labelled
    copy. Of one that declined the original's.
    """

    variant: PictureVariant
    kept: Sequence[Enhancement]
    left_out: Sequence[Enhancement]
    report: QualityReport | None
    url: str | None
    labelled_url: str | None


def request_without(
    session: Session, account_id: str, job_id: str, image_id: str, left_out: Collection[Enhancement], now: datetime
) -> PictureVariant:
    """Ask for an approved picture without these steps; free of charge, harmless to repeat. One that could not be
    made is tried again.

    Raises NotFound, NotReady while there are no results, InvalidRequest at `without`, and Conflict with the reason
    where it cannot be made.
    """
    job, result, _ = _approved(session, account_id, job_id, image_id)
    report = QualityReport.model_validate(result.report)
    if not left_out or not set(left_out) <= set(report.applied):
        raise InvalidRequest(
            {"without": f"Name steps that were done on this picture: {', '.join(report.applied)}."}
        )
    if set(left_out) == set(report.applied):
        raise InvalidRequest({"without": "Leave at least one step: without any the picture is the original."})
    made = variants.request(session, job, result, leave_out(report, left_out), now, again=True)
    if isinstance(made, NoVariant):
        raise Conflict(MESSAGES[made], details={"reason": made.value})
    return made


def list_files(
    session: Session, storage: Storage, account_id: str, job_id: str, image_id: str, valid_seconds: int
) -> list[VariantFile]:
    """All variants of an approved picture, the oldest first. Raises NotFound and NotReady."""
    job, result, photo = _approved(session, account_id, job_id, image_id)
    mine = [each for each in variants.get_all(session, job.id) if each.result_id == result.id]
    made = previews.get_all(session, [each.storage_key for each in mine if each.storage_key])
    return [_file(storage, each, result, photo, made, valid_seconds) for each in mine]


def link(
    session: Session,
    storage: Storage,
    job_id: str,
    image_id: str,
    variant_id: str,
    valid_seconds: int,
    *,
    labelled: bool = False,
) -> str:
    """A fresh URL for one variant of an approved picture of the job, or for its `labelled` copy.

    Raises NotFound, also while it is made.
    """
    row = session.execute(downloads.approved(job_id).where(Result.id == image_id)).one_or_none()
    variant = session.get(PictureVariant, variant_id)
    if row is None or variant is None or variant.result_id != image_id:
        raise NotFound
    made = previews.get_all(session, [variant.storage_key] if labelled and variant.storage_key else [])
    file = _file(storage, variant, *row, made, valid_seconds)
    url = file.labelled_url if labelled else file.url
    if url is None:
        raise NotFound("This version of the picture is still being made, or could not be.")
    return url


def left_out_of(variant: PictureVariant, report: QualityReport) -> list[Enhancement]:
    """The steps of the result with this report that the variant is without."""
    return [each for each in report.applied if each not in variant.kept]


def _approved(session: Session, account_id: str, job_id: str, image_id: str) -> tuple[Job, Result, Photo]:
    job = jobs.get(session, account_id, job_id)
    downloads.require_ready(job)
    row = session.execute(downloads.approved(job_id).where(Result.id == image_id)).one_or_none()
    if row is None:
        raise NotFound
    return job, row[0], row[1]


def _file(
    storage: Storage,
    variant: PictureVariant,
    result: Result,
    photo: Photo,
    made: Mapping[str, Preview],
    valid_seconds: int,
) -> VariantFile:
    preview = made.get(variant.storage_key or "")
    labelled = None
    if preview is not None and downloads.has_labelled(preview):
        name = downloads.labelled_name(_name(variant, result, photo), preview.label or "")
        labelled = storage.download_url(
            previews.key_of(preview.source_key, PreviewSize.LABELLED), name, valid_seconds
        )
    return VariantFile(
        variant=variant,
        kept=[Enhancement(each) for each in variant.kept],
        left_out=left_out_of(variant, QualityReport.model_validate(result.report)),
        report=None if variant.report is None else QualityReport.model_validate(variant.report),
        url=_url(storage, variant, result, photo, valid_seconds),
        labelled_url=labelled,
    )


def _url(storage: Storage, variant: PictureVariant, result: Result, photo: Photo, valid_seconds: int) -> str | None:
    if variant.declined:
        return downloads.original_url(storage, photo, valid_seconds)
    if variant.storage_key is None:
        return None
    return storage.download_url(variant.storage_key, _name(variant, result, photo), valid_seconds)


def _name(variant: PictureVariant, result: Result, photo: Photo) -> str:
    gone = left_out_of(variant, QualityReport.model_validate(result.report))
    return downloads.variant_name(photo.file_name, variant.storage_key or "", _without(gone))


def _without(left_out: Iterable[Enhancement]) -> str:
    return "-".join(("without", *(each.replace("_", "-") for each in left_out)))
