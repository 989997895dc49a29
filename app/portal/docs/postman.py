"""The API as a Postman collection, made from the OpenAPI document: https://schema.postman.com/collection/json/v2.1.0/."""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from http import HTTPStatus
from typing import Any

from app.web.curl import find_success
from app.web.json_text import format_json

SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"


@lru_cache(maxsize=4)
def write_collection(document: str) -> str:
    """Write the collection as JSON: a folder for each resource, and for each operation a request with its example.

    The URL of the service is the variable `baseUrl`; users fill in the key, `apiKey`, and a client token,
    `clientToken`.
    """
    described = json.loads(document)
    collection = {
        "info": {
            "name": described["info"]["title"],
            "description": described["info"]["description"],
            "schema": SCHEMA,
        },
        "auth": _bearer("apiKey"),
        "variable": [
            {"key": "baseUrl", "value": described["servers"][0]["url"], "type": "string"},
            {"key": "apiKey", "value": "", "type": "string"},
            {"key": "clientToken", "value": "", "type": "string"},
        ],
        "item": [
            {
                "name": tag["name"].capitalize(),
                "description": tag["description"],
                "item": list(_write_items(described, tag["name"])),
            }
            for tag in described["tags"]
        ],
    }
    return json.dumps(collection, ensure_ascii=False, indent=1)


def _write_items(document: Mapping[str, Any], tag: str) -> Iterator[dict[str, Any]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if tag in operation["tags"]:
                yield _write_item(path, method, operation)


def _write_item(path: str, method: str, operation: Mapping[str, Any]) -> dict[str, Any]:
    request = {
        "method": method.upper(),
        "description": operation["description"],
        "url": _write_url(path, operation),
        "header": list(_write_headers(operation)),
        **_write_body(operation),
        **_write_auth(operation),
    }
    status, content = find_success(operation)
    answer = {
        "name": operation["summary"],
        "originalRequest": request,
        "status": HTTPStatus(int(status)).phrase,
        "code": int(status),
        "_postman_previewlanguage": "json",
        "header": [{"key": "Content-Type", "value": "application/json"}],
        "body": format_json(content.get("example")),
    }
    return {"name": operation["summary"], "request": request, "response": [answer]}


def _write_auth(operation: Mapping[str, Any]) -> dict[str, Any]:
    """How the request is authenticated, if not by the key."""
    if "security" not in operation:
        return {}
    return {"auth": _bearer("clientToken") if operation["security"] else {"type": "noauth"}}


def _bearer(variable: str) -> dict[str, Any]:
    return {"type": "bearer", "bearer": [{"key": "token", "value": f"{{{{{variable}}}}}", "type": "string"}]}


def _write_url(path: str, operation: Mapping[str, Any]) -> dict[str, Any]:
    example = find_success(operation)[1].get("example", {})
    filled: dict[str, list[dict[str, Any]]] = {"path": [], "query": [], "header": []}
    for parameter in operation.get("parameters", ()):
        value = {"key": parameter["name"], "value": str(example.get(parameter["name"], ""))}
        value |= {"description": parameter["description"]} if "description" in parameter else {}
        # Optional parameters are disabled until a user of Postman ticks them.
        is_optional = parameter["in"] == "query" and not parameter.get("required")
        filled[parameter["in"]].append({**value, "value": "", "disabled": True} if is_optional else value)
    segments = [f":{each.strip('{}')}" if each.startswith("{") else each for each in path.strip("/").split("/")]
    asked = "&".join(f"{each['key']}={each['value']}" for each in filled["query"] if not each.get("disabled"))
    return {
        "raw": f"{{{{baseUrl}}}}/{'/'.join(segments)}" + (f"?{asked}" if asked else ""),
        "host": ["{{baseUrl}}"],
        "path": segments,
        **({"query": filled["query"]} if filled["query"] else {}),
        **({"variable": filled["path"]} if filled["path"] else {}),
    }


def _write_headers(operation: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "header":
            # The only header is the Idempotency-Key; Postman generates a new value each time.
            yield {
                "key": parameter["name"],
                "value": "{{$guid}}",
                "description": parameter["description"],
            }
    if "application/json" in operation.get("requestBody", {}).get("content", {}):
        yield {"key": "Content-Type", "value": "application/json"}


def _write_body(operation: Mapping[str, Any]) -> dict[str, Any]:
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        example = content["example"]
        if media_type == "multipart/form-data":
            fields = [{"key": name, "value": value, "type": "text"} for name, value in example.items()]
            photo = {"key": f"{example['serviceType']}Photo0", "src": "front.jpg", "type": "file"}
            return {"body": {"mode": "formdata", "formdata": [*fields, photo]}}
        options = {"raw": {"language": "json"}}
        return {"body": {"mode": "raw", "raw": format_json(example), "options": options}}
    return {}
