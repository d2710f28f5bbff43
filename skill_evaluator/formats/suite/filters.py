"""`--case` and `--tag`: which cases of a suite are meant.

Source: Suites recorded with Claude Code 2.1.332.
"""

import re
from collections.abc import Iterable, Sequence


def matches_glob(name: str, globs: Iterable[str]) -> bool:
    """Say whether a name matches one of some globs: `*` is anything, `?` one character, all else itself."""
    return any(re.fullmatch(_pattern(glob), name, re.DOTALL) for glob in globs)


def is_meant(name: str, case_tags: Iterable[str], *, globs: Sequence[str], tags: Sequence[str]) -> bool:
    """Say whether a case is meant; without globs and tags, each is."""
    wanted = [glob for glob in globs if glob]
    return (not wanted or matches_glob(name, wanted)) and (not tags or not set(tags).isdisjoint(case_tags))


def _pattern(glob: str) -> str:
    runs = re.sub(r"\*+", "*", glob)  # each star by itself would be tried against each rest of the name
    return "".join({"*": ".*", "?": "."}.get(char, re.escape(char)) for char in runs)
