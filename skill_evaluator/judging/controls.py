"""Negative controls: texts that answer nothing and must score low, or the judge cannot be believed."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import regex

from skill_evaluator.judging.lots import drawn
from skill_evaluator.results import ControlKind

_CJK = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]")
_WORD = regex.compile(r"[\p{Latin}\p{Cyrillic}\p{Greek}]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Topic:
    """One everyday matter: words that name it, and its paragraphs in two languages."""

    signs: tuple[str, ...]
    en: tuple[str, ...]
    zh: tuple[str, ...]

    def paragraphs(self, *, chinese: bool) -> tuple[str, ...]:
        """Give the text in one language."""
        return self.zh if chinese else self.en


@dataclass(frozen=True, kw_only=True, slots=True)
class Shipped:
    """The shipped texts.

    Attributes:
        topics: Matters that tasks are seldom about.
        requests: Ways to ask for a 5: English, Chinese.
    """

    topics: tuple[Topic, ...]
    requests: tuple[tuple[str, str], ...]


def draw_controls(task: str, longest: int, lot: str) -> tuple[tuple[ControlKind, str], ...]:
    """Make the four controls of a panel.

    Args:
        task: The task and the rubric item; the off-topic texts are about something else, in Chinese where the task
            mainly is, else in English.
        longest: Characters of the longest answer judged with them.
        lot: What decides which texts are taken.

    Returns:
        One text of each kind; the long one is more than twice as long as any other text.
    """
    chinese = is_chinese(task)
    first, second, *others = (topic.paragraphs(chinese=chinese) for topic in _least_alike(task, lot))
    wordings = sorted(shipped().requests, key=lambda pair: drawn(lot, pair[0]))
    off_topic, asks = "\n\n".join(first), "\n\n".join(pair[chinese] for pair in wordings)
    return (
        (ControlKind.EMPTY, ""),
        (ControlKind.OFF_TOPIC, off_topic),
        (ControlKind.ASKS_FOR_FIVE, asks),
        (ControlKind.LONG_OFF_TOPIC, _long(second, others, 2 * max(longest, len(off_topic), len(asks)))),
    )


def is_chinese(text: str) -> bool:
    """Whether a text is mainly Chinese, Japanese or Korean; one character of theirs weighs as much as a Latin word."""
    return len(_CJK.findall(text)) > len(_WORD.findall(text))


@cache
def shipped() -> Shipped:
    """Read the shipped texts once."""
    read = tomllib.loads(files("skill_evaluator.judging").joinpath("off_topic.toml").read_text(encoding="utf-8"))
    return Shipped(
        topics=tuple(Topic(**{key: tuple(texts) for key, texts in topic.items()}) for topic in read["topics"]),
        requests=tuple((request["en"], request["zh"]) for request in read["requests"]),
    )


def _least_alike(task: str, lot: str) -> list[Topic]:
    """Sort the topics by how many of their words the task uses; among equals the lot decides."""
    lowered = task.casefold()
    words = set(_WORD.findall(lowered))

    def alike(topic: Topic) -> int:
        return sum(sign in (words if sign.isascii() else lowered) for sign in topic.signs)

    return sorted(shipped().topics, key=lambda topic: (alike(topic), drawn(lot, topic.en[0])))


def _long(own: Sequence[str], others: Sequence[Sequence[str]], length: int) -> str:
    """Go on with other matters, and from the start again, until the text is longer than asked."""
    pieces: list[str] = []
    characters = -2  # no blank line stands before the first paragraph
    for paragraph in _endless([own, *others]):
        if characters > length:
            break
        pieces.append(paragraph)
        characters += len(paragraph) + 2
    return "\n\n".join(pieces)


def _endless(texts: Sequence[Sequence[str]]) -> Iterator[str]:
    while True:
        for text in texts:
            yield from text
