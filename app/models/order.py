"""Upload sessions, jobs, their photos, and the results."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.database import Base, Bytewise, Credits, ModelJson, UtcDateTime
from app.domain.catalog import ServiceType
from app.domain.declines import DecidedPhoto
from app.domain.disclosure.listing import Listing
from app.domain.evidence import PicturesEvidence
from app.domain.file_names import slug
from app.domain.ids import Prefix, new_id
from app.domain.lifecycle import UNFINISHED, UNSETTLED, WORKABLE, Status, UndeliverableCode
from app.domain.metadata import MAX_EXTERNAL_ID
from app.domain.photo_addresses import find_other_addresses
from app.domain.photo_places import FAR_METERS
from app.domain.pictures import AS_ORDERED
from app.domain.presets import PresetContent
from app.domain.retention import Keeping
from app.domain.revisions import MAX_ROUNDS, RevisionObstacle, RevisionOutcome
from app.models.leased import PostponableWork, due_index, one_of, partial_index
from app.models.photo_frame import PhotoFrame
from app.models.picture import StoredPicture
from app.models.revision import Revision
from engine.types.appearance import SharedAppearance
from engine.types.edit_request import EditRequest
from engine.types.enhancements import PhotoType, WorkSize
from engine.types.report import QualityReport, Reason, Verdict
from engine.version import engine_version

# SQL conditions of partial indexes.
NOT_EXPIRED_NOT_KEPT = "expired_at IS NULL AND kept_until IS NULL"
KEPT_NOT_EXPIRED = "kept_until IS NOT NULL AND expired_at IS NULL"
WANTED_NOT_EXPIRED = "keeping = 'wanted' AND expired_at IS NULL"
EXPIRED_NOT_PURGED = "expired_at IS NOT NULL AND purged_at IS NULL"
IS_TEST = "NOT job.livemode"
IS_TEST_NOT_EXPIRED = "NOT livemode AND expired_at IS NULL"
HAS_DRAFT = "draft_id IS NOT NULL"
HAS_EXTERNAL_ID = "external_id IS NOT NULL"
HAS_CALLBACK = "callback_id IS NOT NULL"
MAX_ADDRESS = 300


def _slug_address(context: Any) -> str:
    """The default of `address_slug`: folding may make an address longer."""
    return slug(context.get_current_parameters()["address"])[:MAX_ADDRESS]


class UploadSession(Base):
    """The place to which the files of one order are uploaded. `job_id`: the order, once placed; `order_digest`: of
    its request.

    `key_id`: the API key that opened it, None if a page did. `held_bytes`: the bytes of its files and of running
    uploads, which count toward the account's quota until it is ordered. `preset`: the content of the preset named
    in the order, as it was then, so that the same order sent again means the same.
    """

    __tablename__ = "upload_session"
    __table_args__ = (Index("ix_upload_session_unused", "job_id", "created_at"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.UPLOAD_SESSION))
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"), index=True)
    key_id: Mapped[str | None] = mapped_column(String(32))
    interior_count: Mapped[int]
    exterior_count: Mapped[int]
    held_bytes: Mapped[int] = mapped_column(BigInteger, default=0)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    job_id: Mapped[str | None] = mapped_column(String(32))
    order_digest: Mapped[str | None] = mapped_column(String(64))
    preset: Mapped[PresetContent | None] = mapped_column(ModelJson(PresetContent))


class IncomingFile(Base):
    """A file that a customer uploaded directly to the bucket, at `key`: its size counts toward its upload session.

    The row is deleted with the session, or when the session is ordered.
    """

    __tablename__ = "incoming_file"

    key: Mapped[str] = mapped_column(String(200), primary_key=True)
    upload_session_id: Mapped[str] = mapped_column(ForeignKey("upload_session.id", ondelete="CASCADE"), index=True)
    etag: Mapped[str] = mapped_column(String(200))
    size_bytes: Mapped[int] = mapped_column(BigInteger)


class Job(Base):
    """The work on one order. Only domain.lifecycle.advance() writes `status` and the times of its changes.

    `reviewer_id`: the only reviewer who may decide until `review_until`. `shared_appearance`: what its photos have
    in common, None until that is decided. `listing`: where the property is advertised. `recipes`, `evidence`: of
    the results, kept after the results are removed. `file_names`: of its photos, one a line, for searching; None
    once the photos are removed. `draft_id`: the draft from which it was placed, None for orders by the API;
    `draft_place`: its place among the orders of that draft. `spread_meters`: the greatest distance of an exterior
    photo from the place where most were taken, None if it is not known. `keeping`: whether its owner keeps the
    photos and results, None if nobody chose; `kept_until`: the end of that, None unless they are kept;
    `kept_bytes`: their share of the account's storage. `ordered_by`: the user who placed it, None for orders by the
    API. `cancelled_at`: when photos of it were cancelled by its owner. `external_id` and `own_metadata`: as its
    customer sent them. `livemode`: False for an order of a sandbox; it repeats what the account says, so that
    workers and staff's lists need no other table. `engine_version`: of the engine that makes its pictures, chosen
    when it was placed. `key_id`: the API key that placed it, None for orders by pages. `callback_id`: the webhook
    of its callback URL, None without one and once it has expired. `address_slug`: the address for searches, in
    lower case and without punctuation.
    """

    __tablename__ = "job"
    __table_args__ = (
        Index("ix_job_account_newest", "account_id", "created_at", "id"),
        Index("ix_job_account_address", "account_id", "address", "id"),
        Index("ix_job_account_status", "account_id", "status", "created_at", "id"),
        Index("ix_job_newest", "created_at", "id"),
        Index("ix_job_status_newest", "status", "created_at", "id"),
        Index("ix_job_deadline", "status", "deadline_at"),
        Index("ix_job_retention", "expired_at", "settled_at"),
        # On PostgreSQL sorted by bytes (see the migration), for searches by the beginning of an address.
        Index("ix_job_address", "address", "id"),
        Index("ix_job_account_address_slug", "account_id", "address_slug", "created_at", "id"),
        partial_index(
            "ix_job_account_external_id", HAS_EXTERNAL_ID, "account_id", "external_id", "created_at", "id"
        ),
        partial_index("ix_job_timed", one_of("status", UNSETTLED), "deadline_at"),
        partial_index("ix_job_workable", one_of("status", WORKABLE), "account_id", "created_at", "id"),
        partial_index("ix_job_unexpired", NOT_EXPIRED_NOT_KEPT, "settled_at"),
        partial_index("ix_job_test_unexpired", IS_TEST_NOT_EXPIRED, "settled_at"),
        partial_index("ix_job_kept", KEPT_NOT_EXPIRED, "kept_until"),
        partial_index("ix_job_kept_by", KEPT_NOT_EXPIRED, "account_id", "kept_bytes", "id"),
        partial_index("ix_job_keeping_wanted", WANTED_NOT_EXPIRED, "settled_at"),
        partial_index("ix_job_unpurged", EXPIRED_NOT_PURGED, "expired_at"),
        partial_index("ix_job_draft", HAS_DRAFT, "draft_id"),
        partial_index("ix_job_callback", HAS_CALLBACK, "callback_id"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.JOB))
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"))
    livemode: Mapped[bool] = mapped_column(default=True)
    upload_session_id: Mapped[str] = mapped_column(String(32), unique=True)
    ordered_by: Mapped[str | None] = mapped_column(String(32))
    key_id: Mapped[str | None] = mapped_column(String(32))
    address: Mapped[str] = mapped_column(String(MAX_ADDRESS))
    address_slug: Mapped[str] = mapped_column(Bytewise(MAX_ADDRESS), default=_slug_address)
    external_id: Mapped[str | None] = mapped_column(String(MAX_EXTERNAL_ID))
    own_metadata: Mapped[dict[str, str] | None] = mapped_column(JSON(none_as_null=True))
    callback_id: Mapped[str | None] = mapped_column(String(32))
    service_type: Mapped[ServiceType]
    status: Mapped[Status]
    credit_cost: Mapped[Decimal] = mapped_column(Credits)
    engine_version: Mapped[str] = mapped_column(String(40), default=engine_version)
    generative_calls: Mapped[int] = mapped_column(default=0)
    property_credits: Mapped[Decimal] = mapped_column(Credits)
    credits_refunded: Mapped[Decimal] = mapped_column(Credits, default=Decimal(0))
    interior_count: Mapped[int]
    exterior_count: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    deadline_at: Mapped[datetime] = mapped_column(UtcDateTime)
    processing_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    completed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    settled_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    delivered_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    expired_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    purged_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    error: Mapped[str | None] = mapped_column(Text)
    undeliverable_reason: Mapped[str | None] = mapped_column(Text)
    undeliverable_code: Mapped[UndeliverableCode | None]
    cancelled_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    reviewer_id: Mapped[str | None] = mapped_column(String(32))
    review_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    shared_appearance: Mapped[SharedAppearance | None] = mapped_column(ModelJson(SharedAppearance))
    listing: Mapped[Listing] = mapped_column(ModelJson(Listing), default=Listing)
    recipes: Mapped[list[dict[str, Any]] | None] = mapped_column(JSON(none_as_null=True))
    evidence: Mapped[PicturesEvidence | None] = mapped_column(ModelJson(PicturesEvidence))
    file_names: Mapped[str | None] = mapped_column(Text)
    draft_id: Mapped[str | None] = mapped_column(String(32))
    draft_place: Mapped[int | None]
    spread_meters: Mapped[int | None]
    keeping: Mapped[Keeping | None]
    kept_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    kept_bytes: Mapped[int] = mapped_column(BigInteger, default=0)

    photos: Mapped[list["Photo"]] = relationship(order_by="(Photo.type, Photo.index)", back_populates="job")

    @property
    def is_spread(self) -> bool:
        """Whether exterior photos were taken so far apart that they may show several properties."""
        return self.spread_meters is not None and self.spread_meters >= FAR_METERS

    @property
    def other_addresses(self) -> Mapping[str, str]:
        """The file names that contain another address than the order's, each with that address; none once the
        photos are removed.
        """
        return find_other_addresses((self.file_names or "").splitlines(), self.address)

    @property
    def property_id(self) -> str:
        """The id of its property's page: the id of its draft, if it has one, else its own."""
        return self.draft_id or self.id


class Photo(PostponableWork, Base):
    """One photo of a job: its file, its edit request, and which worker holds it.

    `from_imagery`: it was not uploaded; its file is fetched when the work on it begins. `work_size`: of its edit
    request; workers select photos by it. `sha256`: of the file, None until a worker has read it. `frames`: all
    exposures of a photo taken in several; `storage_key` then names the best exposed of them.
    """

    __tablename__ = "photo"
    __table_args__ = (
        Index("ix_photo_due", "state", "next_attempt_at"),
        due_index("photo"),
        partial_index("ix_photo_undone_work_size", one_of("state", UNFINISHED), "work_size", "next_attempt_at"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.PHOTO))
    job_id: Mapped[str] = mapped_column(ForeignKey("job.id"), index=True)
    type: Mapped[PhotoType]
    index: Mapped[int]
    file_name: Mapped[str] = mapped_column(String(255))
    storage_key: Mapped[str] = mapped_column(String(200))
    size_bytes: Mapped[int]
    from_imagery: Mapped[bool] = mapped_column(default=False)
    edit_request: Mapped[EditRequest] = mapped_column(ModelJson(EditRequest))
    work_size: Mapped[WorkSize]
    image_credits: Mapped[Decimal] = mapped_column(Credits)
    sha256: Mapped[str | None] = mapped_column(String(64))

    job: Mapped[Job] = relationship(back_populates="photos")
    frames: Mapped[list[PhotoFrame]] = relationship(order_by=PhotoFrame.place, passive_deletes=True)
    result: Mapped["Result | None"] = relationship(back_populates="photo")

    @property
    def is_cancelled(self) -> bool:
        """Whether its owner cancelled it before it was worked on; its price was refunded then."""
        return self.result is not None and self.result.reason == Reason.CANCELLED

    @property
    def decided(self) -> DecidedPhoto | None:
        """The photo with the outcome of its order; None while it has no result."""
        result = self.result
        if result is None:
            return None
        reason = Reason(result.reason) if result.reason else None
        settings = result.picture.settings
        facts = (self.edit_request, settings, result.report, result.verdict, reason)
        return DecidedPhoto(self.id, self.type, *facts)


class Result(Base):
    """The result of one photo: its `picture`, or the `reason` that there is none, and the `verdict` on it.

    The picture may be replaced; the result stays. `refunded_steps`: steps in the picture whose price is refunded
    when the review ends. `revisions`: the rounds in which the picture was made again; first those begun by
    reviewers, then those of its owner.
    """

    __tablename__ = "result"

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.IMAGE))
    job_id: Mapped[str] = mapped_column(ForeignKey("job.id"), index=True)
    photo_id: Mapped[str] = mapped_column(ForeignKey("photo.id"), unique=True)
    picture_id: Mapped[str] = mapped_column(ForeignKey("picture.id"))
    verdict: Mapped[Verdict] = mapped_column(default=Verdict.UNDECIDED)
    reason: Mapped[str | None] = mapped_column(String(40))
    message: Mapped[str] = mapped_column(Text, default="")
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    decided_by: Mapped[str | None] = mapped_column(String(32))
    decided_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    refunded_steps: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))

    photo: Mapped[Photo] = relationship(back_populates="result")
    picture: Mapped[StoredPicture] = relationship(lazy="joined", innerjoin=True)
    revisions: Mapped[list[Revision]] = relationship(
        order_by=(Revision.by_reviewer.desc(), Revision.round), viewonly=True
    )

    @property
    def report(self) -> QualityReport:
        """The quality report of its picture. Raises LookupError while the picture is not made."""
        return self.picture.made_report

    @property
    def storage_key(self) -> str | None:
        """The storage key of its picture; None if no picture was made."""
        return self.picture.storage_key

    @property
    def version(self) -> int | None:
        """A number for URLs that changes whenever the picture is replaced, so that browsers do not show a cached
        one; None for the first picture.
        """
        made_at = self.picture.made_at
        return None if self.picture.settings == AS_ORDERED or made_at is None else int(made_at.timestamp() * 1000)

    @property
    def rounds(self) -> list[Revision]:
        """The rounds in which its owner sent it back, oldest first."""
        return [each for each in self.revisions if not each.by_reviewer]

    @property
    def revision_obstacle(self) -> RevisionObstacle | None:
        """Why its owner cannot send it back again; None if they can."""
        if any(each.outcome is None for each in self.rounds):
            return RevisionObstacle.ROUND_OPEN
        is_cancelled = self.reason == Reason.CANCELLED
        if is_cancelled or any(each.outcome is RevisionOutcome.REFUNDED for each in self.rounds):
            return RevisionObstacle.REFUNDED
        return RevisionObstacle.TOO_MANY_ROUNDS if sum(each.counts for each in self.rounds) >= MAX_ROUNDS else None

    @property
    def reviewer_rounds(self) -> list[Revision]:
        """The rounds that reviewers began before delivery, oldest first."""
        return [each for each in self.revisions if each.by_reviewer]
