"""The OpenAPI 3.1 document, made from the same declarations and models that route and validate requests."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from flask import Blueprint, Response, current_app, request
from openapi_pydantic import (
    Components,
    Contact,
    Example,
    Header,
    Info,
    License,
    MediaType,
    OpenAPI,
    Parameter,
    PathItem,
    Reference,
    RequestBody,
    Schema,
    SecurityScheme,
    Server,
    Tag,
)
from openapi_pydantic import Operation as DocumentedOperation
from openapi_pydantic import Response as DocumentedResponse
from openapi_pydantic.util import PydanticSchema, construct_open_api_with_schema_class, ref_prefix
from pydantic import BaseModel

from app.api.v1 import livemode
from app.api.v1.answers import ErrorAnswer
from app.api.v1.document_schemas import finish_schemas
from app.api.v1.event_documents import event_documents
from app.api.v1.examples import example_of
from app.api.v1.operations import OPERATIONS, Operation
from app.api.v1.resources import RESOURCE_NAMES, RESOURCES
from app.domain.errors import Refusal
from app.domain.promises import EXTERIOR_REFUND
from app.web import documents, error_examples, idempotency, rate_limits
from app.web.calls import SYNTAX, write_calls
from app.web.context import container
from app.web.errors import STATUS, describe

blueprint = Blueprint("openapi_v1", __name__)

PREFIX = "/api/v1"
ABOUT = f"""Estate photos go in, listing-ready pictures come out.

An order becomes a job; the job is processed, quality-reviewed, and its approved images are downloaded through
time-limited URLs. Credits are charged when the order is created and refunded for what gave nothing usable.
{EXTERIOR_REFUND}
Every answer carries X-Request-Id. Every refusal has the shape of ErrorAnswer."""
_KEY, _CLIENT_TOKEN = "apiKey", "clientToken"
_HEADERS = {
    "X-Request-Id": "Names this request.",
    "RateLimit-Policy": 'The quota this request counted for, and its window in seconds: `"reads";q=600;w=60`.',
    "RateLimit": 'What is left of that quota, and in how many seconds all of it is back: `"reads";r=599;t=30`.',
    "Retry-After": "Seconds after which the request may be sent again.",
    "WWW-Authenticate": "`Bearer`",
    "Deprecation": "Since when the operation is deprecated, as a Unix time: `@1798761600` (RFC 9745).",
    "Sunset": "When the operation ends (RFC 8594).",
    "Link": "Where the policy for deprecated operations is written.",
}
_COMMON_HEADERS = ("X-Request-Id", "RateLimit-Policy", "RateLimit")
_DEPRECATION_HEADERS = ("Deprecation", "Sunset", "Link")
_KEY_NOTES = """Makes a repeated request safe: sent again with the same key and content within 24 hours, it has no
second effect and gets the first answer, marked `Idempotent-Replayed: true`. A refused request frees its key."""
_EXTRA_HEADERS = {401: ("WWW-Authenticate",), 409: ("Retry-After",), 429: ("Retry-After",), 503: ("Retry-After",)}


@blueprint.get("/openapi.json")
def show_openapi() -> Response:
    """The document; public. Clients may cache it, but must revalidate it by its ETag."""
    rate_limits.count()
    response = Response(document(), mimetype="application/json")
    response.cache_control.public, response.cache_control.no_cache = True, True
    response.add_etag(weak=True)
    response.make_conditional(request)
    return response


def document() -> str:
    """The document as JSON text, with this application's own URL as its server."""
    settings = container().settings
    return _make_document(settings.base_url, settings.support_email)


blueprint.record(lambda registration: documents.offer(registration.app, document))


@cache
def _make_document(base_url: str, support_email: str | None) -> str:
    paths: dict[str, PathItem] = {}
    for name, tag in _sort_operations().items():
        operation = OPERATIONS[name]
        item = paths.setdefault(operation.path, PathItem())
        setattr(item, operation.method.lower(), _describe_operation(name, tag, operation))
    document = OpenAPI(
        openapi="3.1.1",
        info=_describe_service(base_url, support_email),
        servers=[Server(url=f"{base_url}{PREFIX}")],
        paths=paths,
        webhooks=event_documents(),
        tags=[Tag(name=resource.name, description=resource.about) for resource in RESOURCES],
        components=Components(
            securitySchemes={name: SecurityScheme(type="http", scheme="bearer") for name in (_KEY, _CLIENT_TOKEN)},
            headers={name: _header(text) for name, text in _HEADERS.items()},
            examples=_refusal_examples(),
        ),
        security=[{_KEY: []}],
    )
    return _write(construct_open_api_with_schema_class(document))


def _describe_service(base_url: str, support_email: str | None) -> Info:
    terms = f"{base_url}/terms"
    contact = Contact(name="Brightlist", url=f"{base_url}/docs")
    if support_email:
        contact.email = support_email
    license_ = License(name="All rights reserved; to use the service, its terms hold", url=terms)
    return Info(
        title="Brightlist", version="1", description=ABOUT, termsOfService=terms, contact=contact, license=license_
    )


def _write(document: OpenAPI) -> str:
    """The document as JSON text. Each schema is named by its title, because class names of the domain may differ
    from the names in the API.
    """
    components = document.components or Components()
    schemas = components.schemas or {}
    titles = {name: schema.title or name for name, schema in schemas.items() if isinstance(schema, Schema)}
    components.schemas = {titles[name]: schemas[name] for name in schemas}
    text = document.model_dump_json(by_alias=True, exclude_none=True, exclude_unset=True)
    finished = json.loads(re.sub(f'(?<="{ref_prefix})[^"]+', lambda name: titles[name[0]], text))
    finish_schemas(finished)
    livemode.document(finished)
    _drop_unused(finished, text)
    _add_calls(finished)
    return json.dumps(finished, ensure_ascii=False, indent=1)


def _drop_unused(document: dict[str, Any], text: str) -> None:
    """Drop examples of refusals and headers that no operation uses: linters warn about them."""
    for kind in ("examples", "headers"):
        parts = document["components"][kind]
        for name in [name for name in parts if f'"#/components/{kind}/{name}"' not in text]:
            del parts[name]


def _add_calls(document: dict[str, Any]) -> None:
    """Add to each operation how it is called in several languages."""
    base_url = document["servers"][0]["url"]
    for path, item in document["paths"].items():
        for method, operation in item.items():
            operation["x-codeSamples"] = [
                {"lang": SYNTAX[call.language], "label": call.language, "source": call.code}
                for call in write_calls(base_url + path, method.upper(), operation)
            ]


def _sort_operations() -> dict[str, str]:
    """The names of all operations with their resources, in the order of registration."""
    paths = [rule.endpoint.split(".") for rule in current_app.url_map.iter_rules()]
    return {path[-1]: RESOURCE_NAMES[path[-2]] for path in paths if path[-1] in OPERATIONS}


def _describe_operation(name: str, tag: str, operation: Operation) -> DocumentedOperation:
    return DocumentedOperation(
        operationId=name,
        tags=[tag],
        summary=operation.summary,
        description=_describe(operation),
        deprecated=operation.deprecation is not None,
        security=[{_CLIENT_TOKEN: []}] if operation.for_clients else None if operation.scope else [],
        parameters=_parameters(operation) or None,
        requestBody=_body(operation),
        responses={
            str(operation.status): _success_response(operation),
            **{str(status): _other_response(operation, text) for status, text in operation.other_statuses.items()},
            **({"304": _not_modified()} if operation.cacheable else {}),
            **_refusals(operation),
        },
    )


def _describe(operation: Operation) -> str:
    announced = operation.deprecation.describe() if operation.deprecation else ""
    return " ".join(filter(None, (announced, operation.notes, _describe_access(operation))))


def _describe_access(operation: Operation) -> str:
    if operation.for_clients:
        return "Needs a client token."
    return f"Needs a key with the scope `{operation.scope}`." if operation.scope else "Public: needs no key."


def _parameters(operation: Operation) -> list[Parameter | Reference]:
    path_names = [part.strip("{}") for part in operation.path.split("/") if part.startswith("{")]
    key = (
        [_parameter(idempotency.HEADER, "header", _KEY_NOTES, required=False)] if operation.method == "POST" else []
    )
    return [
        *(_parameter(name, "path") for name in path_names),
        *(_parameter(name, "query", text) for name, text in operation.query.items()),
        *(_list_parameters(operation.list_query) if operation.list_query else ()),
        *key,
    ]


def _list_parameters(model: type[BaseModel]) -> Iterator[Parameter]:
    whole = model.model_json_schema()
    for name, field in whole["properties"].items():
        schema = _inline(next(iter(field.get("anyOf", [field]))), whole.get("$defs", {}))
        schema = {key: value for key, value in schema.items() if key not in ("title", "description")}
        facts = {"name": name, "in": "query", "required": name in whole.get("required", ())}
        facts |= {"style": "deepObject", "explode": True} if schema.get("type") == "object" else {}
        yield Parameter.model_validate({**facts, "description": field["description"], "schema": schema})


def _inline(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema, with each reference replaced by the schema it refers to."""
    if reference := schema.get("$ref"):
        return _inline(definitions[reference.rpartition("/")[2]], definitions)
    return {**schema, "items": _inline(schema["items"], definitions)} if "items" in schema else schema


def _parameter(name: str, where: str, text: str | None = None, *, required: bool = True) -> Parameter:
    schema = (
        {"type": "string"} if required else {"type": "string", "minLength": 1, "maxLength": idempotency.MAX_KEY}
    )
    facts = {"name": name, "in": where, "required": required, "description": text, "schema": schema}
    return Parameter.model_validate({key: value for key, value in facts.items() if value is not None})


def _body(operation: Operation) -> RequestBody | None:
    if operation.body is None:
        return None
    content = _content(operation.body, operation.example or example_of(operation.body))
    return RequestBody(required=True, content={operation.media_type: content})


def _success_response(operation: Operation) -> DocumentedResponse:
    content = _content(operation.answer, _example_of_answer(operation))
    return DocumentedResponse(
        description=operation.summary,
        content={"application/json": content},
        headers=_headers(*_common_headers(operation)),
    )


def _other_response(operation: Operation, text: str) -> DocumentedResponse:
    content = _content(operation.answer, None)
    return DocumentedResponse(
        description=text, content={"application/json": content}, headers=_headers(*_common_headers(operation))
    )


def _not_modified() -> DocumentedResponse:
    text = "Nothing has changed since the answer with the ETag in `If-None-Match`; without a body."
    return DocumentedResponse(description=text, headers=_headers(*_COMMON_HEADERS))


def _refusals(operation: Operation) -> dict[str, DocumentedResponse]:
    by_status: dict[int, list[type[Refusal]]] = {}
    for refusal in operation.every_refusal:
        by_status.setdefault(STATUS[refusal], []).append(refusal)
    return {
        str(status): DocumentedResponse(
            description=" ".join(f"`{refusal.code}`: {refusal.meaning()}" for refusal in refusals),
            content={"application/json": _refusal_content(refusals)},
            headers=_headers(*_common_headers(operation), *_EXTRA_HEADERS.get(status, ())),
        )
        for status, refusals in sorted(by_status.items())
    }


def _refusal_content(refusals: Sequence[type[Refusal]]) -> MediaType:
    examples = {each.__name__: {"$ref": f"#/components/examples/{each.__name__}"} for each in refusals}
    return MediaType.model_validate({"schema": PydanticSchema(schema_class=ErrorAnswer), "examples": examples})


def _refusal_examples() -> dict[str, Example | Reference]:
    return {
        kind.__name__: Example(
            summary=kind.error, value={**describe(refusal), "requestId": error_examples.SAMPLE_REQUEST}
        )
        for kind, refusal in error_examples.EXAMPLES.items()
    }


def _common_headers(operation: Operation) -> tuple[str, ...]:
    return _COMMON_HEADERS + (_DEPRECATION_HEADERS if operation.deprecation else ())


def _header(description: str) -> Header:
    return Header.model_validate({"description": description, "schema": {"type": "string"}})


def _headers(*names: str) -> dict[str, Header | Reference]:
    return {name: Reference.model_validate({"$ref": f"#/components/headers/{name}"}) for name in names}


def _example_of_answer(operation: Operation) -> Any:
    made = operation.answer_example
    return (made() if callable(made) else made) or example_of(operation.answer)


def _content(model: type[BaseModel], example: Any) -> MediaType:
    return MediaType.model_validate({"schema": PydanticSchema(schema_class=model), "example": example})
