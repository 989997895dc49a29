"""Documents the field `livemode`, which every answer to a key has, see web/answers.py."""

import json
from collections.abc import Iterator
from typing import Any

from openapi_pydantic.util import ref_prefix

from app.web.answers import LIVEMODE, LIVEMODE_MEANING

_FIELD = {"type": "boolean", "description": LIVEMODE_MEANING}


def document(tree: dict[str, Any]) -> None:
    """Add the field to the answers in the OpenAPI document `tree`, and to their examples, in place.

    Where a schema is both a whole answer and a part of other schemas, only the whole answer has the field, so it is
    optional.
    """
    schemas = tree["components"]["schemas"]
    parts = json.dumps(schemas)
    for content in _list_answers(tree):
        name = content["schema"]["$ref"].removeprefix(ref_prefix)
        schema = schemas[name]
        schema["properties"] = {LIVEMODE: {**_FIELD}, **schema["properties"]}
        if f'"{ref_prefix}{name}"' not in parts:
            schema["required"] = sorted(
                {LIVEMODE, *schema.get("required", ())}, key=list(schema["properties"]).index
            )
        if "example" in content:
            content["example"] = {LIVEMODE: True, **content["example"]}


def _list_answers(tree: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The content of every successful answer to a key."""
    for path in tree["paths"].values():
        for operation in path.values():
            for status, response in operation["responses"].items():
                # A public operation has an empty list here.
                if status.startswith("2") and operation.get("security") != []:
                    yield response["content"]["application/json"]
