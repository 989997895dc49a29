"""The API reference, read from the OpenAPI document, in the order in which the pages show it."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from app.portal.docs.schema_fields import FieldReference, Shapes, Type, list_values
from app.web.calls import CallExample
from app.web.curl import find_success
from app.web.json_text import format_json

_METHODS = ("get", "post", "put", "patch", "delete")
_CODE = re.compile(r"`(\w+)`: ")
"""An error code followed by its meaning, as the document describes refusals."""


@dataclass(frozen=True, slots=True)
class RefusalReference:
    """A status of refused requests, and the cases in which it is answered, with a link for each code."""

    status: str
    description: str
    codes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class OperationReference:
    """One endpoint; `resource`: the resource that it belongs to."""

    name: str
    resource: str
    method: str
    path: str
    summary: str
    description: str
    parameters: Sequence[FieldReference]
    body: Sequence[FieldReference]
    media_type: str
    status: str
    answer: Type
    refusals: Sequence[RefusalReference]
    calls: Sequence[CallExample]
    answer_example: str
    is_deprecated: bool

    @property
    def request_example(self) -> str:
        """The call as a curl command."""
        return self.calls[0].code


@dataclass(frozen=True, slots=True)
class Shape:
    """A schema with a name: an object with its fields, or an enumeration with its values."""

    name: str
    description: str
    fields: Sequence[FieldReference]
    values: Sequence[Any]


@dataclass(frozen=True, slots=True)
class ResourceReference:
    """The operations of one resource, and every shape in their requests and answers, directly or within others."""

    name: str
    about: str
    operations: Sequence[OperationReference]
    shapes: Sequence[Shape]

    @property
    def title(self) -> str:
        """The heading of its page."""
        return self.name.capitalize()


@dataclass(frozen=True, slots=True)
class EventReference:
    """One event that is sent to webhooks."""

    name: str
    description: str
    sample: str


@dataclass(frozen=True, slots=True)
class Reference:
    """Everything from the document that the pages show."""

    about: str
    base_url: str
    resources: Sequence[ResourceReference]
    refusal: Shape
    events: Sequence[EventReference]
    event_headers: Sequence[FieldReference]
    event_body: Sequence[FieldReference]
    event_shapes: Sequence[Shape]

    @property
    def operations(self) -> Mapping[str, OperationReference]:
        """Every operation by its name."""
        return {operation.name: operation for resource in self.resources for operation in resource.operations}

    @property
    def first_call(self) -> OperationReference:
        """A first call that needs only a key: the balance."""
        return next(each for each in self.operations.values() if each.path.endswith("/user/credits"))


@lru_cache(maxsize=4)
def read_reference(document: str) -> Reference:
    """Read the reference from the OpenAPI document, given as JSON."""
    document_data = json.loads(document)
    shapes = Shapes(document_data)
    deliveries = [(name, item["post"]) for name, item in document_data.get("webhooks", {}).items()]
    first = deliveries[0][1] if deliveries else {}
    return Reference(
        about=document_data["info"].get("description", ""),
        base_url=document_data["servers"][0]["url"],
        resources=list(_read_resources(document_data, shapes)),
        refusal=_read_shape("ErrorAnswer", shapes),
        events=[_read_event(name, operation) for name, operation in deliveries],
        event_headers=_read_parameters(first, shapes),
        event_body=_read_body(first, shapes)[1],
        event_shapes=_read_shapes([each.get("requestBody") for _, each in deliveries], shapes),
    )


def _read_resources(document_data: Mapping[str, Any], shapes: Shapes) -> Iterator[ResourceReference]:
    every = [
        (path, method, operation)
        for path, item in document_data["paths"].items()
        for method, operation in item.items()
        if method in _METHODS
    ]
    for tag in document_data.get("tags", ()):
        tagged = [each for each in every if each[2]["tags"][0] == tag["name"]]
        used = [(operation.get("requestBody"), find_success(operation)) for _, _, operation in tagged]
        yield ResourceReference(
            tag["name"],
            tag.get("description", ""),
            [_read_operation(*each, shapes) for each in tagged],
            _read_shapes(used, shapes),
        )


def _read_operation(path: str, method: str, operation: Mapping[str, Any], shapes: Shapes) -> OperationReference:
    media_type, body = _read_body(operation, shapes)
    status, content = find_success(operation)
    return OperationReference(
        name=operation["operationId"],
        resource=operation["tags"][0],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        description=operation.get("description", ""),
        parameters=_read_parameters(operation, shapes),
        body=body,
        media_type=media_type,
        status=status,
        answer=shapes.type(content.get("schema", {})),
        refusals=[
            _read_refusal(each, found["description"])
            for each, found in operation["responses"].items()
            if each != status
        ],
        calls=[CallExample(each["label"], each["source"]) for each in operation.get("x-codeSamples", ())],
        answer_example=format_json(content.get("example")),
        is_deprecated=operation.get("deprecated", False),
    )


def _read_refusal(status: str, description: str) -> RefusalReference:
    linked = _CODE.sub(r"[`\1`](/docs/errors/\1): ", description)
    return RefusalReference(status, linked, _CODE.findall(description))


def _read_parameters(operation: Mapping[str, Any], shapes: Shapes) -> list[FieldReference]:
    return [shapes.parameter(parameter) for parameter in operation.get("parameters", ())]


def _read_body(operation: Mapping[str, Any], shapes: Shapes) -> tuple[str, list[FieldReference]]:
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        return media_type, shapes.fields(content["schema"])
    return "", []


def _read_shapes(used_in: Any, shapes: Shapes) -> list[Shape]:
    return [_read_shape(name, shapes) for name in sorted(shapes.used(used_in))]


def _read_shape(name: str, shapes: Shapes) -> Shape:
    schema = shapes[name]
    fields = shapes.fields(schema, nested=False)
    return Shape(name, schema.get("description", ""), fields, list_values(schema))


def _read_event(name: str, operation: Mapping[str, Any]) -> EventReference:
    (content,) = operation["requestBody"]["content"].values()
    return EventReference(name, operation.get("description", ""), format_json(content.get("example")))
