"""An agent for tests: it speaks to POST /mcp with the key of a client of the API."""

import json
from dataclasses import dataclass
from typing import Any

from werkzeug.test import TestResponse

from tests.conftest import Api

HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
ORDER = {
    "address": "12 Garden Lane, Springfield, IL 62704",
    "photos": [{"type": "interior", "url": "https://photos.example.com/living%20room.jpg"}],
    "enhancements": ["hdr_enhancement"],
}
"""Costs half a credit."""


@dataclass
class Agent:
    """Calls tools with the key of `api`."""

    api: Api

    def post(self, message: Any, **headers: str) -> TestResponse:
        """Send one message, or whatever it is."""
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        own = {"Authorization": f"Bearer {self.api.secret}"}
        return self.api.client.post("/mcp", data=data, headers={**HEADERS, **own, **headers})

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The answer to a request, whole."""
        answer = self.post({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        assert answer.status_code == 200, answer.text
        return answer.json

    def tools(self) -> list[dict[str, Any]]:
        """The tools that the key may call."""
        return self.ask("tools/list")["result"]["tools"]

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """What a tool answers."""
        result = self.ask("tools/call", name=name, arguments=arguments)["result"]
        assert result["isError"] is False, result
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        return result["structuredContent"]

    def refusal(self, name: str, **arguments: Any) -> dict[str, Any]:
        """How a tool refuses."""
        result = self.ask("tools/call", name=name, arguments=arguments)["result"]
        assert result["isError"] is True, result
        return result["structuredContent"]
