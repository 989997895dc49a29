"""/docs/postman.json: every operation as a request that can be sent, in the form of Postman's collections 2.1."""

import re
from typing import Any

import pytest
from flask import Flask
from jsonschema import Draft202012Validator

from tests.conftest import Api

NAMED = {"type": "object", "required": ["key", "value"], "properties": {"value": {"type": "string"}}}
COLLECTION = {
    "type": "object",
    "required": ["info", "item"],
    "properties": {
        "info": {
            "type": "object",
            "required": ["name", "schema"],
            "properties": {
                "schema": {"const": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}
            },
        },
        "item": {"type": "array", "items": {"$ref": "#/$defs/folder"}},
        "variable": {"type": "array", "items": NAMED},
        "auth": {
            "required": ["type", "bearer"],
            "properties": {"bearer": {"type": "array", "items": NAMED}},
        },
    },
    "$defs": {
        "folder": {
            "type": "object",
            "required": ["name", "item"],
            "properties": {"item": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/item"}}},
        },
        "item": {
            "type": "object",
            "required": ["name", "request", "response"],
            "properties": {
                "request": {"$ref": "#/$defs/request"},
                "response": {
                    "type": "array",
                    "items": {
                        "required": ["name", "originalRequest", "status", "code", "header", "body"],
                        "properties": {
                            "code": {"type": "integer"},
                            "status": {"type": "string"},
                            "body": {"type": "string"},
                            "originalRequest": {"$ref": "#/$defs/request"},
                        },
                    },
                },
            },
        },
        "request": {
            "type": "object",
            "required": ["method", "url", "header"],
            "properties": {
                "method": {"enum": ["GET", "POST", "PUT", "PATCH", "DELETE"]},
                "header": {"type": "array", "items": NAMED},
                "url": {
                    "required": ["raw", "host", "path"],
                    "properties": {
                        "host": {"type": "array", "items": {"type": "string"}},
                        "path": {"type": "array", "items": {"type": "string"}},
                        "query": {"type": "array", "items": NAMED},
                        "variable": {"type": "array", "items": NAMED},
                    },
                },
                "body": {
                    "required": ["mode"],
                    "oneOf": [
                        {"required": ["raw"], "properties": {"mode": {"const": "raw"}, "raw": {"type": "string"}}},
                        {
                            "required": ["formdata"],
                            "properties": {
                                "mode": {"const": "formdata"},
                                "formdata": {
                                    "type": "array",
                                    "items": {
                                        "required": ["key", "type"],
                                        "properties": {"type": {"enum": ["text", "file"]}},
                                    },
                                },
                            },
                        },
                    ],
                },
            },
        },
    },
}
"""What Postman's own schema asks for, of the parts that ours has."""


@pytest.fixture
def collection(app: Flask) -> dict[str, Any]:
    answer = app.test_client().get("/docs/postman.json")
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    return answer.json


def requests(collection: dict[str, Any]) -> list[dict[str, Any]]:
    return [item["request"] for folder in collection["item"] for item in folder["item"]]


def fill(text: str, request: dict[str, Any], variables: dict[str, str]) -> str:
    """The text as Postman sends it."""
    values = {each["key"]: each["value"] for each in request["url"].get("variable", ())}
    filled = re.sub(r"\{\{(\w+)\}\}", lambda name: variables[name[1]], text)
    return re.sub(r"(?<=/):(\w+)", lambda name: values[name[1]], filled)


def test_it_is_a_collection_of_version_2_1(collection: dict[str, Any]) -> None:
    assert list(Draft202012Validator(COLLECTION).iter_errors(collection)) == []


def test_it_has_a_folder_for_each_resource_and_in_it_every_operation(collection: dict[str, Any], api: Api) -> None:
    document = api.get("/openapi.json").json
    operations = [each for item in document["paths"].values() for each in item.values()]
    for tag, folder in zip(document["tags"], collection["item"], strict=True):
        assert folder["name"].lower() == tag["name"]
        of_tag = [each["summary"] for each in operations if tag["name"] in each["tags"]]
        assert [item["name"] for item in folder["item"]] == of_tag
    assert len(requests(collection)) == len(operations)


def test_the_key_is_left_to_fill_in_and_public_operations_do_without(collection: dict[str, Any], settings) -> None:
    variables = {each["key"]: each["value"] for each in collection["variable"]}
    assert variables == {"baseUrl": f"{settings.base_url}/api/v1", "apiKey": "", "clientToken": ""}
    assert collection["auth"]["bearer"] == [{"key": "token", "value": "{{apiKey}}", "type": "string"}]
    public = [each for each in requests(collection) if each.get("auth") == {"type": "noauth"}]
    assert {each["url"]["path"][0] for each in public} == {"rules"}
    tokens = [each for each in requests(collection) if "{{clientToken}}" in str(each.get("auth"))]
    assert [each["url"]["path"] for each in tokens] == [["uploads"]]


def test_every_request_reaches_its_operation(collection: dict[str, Any], api: Api) -> None:
    variables = {each["key"]: each["value"] for each in collection["variable"]}
    for request in requests(collection):
        named = {f":{each['key']}" for each in request["url"].get("variable", ())}
        assert named == {part for part in request["url"]["path"] if part.startswith(":")}
        url = fill(request["url"]["raw"], request, variables)
        assert url == fill("/".join(["{{baseUrl}}", *request["url"]["path"]]), request, variables) + (
            f"?{url.partition('?')[2]}" if "?" in url else ""
        )
        path = url.removeprefix(f"{variables['baseUrl']}")
        if request["method"] == "GET":
            assert api.get(path).status_code in (200, 404), path
            if request["url"].get("query"):
                assert all(each["disabled"] for each in request["url"]["query"])


def test_the_examples_can_be_sent(collection: dict[str, Any], api: Api) -> None:
    sent = {(each["method"], each["url"]["raw"]): each for each in requests(collection)}
    quote = sent["POST", "{{baseUrl}}/orders/upload-urls"]
    headers = {each["key"]: each["value"] for each in quote["header"]}
    assert headers["Idempotency-Key"] == "{{$guid}}"
    assert api.post("/orders/upload-urls", data=quote["body"]["raw"], headers=headers).status_code == 200
    form = {each["key"]: each for each in sent["POST", "{{baseUrl}}/orders"]["body"]["formdata"]}
    assert form["exteriorPhoto0"] == {"key": "exteriorPhoto0", "src": "front.jpg", "type": "file"}
    assert form["serviceType"]["value"] == "exterior"
