"""Variables and names that the real program takes only at the start of a run, and then fails it for.

Source: Suites recorded with Claude Code 2.1.332.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.keys import ENV_KEY, ENV_KEY_WORDS

NO_RULE_HOLDS: Final = "()[]{}*?!#\\"  # a rule about what may be read would mean something else by them


def env_faults(env: Mapping[str, str]) -> Iterator[SuiteFault]:
    """Give the variables that cannot be set, in the order of the file."""
    for key, value in env.items():
        if not ENV_KEY.fullmatch(key):
            message = f"`env` sets {key!r}; a case can set {ENV_KEY_WORDS} alone, so rename it or export it yourself"
            yield _fault("bad-env-key", key, message)
        elif "\0" in value:
            yield _fault("bad-env-value", key, f"`env` gives {key!r} a value with a null byte; take it out")


def folder_name_problem(folder: Path, *, below: Path) -> str | None:
    """Say why a folder of a suite cannot be named in a rule about what may be read.

    Args:
        folder: The folder.
        below: The folder above whose own name does not matter, such as the root of the plugin.
    """
    for part in folder.relative_to(below).parts:
        if found := sorted(set(part) & set(NO_RULE_HOLDS)):
            return (
                f"the folder name {part!r} holds {' '.join(found)}; rename it without any of {' '.join(NO_RULE_HOLDS)}"
            )
    return None


def _fault(code: str, key: str, message: str) -> SuiteFault:
    return SuiteFault(code=code, path=("env", key), message=message, effect="fails")
