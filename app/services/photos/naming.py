"""The names under which a job's photos are downloaded here and by clients; the API keeps their own names."""

from collections import Counter
from collections.abc import Mapping, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.naming import name_photo
from app.models import Job, Organization, Photo


def list_names(session: Session, jobs: Sequence[Job]) -> Mapping[str, str]:
    """The name of each photo of these jobs of one account, by its id: by the account's pattern, or its own. Always
    two queries.
    """
    mine = select(Organization.file_names).where(Organization.id.in_([job.account_id for job in jobs]))
    pattern, addresses = session.scalar(mine) or "", {job.id: job.address for job in jobs}
    photos = select(Photo.id, Photo.job_id, Photo.file_name, Photo.type).where(Photo.job_id.in_(addresses))
    names, numbers = {}, Counter[str]()
    for row in session.execute(photos.order_by(Photo.job_id, Photo.type, Photo.index)):
        numbers[row.job_id] += 1
        address, number = addresses[row.job_id], numbers[row.job_id]
        names[row.id] = name_photo(pattern, row.file_name, address=address, number=number, kind=row.type)
    return names
