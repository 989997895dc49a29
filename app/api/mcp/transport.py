"""Hands one HTTP request to the MCP package's own transport, in an event loop that ends with the answer.

The exchange takes a millisecond, because tools work in this thread and never wait: while a tool needs to wait for a
job, the web server keeps the request (app/web/parking.py), as it does for requests to the API.
"""

import json
from collections.abc import Mapping
from typing import Any

import anyio
from flask import Response, request
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)
from starlette.types import Message, Scope

from app.api.mcp import tools
from app.api.mcp.tools import INSTRUCTIONS, TOOLS, AgentTool
from app.web.authentication import actor
from app.web.bodies import MAX_JSON_BYTES
from engine.version import RELEASE

Context = ServerRequestContext[dict[str, Any]]


def answer(content: bytes) -> Response:
    """The answer to this request, whose body is `content`."""
    return anyio.run(_exchange, content)


async def _exchange(content: bytes) -> Response:
    """Pass the request on as ASGI, and collect the answer."""
    manager = StreamableHTTPSessionManager(
        _SERVER, json_response=True, stateless=True, max_request_body_size=MAX_JSON_BYTES
    )
    unread, response = [content], Response()

    async def receive() -> Message:
        if not unread:
            # A listener for the end of the connection would end the exchange before its answer.
            await anyio.sleep_forever()
        return {"type": "http.request", "body": unread.pop()}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            response.status_code = int(message["status"])
            headers = ((name.decode("latin-1"), value.decode("latin-1")) for name, value in message["headers"])
            response.headers.update(dict(headers))
        else:
            response.set_data(response.get_data() + message.get("body", b""))

    async with manager.run():
        await manager.handle_request(_make_scope(), receive, send)
    return response


def _make_scope() -> Scope:
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in request.headers]
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": request.scheme,
        "path": request.path,
        "raw_path": request.path.encode(),
        "root_path": "",
        "query_string": request.query_string,
        "headers": headers,
        "client": (request.remote_addr or "", 0),
        "server": (request.host, None),
    }


async def _list_tools(_context: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
    return ListToolsResult(tools=[_TOOLS[each.name] for each in tools.list_permitted(actor().scopes)])


async def _call_tool(_context: Context, params: CallToolRequestParams) -> CallToolResult:
    tool = TOOLS.get(params.name)
    if tool is None:
        raise MCPError(INVALID_PARAMS, "Unknown tool; tools/list has those that this key may call.")
    outcome = tools.call(tool, params.arguments or {})
    text = TextContent(type="text", text=json.dumps(outcome.content, ensure_ascii=False))
    return CallToolResult(content=[text], structured_content=dict(outcome.content), is_error=outcome.is_refused)


def _describe(tool: AgentTool) -> Tool:
    hints = ToolAnnotations(
        title=tool.title,
        read_only_hint=not tool.changes,
        destructive_hint=tool.is_destructive,
        idempotent_hint=True,
        open_world_hint=False,
    )
    return Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema(),
        annotations=hints,
    )


_TOOLS: Mapping[str, Tool] = {name: _describe(tool) for name, tool in TOOLS.items()}
_SERVER: Server[dict[str, Any]] = Server(
    "brightlist",
    version=RELEASE,
    title="Brightlist",
    instructions=INSTRUCTIONS,
    get_tool_input_schema=lambda name: _TOOLS[name].input_schema if name in _TOOLS else None,
    on_list_tools=_list_tools,
    on_call_tool=_call_tool,
)
