"""What a pack for a listing service is made from, read from the tables."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy.orm import Session

from app.domain.disclosure.listing import Listing
from app.domain.disclosure.mls_packs import PackPhoto, PackPicture, PackPlan, plan_pack
from app.domain.disclosure.rules import Rule
from app.domain.image_of import find_image_of
from app.domain.quality import QualityReport
from app.models import Job, Photo, Result
from app.services.orders import jobs
from app.services.photos import downloads, public_pages


def listing_for(job: Job, rule: Rule) -> Listing:
    """Where the property is advertised: by the law of the order, in the listing service that the rule is of."""
    return Listing(jurisdiction=jobs.listing_of(job).jurisdiction, mls=rule.id)


def read_plan(session: Session, job: Job, rule: Rule, now: datetime, *, labelled: bool, base_url: str) -> PackPlan:
    """What the job's pack holds now, in five queries however many pictures there are."""
    page = public_pages.find_live(session, job.account_id, job.id, now)
    url = public_pages.url_of(base_url, page) if page else None
    urls = {each.number: f"{url}/{each.number}" for each in page.pictures} if page else {}
    numbers = {photo.id: number for number, photo in enumerate(job.photos, 1)}
    rows = session.execute(downloads.approved(job.id))
    photos = [_photo(numbers[photo.id], photo, result, urls) for result, photo in rows]
    return plan_pack(photos, listing_for(job, rule), rule, labelled=labelled, page_url=url)


def _photo(number: int, photo: Photo, result: Result, urls: Mapping[int, str]) -> PackPhoto:
    report = QualityReport.model_validate(result.report)
    staging = photo.edit_request.staging
    return PackPhoto(
        number=number,
        type=photo.type,
        file_name=photo.file_name,
        original_key=photo.storage_key,
        altered=PackPicture(downloads.key_of(result), tuple(report.applied)),
        image_of=find_image_of(photo.file_name, staging.room_type if staging else None),
        original_url=urls.get(number),
    )
