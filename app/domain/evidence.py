"""The evidence of an order: records about its pictures that are kept after the pictures are removed."""

from collections.abc import Iterator
from datetime import date
from enum import StrEnum
from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from app.domain.api_types import Moment, StoredAnswer, WireAnswer
from app.domain.disclosure.listing import BarredEnhancement
from app.domain.disclosure.rules import RuleKind
from app.domain.fields import (
    Address,
    AlteredDigest,
    Caption,
    Digest,
    EngineVersion,
    Expiry,
    FileName,
    FrameDigests,
    ImageId,
    JobId,
    PageUrl,
    PersonName,
    RuleId,
    SourceUrl,
)
from app.domain.flaws import Flaw
from app.domain.lifecycle import Status
from app.domain.revisions import RevisionOutcome
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement, PhotoType, RoomType, Style
from engine.types.options import EffectOptions
from engine.types.report import Figure, QualityReport, Reason, StepOutcome, Verdict

NOTE = "Recorded by the service at the time. Not legal advice."


class DecidedBy(StrEnum):
    """Who approved or rejected a picture: a reviewer, or the automatic checks alone."""

    REVIEWER = "reviewer"
    AUTOMATIC = "automatic"


class FurnitureEvidence(StoredAnswer, title="FurnitureAnswer"):
    """Pieces of furniture of one kind and size, with what stands on a piece."""

    piece: str = Field(description="The kind, for programs. New kinds may come.", examples=["sofa"])
    label: str = Field(description="The kind, for people.", examples=["Sofa"])
    count: int = Field(examples=[1])
    width: float = Field(description="In meters, like depth and height.", examples=[2.2])
    depth: float = Field(examples=[0.94])
    height: float = Field(examples=[0.81])


class EditEvidence(StoredAnswer, title="EditEvidenceAnswer"):
    """One enhancement that was ordered."""

    enhancement: Enhancement
    applied: bool = Field(description="Whether it was done; false while undecided.")
    style: Style | None = None
    room_type: RoomType | None = None
    changes: tuple[str, ...] = Field(
        default=(), description="Of a renovation, each as `type: description`.", examples=[[]]
    )
    options: EffectOptions | None = Field(
        default=None,
        exclude_if=lambda options: options is None,
        description="What was chosen of its options.",
    )
    furniture: tuple[FurnitureEvidence, ...] | None = Field(
        default=None,
        exclude_if=lambda furniture: furniture is None,
        description="Of virtual staging that our worker made: the pieces that it added, with sizes.",
    )


class EvidenceFigure(WireAnswer):
    """One measured value."""

    code: str = Field(description="What was measured, as in the quality report.", examples=["outside_difference"])
    label: str = Field(
        description="What was measured, in words.", examples=["Color change where nothing may change (CIEDE2000)"]
    )
    value: float = Field(examples=[0.21])
    minimum: float | None = None
    maximum: float | None = Field(default=None, examples=[1])
    passed: bool


class RevisionEvidence(StoredAnswer, title="RevisionEvidenceAnswer"):
    """One round in which the result was sent back as not right."""

    round: int = Field(examples=[1])
    flaw: Flaw = Field(description="What its owner said was wrong.", examples=[Flaw.LAWN_ON_BUSH])
    sent_back_at: Moment
    outcome: RevisionOutcome | None = Field(default=None, description="Absent while it is open.")
    decided_by: DecidedBy | None = None
    decided_at: Moment | None = None
    before_sha256: AlteredDigest | None = Field(default=None, description="Of the altered file that was sent back.")


Measured = TypeVar("Measured", Figure, EvidenceFigure)
"""The type of figures in evidence: Figure where it is stored, EvidenceFigure, with fewer fields, where it is
sent.
"""


class PictureEvidence(StoredAnswer, Generic[Measured], title="PictureEvidenceAnswer"):
    """The evidence about one photo."""

    number: int = Field(description="Its place in the order, from 1; the number on its public page.", examples=[1])
    type: PhotoType
    file_name: FileName
    image_id: ImageId | None = Field(default=None, description="Absent while it has no result.")
    edits: tuple[EditEvidence, ...]
    caption: Caption | None = Field(default=None, description="The caption that the listing must have for it.")
    label: Caption | None = Field(default=None, description="The words in its labeled copy.")
    verdict: Verdict = Field(default=Verdict.UNDECIDED, examples=[Verdict.APPROVED])
    reason: Reason | None = Field(
        default=None,
        exclude_if=lambda reason: reason is None,
        description="Why no picture of it was delivered, `cancelled` for instance; only then.",
    )
    decided_by: DecidedBy | None = Field(
        default=None,
        description="A reviewer, or the measures alone; absent where it was cancelled.",
        examples=[DecidedBy.AUTOMATIC],
    )
    decided_at: Moment | None = Field(default=None, description="When a reviewer decided.")
    original_sha256: Digest | None = Field(default=None, description="Of the original file.")
    frame_sha256s: FrameDigests = None
    altered_sha256: AlteredDigest | None = Field(default=None, description="Of the altered file.")
    engine_version: EngineVersion | None = Field(default=None, description="Of the engine that made it.")
    figures: tuple[Measured, ...] = ()
    revisions: tuple[RevisionEvidence, ...] = Field(default=(), description="The rounds in which it was sent back.")


class PicturesEvidence(BaseModel):
    """The evidence about all photos of one order, as stored with the job."""

    model_config = ConfigDict(frozen=True)

    pictures: tuple[PictureEvidence[Figure], ...] = ()


class RuleEvidence(StoredAnswer, title="HeldRuleAnswer"):
    """A rule on altered pictures that applies to the order."""

    id: RuleId
    kind: RuleKind = Field(examples=[RuleKind.MLS])
    name: str = Field(examples=["CRMLS, rule 11.5.2"])
    version: int | None = Field(default=None, description="On the day of the order.", examples=[1])
    version_now: int = Field(description="The present version.", examples=[1])
    checked: date = Field(description="When it was last compared with its source.", examples=["2026-11-26"])
    in_force: date | None = Field(default=None, description="From which day it holds; absent where we know none.")
    source: SourceUrl | None = Field(default=None, description="Where it was read.")


class AcceptedEnhancement(BarredEnhancement, StoredAnswer, title="AcceptedAnswer"):
    """A barred enhancement that was ordered knowingly."""

    accepted_at: Moment


class PageEvidence(StoredAnswer, title="PublicPageEvidenceAnswer"):
    """One public page of the originals."""

    url: PageUrl
    published_at: Moment
    expires_at: Expiry
    revoked_at: Moment | None = None
    shows_address: bool
    pictures: tuple[int, ...] = Field(description="The numbers of the pictures on it.", examples=[[1]])
    lost_originals: tuple[int, ...] = Field(
        description="Those whose original is missing from the store.", examples=[[]]
    )


class Evidence(StoredAnswer, Generic[Measured], title="EvidenceAnswer"):
    """The evidence of one order. It is not legal advice."""

    job_id: JobId
    ordered_by: PersonName = Field(
        description="The name of the person who ordered, else of the owner of the account."
    )
    ordered_at: Moment
    address: Address
    status: Status = Field(examples=[Status.DELIVERED])
    settled_at: Moment | None = None
    expired_at: Moment | None = Field(default=None, description="When the pictures and their records were removed.")
    rules: tuple[RuleEvidence, ...]
    accepted_barred: tuple[AcceptedEnhancement, ...]
    complete: bool = Field(description="False for orders that expired before evidence was kept.")
    pictures: tuple[PictureEvidence[Measured], ...]
    public_pages: tuple[PageEvidence, ...]
    note: str = Field(default=NOTE, examples=[NOTE])


def list_edits(wanted: EditRequest, report: QualityReport | None) -> Iterator[EditEvidence]:
    """The enhancements ordered for one photo, each with whether it was applied; not applied while there is no
    report.
    """
    outcomes = {each.enhancement: each for each in report.steps} if report else {}
    for each in wanted.steps:
        outcome = outcomes.get(each)
        is_staging = each is Enhancement.STAGING
        yield EditEvidence(
            enhancement=each,
            applied=outcome is not None and outcome.applied,
            style=wanted.style if is_staging else None,
            room_type=wanted.room_type if is_staging else None,
            changes=tuple(_list_changes(wanted)) if each is Enhancement.RENOVATION else (),
            options=wanted.options_of(each),
            furniture=_list_furniture(outcome),
        )


def _list_furniture(outcome: StepOutcome | None) -> tuple[FurnitureEvidence, ...] | None:
    added = outcome.furniture if outcome else ()
    return tuple(map(FurnitureEvidence.model_validate, added)) or None


def _list_changes(wanted: EditRequest) -> Iterator[str]:
    for change in wanted.changes:
        words = (change.change_description, change.reference_text)
        yield f"{change.type}: {'; '.join(filter(None, words))}"
