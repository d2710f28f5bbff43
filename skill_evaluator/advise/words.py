"""Cuts a request into words and phrases that a description could use, whatever its language.

Chinese has no blanks: there, phrases are character n-grams of what lies between stop words. What somebody pasted or
quoted, names of files and whatever holds a digit never comes out.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from skill_evaluator.advise.private import public
from skill_evaluator.advise.stems import SHORTEST_KOREAN, stem_of
from skill_evaluator.advise.stop_words import stop_words
from skill_evaluator.agents.catalogue import lexicon

LONGEST_WORD = 24
PHRASE_SIZES = range(2, 7)
_SHORTEST_LATIN = 3
_SHORTEST_BRAND = 4  # `kHz` is none

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_KANA = "\u3040-\u30ff"
_HANGUL = "\uac00-\ud7af"
_RUN = re.compile(
    f"(?P<han>[{_HAN}]+)|(?P<kata>[\u30a1-\u30ff]+)|(?P<word>[{_HANGUL}]+|[^\\W\\d_{_HAN}{_KANA}{_HANGUL}]+)"
)
_UNSPACED = re.compile(f"[{_HAN}{_KANA}{_HANGUL}]")
_JAPANESE = re.compile("[\u3040-\u309f]")
_KOREAN = re.compile(f"[{_HANGUL}]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Wording:
    """The words and phrases of one text.

    Attributes:
        forms: How each is written there, by what makes its forms equal.
        whole: Those that stand alone, not as part of a longer phrase.
        names: Those written as names are, such as `Costa Rica` within a sentence.
        brands: Those with a capital letter within, such as `SendGrid`; hardly ever a person's affair.
    """

    forms: Mapping[str, str]
    whole: frozenset[str]
    names: frozenset[str]
    brands: frozenset[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Word:
    key: str
    form: str
    start: int
    end: int
    is_name: bool


def wording(text: str) -> Wording:
    """Cut a request into what could be proposed.

    >>> sorted(wording("Turn the meeting notes from `a.md` into minutes").forms.values())
    ['meeting', 'meeting notes', 'minutes', 'notes']
    >>> sorted(wording("帮我做个最终关").forms)
    ['最终', '最终关', '终关']
    """
    shown = public(text)
    found = list(_words(shown))
    pairs = [pair for pair in pairwise(found) if pair[1].start == pair[0].end + 1]
    forms = {word.key: word.form for word in found}
    forms |= {f"{one.key} {two.key}": f"{one.form} {two.form}" for one, two in pairs}
    han = [part for run in _han_runs(shown) for part in run]
    forms |= {piece: piece for part in han for piece in _pieces(part)}
    names = {word.key for word in found if word.is_name} | {
        f"{one.key} {two.key}" for one, two in pairs if one.is_name or two.is_name
    }
    return Wording(
        forms=forms,
        whole=frozenset({word.key for word in found} | {part for part in han if _is_phrase(part)}),
        names=frozenset(names),
        brands=frozenset(word.key for word in found if _is_brand(word.form)),
    )


def _is_brand(form: str) -> bool:
    return len(form) >= _SHORTEST_BRAND and any(letter.isupper() for letter in form[1:])


def said_in(text: str) -> "Said":
    """Know what a description says already."""
    shown = unicodedata.normalize("NFKC", text).lower()
    return Said(text=shown, keys=frozenset(stem_of(match["word"]) for match in _RUN.finditer(shown) if match["word"]))


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """The words of a text of the skill, for looking one up."""

    text: str
    keys: frozenset[str]

    def __contains__(self, key: str) -> bool:
        if _UNSPACED.search(key):
            return key in self.text
        return all(part in self.keys for part in key.split(" "))


def _words(text: str) -> Iterator[_Word]:
    stops = stop_words().words
    for match in _RUN.finditer(text):
        form = match["word"] or match["kata"]
        if form is None or len(form) > LONGEST_WORD:
            continue
        key = stem_of(form)
        if form.lower() in stops or (_KOREAN.search(form) and key in stops) or len(form) < _shortest(form):
            continue
        opens = not re.search(r"[^\W_]\W*\Z", re.split(r"[.!?:;|\n]", text[: match.start()])[-1])
        is_name = form.istitle() and not opens
        shown = form if is_name or not form.istitle() else form.lower()
        yield _Word(
            key=key, form=key if _KOREAN.search(form) else shown, start=match.start(), end=match.end(), is_name=is_name
        )


def _shortest(form: str) -> int:
    if form.isascii():
        return 2 if form.isupper() else _SHORTEST_LATIN
    return SHORTEST_KOREAN


def _han_runs(text: str) -> Iterator[list[str]]:
    stops = stop_words()
    japanese = _JAPANESE.search(text) is not None
    for match in _RUN.finditer(text):
        if match["han"]:
            parts = [match["han"]] if japanese else stops.breaks.split(match["han"])
            yield [part for part in parts if part and part not in stops.words]


def _pieces(part: str) -> Iterator[str]:
    for size in PHRASE_SIZES:
        for at in range(len(part) - size + 1):
            if _is_phrase(piece := part[at : at + size]):
                yield piece


def _is_phrase(piece: str) -> bool:
    if len(piece) not in PHRASE_SIZES:
        return False
    stops = stop_words()
    return piece in _known() or not (piece[0] in stops.openers or piece[-1] in stops.closers)


@cache
def _known() -> frozenset[str]:
    return frozenset(word for word, _ in lexicon().inside)


def spelled(forms: Iterable[str]) -> str:
    """Choose how to write a word: as most texts do, the first in order of equals."""
    counted: dict[str, int] = {}
    for form in forms:
        counted[form] = counted.get(form, 0) + 1
    return min(counted, key=lambda form: (-counted[form], form))
