"""What a run of a test set may do: read its own folders and the skills, and write where its graders look at files."""

from collections.abc import Iterator, Sequence
from typing import Final

from skill_evaluator.agents.claude_code.layout import Layout
from skill_evaluator.agents.claude_code.rules import Rules
from skill_evaluator.agents.claude_code.tool_names import GATED, ON_REQUEST, READERS, WRITERS

SKILLS: Final = "config/skills"  # where the program looks for the user's own skills, relative to the run
_STATE: Final = (".claude.json", "projects", "sessions", "backups")  # what else lies in its configuration


def offer_rules(layout: Layout, stand_ins: Sequence[str], *, writes: bool) -> Rules:
    """Give the rules of one run; no run has a shell or reaches the network.

    Args:
        layout: Its folders.
        stand_ins: Full names of tools that stand in for others.
        writes: Whether it may write into its workspace.
    """
    return Rules(allowed=tuple(_allowed(layout, stand_ins, writes=writes)), disallowed=tuple(_denied(layout, writes)))


def _allowed(layout: Layout, stand_ins: Sequence[str], *, writes: bool) -> Iterator[str]:
    yield from sorted(ON_REQUEST.difference(READERS))
    yield from stand_ins
    for place in (layout.home, layout.tmp, layout.root / SKILLS):
        yield from (f"{tool}(/{place.as_posix()}/**)" for tool in READERS)
    if writes:
        places = (layout.cwd, layout.tmp)
        yield from (f"{tool}(/{place.as_posix()}/**)" for place in places for tool in ("Edit", "Write"))


def _denied(layout: Layout, writes: bool) -> Iterator[str]:  # noqa: FBT001 - private, and called once
    config = layout.config.as_posix()
    yield from (f"Read(/{config}/{name}{end})" for name in _STATE for end in ("", "/**"))
    yield f"Read(/{layout.out.as_posix()}/**)"
    yield "Read(//proc/**)"
    yield from (f"Edit(/{place.as_posix()}/**)" for place in (layout.config, layout.out))
    yield from (tool for tool in GATED if not (writes and tool in WRITERS))
