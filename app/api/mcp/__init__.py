"""The MCP server: what agents do with an API key, by tools that call the operations of the API."""

from app.api.mcp.endpoint import blueprint as blueprint
