"""Query parameters of lists: which rows are listed, how many at a time, from where on."""

from datetime import UTC, datetime
from typing import Annotated, TypeVar

from flask import request
from pydantic import AfterValidator, AwareDatetime, Field

from app.domain.errors import InvalidRequest
from app.domain.request_limits import Request
from app.web.bodies import read_model

PAGE = 50
MAX_PAGE = 200
MAX_CURSOR = 200


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("Must be from year 2 to 9998") from None


Instant = Annotated[AwareDatetime, AfterValidator(_in_utc)]
"""A moment in a request, in ISO 8601 with its offset from UTC."""


class PageQuery(Request):
    """The query parameters of every list."""

    limit: int = Field(default=PAGE, ge=1, le=MAX_PAGE, description="The most rows of the answer.")
    cursor: Annotated[str, Field(max_length=MAX_CURSOR)] | None = Field(
        default=None, description="The `nextCursor` of the page before; left out: the first page."
    )


Query = TypeVar("Query", bound=PageQuery)


def read_query(model: type[Query]) -> Query:
    """The request's query parameters. Raises InvalidFields with all faults, one of them for each unknown name."""
    return read_model(model, request.args.to_dict())


def refuse_cursor() -> InvalidRequest:
    """The refusal of a cursor that names nothing, to be raised."""
    return InvalidRequest({"cursor": "Not a nextCursor of this list, or its row is no longer kept."})
