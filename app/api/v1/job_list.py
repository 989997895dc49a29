"""The list of the account's jobs, filtered, page by page."""

from typing import Annotated

from flask import Blueprint
from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from app.api.v1.answers import ProgressAnswer
from app.api.v1.event_documents import PhotoCount
from app.api.v1.job_answers import JobListAnswer, ListedJobAnswer, answer_undeliverable
from app.api.v1.job_examples import JOB_LIST
from app.api.v1.lists import ListQuery, make_cursor, read_cursor, read_query
from app.api.v1.operations import Operation, serve
from app.domain.actors import Scope
from app.domain.api_types import Instant, Line
from app.domain.field_errors import FaultCode
from app.domain.file_names import slug
from app.domain.lifecycle import Status
from app.domain.metadata import ExternalId, Key, Value
from app.domain.request_limits import AtMost
from app.services.orders import job_list
from app.services.orders.job_list import JobListFilter, ListedJob
from app.web.authentication import actor
from app.web.context import container

blueprint = Blueprint("job_list_v1", __name__)


def _check_searchable(text: str) -> str:
    if not slug(text):
        raise PydanticCustomError(FaultCode.NO_WORD, "must have a letter or a digit")
    return text


AddressStart = Annotated[Line, StringConstraints(min_length=1, max_length=300), AfterValidator(_check_searchable)]


class JobQuery(ListQuery):
    """The query of a list of jobs: the list has the jobs that meet all conditions."""

    status: Annotated[list[Status], AtMost(len(Status))] = Field(
        default_factory=list, description="Only jobs with this status; given several times, with any of these."
    )
    created_after: Instant | None = Field(default=None, description="Ordered at this moment or later.")
    created_before: Instant | None = Field(default=None, description="Ordered before this moment.")
    address: AddressStart | None = Field(
        default=None,
        description="How the address of the property begins; capitals and punctuation do not matter. Then jobs of "
        "one address are together, the newest first.",
    )
    external_id: ExternalId | None = Field(default=None, description="Your own id of the order, exactly.")
    metadata: Annotated[dict[Key, Value], AtMost(1)] | None = Field(
        default=None, description="One pair of the order's metadata, exactly, as `metadata[agent]=Dana Reyes`."
    )


@serve(
    blueprint,
    Operation(
        method="GET",
        path="/jobs",
        scope=Scope.JOBS_READ,
        summary="List jobs, the newest first",
        list_query=JobQuery,
        answer=JobListAnswer,
        answer_example=JOB_LIST,
        notes="Jobs stay in the list after their photos and results were removed.",
    ),
)
def list_jobs() -> JobListAnswer:
    """A page of the account's jobs."""
    query = read_query(JobQuery)
    after = read_cursor(query)
    wanted = JobListFilter(
        statuses=frozenset(query.status),
        created_from=query.created_after,
        created_before=query.created_before,
        address_slug=slug(query.address or ""),
        external_id=query.external_id,
        pair=next(iter(query.metadata.items())) if query.metadata else None,
    )
    with container().database.read_session() as session:
        page = job_list.read_page(session, actor().account_id, wanted, query.limit, after)
    return JobListAnswer(jobs=[_answer(each) for each in page.rows], next_cursor=make_cursor(query, page.next))


def _answer(row: ListedJob) -> ListedJobAnswer:
    return ListedJobAnswer(
        job_id=row.id,
        progress=ProgressAnswer.model_validate(row.progress),
        photo_count=PhotoCount(interior=row.interior_count, exterior=row.exterior_count),
        undeliverable=answer_undeliverable(row),
        metadata=row.own_metadata,
        **{name: getattr(row, name) for name in _SAME_NAMES},
    )


_SAME_NAMES = (
    "status",
    "address",
    "service_type",
    "credit_cost",
    "credits_refunded",
    "created_at",
    "cancelled_at",
    "expired_at",
    "error",
    "external_id",
)
