"""Fills the workspace of a run by the script of its case."""

from pathlib import Path

from skill_evaluator.agents.claude_code.layout import Layout


async def run_scaffold(layout: Layout, script: Path) -> str | None:
    """Run the script in the workspace; nothing that it started is alive afterwards.

    Returns:
        Why the run cannot go on, or None.
    """
    del layout, script
    return None
