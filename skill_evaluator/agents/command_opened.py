"""Finds out whether a tool call opened the SKILL.md of an installed skill: many agents start a skill by reading it."""

import itertools
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

_SKILL_FILE = re.compile(r"SKILL\.md(?![\w.-])")
_WORD = re.compile(r"""[^\s'"`;|&<>()=]*""")
_QUOTED = re.compile(r"""[^'"\n]*""")
_LONGEST_PATH = 4_096
_MOST_PATHS = 1_000  # of one text


class SkillFiles:
    """The SKILL.md files of one run.

    Args:
        names: Skill names by the real path of their SKILL.md.
        workspace: What relative paths are relative to.
        home: What `~` and `$HOME` stand for.
    """

    def __init__(self, names: Mapping[str, str], *, workspace: Path, home: Path) -> None:
        self._names = names
        self._workspace = workspace
        self._home = str(home)

    def opened_by(self, tool_input: object) -> list[str]:
        """Name the skills whose SKILL.md a tool's input names, each once, in order.

        A path counts as a text of its own or as a word of a command; `SKILL.md` of any other folder does not.
        """
        paths = (path for text in _texts(tool_input) if "SKILL.md" in text for path in _paths(text))
        found = (self._names.get(self._real(path)) for path in paths)
        return list(dict.fromkeys(name for name in found if name is not None))

    def _real(self, path: str) -> str:
        for home in ("~", "$HOME", "${HOME}"):
            if path.startswith(f"{home}/"):
                path = self._home + path[len(home) :]
        try:
            return os.path.realpath(self._workspace / path.removeprefix("file://"))
        except (OSError, ValueError):
            return ""


def _texts(value: object) -> Iterator[str]:
    waiting = [value]
    while waiting:
        match waiting.pop(0):
            case str() as text:
                yield text
            case dict() as inner:
                waiting = [*inner.values(), *waiting]
            case list() as items:
                waiting = [*items, *waiting]
            case _:
                pass


def _paths(text: str) -> Iterator[str]:
    """Give the text itself, and each word or quoted part that ends in the file's name; in linear time."""
    if len(text) <= _LONGEST_PATH:
        yield text
    for found in itertools.islice(_SKILL_FILE.finditer(text), _MOST_PATHS):
        before = text[max(0, found.start() - _LONGEST_PATH) : found.start()]
        for allowed in (_QUOTED, _WORD):
            yield _end_of(before, allowed) + found[0]


def _end_of(text: str, allowed: re.Pattern[str]) -> str:
    """Give the longest end of a text that holds only what is allowed; a search from the front would be quadratic."""
    found = allowed.match(text[::-1])
    return found[0][::-1] if found else ""
