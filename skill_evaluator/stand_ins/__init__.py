"""Answers in place of the MCP servers of a plugin, so that nothing real is called."""
