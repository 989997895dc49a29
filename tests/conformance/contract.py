"""Holds every answer the application gives to its own OpenAPI document."""

import re
from contextlib import AbstractContextManager
from typing import Any
from weakref import WeakKeyDictionary

from flask import Flask, Response, request, request_finished
from jsonschema import Draft202012Validator
from pydantic.alias_generators import to_camel

PREFIX = "/api/v1"
Validators = dict[str, Draft202012Validator]
_documents: WeakKeyDictionary[Flask, tuple[dict[str, Any], Validators]] = WeakKeyDictionary()
"""The document of an application, which is the same for every test, and what checks its answers."""


class Contract:
    """Watches the API's answers and keeps what disagrees with the document."""

    def __init__(self, app: Flask) -> None:
        self.faults: list[str] = []
        if app not in _documents:
            _documents[app] = app.test_client().get(f"{PREFIX}/openapi.json").json, {}
        self.document, self._validators = _documents[app]
        self._app = app

    def watching(self) -> AbstractContextManager[None]:
        """Watch all answers until the block is left."""
        return request_finished.connected_to(self._watch, self._app)

    def _watch(self, _app: Flask, response: Response) -> None:
        if request.url_rule and request.url_rule.rule.startswith(PREFIX):
            self.faults += self._faults(documented_path(request.url_rule.rule), request.method.lower(), response)

    def _faults(self, path: str, method: str, response: Response) -> list[str]:
        # What browsers ask before a request of a page is no operation.
        is_preflight = "Access-Control-Request-Method" in request.headers and method == "options"
        if path == "/openapi.json" or method == "head" or is_preflight:
            return []
        name = f"{method} {path} {response.status_code}"
        answers = self.document["paths"].get(path, {}).get(method, {}).get("responses", {})
        if str(response.status_code) not in answers:
            return [f"{name} is not documented: {response.get_data(as_text=True)}"]
        if "content" not in answers[str(response.status_code)]:
            return []
        if name not in self._validators:
            schema = answers[str(response.status_code)]["content"]["application/json"]["schema"]
            self._validators[name] = self.validator(schema)
        wrong = self._validators[name].iter_errors(response.json)
        return [f"{name} {each.json_path}: {each.message}" for each in wrong]

    def validator(self, schema: dict[str, Any]) -> Draft202012Validator:
        """Checks values against a schema of the document."""
        whole = {**schema, "components": self.document["components"]}
        return Draft202012Validator(whole, format_checker=Draft202012Validator.FORMAT_CHECKER)


def documented_path(rule: str) -> str:
    """`/api/v1/jobs/<job_id>/status` as the document has it: `/jobs/{jobId}/status`."""
    return re.sub(r"<(\w+)>", lambda name: f"{{{to_camel(name[1])}}}", rule.removeprefix(PREFIX))
