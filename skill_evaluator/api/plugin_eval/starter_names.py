"""Names of cases that `init` writes: they are folders, on every system.

Source: Claude Code 2.1.332, whose `plugin eval init --bare` was given names of many kinds.
"""

import itertools
import re
from collections.abc import Collection
from typing import Final

from skill_evaluator.texts import tr

LONGEST: Final = 100  # characters; a folder of files with names of their own lies below
_PLAIN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_DEVICE: Final = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
_NOT_SEARCHED: Final = frozenset({"results", "mocks", "node_modules"})


def name_problem(name: str) -> str | None:
    """Say why a case cannot have a name, and what it must be; None where it can."""
    if not _PLAIN.fullmatch(name):
        return tr("it must begin with a letter A-Z a-z or a digit and go on with these and . _ -, such as first-case")
    if name.endswith("."):
        return tr("it must not end in '.', which some systems leave out")
    if _DEVICE.fullmatch(name):
        return tr("it names a device on Windows; choose another")
    if name in _NOT_SEARCHED:
        return tr("no case is looked for in a folder of that name; choose another")
    return tr("it must not be longer than {longest} characters", longest=LONGEST) if len(name) > LONGEST else None


def free_name(wanted: str, taken: Collection[str]) -> str:
    """Make a name that can be used out of a text: `wanted`, else that with a number.

    Args:
        wanted: Any text.
        taken: Names in small letters that cannot be used.

    >>> free_name("Tide table: 潮", {"tide-table"})
    'Tide-table-2'
    """
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", wanted)[: LONGEST - 10].strip("-_.") or "case"
    base = plain if name_problem(plain) is None else f"case-{plain}"
    numbered = (base, *(f"{base}-{number}" for number in range(2, len(taken) + 3)))
    return next(itertools.filterfalse(lambda name: name.casefold() in taken, numbered))
