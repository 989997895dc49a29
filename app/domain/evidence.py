"""What is kept of an order's pictures as evidence, also once the pictures themselves are gone."""

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from app.domain.catalogue import Enhancement, PhotoType, RoomType, Style
from app.domain.complaints import Flaw
from app.domain.edit_requests import EditRequest
from app.domain.options import EffectOptions
from app.domain.quality import Figure, QualityReport, Verdict
from app.domain.revisions import RevisionOutcome


class DecidedBy(StrEnum):
    """Who let a picture through, or rejected it: a reviewer, or the measures alone."""

    REVIEWER = "reviewer"
    AUTOMATIC = "automatic"


class EditEvidence(BaseModel):
    """One enhancement that was ordered, whether it was done, and how it was wanted.

    `changes` of a renovation are `TYPE: description`; `options` what was chosen of those of the enhancement.
    """

    model_config = ConfigDict(frozen=True)

    enhancement: Enhancement
    applied: bool
    style: Style | None = None
    room_type: RoomType | None = None
    changes: tuple[str, ...] = ()
    options: EffectOptions | None = Field(default=None, exclude_if=lambda options: options is None)


class RevisionEvidence(BaseModel):
    """One round in which the result was sent back: what its owner found not right, and how it ended.

    `before_sha256`: of the file that was sent back.
    """

    model_config = ConfigDict(frozen=True)

    round: int
    flaw: Flaw
    sent_back_at: datetime
    outcome: RevisionOutcome | None = None
    decided_by: DecidedBy | None = None
    decided_at: datetime | None = None
    before_sha256: str | None = None


class PictureEvidence(BaseModel):
    """One photo of an order; `number` is its place in it, from 1.

    `caption` is what the listing has to say of it, `label` what its labelled copy says; None where nothing. The
    digests are those of the files, `frame_sha256s` of all that became the photo where they were more than one, the
    original among them; None for what was made before they were kept, or where no picture came of it.
    """

    model_config = ConfigDict(frozen=True)

    number: int
    type: PhotoType
    file_name: str
    image_id: str | None = None
    edits: tuple[EditEvidence, ...]
    caption: str | None = None
    label: str | None = None
    verdict: Verdict = Verdict.UNDECIDED
    decided_by: DecidedBy | None = None
    decided_at: datetime | None = None
    original_sha256: str | None = None
    frame_sha256s: tuple[str, ...] = ()
    altered_sha256: str | None = None
    engine_version: str | None = None
    figures: tuple[Figure, ...] = ()
    revisions: tuple[RevisionEvidence, ...] = ()


class PicturesEvidence(BaseModel):
    """All photos of one order, as they stand with it."""

    model_config = ConfigDict(frozen=True)

    pictures: tuple[PictureEvidence, ...] = ()


def list_edits(wanted: EditRequest, report: QualityReport | None) -> Iterator[EditEvidence]:
    """What was ordered for one photo, with what was done of it, as far as that is decided."""
    applied = report.applied if report else ()
    for each in wanted.steps:
        stages = each is Enhancement.STAGING
        yield EditEvidence(
            enhancement=each,
            applied=each in applied,
            style=wanted.style if stages else None,
            room_type=wanted.room_type if stages else None,
            changes=tuple(_list_changes(wanted)) if each is Enhancement.RENOVATION else (),
            options=wanted.chosen_options.only_for([each]),
        )


def _list_changes(wanted: EditRequest) -> Iterator[str]:
    for change in wanted.changes:
        words = (change.change_description, change.reference_text)
        yield f"{change.type}: {'; '.join(filter(None, words))}"
