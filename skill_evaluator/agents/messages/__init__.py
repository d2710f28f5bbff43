"""Asks a model over the Anthropic Messages API: the skill is offered in a list and called by a tool."""
