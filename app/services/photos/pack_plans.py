"""Reads from the database everything that is needed to plan a pack for a listing service."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from app.domain.disclosure.listing import Listing, find_barred
from app.domain.disclosure.mls_packs import PackPhoto, PackPicture, PackPlan, plan_pack
from app.domain.disclosure.rules import Rule
from app.domain.reso_image_of import find_image_of
from app.domain.variants import leave_out
from app.models import Job, Photo, Result, StoredPicture
from app.services.photos import downloads, public_pages, variants
from engine.types.enhancements import Enhancement
from engine.types.report import QualityReport


@dataclass(frozen=True, slots=True)
class PackChoice:
    """The choices for a pack: the `rule` of its listing service, and whether labels are drawn where the rules allow
    but do not require them (`labeled`). `base_url`: the start of the addresses of public pages.
    """

    rule: Rule
    labeled: bool
    base_url: str


def read_plan(session: Session, job: Job, choice: PackChoice, now: datetime) -> PackPlan:
    """The plan of the job's pack if it was made now, always in six queries."""
    page = public_pages.find_live(session, job.account_id, job.id, now)
    url = public_pages.url_of(choice.base_url, page) if page else None
    urls = {each.number: f"{url}/{each.number}" for each in page.pictures} if page else {}
    numbers = {photo.id: number for number, photo in enumerate(job.photos, 1)}
    listing = _listing_for(job, choice.rule)
    variants_by_result, photos = variants.get_variants(session, [job.id]), []
    for result, photo in session.execute(downloads.select_approved(job.id)):
        kept = leave_out(result.report, _list_barred(listing, result.report))
        variant = variants.find_variant(variants_by_result.get(result.id, ()), result, photo, kept)
        photos.append(_photo(numbers[photo.id], photo, result, variant, urls))
    return plan_pack(photos, listing, choice.rule, labeled=choice.labeled, page_url=url)


def request_variants(session: Session, job: Job, rule: Rule, now: datetime) -> None:
    """Request a variant without the barred steps for each approved picture that has barred steps and others."""
    listing = _listing_for(job, rule)
    for result, _ in session.execute(downloads.select_approved(job.id)).all():
        if barred := _list_barred(listing, result.report):
            variants.request(session, job, result, leave_out(result.report, barred), now)


def awaits_variants(session: Session, job: Job, rule: Rule) -> bool:
    """Whether a variant without barred steps is still being made."""
    listing, variants_by_result = _listing_for(job, rule), variants.get_variants(session, [job.id])
    for result, photo in session.execute(downloads.select_approved(job.id)):
        unsettled = [each for each in variants_by_result.get(result.id, ()) if not each.is_settled]
        barred = _list_barred(listing, result.report)
        if barred and variants.find_variant(unsettled, result, photo, leave_out(result.report, barred)):
            return True
    return False


def _listing_for(job: Job, rule: Rule) -> Listing:
    """The listing that the pack is for: the jurisdiction of the order, and the listing service of the rule."""
    return Listing(jurisdiction=job.listing.jurisdiction, mls=rule.id)


def _list_barred(listing: Listing, report: QualityReport) -> Sequence[Enhancement]:
    return [each for _, each in find_barred(listing, report.applied)]


def _photo(
    number: int, photo: Photo, result: Result, variant: StoredPicture | None, urls: Mapping[int, str]
) -> PackPhoto:
    staging = photo.edit_request.staging
    return PackPhoto(
        number=number,
        type=photo.type,
        file_name=photo.file_name,
        original_key=photo.storage_key,
        altered=PackPicture(downloads.key_of(result), tuple(result.report.applied)),
        image_of=find_image_of(photo.file_name, staging.room_type if staging else None),
        without_barred=_picture(variant) if variant else None,
        original_url=urls.get(number),
    )


def _picture(variant: StoredPicture) -> PackPicture | None:
    if variant.storage_key is None or variant.report is None:
        return None
    return PackPicture(variant.storage_key, tuple(variant.report.applied))
