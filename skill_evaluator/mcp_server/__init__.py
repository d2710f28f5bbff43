"""A small MCP server over HTTP on the loopback, in this process: lists tools, and hands calls to whoever answers."""

from skill_evaluator.mcp_server.server import McpServer
from skill_evaluator.mcp_server.tools import ToolAnswer, Tools

__all__ = ["McpServer", "ToolAnswer", "Tools"]
