"""Pictures made of photos: the settings of each, the work on it, and the file that was made."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, ModelJson, UtcDateTime
from app.domain.content_credentials import CredentialKind
from app.domain.ids import Prefix, new_id
from app.domain.lifecycle import WorkState
from app.domain.pictures import PictureSettings
from app.domain.variants import VariantObstacle, VariantState
from app.models.leased import PostponableWork, due_index
from engine.types.enhancements import WorkSize
from engine.types.report import QualityReport


class StoredPicture(PostponableWork, Base):
    """One picture of a photo, made with these `settings` by this `engine_version`. `settings_key`: these settings
    as text.

    A picture that was made has a `report`, and a `storage_key` unless every step declined. `error`: why it could
    not be made. A picture whose work is done without `report` and `error` was dropped, because nobody waits for it
    any more. The first picture of a photo is written when the work on the photo is done; every other picture is
    separate work. `is_variant`: it was asked for as a variant, to be shown beside the result.

    `work_size`: of its steps; workers select pictures by it. `sha256`: of the stored file. `picture_sha256`: of the
    file as the engine encodes it, before content credentials are signed into it; the same recipe and engine version
    give the same digest again. `credentials`: which kind was signed into it.
    """

    __tablename__ = "picture"
    __table_args__ = (UniqueConstraint("photo_id", "settings_key", "engine_version"), due_index("picture"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.PICTURE))
    job_id: Mapped[str] = mapped_column(ForeignKey("job.id"), index=True)
    photo_id: Mapped[str] = mapped_column(ForeignKey("photo.id", ondelete="CASCADE"))
    settings: Mapped[PictureSettings] = mapped_column(ModelJson(PictureSettings))
    settings_key: Mapped[str] = mapped_column(String(300))
    engine_version: Mapped[str] = mapped_column(String(40))
    is_variant: Mapped[bool] = mapped_column(default=False)
    work_size: Mapped[WorkSize]
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    made_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    report: Mapped[QualityReport | None] = mapped_column(ModelJson(QualityReport))
    error: Mapped[VariantObstacle | None]
    storage_key: Mapped[str | None] = mapped_column(String(200))
    media_type: Mapped[str | None] = mapped_column(String(40))
    width: Mapped[int | None]
    height: Mapped[int | None]
    size_bytes: Mapped[int | None]
    sha256: Mapped[str | None] = mapped_column(String(64))
    picture_sha256: Mapped[str | None] = mapped_column(String(64))
    credentials: Mapped[CredentialKind | None]

    @property
    def is_settled(self) -> bool:
        """Whether the work on it is done: it is made, could not be made, or was dropped."""
        return self.state is WorkState.DONE

    @property
    def made_report(self) -> QualityReport:
        """The report. Raises LookupError if the picture is not made."""
        if self.report is None:
            raise LookupError(f"{self.id} was never made")
        return self.report

    @property
    def has_declined(self) -> bool:
        """Whether every step declined, so that there is no file: the photo itself is the picture."""
        return self.report is not None and self.storage_key is None

    @property
    def variant_state(self) -> VariantState:
        """Its state as a variant, as customers see it."""
        if self.error is not None:
            return VariantState.FAILED
        if not self.is_settled:
            return VariantState.MAKING
        return VariantState.ORIGINAL if self.has_declined else VariantState.READY
