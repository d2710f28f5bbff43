"""The texts that the embedded agent is shipped with, all written for it: neighbours, small talk, lexicon."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, kw_only=True, slots=True)
class Catalogue:
    """What else an agent could do with a prompt.

    Attributes:
        neighbours: Name and description of everyday skills that compete with the one under test.
        smalltalk: What people and descriptions say around the matter; it only makes such words weigh less.
    """

    neighbours: tuple[tuple[str, str], ...]
    smalltalk: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Lexicon:
    """Words by what they ask for; a notion is the number of a line.

    Attributes:
        words: Notions of whole words.
        stems: Notions of words that may go on, such as `translat`.
        inside: Chinese, Korean and Japanese words, which stand anywhere in a run of characters, with their notion.
    """

    words: Mapping[str, frozenset[int]]
    stems: Mapping[str, frozenset[int]]
    inside: tuple[tuple[str, int], ...]


@cache
def catalogue() -> Catalogue:
    """Read the shipped neighbours once."""
    read = json.loads(_shipped("catalogue.json"))
    return Catalogue(
        neighbours=tuple((name, description) for name, description in read["neighbours"]),
        smalltalk=tuple(read["smalltalk"]),
    )


@cache
def lexicon() -> Lexicon:
    """Read the shipped lexicon once."""
    lines = [line for line in _shipped("lexicon.txt").splitlines() if line and not line.startswith("#")]
    entries = [(word, notion) for notion, line in enumerate(lines) for word in line.split()]
    return Lexicon(
        words=_by_word((word, notion) for word, notion in entries if word.isascii() and not word.endswith("*")),
        stems=_by_word((word[:-1], notion) for word, notion in entries if word.endswith("*")),
        inside=tuple((word, notion) for word, notion in entries if not word.isascii()),
    )


def _by_word(entries: Iterable[tuple[str, int]]) -> Mapping[str, frozenset[int]]:
    notions: defaultdict[str, set[int]] = defaultdict(set)
    for word, notion in entries:
        notions[word].add(notion)
    return {word: frozenset(found) for word, found in notions.items()}


def _shipped(name: str) -> str:
    return files("skill_evaluator.agents").joinpath(name).read_text(encoding="utf-8")
