"""Words that never tell what a request is about, by language."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_HEADING = re.compile(r"\[([a-z ]+)\]")


@dataclass(frozen=True, kw_only=True, slots=True)
class StopWords:
    """Words to leave out.

    Attributes:
        words: Whole words, of English and Korean, and whole runs of Japanese.
        breaks: Matches the Chinese words that part a run of characters in two; some only where they are no part of
            another word.
        openers: Chinese characters that do not open a phrase.
        closers: Chinese characters that do not close one.
    """

    words: frozenset[str]
    breaks: re.Pattern[str]
    openers: frozenset[str]
    closers: frozenset[str]


@cache
def stop_words() -> StopWords:
    """Read the shipped lists once."""
    sections = _sections(files("skill_evaluator.advise").joinpath("stop_words.txt").read_text(encoding="utf-8"))
    longest_first = sorted(sections["chinese"], key=lambda word: (-len(word), word))
    return StopWords(
        words=frozenset(sections["english"] + sections["korean"] + sections["japanese"]),
        breaks=re.compile("|".join([*map(re.escape, longest_first), *sections["chinese patterns"]])),
        openers=frozenset(sections["chinese openers"]),
        closers=frozenset(sections["chinese closers"]),
    )


def _sections(text: str) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    words: list[str] = []
    for line in text.splitlines():
        if heading := _HEADING.fullmatch(line):  # a pattern may open with a bracket too
            words = found.setdefault(heading[1], [])
        elif not line.startswith("#"):
            words += line.split()
    return found
