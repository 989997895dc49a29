"""Lists: the query parameters that all lists take, the function that reads them, and the shape of the answers."""

import re
from typing import Annotated, Any, TypeVar, get_origin

from flask import request
from pydantic import Field, SerializerFunctionWrapHandler, ValidationError, model_serializer

from app.domain.api_types import Text, WireAnswer
from app.domain.errors import InvalidFields
from app.domain.field_errors import Fault, FaultCode, Faults, shape_faults
from app.domain.request_limits import Request
from app.web.authentication import actor
from app.web.context import container

DEFAULT_LIMIT = 20
MAX_LIMIT = 100
MAX_CURSOR = 100
_ENTRY = re.compile(r"(\w+)\[(.*)\]")


class ListQuery(Request):
    """The query parameters of a list that is read page by page. A list with filters adds its own."""

    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT)] = Field(
        default=DEFAULT_LIMIT, description="The most entries in the answer."
    )
    cursor: Annotated[Text, Field(min_length=1, max_length=MAX_CURSOR)] | None = Field(
        default=None, description="The `nextCursor` of the page before; left out for the first page."
    )


Query = TypeVar("Query", bound=Request)


class ListAnswer(WireAnswer):
    """The answer of a list that is read page by page."""

    next_cursor: str | None = Field(
        description="Sent as `cursor`, it gives the next page, with the same filters; null at the end."
    )

    @model_serializer(mode="wrap")
    def _show_the_end(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        # Other absent fields are left out, but null shows a program that this is the last page.
        return {**handler(self), "nextCursor": self.next_cursor}


def read_query(model: type[Query]) -> Query:
    """The request's query parameters. Raises InvalidFields with all faults, also for unknown parameters, so that no
    misspelled filter is ignored.

    A parameter whose field is a list may be given several times; `name[key]=value` gives one entry of a field that
    is an object.
    """
    fields = model.model_fields.items()
    lists = {field.alias or name for name, field in fields if get_origin(field.annotation) is list}
    given: dict[str, Any] = {}
    objects: dict[str, dict[str, str]] = {}
    faults = Faults()
    for name, values in request.args.lists():
        if len(values) > 1 and name not in lists:
            faults.add(Fault((name,), FaultCode.GIVEN_TWICE))
        entry = _ENTRY.fullmatch(name)
        if entry is not None:
            objects.setdefault(entry[1], {})[entry[2]] = values[0]
        elif name not in given:
            given[name] = values if name in lists else values[0]
    for name in objects.keys() & given.keys():
        faults.add(Fault((name,), FaultCode.GIVEN_TWICE))
    try:
        query = model.model_validate({**given, **objects})
    except ValidationError as error:
        raise InvalidFields((shape_faults(error, model) | faults).values()) from None
    if faults:
        raise InvalidFields(faults.values())
    return query


def make_cursor(query: ListQuery, key: str | None) -> str | None:
    """The cursor of the page after the entry `key`, for the same account, list and filters; None without a key."""
    return None if key is None else container().cursors.make(_describe_list(query), key)


def read_cursor(query: ListQuery) -> str | None:
    """The entry after which the page starts; None for the first page. Raises InvalidFields for a cursor that was
    not made for this account, list and filters.
    """
    if query.cursor is None:
        return None
    key = container().cursors.read(_describe_list(query), query.cursor)
    if key is None:
        raise refuse_cursor()
    return key


def refuse_cursor() -> InvalidFields:
    """Make the refusal of a cursor whose entry is not in the list, or is no longer kept; the caller raises it."""
    return InvalidFields([Fault(("cursor",), FaultCode.NO_CURSOR)])


def _describe_list(query: ListQuery) -> str:
    filters = query.model_dump_json(exclude={"limit", "cursor"}, exclude_none=True)
    return f"{actor().account_id} {request.path} {filters}"
