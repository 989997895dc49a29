"""The public page of a job, with originals beside altered pictures: published, read, unpublished."""

from typing import Annotated

from flask import Blueprint
from pydantic import Field, StrictBool, StrictInt, ValidationError
from sqlalchemy.orm import Session

from app.api.v1.operations import Operation, serve
from app.domain.actors import Scope
from app.domain.api_types import WireAnswer
from app.domain.errors import Conflict, InvalidFields, NotFound, NotReady, require_found
from app.domain.field_errors import shape_faults
from app.domain.fields import Expiry, ImageId, PageUrl
from app.domain.request_limits import Request
from app.domain.retention import MAX_PUBLIC_PAGE_MONTHS, PUBLIC_PAGES_KEPT_MONTHS
from app.models import PublicPage
from app.services.photos import public_pages
from app.web import idempotency
from app.web.authentication import actor
from app.web.bodies import json_object
from app.web.context import container
from engine.types.file_facts import PersonalDetail

blueprint = Blueprint("public_pages_v1", __name__)


class PublicPageRequest(Request):
    """What is published, and for how long."""

    shows_address: StrictBool = Field(
        default=False, description="Show the address of the property.", examples=[True]
    )
    months: Annotated[StrictInt, Field(ge=1, le=MAX_PUBLIC_PAGE_MONTHS)] = PUBLIC_PAGES_KEPT_MONTHS


class PublicPictureAnswer(WireAnswer):
    """One altered picture on a public page."""

    image_id: ImageId = Field(description="The picture, as in the downloads.")
    url: PageUrl = Field(
        description="The page of only this picture beside its original.",
        examples=["https://brightlist.example/o/7Hq2LmXw9RtB/1"],
    )
    withheld: list[PersonalDetail] | None = Field(
        default=None, description="Personal details in the metadata of its file, which are not published."
    )


class PublicPageAnswer(WireAnswer):
    """Where the originals are published."""

    url: PageUrl = Field(description="The page: open to anybody, not indexed.")
    qr_url: str = Field(
        description="Its QR code, an SVG file.", examples=["https://brightlist.example/o/7Hq2LmXw9RtB/qr.svg"]
    )
    shows_address: bool = Field(description="Whether the address of the property is shown.")
    expires_at: Expiry = Field(description="Until when; publish again for longer, the address stays.")
    pictures: list[PublicPictureAnswer]


class PublicPageDeleted(WireAnswer):
    """The answer to the deletion of a page."""

    success: bool


@serve(
    blueprint,
    Operation(
        method="POST",
        path="/jobs/{jobId}/public-page",
        scope=Scope.ORDERS_WRITE,
        summary="Publish the originals of a job's altered pictures",
        body=PublicPageRequest,
        answer=PublicPageAnswer,
        refusals=(NotFound, NotReady, Conflict),
        notes="A repeated request changes what is shown and for how long. The page outlives the job, but "
        "that of a test job ends with its pictures; it shows copies of the originals without metadata.",
    ),
)
def publish_originals(job_id: str) -> PublicPageAnswer:
    """Publish the job's originals, or change how they are published."""
    content = json_object()
    try:
        wanted = PublicPageRequest.model_validate(content)
    except ValidationError as error:
        raise InvalidFields(shape_faults(error, PublicPageRequest).values()) from None
    idempotency.begin({"job": job_id, **content})
    here = container()
    with idempotency.effect() as made:
        page = public_pages.publish(
            made.session,
            actor().account_id,
            job_id,
            here.clock(),
            shows_address=wanted.shows_address,
            months=wanted.months,
        )
        made.answer = answer = _answer(made.session, page)
    return answer


@serve(
    blueprint,
    Operation(
        method="GET",
        path="/jobs/{jobId}/public-page",
        scope=Scope.JOBS_READ,
        summary="Ask where a job's originals are published",
        answer=PublicPageAnswer,
        refusals=(NotFound,),
    ),
)
def show_public_page(job_id: str) -> PublicPageAnswer:
    """The job's public page."""
    here = container()
    with here.database.read_session() as session:
        page = require_found(public_pages.find_live(session, actor().account_id, job_id, here.clock()))
        return _answer(session, page)


@serve(
    blueprint,
    Operation(
        method="DELETE",
        path="/jobs/{jobId}/public-page",
        scope=Scope.ORDERS_WRITE,
        summary="Unpublish a job's originals",
        answer=PublicPageDeleted,
        refusals=(NotFound,),
    ),
)
def unpublish_originals(job_id: str) -> PublicPageDeleted:
    """Unpublish the job's originals."""
    here = container()
    with here.database.unit_of_work() as session:
        public_pages.revoke(session, actor().account_id, job_id, here.clock())
    return PublicPageDeleted(success=True)


def _answer(session: Session, page: PublicPage) -> PublicPageAnswer:
    withheld = public_pages.find_personal_details(session, page)
    url = public_pages.url_of(container().settings.base_url, page)
    return PublicPageAnswer(
        url=url,
        qr_url=f"{url}/qr.svg",
        shows_address=page.address is not None,
        expires_at=page.expires_at,
        pictures=[
            PublicPictureAnswer(
                image_id=each.image_id, url=f"{url}/{each.number}", withheld=withheld.get(each.number)
            )
            for each in page.pictures
        ],
    )
