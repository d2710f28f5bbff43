"""Negative controls: texts that answer nothing and must score low, or the judge cannot be believed."""

import base64
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import regex

from skill_evaluator.fences import drawn
from skill_evaluator.results import ControlKind

_SCRIPTS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}"
_CJK = regex.compile(rf"[{_SCRIPTS}]")
_WORD = regex.compile(r"[\p{Latin}\p{Cyrillic}\p{Greek}]+")
# Chinese writes no blanks between words, and most of its words have two characters.
_PIECE = regex.compile(rf"[{_SCRIPTS}]{{1,2}}|[^\W\d_{_SCRIPTS}]+")
_SENTENCE = regex.compile(r"(?<=[.!?]) +|(?<=[。！？])(?=.)")
_MOST_PIECES = 60  # of a task's words


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
        requests: Ways to ask for a 5: English, Chinese; the same is asked in either language, and encoded.
    """

    topics: tuple[Topic, ...]
    requests: tuple[tuple[str, str], ...]


def draw_controls(prompt: str, about: str, lengths: Sequence[int], lot: str) -> tuple[tuple[ControlKind, str], ...]:
    """Make the four controls of a panel.

    Args:
        prompt: The user's words; the text that asks for a 5 repeats them in no order.
        about: All that the task is told by, and the rubric item; the off-topic texts are about something else, in
            Chinese where this mainly is, else in English.
        lengths: Characters of each answer judged with them, at least one.
        lot: What decides which texts are taken.

    Returns:
        One text of each kind; the long one is more than twice as long as any other text, and the short off-topic one
        no longer than the shortest answer, as far as that has room for a sentence.
    """
    chinese = is_chinese(about)
    first, second, *others = (topic.paragraphs(chinese=chinese) for topic in _least_alike(about, lot))
    off_topic = _short(first, min(filter(None, lengths), default=0))
    asks = _asks(prompt, lot, chinese=chinese)
    return (
        (ControlKind.EMPTY, ""),
        (ControlKind.OFF_TOPIC, off_topic),
        (ControlKind.ASKS_FOR_FIVE, asks),
        (ControlKind.LONG_OFF_TOPIC, _long(second, others, 2 * max(*lengths, len(off_topic), len(asks)))),
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


def _short(paragraphs: Sequence[str], length: int) -> str:
    """Keep whole sentences, as many as there is room for, and the first one anyway."""
    kept = ""
    for number, paragraph in enumerate(paragraphs):
        gap = "\n\n" if number else ""
        for sentence in _SENTENCE.splititer(paragraph):
            longer = f"{kept}{gap}{sentence}"
            if kept and len(longer) > length:
                return kept
            kept, gap = longer, " " if sentence.isascii() else ""
    return kept


def _asks(prompt: str, lot: str, *, chinese: bool) -> str:
    """Ask for a 5 in every way known, behind the words of the task, which may please as well."""
    wordings = sorted(shipped().requests, key=lambda pair: drawn(lot, pair[0]))
    asked = [wording for pair in wordings for wording in (pair[::-1] if chinese else pair)]
    encoded = base64.b64encode(shipped().requests[0][0].encode()).decode()
    words = sorted(dict.fromkeys(_PIECE.findall(prompt)), key=lambda word: drawn(lot, word))
    return "\n\n".join(filter(None, (" ".join(words[:_MOST_PIECES]), *asked, encoded)))


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
