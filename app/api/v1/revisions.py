"""Rounds: send back a result, list its rounds with the previous pictures, read one round, withdraw one."""

from typing import Annotated

from flask import Blueprint
from pydantic import Field, ValidationError

from app.api.v1.answers import CreditsNumber, Moment
from app.api.v1.operations import Operation, serve
from app.api.v1.revision_examples import REVISION, REVISION_DONE, REVISION_REQUEST, REVISION_WITHDRAWN, REVISIONS
from app.domain.actors import Scope
from app.domain.api_types import Text, WireAnswer
from app.domain.content_credentials import CredentialKind
from app.domain.errors import Conflict, InvalidFields, NotFound, NotReady, RetentionEnded
from app.domain.field_errors import shape_faults
from app.domain.flaws import MAX_NOTE, Flaw, SendBackInput
from app.domain.hint_requests import Hints
from app.domain.option_requests import OptionsRequest
from app.domain.promises import SEND_BACK_WINDOW
from app.domain.request_limits import Request
from app.domain.revisions import RevisionOutcome, RevisionReason, RevisionStatus
from app.models import Revision, StoredPicture
from app.services.photos import downloads
from app.services.revisions import revisions
from app.web import idempotency
from app.web.authentication import actor
from app.web.bodies import json_object
from app.web.context import container
from engine.types.enhancements import Enhancement
from engine.types.options import EffectOptions, drop_empty

blueprint = Blueprint("revisions_v1", __name__)
_PATH = "/jobs/{jobId}/images/{imageId}/revisions"


class RevisionRequest(Request):
    """The reasons why the result is not right."""

    reason: Flaw = Field(
        description="What is wrong; it must fit what was done to the picture. `no_result`, for a photo without a "
        "usable result and for no other, has a person look at it, unless `hints` are taken."
    )
    message: Annotated[Text, Field(max_length=MAX_NOTE)] = Field(
        default="", description="Where in the picture, for example."
    )
    without: Enhancement | None = Field(
        default=None,
        description="The step to leave out, whose price is then refunded; if absent, we choose what to try.",
    )
    options: OptionsRequest = Field(
        default_factory=OptionsRequest, description="Looks to try in place of those in the picture."
    )
    hints: Hints | None = Field(
        default=None,
        description="What the photo shows, in place of the order's hints: the photo is made again with them, with "
        "the steps that are in the result, and outside with those that were not refunded because other photos got "
        "them.",
    )


class TriedAnswer(WireAnswer):
    """The settings with which the picture was made again, or is being made again."""

    photo_seed: int = Field(description="0, or the number of another try for steps that depend on chance.")
    strength: float = Field(description="1, or a smaller share of the change, for steps that can be weaker.")
    without: list[Enhancement] = Field(description="The steps that were left out.")
    options: EffectOptions | None = Field(default=None, description="Looks in place of those ordered.")
    hinted: bool = Field(description="Whether hints came with a result sent back, in place of the order's.")


class BeforeAnswer(WireAnswer):
    """The picture that was sent back."""

    url: str | None = Field(
        default=None,
        description="For a time; Range and HEAD work. Not in the answer to POST, nor after credits were refunded "
        "for steps that the new picture does not have.",
    )
    width: int = Field(description="In pixels.")
    height: int = Field(description="In pixels.")
    bytes: int = Field(description="The size of the file.")
    enhancements: list[Enhancement] = Field(description="The steps that are in it.")
    sha256: str | None = Field(default=None, description="Of the file.")
    content_credentials: CredentialKind | None = Field(
        default=None, description="The C2PA content credentials that we wrote into it."
    )
    engine_version: str | None = None


class RevisionAnswer(WireAnswer):
    """One round in which a result was sent back."""

    id: str = Field(description="Names the round.")
    image_id: str = Field(description="The result. It stays the same, whatever picture it has.")
    round: int = Field(description="Counted from 1.")
    reason: Flaw = Field(description="What was said to be wrong.")
    message: str
    without: Enhancement | None = Field(default=None, description="The step that was to be left out.")
    status: RevisionStatus = Field(
        description="`making`; `in_review`: a person looks at it; `done`, then `outcome` says how it ended."
    )
    outcome: RevisionOutcome | None = Field(
        default=None,
        description="`revised`: another picture is in its place; `kept`: it stays, `answer` says why; `refunded`: "
        "it stays, and its price was refunded; `declined`: it could not be made again, `code` says why; "
        "`withdrawn`: it was taken back. After `no_result`, `kept` says that there is still no picture.",
    )
    code: RevisionReason | None = Field(default=None, description="Why it is in review, or ended so.")
    answer: str | None = Field(default=None, description="What the reviewer says of it, for people.")
    tried: TriedAnswer | None = Field(default=None, description="Absent while nothing was tried.")
    credits_refunded: CreditsNumber = Field(description="Refunded with this round.")
    created_at: Moment
    decided_at: Moment | None = None
    before: BeforeAnswer | None = Field(default=None, description="Absent where there was no usable result.")


class RevisionListAnswer(WireAnswer):
    """All rounds of a result."""

    revisions: list[RevisionAnswer] = Field(description="The first first.")


@serve(
    blueprint,
    Operation(
        method="POST",
        path=_PATH,
        scope=Scope.ORDERS_WRITE,
        summary="Send back a result that is not right",
        body=RevisionRequest,
        example=REVISION_REQUEST,
        answer=RevisionAnswer,
        answer_example=REVISION,
        status=202,
        refusals=(NotFound, NotReady, Conflict, RetentionEnded),
        notes=f"Free of charge. {SEND_BACK_WINDOW} The photo is made again, or a person looks at it; "
        "`photo.revised` reports the end. The picture in its place is under the same `imageId` in the downloads. "
        "A rejected result of a job with others that are usable can be sent back too, as `no_result`: its price "
        "stays refunded, and the picture that a person has made of it, if any, is free. "
        "409 has `details.reason`: `round_open`, `too_many_rounds`, `refunded`; 410: too late.",
    ),
)
def request_revision(job_id: str, image_id: str) -> RevisionAnswer:
    """Send the result back."""
    content = json_object()
    try:
        wanted = RevisionRequest.model_validate(content)
    except ValidationError as error:
        raise InvalidFields(shape_faults(error, RevisionRequest).values()) from None
    idempotency.begin({"job": job_id, "image": image_id, **content})
    here = container()
    words = SendBackInput(
        wanted.reason.value, wanted.message, wanted.without or "", wanted.hints, wanted.options.effect_options
    )
    with idempotency.effect(202) as made:
        whose = (actor().account_id, job_id, image_id)
        sent = revisions.send_back(made.session, *whose, words, here.clock())
        made.answer = answer = _answer(sent)
    return answer


@serve(
    blueprint,
    Operation(
        method="GET",
        path=_PATH,
        scope=Scope.JOBS_READ,
        summary="List the rounds in which a result was sent back, with fresh URLs",
        answer=RevisionListAnswer,
        answer_example=REVISIONS,
        refusals=(NotReady, NotFound),
        notes="Like the downloads, asking for them the first time delivers the job.",
    ),
)
def list_revisions(job_id: str, image_id: str) -> RevisionListAnswer:
    """All rounds of the result, the first round first."""
    here = container()
    with here.database.unit_of_work() as session:
        job = downloads.deliver(session, actor().account_id, job_id, here.clock())
        facts = (job.account_id, job.id, image_id, here.settings.download_url_seconds)
        files = revisions.list_files(session, here.storage, *facts)
    return RevisionListAnswer(revisions=[_answer(each.revision, each.before_url) for each in files])


@serve(
    blueprint,
    Operation(
        method="GET",
        path=f"{_PATH}/{{revisionId}}",
        scope=Scope.JOBS_READ,
        summary="Get one round in which a result was sent back",
        answer=RevisionAnswer,
        answer_example=REVISION_DONE,
        refusals=(NotReady, NotFound),
        notes="Like the downloads, asking for it the first time delivers the job.",
    ),
)
def show_revision(job_id: str, image_id: str, revision_id: str) -> RevisionAnswer:
    """One round of the result."""
    here = container()
    with here.database.unit_of_work() as session:
        job = downloads.deliver(session, actor().account_id, job_id, here.clock())
        facts = (job.account_id, job.id, image_id, revision_id, here.settings.download_url_seconds)
        file = revisions.get_file(session, here.storage, *facts)
    return _answer(file.revision, file.before_url)


@serve(
    blueprint,
    Operation(
        method="DELETE",
        path=f"{_PATH}/{{revisionId}}",
        scope=Scope.ORDERS_WRITE,
        summary="Take back a round that is not over",
        answer=RevisionAnswer,
        answer_example=REVISION_WITHDRAWN,
        refusals=(NotReady, NotFound, Conflict),
        notes="The picture stays as it is. The round is kept as `withdrawn`; it counts unless nothing was tried. "
        "409 with `details.reason` `round_done`: it is over.",
    ),
)
def withdraw_revision(job_id: str, image_id: str, revision_id: str) -> RevisionAnswer:
    """Withdraw the round."""
    here = container()
    with here.database.unit_of_work() as session:
        whose = (actor().account_id, job_id, image_id, revision_id)
        return _answer(revisions.withdraw(session, *whose, here.clock()))


def _answer(revision: Revision, before_url: str | None = None) -> RevisionAnswer:
    settings = revision.made.settings if revision.made else None
    return RevisionAnswer(
        id=revision.id,
        image_id=revision.result_id,
        round=revision.round,
        reason=revision.flaw,
        message=revision.message,
        without=Enhancement(revision.without) if revision.without else None,
        status=revision.status,
        outcome=revision.outcome,
        code=revision.reason,
        answer=revision.answer or None,
        tried=TriedAnswer(
            photo_seed=settings.photo_seed,
            strength=settings.strength,
            without=list(settings.left_out),
            options=drop_empty(settings.options),
            hinted=settings.hints is not None,
        )
        if settings
        else None,
        credits_refunded=revision.credits_refunded,
        created_at=revision.created_at,
        decided_at=revision.decided_at,
        before=None if revision.lacked_result else _answer_before(revision.before, before_url),
    )


def _answer_before(before: StoredPicture, url: str | None) -> BeforeAnswer:
    return BeforeAnswer(
        url=url,
        width=before.width or 0,
        height=before.height or 0,
        bytes=before.size_bytes or 0,
        enhancements=list(before.made_report.applied),
        sha256=before.sha256,
        content_credentials=before.credentials,
        engine_version=before.engine_version,
    )
