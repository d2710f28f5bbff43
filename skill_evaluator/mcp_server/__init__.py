"""A small MCP server over HTTP on the loopback, in this process: lists tools, and hands calls to whoever answers."""
