"""Variants: a job's approved pictures made again without some of their steps."""

from typing import Annotated

from flask import Blueprint
from pydantic import Field, ValidationError

from app.api.v1.answers import Moment
from app.api.v1.operations import Operation, serve
from app.api.v1.variant_examples import VARIANT, VARIANTS, WITHOUT_REQUEST
from app.domain.actors import Scope
from app.domain.api_types import WireAnswer
from app.domain.content_credentials import CredentialKind
from app.domain.disclosure.listing import Listing, caption
from app.domain.errors import Conflict, InvalidFields, NotFound, NotReady
from app.domain.field_errors import shape_faults
from app.domain.request_limits import AtMost, Request
from app.domain.variants import MAX_VARIANTS, VariantObstacle, VariantState
from app.services.photos import downloads
from app.services.photos.downloads import VariantFile
from app.web import idempotency
from app.web.authentication import actor
from app.web.bodies import json_object
from app.web.context import container
from engine.types.enhancements import Enhancement

blueprint = Blueprint("variants_v1", __name__)


class WithoutRequest(Request):
    """The steps to leave out of the picture."""

    without: Annotated[tuple[Enhancement, ...], Field(min_length=1), AtMost(len(Enhancement))] = Field(
        description="Enhancements that were done on it; at least one must stay."
    )


class VariantPictureAnswer(WireAnswer):
    """One variant of a picture, and its files once they are made."""

    id: str = Field(description="Names the variant.")
    status: VariantState = Field(
        description="`making`; `ready`; `original`: the other steps could not be made alone, so the original is "
        "the picture; `failed`, then `reason` says why."
    )
    reason: VariantObstacle | None = None
    without: list[Enhancement] = Field(description="The steps that were left out.")
    enhancements: list[Enhancement] = Field(description="The steps that are in it, in this order.")
    created_at: Moment
    url: str | None = Field(default=None, description="The picture, for a time; Range and HEAD work.")
    labeled_url: str | None = Field(default=None, description="The labeled copy, once it is made.")
    width: int | None = Field(default=None, description="In pixels.")
    height: int | None = Field(default=None, description="In pixels.")
    bytes: int | None = Field(default=None, description="The size of the file.")
    sha256: str | None = Field(default=None, description="Of the file.")
    content_credentials: CredentialKind | None = Field(
        default=None, description="The C2PA content credentials that we wrote into it."
    )
    caption: str | None = Field(
        default=None, description="What the listing says of it; absent where it need say nothing."
    )


class VariantListAnswer(WireAnswer):
    """All variants of a picture, including the base if it is a separate file."""

    variants: list[VariantPictureAnswer]


@serve(
    blueprint,
    Operation(
        method="POST",
        path="/jobs/{jobId}/images/{imageId}/variants",
        scope=Scope.ORDERS_WRITE,
        summary="Ask for an approved picture without some of its steps",
        body=WithoutRequest,
        example=WITHOUT_REQUEST,
        answer=VariantPictureAnswer,
        answer_example=VARIANT,
        status=202,
        refusals=(NotFound, NotReady, Conflict),
        notes=f"Free of charge, at most {MAX_VARIANTS} of one picture. A repeated request gets the same variant. A "
        "picture made by another version of the engine, or by a generative server, is not made again: 409, with "
        "`details.reason`.",
    ),
)
def request_variant(job_id: str, image_id: str) -> VariantPictureAnswer:
    """Request a variant."""
    content = json_object()
    try:
        wanted = WithoutRequest.model_validate(content)
    except ValidationError as error:
        raise InvalidFields(shape_faults(error, WithoutRequest).values()) from None
    idempotency.begin({"job": job_id, "image": image_id, **content})
    here = container()
    with idempotency.effect(202) as made:
        chosen = (actor().account_id, job_id, image_id, wanted.without)
        requested = downloads.request_without(made.session, *chosen, here.clock())
        made.answer = answer = _answer_requested(requested)
    return answer


@serve(
    blueprint,
    Operation(
        method="GET",
        path="/jobs/{jobId}/images/{imageId}/variants",
        scope=Scope.JOBS_READ,
        summary="List the variants of an approved picture, with fresh URLs",
        answer=VariantListAnswer,
        answer_example=VARIANTS,
        refusals=(NotReady, NotFound),
        notes="Like the downloads, asking for them the first time delivers the job.",
    ),
)
def list_variants(job_id: str, image_id: str) -> VariantListAnswer:
    """All variants of the picture, the oldest first."""
    here = container()
    with here.database.unit_of_work() as session:
        job = downloads.deliver(session, actor().account_id, job_id, here.clock())
        seconds = here.settings.download_url_seconds
        files = downloads.list_variants(session, here.storage, job.account_id, job.id, image_id, seconds)
        listing = job.listing
    return VariantListAnswer(variants=[_answer_file(each, listing) for each in files])


def _answer_requested(file: VariantFile) -> VariantPictureAnswer:
    return VariantPictureAnswer(
        id=file.variant.id,
        status=file.variant.variant_state,
        without=list(file.left_out),
        enhancements=list(file.kept),
        created_at=file.variant.created_at,
    )


def _answer_file(file: VariantFile, listing: Listing) -> VariantPictureAnswer:
    variant = file.variant
    done = list(variant.report.applied if variant.report else file.kept)
    return VariantPictureAnswer(
        id=variant.id,
        status=variant.variant_state,
        reason=variant.error,
        without=list(file.left_out),
        enhancements=done,
        created_at=variant.created_at,
        url=file.url,
        labeled_url=file.labeled_url,
        width=variant.width,
        height=variant.height,
        bytes=variant.size_bytes,
        sha256=variant.sha256,
        content_credentials=variant.credentials,
        caption=caption(listing, done) if variant.storage_key else None,
    )
