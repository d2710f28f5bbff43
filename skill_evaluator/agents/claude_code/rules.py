"""Which tools the program lets its model use in a run.

Source: the command lines of the children of `claude plugin eval`, 2.1.332.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skill_evaluator.agents.claude_code.grants import Entry, Grants, on_request, read_disallowed
from skill_evaluator.agents.claude_code.hidden import Hidden
from skill_evaluator.agents.claude_code.layout import Layout
from skill_evaluator.agents.claude_code.tool_names import (
    BACKGROUND,
    GATED,
    READERS,
    SHELLS,
    WRITERS,
    real_name,
)
from skill_evaluator.model import Arm, Case, Setup

# What makes a folder look like a repository to git, which then would take its settings.
_REPOSITORY: Final = (".git", "HEAD", "objects", "refs", "commondir")
_SPECIAL: Final = str.maketrans(dict.fromkeys("()[]{}*!\\", "?"))  # a rule has no way to quote them


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """Values of `--allowed-tools` and `--disallowed-tools`."""

    allowed: tuple[str, ...]
    disallowed: tuple[str, ...]


def child_rules(  # noqa: PLR0913 - what one run depends on, the last three by name
    layout: Layout,
    case: Case,
    grants: Grants,
    disallow: Sequence[str],
    stand_in_tools: Sequence[str],
    *,
    eval_dir: Path | None = None,
    arm: Arm = Arm.WITH,
    results: Sequence[Path] = (),
) -> Rules:
    """Give the rules of one run.

    Args:
        layout: Its folders.
        case: The case; its setup names the plugins and the tools that it asks for.
        grants: What the user gave.
        disallow: Tools that the user took away.
        stand_in_tools: Full names of tools that stand-ins answer, or rules for whole servers.
        eval_dir: Folder of the suite, which no run may read; None for the topmost folder of each plugin around the
            case.
        arm: Whether the plugins are loaded; their parts are read only where they are.
        results: Folders and files where results are written, which no run may read either.
    """
    setup = case.setup or Setup(folder=layout.cwd)
    gone, _ = read_disallowed((*disallow, *setup.disallowed_tools))
    given = grants.without(gone)
    asked = tuple(entry for entry in on_request(setup.allowed_tools) if real_name(entry.tool) not in gone)
    hidden = Hidden(setup=setup, eval_dir=eval_dir, arm=arm, results=tuple(results), run=layout.root)
    return Rules(
        allowed=tuple(dict.fromkeys(_allowed(layout, given, asked, stand_in_tools, hidden))),
        disallowed=tuple(dict.fromkeys((*_kept_off(layout, hidden), *_withheld(given), *gone))),
    )


def _allowed(
    layout: Layout, given: Grants, asked: Sequence[Entry], stand_in_tools: Sequence[str], hidden: Hidden
) -> Iterator[str]:
    entries = (*given.rules, *asked)
    yield from (_rule(entry, layout.cwd) for entry in given.rules if not _is_by_place(entry))
    yield from stand_in_tools
    yield from (_rule(entry, layout.cwd) for entry in asked if not _is_by_place(entry))
    yield from (_below(tool, folder) for folder in hidden.added for tool in READERS)  # the case names them to be read
    own = (layout.home, layout.tmp)
    if any(entry.is_bare and entry.tool in READERS for entry in entries):
        folders, files = hidden.readable()
        yield from (_below(tool, folder) for folder in (*own, *folders) for tool in READERS)
        yield from (_at("Read", file) for file in files)
    writers = [tool for tool in WRITERS if any(entry.is_bare and entry.tool == tool for entry in given.rules)]
    if writers:
        places = (layout.cwd, layout.tmp)
        yield from (_below(tool, place) for place in places for tool in dict.fromkeys(("Edit", *writers)))


def _is_by_place(entry: Entry) -> bool:
    """Whether a tool for files is meant as a whole; then rules for the folders of the run take its place."""
    return entry.is_bare and entry.tool in (*READERS, *WRITERS)


def _rule(entry: Entry, cwd: Path) -> str:
    """Write an entry so that a relative pattern for files starts in the workspace."""
    if entry.tool not in (*READERS, *WRITERS) or entry.pattern is None:
        return entry.text
    pattern = entry.pattern.removeprefix("./")
    if pattern.startswith(("/", "~", "../")):
        return entry.text
    anywhere = "" if "/" in pattern.removesuffix("/") else "**/"
    return f"{entry.tool}(/{_shown(cwd)}/{anywhere}{pattern})"


def _kept_off(layout: Layout, hidden: Hidden) -> Iterator[str]:
    """Give the rules for files that nobody reads, and those that nobody writes."""
    for folder in (layout.config, layout.out):
        yield from (_below(tool, folder) for tool in ("Read", "Edit"))
    yield from (_below("Edit", folder) for folder in hidden.unwritable())
    for name in _REPOSITORY:
        yield from _both(("Edit",), layout.cwd / name)
    unreadable = tuple(hidden.unreadable())
    yield from _all_both("Read", unreadable)
    yield from _all_both("Edit", unreadable)
    yield "Read(//proc/**)"


def _withheld(given: Grants) -> Iterator[str]:
    """Name the tools that are not even shown to the model."""
    shown = set(given.tools)
    if not shown.isdisjoint(WRITERS):
        shown.update(WRITERS)  # patterns of one are patterns of all, so each needs the others
    if not shown.isdisjoint(SHELLS):
        shown.add(BACKGROUND)
    yield from (tool for tool in GATED if tool not in shown)


def _all_both(tool: str, places: Iterable[Path]) -> Iterator[str]:
    for place in places:
        yield from _both((tool,), place)


def _both(tools: Sequence[str], place: Path) -> Iterator[str]:
    for tool in tools:
        yield _at(tool, place)
        yield _below(tool, place)


def _at(tool: str, place: Path) -> str:
    return f"{tool}(/{_shown(place)})"


def _below(tool: str, place: Path) -> str:
    return f"{tool}(/{_shown(place)}/**)"


def _shown(place: Path) -> str:
    """Write a path as a pattern; a sign that means something else there becomes one that matches any sign."""
    return place.as_posix().translate(_SPECIAL)
