"""The evidence of an order as one JSON document, the same for programs and on the pages."""

from datetime import date
from typing import Annotated

from pydantic import BeforeValidator, Field

from app.domain.catalogue import Enhancement, PhotoType, RoomType, Style
from app.domain.complaints import Flaw
from app.domain.disclosure.rules import RuleKind
from app.domain.evidence import DecidedBy, PictureEvidence
from app.domain.lifecycle import Status
from app.domain.quality import Verdict
from app.domain.revisions import RevisionOutcome
from app.domain.wire import Moment, WireAnswer
from app.models import PublicPage
from app.services.photos import public_pages
from app.services.photos.evidence import Evidence, HeldRule
from app.web.option_answers import OptionsAnswer


class HeldRuleAnswer(WireAnswer):
    """A rule on altered pictures that holds for the order."""

    id: str
    kind: RuleKind
    name: str
    version: int | None = Field(default=None, description="On the day of the order.")
    version_now: int = Field(description="That of now.")
    checked: date = Field(description="When it was last compared with its source.")
    in_force: date | None = Field(default=None, description="From which day it holds; absent where we know none.")
    source: str | None = Field(default=None, description="Where it was read.")


class AcceptedAnswer(WireAnswer):
    """What a rule bars, and was ordered knowingly."""

    rule: str
    version: int = Field(description="Of the rule whose words were shown.")
    enhancement: Enhancement
    accepted_at: Moment


class EditEvidenceAnswer(WireAnswer):
    """One enhancement that was ordered."""

    enhancement: Enhancement
    applied: bool = Field(description="Whether it was done; false while undecided.")
    style: Style | None = None
    room_type: RoomType | None = None
    changes: list[str] = Field(description="Of a renovation, each as `type: description`.")
    options: OptionsAnswer | None = Field(default=None, description="What was chosen of its options.")


class EvidenceFigure(WireAnswer):
    """One measured value."""

    code: str = Field(description="What was measured, as in the quality report.")
    label: str = Field(description="The same for people.")
    value: float
    minimum: float | None = None
    maximum: float | None = None
    passed: bool


class RevisionEvidenceAnswer(WireAnswer):
    """One round in which the result was sent back as not right."""

    round: int
    flaw: Flaw = Field(description="What its owner said was wrong.")
    sent_back_at: Moment
    outcome: RevisionOutcome | None = Field(default=None, description="Absent while it is open.")
    decided_by: DecidedBy | None = None
    decided_at: Moment | None = None
    before_sha256: str | None = Field(default=None, description="Of the altered file that was sent back.")


class PictureEvidenceAnswer(WireAnswer):
    """What became of one photo."""

    number: int = Field(description="Its place in the order, from 1; the number on its public page.")
    type: PhotoType
    file_name: str
    image_id: str | None = Field(default=None, description="Absent where no result came of it, or not yet.")
    edits: list[EditEvidenceAnswer]
    caption: str | None = Field(default=None, description="What the listing has to say of it.")
    label: str | None = Field(default=None, description="What its labelled copy says.")
    verdict: Verdict
    decided_by: DecidedBy | None = Field(default=None, description="A reviewer, or the measures alone.")
    decided_at: Moment | None = Field(default=None, description="When a reviewer decided.")
    original_sha256: str | None = Field(default=None, description="Of the original file.")
    frame_sha256s: Annotated[list[str] | None, BeforeValidator(lambda found: found or None)] = Field(
        default=None,
        alias="frameSha256s",
        description="Of all files that became the photo; absent where it was one.",
    )
    altered_sha256: str | None = Field(default=None, description="Of the altered file.")
    engine_version: str | None = Field(default=None, description="Of the engine that made it.")
    figures: list[EvidenceFigure]
    revisions: list[RevisionEvidenceAnswer] = Field(description="The rounds in which it was sent back.")


class PublicPageEvidenceAnswer(WireAnswer):
    """One public page of the originals."""

    url: str
    published_at: Moment
    expires_at: Moment
    revoked_at: Moment | None = None
    shows_address: bool
    pictures: list[int] = Field(description="The numbers of the pictures on it.")
    lost_originals: list[int] = Field(description="Those whose original is missing from the store.")


class EvidenceAnswer(WireAnswer):
    """The evidence of one order. It is no legal advice."""

    job_id: str
    ordered_by: str = Field(description="The name of the account.")
    ordered_at: Moment
    address: str
    status: Status
    settled_at: Moment | None = None
    expired_at: Moment | None = Field(default=None, description="When the pictures and their records went.")
    rules: list[HeldRuleAnswer]
    accepted_barred: list[AcceptedAnswer]
    complete: bool = Field(description="False for orders that expired before this was kept.")
    pictures: list[PictureEvidenceAnswer]
    public_pages: list[PublicPageEvidenceAnswer]
    note: str


NOTE = "Kept by the service as it happened. Not legal advice."


def write_evidence(found: Evidence, base_url: str) -> EvidenceAnswer:
    """The document; `base_url` is where the service is reached."""
    job = found.job
    return EvidenceAnswer(
        job_id=job.id,
        ordered_by=found.account_name,
        ordered_at=job.created_at,
        address=job.address,
        status=job.status,
        settled_at=job.settled_at,
        expired_at=job.expired_at,
        rules=[_rule(each) for each in found.rules],
        accepted_barred=[
            AcceptedAnswer(
                rule=each.rule, version=each.version, enhancement=each.enhancement, accepted_at=job.created_at
            )
            for each in found.accepted
        ],
        complete=found.complete,
        pictures=[_picture(each) for each in found.pictures],
        public_pages=[_page(each, base_url) for each in found.pages],
        note=NOTE,
    )


def _rule(held: HeldRule) -> HeldRuleAnswer:
    rule = held.rule
    return HeldRuleAnswer(
        id=rule.id,
        kind=rule.kind,
        name=rule.name,
        version=held.version,
        version_now=rule.version,
        checked=rule.checked,
        in_force=rule.in_force,
        source=str(rule.sources[0].url) if rule.sources else None,
    )


def _picture(found: PictureEvidence) -> PictureEvidenceAnswer:
    return PictureEvidenceAnswer.model_validate(found)


def _page(page: PublicPage, base_url: str) -> PublicPageEvidenceAnswer:
    return PublicPageEvidenceAnswer(
        url=public_pages.url_of(base_url, page),
        published_at=page.created_at,
        expires_at=page.expires_at,
        revoked_at=page.revoked_at,
        shows_address=page.address is not None,
        pictures=[each.number for each in page.pictures],
        lost_originals=[each.number for each in page.pictures if each.original_lost_at is not None],
    )
