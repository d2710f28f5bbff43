"""Which tools the program lets its model use in a run."""

from collections.abc import Sequence
from dataclasses import dataclass

from skill_evaluator.agents.claude_code.grants import Grants
from skill_evaluator.agents.claude_code.layout import Layout
from skill_evaluator.model import Case


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """Values of `--allowed-tools` and `--disallowed-tools`."""

    allowed: tuple[str, ...]
    disallowed: tuple[str, ...]


def child_rules(
    layout: Layout, case: Case, grants: Grants, disallow: Sequence[str], stand_in_tools: Sequence[str]
) -> Rules:
    """Give the rules of one run.

    Args:
        layout: Its folders.
        case: The case; its setup names the plugins and the tools that it asks for.
        grants: What the user gave.
        disallow: Tools that the user took away.
        stand_in_tools: Full names of tools that stand-ins answer, or rules for whole servers.
    """
    del case, grants, disallow
    inside = tuple(f"{tool}(/{folder}/**)" for folder in (layout.home, layout.tmp) for tool in ("Read", "Glob", "Grep"))
    return Rules(allowed=("Skill", *inside, *stand_in_tools), disallowed=())
