"""The names under which a job's photos are downloaded here and by clients; the API keeps their own names."""

from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.naming import name_photo
from app.models import Job, Organization, Photo


def list_names(session: Session, job: Job) -> Mapping[str, str]:
    """The name of each photo of the job, by its id: by the account's pattern, or its own."""
    mine = select(Organization.file_names).where(Organization.id == job.account_id)
    pattern = session.scalar(mine) or ""
    photos = select(Photo.id, Photo.file_name, Photo.type).where(Photo.job_id == job.id)
    rows = session.execute(photos.order_by(Photo.type, Photo.index)).all()
    return {
        row.id: name_photo(pattern, row.file_name, address=job.address, number=number, kind=row.type)
        for number, row in enumerate(rows, 1)
    }
