"""GET /api/v1/openapi.json as generators of clients read it: answers may grow, requests may leave fields out."""

import json
from collections.abc import Iterator
from io import BytesIO
from itertools import combinations
from typing import Any

import pytest

from app.domain.lifecycle import Status
from engine.types.enhancements import Enhancement
from tests.conformance.contract import Contract
from tests.conftest import PHOTO, Api

KNOWN_VALUES = "x-extensible-enum"


@pytest.fixture
def document(contract: Contract) -> dict[str, Any]:
    return contract.document


def operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [operation for item in document["paths"].values() for operation in item.values()]


def schemas_in(part: Any, document: dict[str, Any], seen: set[str]) -> Iterator[dict[str, Any]]:
    """Every schema in a part of the document, and those that it refers to."""
    if isinstance(part, list):
        for each in part:
            yield from schemas_in(each, document, seen)
    elif isinstance(part, dict):
        yield part
        name = str(part.get("$ref", "")).partition("#/components/schemas/")[2]
        if name and name not in seen:
            seen.add(name)
            yield from schemas_in(document["components"]["schemas"][name], document, seen)
        for key, each in part.items():
            if key not in ("example", "examples"):
                yield from schemas_in(each, document, seen)


@pytest.fixture
def answered(document: dict[str, Any]) -> dict[str, Any]:
    """All that we send, and the names of its schemas."""
    names: set[str] = set()
    parts = [*(each["responses"] for each in operations(document)), document["webhooks"]]
    return {"schemas": list(schemas_in(parts, document, names)), "names": names}


@pytest.fixture
def sent(document: dict[str, Any]) -> dict[str, Any]:
    """All that clients send, and the names of its schemas."""
    names: set[str] = set()
    parts = [each.get("requestBody", {}) for each in operations(document)]
    return {"schemas": list(schemas_in(parts, document, names)), "names": names}


def test_a_value_that_is_new_in_an_answer_breaks_no_client(document: dict[str, Any], answered: dict) -> None:
    assert not [each for each in answered["schemas"] if "enum" in each or "const" in each]
    status = document["components"]["schemas"]["Status"]
    assert (status["type"], status[KNOWN_VALUES]) == ("string", list(Status))
    assert document["components"]["schemas"]["KnownEnhancement"][KNOWN_VALUES] == list(Enhancement)
    codes = document["components"]["schemas"]["ErrorAnswer"]["properties"]["code"][KNOWN_VALUES]
    assert {"rate_limited", "insufficient_credits"} <= {*codes}


def test_what_clients_may_send_is_a_closed_list(document: dict[str, Any], sent: dict) -> None:
    assert document["components"]["schemas"]["Enhancement"]["enum"] == list(Enhancement)
    assert not [each for each in sent["schemas"] if KNOWN_VALUES in each]


def test_no_schema_is_both_sent_and_answered_so_each_says_what_holds_for_it(sent: dict, answered: dict) -> None:
    assert sent["names"] & answered["names"] == set()


def test_what_is_absent_from_an_answer_is_not_said_to_be_null(answered: dict) -> None:
    for schema in answered["schemas"]:
        for name, field in schema.get("properties", {}).items():
            if name not in schema.get("required", ()):
                assert {"type": "null"} not in field.get("anyOf", ()), name


def test_a_field_with_a_default_may_be_left_out(document: dict[str, Any], sent: dict) -> None:
    assert not [each for each in sent["schemas"] if "default" in each and "type" in each]
    staging = document["components"]["schemas"]["StagingWish"]
    assert "required" not in staging
    assert staging["properties"]["style"]["description"] == "Default: `modern`."


def test_a_field_has_no_title_that_only_repeats_its_name(sent: dict, answered: dict) -> None:
    for schema in (*sent["schemas"], *answered["schemas"]):
        assert not [name for name, field in schema.get("properties", {}).items() if "title" in field]


def test_a_form_takes_any_number_of_photos(api: Api, document: dict[str, Any]) -> None:
    form = document["components"]["schemas"]["MultipartOrder"]
    assert form["additionalProperties"] == {"type": "string", "format": "binary"}
    example = document["paths"]["/orders"]["post"]["requestBody"]["content"]["multipart/form-data"]["example"]
    photos = {f"exteriorPhoto{number}": (BytesIO(PHOTO), f"{number}.jpg") for number in range(3)}
    assert api.post("/orders", data={**example, **photos}).json["photosUploaded"] == 3


def test_it_says_whom_to_ask_and_what_holds(document: dict[str, Any], settings) -> None:
    info = document["info"]
    assert info["contact"] == {"name": "Brightlist", "url": f"{settings.base_url}/docs"}
    assert info["termsOfService"] == info["license"]["url"] == f"{settings.base_url}/terms"


def test_every_operation_has_its_call_in_every_language(document: dict[str, Any]) -> None:
    for operation in operations(document):
        samples = operation["x-codeSamples"]
        assert [each["label"] for each in samples] == ["curl", "Python", "Node", "PHP", "Go"]
        assert [each["lang"] for each in samples] == ["Shell", "Python", "JavaScript", "PHP", "Go"]
        assert all(document["servers"][0]["url"] in each["source"] for each in samples)


def test_every_component_is_used(document: dict[str, Any]) -> None:
    text = json.dumps(document)
    for kind in ("schemas", "examples", "headers"):
        unused = [name for name in document["components"][kind] if f'"#/components/{kind}/{name}"' not in text]
        assert unused == []


def test_no_address_can_be_taken_for_another_operation(document: dict[str, Any]) -> None:
    for one, other in combinations(document["paths"], 2):
        parts = list(zip(one.split("/"), other.split("/"), strict=False))
        same = one.count("/") == other.count("/")
        assert not (same and all("{" in a + b or a == b for a, b in parts)), (one, other)
