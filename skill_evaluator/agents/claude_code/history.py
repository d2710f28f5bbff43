"""Hands a transcript to the program, which goes on with it."""

from pathlib import Path

from skill_evaluator.agents.claude_code.layout import Layout
from skill_evaluator.model import Case


def prepare_history(layout: Layout, case: Case) -> Path | str:
    """Copy the transcript of a case into the run.

    Returns:
        The copy, for `--resume`; or why the run cannot go on.
    """
    del layout
    return f"the history of {case.id!r} cannot be handed over yet"
