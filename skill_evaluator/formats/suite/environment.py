"""Variables and names that the real program takes only at the start of a run, and then fails it for.

Source: Suites recorded with Claude Code 2.1.332.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.keys import ENV_KEY, ENV_KEY_WORDS
from skill_evaluator.texts import tr

NO_RULE_HOLDS: Final = "()[]{}*?!#\\"  # a rule about what may be read would mean something else by them
_NEVER_SET: Final = "__proto__"  # a JavaScript object drops it
_MAX_VARIABLE: Final = 131_072  # bytes that Linux hands to a program in one variable, its name, `=` and end included


def env_faults(env: Mapping[str, str]) -> Iterator[SuiteFault]:
    """Give the variables that cannot be set, in the order of the file."""
    for key, value in env.items():
        size = (
            len(key.encode("utf-8", "surrogatepass")) + len(value.encode("utf-8", "surrogatepass")) + 2
        )  # with `=` and a null byte
        if key == _NEVER_SET:
            continue
        if not ENV_KEY.fullmatch(key):
            message = tr(
                "`env` sets {key!r}; a case can set {names} alone, so rename it or export it yourself",
                key=key,
                names=ENV_KEY_WORDS,
            )
            yield _fault("bad-env-key", key, message)
        elif "\0" in value:
            yield _fault("bad-env-value", key, tr("`env` gives {key!r} a value with a null byte; take it out", key=key))
        elif size > _MAX_VARIABLE:
            message = tr(
                "`env` gives {key!r} {size:,} bytes with its name; Linux takes {limit:,}, so shorten it",
                key=key,
                size=size,
                limit=_MAX_VARIABLE,
            )
            yield _fault("bad-env-value", key, message)


def folder_name_problem(folder: Path, *, below: Path | None = None) -> str | None:
    """Say why a folder of a suite cannot be named in a rule about what may be read.

    Args:
        folder: The folder, absolute and with links followed.
        below: A folder above it whose own path does not matter; None where all of the path does.
    """
    parts = folder.parts[1:] if below is None else folder.relative_to(below).parts
    for part in parts:
        if found := odd_characters(part):
            return tr(
                "the folder name {part!r} holds {found}; rename it without any of {names}",
                part=part,
                found=found,
                names=" ".join(NO_RULE_HOLDS),
            )
    return None


def odd_characters(name: str) -> str:
    """Give the characters of a name that no rule holds, with blanks between."""
    return " ".join(sorted(set(name) & set(NO_RULE_HOLDS)))


def _fault(code: str, key: str, message: str) -> SuiteFault:
    return SuiteFault(code=code, path=("env", key), message=message, effect="fails")
