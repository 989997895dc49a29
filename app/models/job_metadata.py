"""An index of jobs by the pairs of their metadata; the pairs themselves are in the job."""

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, UtcDateTime


class JobMetadata(Base):
    """One pair of a job's metadata. `digest`: see domain.metadata.digest_pair(). `created_at`: of the job, so that
    the newest jobs with a pair are one range of the primary key.
    """

    __tablename__ = "job_metadata"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"), primary_key=True)
    digest: Mapped[str] = mapped_column(String(32), primary_key=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, primary_key=True)
    job_id: Mapped[str] = mapped_column(ForeignKey("job.id"), primary_key=True)
