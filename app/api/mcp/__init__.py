"""The MCP server: tools with which agents that have an API key call operations of the API."""

from app.api.mcp.endpoint import blueprint as blueprint
