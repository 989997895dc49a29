"""Share links of a job: created for clients without an account, listed with the clients' answers, revoked."""

from datetime import timedelta
from typing import Annotated

from flask import Blueprint
from pydantic import Field, StrictBool, StrictInt

from app.api.v1.answers import Moment
from app.api.v1.examples import example_of
from app.api.v1.operations import Operation, serve
from app.domain.actors import Scope
from app.domain.api_types import Line, WireAnswer
from app.domain.errors import Conflict, NotFound, NotReady
from app.domain.fields import ImageId, PersonName
from app.domain.request_limits import Request
from app.domain.retention import MAX_SHARE_LINK_DAYS, SHARE_LINK_DAYS
from app.domain.shares import MAX_LIVE_LINKS, MAX_TITLE, ShareVerdict
from app.models import ShareComment, ShareLink
from app.services.photos import shares
from app.services.photos.shares import SharePlan
from app.web import idempotency
from app.web.authentication import actor
from app.web.bodies import json_object, read_model
from app.web.context import container

blueprint = Blueprint("shares_v1", __name__)
ShareId = Annotated[str, Field(examples=["shr_6Tq8RbTz1KcWj4Xm3LdYhE"])]
_TITLE = "Your new listing photos"


class ShareRequest(Request):
    """What a link shows and permits, and for how long."""

    title: Annotated[Line, Field(max_length=MAX_TITLE)] = Field(
        default="", description="What the client reads above it.", examples=[_TITLE]
    )
    days: Annotated[
        StrictInt,
        Field(
            ge=1,
            le=MAX_SHARE_LINK_DAYS,
            description="For how many days; never longer than the pictures.",
            examples=[SHARE_LINK_DAYS],
        ),
    ] = SHARE_LINK_DAYS
    may_download: StrictBool = Field(default=True, description="Let the client download the pictures.")


class ShareResponseAnswer(WireAnswer):
    """A client's answer about all pictures."""

    verdict: ShareVerdict
    name: PersonName = Field(description="Who says so, as they wrote it; may be empty.")
    email: str = Field(
        description="Where they can be reached, as they wrote it; may be empty.", examples=["kim@example.com"]
    )
    message: str = Field(examples=["The kitchen a little brighter, please."])
    said_at: Moment


class ShareCommentAnswer(WireAnswer):
    """A client's answer about one picture."""

    photo: int = Field(description="The photo's place in the order, from 1.", examples=[1])
    image_id: ImageId = Field(description="The picture, as in the downloads.")
    favorite: bool
    text: str = Field(examples=["This one first."])
    said_at: Moment


class ShareLinkAnswer(WireAnswer):
    """A link by which a client sees a job's results, and what they answered."""

    id: ShareId
    url: str | None = Field(
        default=None,
        description="Anyone who has it sees the pictures; not indexed.",
        examples=["https://brightlist.example/shared/7Hq2LmXw9RtBc0ZsVyKd4N"],
    )
    title: str = Field(examples=[_TITLE])
    may_download: bool
    active: bool = Field(description="Whether it opens: neither revoked nor over.")
    created_at: Moment
    expires_at: Moment = Field(examples=["2026-11-27T14:03:27.512Z"])
    revoked_at: Moment | None = Field(default=None, description="Only once it is revoked.")
    last_seen_at: Moment | None = Field(default=None, description="When a client last looked, if one did.")
    response: ShareResponseAnswer | None = Field(default=None, description="Once the client answered.")
    comments: list[ShareCommentAnswer] = Field(description="By photo.")


class ShareLinkList(WireAnswer):
    """All share links of a job."""

    shares: list[ShareLinkAnswer] = Field(description="The newest first, revoked ones among them.")


class ShareLinkRevoked(WireAnswer):
    """The answer to the revocation of a link."""

    success: bool
    id: ShareId


@serve(
    blueprint,
    Operation(
        method="POST",
        path="/jobs/{jobId}/shares",
        scope=Scope.ORDERS_WRITE,
        summary="Make a link by which a client sees a job's results",
        body=ShareRequest,
        answer=ShareLinkAnswer,
        answer_example={**example_of(ShareLinkAnswer), "comments": []},
        status=201,
        refusals=(NotFound, NotReady, Conflict),
        notes="The client needs no account: they compare, choose favorites, comment, approve or ask for changes. "
        "A download by the client delivers the job, as the downloads do. At most "
        f"{MAX_LIVE_LINKS} links of a job open at a time.",
    ),
)
def create_share(job_id: str) -> ShareLinkAnswer:
    """Create a share link."""
    content = json_object()
    wanted = read_model(ShareRequest, content)
    idempotency.begin({"job": job_id, **content})
    here = container()
    kept_for = timedelta(seconds=here.settings.retention_seconds)
    plan = SharePlan(kept_for, wanted.title, wanted.days, wanted.may_download)
    with idempotency.effect(status=201) as made:
        link = shares.create(made.session, here.vault, actor().account_id, job_id, plan, here.clock())
        made.answer = answer = _answer(link)
    return answer


@serve(
    blueprint,
    Operation(
        method="GET",
        path="/jobs/{jobId}/shares",
        scope=Scope.JOBS_READ,
        summary="List a job's share links with what clients answered",
        answer=ShareLinkList,
        refusals=(NotFound,),
        notes="Links and answers go with the job's pictures.",
    ),
)
def list_shares(job_id: str) -> ShareLinkList:
    """All share links of the job."""
    with container().database.read_session() as session:
        found = shares.list_of(session, actor().account_id, job_id)
        return ShareLinkList(shares=[_answer(each) for each in found])


@serve(
    blueprint,
    Operation(
        method="DELETE",
        path="/jobs/{jobId}/shares/{shareId}",
        scope=Scope.ORDERS_WRITE,
        summary="Revoke a share link",
        answer=ShareLinkRevoked,
        refusals=(NotFound,),
        notes="What the client answered stays in the list.",
    ),
)
def revoke_share(job_id: str, share_id: str) -> ShareLinkRevoked:
    """Revoke the share link."""
    here = container()
    with here.database.unit_of_work() as session:
        shares.revoke(session, actor().account_id, job_id, share_id, here.clock())
    return ShareLinkRevoked(success=True, id=share_id)


def _answer(link: ShareLink) -> ShareLinkAnswer:
    here = container()
    return ShareLinkAnswer(
        id=link.id,
        url=shares.url_of(here.vault, here.settings.base_url, link),
        title=link.title,
        may_download=link.may_download,
        active=shares.is_live(link, here.clock()),
        created_at=link.created_at,
        expires_at=link.expires_at,
        revoked_at=link.revoked_at,
        last_seen_at=link.last_seen_at,
        response=link.response and ShareResponseAnswer.model_validate(link.response),
        comments=[_comment(each) for each in link.comments],
    )


def _comment(comment: ShareComment) -> ShareCommentAnswer:
    return ShareCommentAnswer(
        photo=comment.number,
        image_id=comment.image_id,
        favorite=comment.favorite,
        text=comment.text,
        said_at=comment.said_at,
    )
