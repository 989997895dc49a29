"""Packs of a job's pictures for listing services: requested, listed, downloaded."""

from flask import Blueprint
from pydantic import Field, StrictBool, ValidationError
from sqlalchemy.orm import Session

from app.api.v1.answers import Moment
from app.api.v1.examples import example_of
from app.api.v1.operations import Operation, serve
from app.domain.actors import Scope
from app.domain.api_types import WireAnswer
from app.domain.disclosure.listing import MlsId
from app.domain.disclosure.pack_warnings import PackWarning, PackWarningCode, describe_warning
from app.domain.disclosure.rule_files import all_rules
from app.domain.disclosure.rules import Rule
from app.domain.errors import InvalidFields, NotFound, NotReady
from app.domain.field_errors import shape_faults
from app.domain.fields import RuleId
from app.domain.request_limits import Request
from app.models import MlsPack
from app.services.photos import packs
from app.services.photos.pack_plans import PackChoice
from app.services.photos.packs import PackStatus
from app.web import idempotency
from app.web.authentication import actor
from app.web.bodies import json_object
from app.web.context import container
from engine.types.enhancements import Enhancement

blueprint = Blueprint("mls_packs_v1", __name__)


class MlsPackRequest(Request):
    """The listing service that the pack is for."""

    mls: MlsId = Field(description="The listing service, see GET /rules.", examples=["crmls"])
    labeled: StrictBool = Field(
        default=False, description="Draw the label into altered pictures where the rule leaves that open."
    )


class PackWarningAnswer(WireAnswer):
    """A way in which the pack differs from the order, or something that is left to do."""

    code: PackWarningCode = Field(
        description="What it is, for programs.", examples=[PackWarningCode.BARRED_STEPS_LEFT_OUT]
    )
    message: str = Field(
        description="The same for people.",
        examples=["CRMLS bars green lawn: photo 1 is in the pack without it."],
    )
    photos: list[int] = Field(
        description="Which photos it is about: their places in the order, from 1.", examples=[[1]]
    )
    enhancements: list[Enhancement] = Field(description="What is barred; only where something is.")


class MlsPackAnswer(WireAnswer):
    """A pack of a job's pictures for a listing service."""

    id: str = Field(examples=["pck_5Nq2LmXw9RtB7Hc0ZsVyKd"])
    mls: RuleId = Field(description="The listing service, see GET /rules.")
    rule_version: int = Field(description="The version of its rule that the pack was made by.", examples=[1])
    labeled: bool = Field(examples=[False])
    status: PackStatus = Field(
        description="Ask again every few seconds while it is being made.", examples=[PackStatus.READY]
    )
    created_at: Moment
    picture_count: int | None = Field(
        default=None, description="How many pictures are in it; once it is ready.", examples=[6]
    )
    bytes: int | None = Field(default=None, description="Of the ZIP; once it is ready.", examples=[4127904])
    outdated: bool = Field(
        description="Whether a picture in it was replaced since it was made: ask for the pack again.",
        examples=[False],
    )
    warnings: list[PackWarningAnswer] = Field(description="What to know before it is used; once it is ready.")
    error: str | None = Field(default=None, description="Why it could not be made, for people; only then.")
    url: str | None = Field(
        default=None, description="The ZIP, for 24 hours; once it is ready, and not in the list of packs."
    )


_WITH_URL = {**example_of(MlsPackAnswer), "url": "https://brightlist.example/files/WyJrZ…"}


class MlsPackList(WireAnswer):
    """All packs of a job."""

    packs: list[MlsPackAnswer] = Field(description="The newest first, at most one for each listing service.")


@serve(
    blueprint,
    Operation(
        method="POST",
        path="/jobs/{jobId}/packs",
        scope=Scope.ORDERS_WRITE,
        summary="Ask for a job's pictures as a listing service takes them",
        body=MlsPackRequest,
        answer=MlsPackAnswer,
        answer_example=_WITH_URL,
        status=202,
        refusals=(NotFound, NotReady),
        notes="Free of charge. A repeated request gets the same pack, or a new one in its place if anything "
        "that it is made from has changed. An answer with a `url` delivers the job, as the downloads do.",
    ),
)
def request_mls_pack(job_id: str) -> MlsPackAnswer:
    """Request a pack."""
    content = json_object()
    try:
        wanted = MlsPackRequest.model_validate(content)
    except ValidationError as error:
        raise InvalidFields(shape_faults(error, MlsPackRequest).values()) from None
    idempotency.begin({"job": job_id, **content})
    here = container()
    choice = PackChoice(all_rules()[wanted.mls], wanted.labeled, here.settings.base_url)
    with idempotency.effect(status=202) as made:
        pack = packs.request(made.session, actor().account_id, job_id, choice, here.clock())
        made.answer = answer = _answer(made.session, pack)
    return answer


@serve(
    blueprint,
    Operation(
        method="GET",
        path="/jobs/{jobId}/packs",
        scope=Scope.JOBS_READ,
        summary="List a job's packs for listing services",
        answer=MlsPackList,
        refusals=(NotFound,),
    ),
)
def list_mls_packs(job_id: str) -> MlsPackList:
    """All packs of the job. They have no URLs, so reading the list does not mark the job as delivered."""
    with container().database.read_session() as session:
        found = packs.list_of(session, actor().account_id, job_id)
        return MlsPackList(packs=[_answer(None, each) for each in found])


@serve(
    blueprint,
    Operation(
        method="GET",
        path="/jobs/{jobId}/packs/{packId}",
        scope=Scope.JOBS_READ,
        summary="Ask about a pack, and get a fresh URL once it is ready",
        answer=MlsPackAnswer,
        answer_example=_WITH_URL,
        refusals=(NotFound,),
        notes="A pack is replaced when it is requested with other choices, or after anything that it is made "
        "from changed; then the id of the previous pack is unknown.",
    ),
)
def show_mls_pack(job_id: str, pack_id: str) -> MlsPackAnswer:
    """One pack. If it is ready, the answer has its URL, and the job is marked as delivered."""
    with container().database.unit_of_work() as session:
        return _answer(session, packs.get(session, actor().account_id, job_id, pack_id))


def _answer(session: Session | None, pack: MlsPack) -> MlsPackAnswer:
    """The pack as an answer. With a session, a ready pack gets its URL, and the job is marked as delivered."""
    here, status, rule, url = container(), packs.status_of(pack), packs.find_rule(pack.mls), None
    ready = status is PackStatus.READY
    if ready and session is not None:
        seconds = here.settings.download_url_seconds
        url = packs.deliver(session, here.storage, pack, here.clock(), seconds)
    return MlsPackAnswer(
        id=pack.id,
        mls=pack.mls,
        rule_version=pack.rule_version,
        labeled=pack.labeled,
        status=status,
        created_at=pack.created_at,
        picture_count=pack.picture_count,
        bytes=pack.size_bytes,
        outdated=pack.outdated_at is not None,
        warnings=[_warning(each, rule) for each in pack.warnings.warnings] if ready and rule else [],
        error=pack.error,
        url=url,
    )


def _warning(warning: PackWarning, rule: Rule) -> PackWarningAnswer:
    return PackWarningAnswer(
        code=warning.code,
        message=describe_warning(warning, rule),
        photos=list(warning.photos),
        enhancements=list(warning.enhancements),
    )
