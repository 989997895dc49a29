"""The OpenAPI 3.1 document, made from the declarations that route and the models that validate."""

from functools import cache
from typing import Any

from flask import Blueprint, Response
from openapi_pydantic import (
    Components,
    Header,
    Info,
    MediaType,
    OpenAPI,
    Parameter,
    PathItem,
    RequestBody,
    SecurityScheme,
    Server,
    Tag,
)
from openapi_pydantic import Operation as Documented
from openapi_pydantic import Response as DocumentedResponse
from openapi_pydantic.util import PydanticSchema, construct_open_api_with_schema_class

from app.api.v1.answers import ErrorAnswer
from app.api.v1.operations import OPERATIONS, Operation
from app.domain.errors import Refusal
from app.web.context import container
from app.web.errors import STATUS

blueprint = Blueprint("openapi_v1", __name__)

PREFIX = "/api/v1"
ABOUT = """Estate photos go in, listing-ready pictures come out.

An order becomes a job; the job is processed, quality-reviewed, and its approved images are downloaded through
time-limited URLs. Credits are charged when the order is created and refunded for what gave nothing usable.
Every answer carries X-Request-Id. Every refusal has the shape of ErrorAnswer."""
_KEY = "apiKey"


@blueprint.get("/openapi.json")
def show_openapi() -> Response:
    """The document; public."""
    return Response(_document(container().settings.base_url), mimetype="application/json")


@cache
def _document(base_url: str) -> str:
    paths: dict[str, PathItem] = {}
    for name, operation in OPERATIONS.items():
        item = paths.setdefault(operation.path, PathItem())
        setattr(item, operation.method.lower(), _documented(name, operation))
    document = OpenAPI(
        openapi="3.1.1",
        info=Info(title="Brightlist", version="1", description=ABOUT),
        servers=[Server(url=f"{base_url}{PREFIX}")],
        paths=paths,
        tags=[Tag(name=name) for name in sorted({_tag(each) for each in OPERATIONS.values()})],
        components=Components(securitySchemes={_KEY: SecurityScheme(type="http", scheme="bearer")}),
        security=[{_KEY: []}],
    )
    whole = construct_open_api_with_schema_class(document)
    return whole.model_dump_json(by_alias=True, exclude_none=True, exclude_unset=True, indent=1)


def _documented(name: str, operation: Operation) -> Documented:
    return Documented(
        operationId=name,
        tags=[_tag(operation)],
        summary=operation.summary,
        description=f"{operation.notes} Needs a key with the scope `{operation.scope}`.".lstrip(),
        parameters=_parameters(operation.path),
        requestBody=_body(operation),
        responses={"200": _good(operation), **_refusals(operation)},
    )


def _tag(operation: Operation) -> str:
    return operation.path.split("/")[1]


def _parameters(path: str) -> list[Parameter] | None:
    names = [part.strip("{}") for part in path.split("/") if part.startswith("{")]
    schema: dict[str, Any] = {"type": "string"}
    return [
        Parameter.model_validate({"name": name, "in": "path", "required": True, "schema": schema}) for name in names
    ] or None


def _body(operation: Operation) -> RequestBody | None:
    if operation.body is None:
        return None
    content = _content(PydanticSchema(schema_class=operation.body), operation.example)
    return RequestBody(required=True, content={operation.media_type: content})


def _good(operation: Operation) -> DocumentedResponse:
    content = _content(PydanticSchema(schema_class=operation.answer), operation.answer_example)
    header = Header.model_validate({"description": "Names this request.", "schema": {"type": "string"}})
    return DocumentedResponse(
        description=operation.summary, content={"application/json": content}, headers={"X-Request-Id": header}
    )


def _refusals(operation: Operation) -> dict[str, DocumentedResponse]:
    by_status: dict[int, list[type[Refusal]]] = {}
    for refusal in operation.every_refusal:
        by_status.setdefault(STATUS[refusal], []).append(refusal)
    return {
        str(status): DocumentedResponse(
            description=" ".join(f"`{refusal.code}`: {refusal.__doc__}" for refusal in refusals),
            content={"application/json": _content(PydanticSchema(schema_class=ErrorAnswer), None)},
        )
        for status, refusals in sorted(by_status.items())
    }


def _content(schema: PydanticSchema[Any], example: Any) -> MediaType:
    return MediaType.model_validate({"schema": schema, "example": example})
