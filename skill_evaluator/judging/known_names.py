"""The shipped list of vendors and model families."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownNames:
    """Names of vendors and models, see `known_names.toml` for what each list means."""

    always: tuple[str, ...]
    sometimes: tuple[str, ...]
    surnames_after_claude: tuple[str, ...]
    families: tuple[str, ...]
    words: tuple[str, ...]
    ids: Mapping[str, str]


@cache
def known_names() -> KnownNames:
    """Read the shipped list once."""
    listed = tomllib.loads(files("skill_evaluator.judging").joinpath("known_names.toml").read_text(encoding="utf-8"))
    ids: Mapping[str, str] = listed.pop("ids")
    return KnownNames(ids=ids, **{key: tuple(names) for key, names in listed.items()})
