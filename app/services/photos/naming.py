"""The names under which customers and their clients download a job's photos; the API keeps the photos' own
names."""

from collections import Counter
from collections.abc import Mapping, Sequence

from sqlalchemy import Select, or_, select
from sqlalchemy.orm import Session

from app.domain.naming import name_photo
from app.models import Job, Organization, Photo


def list_names(session: Session, jobs: Sequence[Job]) -> Mapping[str, str]:
    """The name of each photo of these jobs of one account, by its id: made by the account's pattern, or the photo's
    own name. Photos are numbered through all orders of a property. Always two queries.
    """
    mine = select(Organization.file_names).where(Organization.id.in_([job.account_id for job in jobs]))
    pattern, names, numbers = session.scalar(mine) or "", {}, Counter[str]()
    for photo, job in session.execute(_select_with_neighbors(jobs)):
        numbers[job.property_id] += 1
        number = numbers[job.property_id]
        names[photo.id] = name_photo(pattern, photo.file_name, address=job.address, number=number, kind=photo.type)
    return names


def _select_with_neighbors(jobs: Sequence[Job]) -> Select[Photo, Job]:
    """The query for the photos of these jobs and of all other jobs of their properties, in the property's
    sequence.
    """
    job_ids, draft_ids = [job.id for job in jobs], {job.draft_id for job in jobs if job.draft_id}
    account_ids = {job.account_id for job in jobs}
    photos = select(Photo, Job).join(Job, Job.id == Photo.job_id)
    photos = photos.where(Job.account_id.in_(account_ids), or_(Job.id.in_(job_ids), Job.draft_id.in_(draft_ids)))
    return photos.order_by(Job.draft_place, Job.created_at, Job.id, Photo.type, Photo.index)
