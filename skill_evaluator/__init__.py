"""Tells the author of an Agent Skill whether it is good."""

__version__ = "0.1.0"
