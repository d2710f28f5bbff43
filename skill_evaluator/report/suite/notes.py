"""Notes about the numbers of a suite: worded in a language, written into files in English, and known again there.

Files hold English sentences, as they always did. A sentence that one of our templates gives is read back as its code
and values, so that it can be said in another language; any other is quoted.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from skill_evaluator.report.escape import Md
from skill_evaluator.report.phrases import Phrases, phrases
from skill_evaluator.report.words import words
from skill_evaluator.results import Note
from skill_evaluator.texts import localized

OF_SUITE: Final = "suite_note"
OF_COMPARISON: Final = "suite_compare_note"
_TOLD: Final = "told"
_TEXT, _NAMES, _MORE = "text", "names", "more"
_SKILL: Final = "skill"
_NUMBER: Final = "[0-9]{1,9}"
_MOST_NAMED: Final = 5
_VALUE: Final = re.compile(r"\{\{ (\w+)(\|was)?(?:\|count\('([a-z ]+)'\))? \}\}")
_POWERS: Final = frozenset("`*[]<>\\|#!&~$")


def in_words(note: Note, say: Phrases, kind: str = OF_SUITE) -> Md:
    """Word a note.

    Args:
        note: The note.
        say: The words of a language.
        kind: The family of its code.
    """
    text, names = note.values.get(_TEXT), note.values.get(_NAMES)
    if note.code == _TOLD and isinstance(text, str):
        return _told(text, say)
    values = dict(note.values)
    if isinstance(names, list | tuple):
        values[_NAMES] = _listed([say.quote(str(name)) for name in names], values.get(_MORE), say)
    return say.coded(kind, note.code, values)


def as_sentence(note: Note, kind: str = OF_SUITE) -> str:
    """Write a note as files hold it: in English, names as they are."""
    text = note.values.get(_TEXT)
    if note.code == _TOLD and isinstance(text, str):
        return str(text)
    say = phrases("en", "plain")
    values = {name: Md(value) if isinstance(value, str) else value for name, value in note.values.items()}
    if isinstance(names := note.values.get(_NAMES), list | tuple):
        values[_NAMES] = _listed([Md(name) for name in names], note.values.get(_MORE), say)
    return str(say.coded(kind, note.code, values))


def known_again(sentence: str) -> Note:
    """Read a note of a file; one that this version has no words for is `told` as it is."""
    for code, pattern in _patterns().items():
        if found := pattern.fullmatch(sentence):
            return Note(
                code=code, values={name: _value(name, text) for name, text in found.groupdict().items() if text}
            )
    return Note(code=_TOLD, values={_TEXT: sentence})


def notes_in_words(notes: Iterable[Note], say: Phrases, kind: str = OF_SUITE) -> list[Md]:
    """Word notes, in order."""
    return [in_words(note, say, kind) for note in notes]


def _told(text: str, say: Phrases) -> Md:
    """Say a sentence that has no code here: in the language where its own words are known, else as a quotation."""
    if (again := known_again(text)).code != _TOLD:
        return in_words(again, say)
    said = localized(text, say.lang)
    if say.lang != "en" and said == str(text):
        return say.quote(said)
    return _sentence(said, say)


def _sentence(text: str, say: Phrases) -> Md:
    """Let a text stand as a sentence where it has no power; a file may hold any."""
    return Md(text) if is_harmless(text) else say.quote(text)


def is_harmless(text: str) -> bool:
    """Whether Markdown has no power over a text; a page escapes it all the same.

    >>> is_harmless("2 runs ended at the turn cap: raise it."), is_harmless("[click](javascript:x)")
    (True, False)
    """
    return text.isprintable() and not set(text) & _POWERS


def _listed(names: list[Md], left_out: object, say: Phrases) -> Md:
    """List the first names; `left_out` says how many a file has left out already."""
    more = max(0, len(names) - _MOST_NAMED) + (left_out if isinstance(left_out, int) else 0)
    shown = say.join(names[:_MOST_NAMED])
    return say.together(shown, say("list.more", more=more)) if more else shown


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    """Turn the English templates into patterns, by code."""
    family = f"{OF_SUITE}."
    texts = {key.removeprefix(family): text for key, text in words("en").items() if key.startswith(family)}
    return MappingProxyType({code: _pattern(text) for code, text in texts.items() if code != _TOLD})


def _pattern(template: str) -> re.Pattern[str]:
    made, at = "", 0
    for value in _VALUE.finditer(template):
        made += re.escape(template[at : value.start()]) + _hole(*value.groups())
        at = value.end()
    return re.compile(made + re.escape(template[at:]), re.DOTALL)


def _hole(name: str, verb: str | None, noun: str | None) -> str:
    """The pattern of one value: a verb that depends on it, names, or a number, with its noun where it has one."""
    if verb:
        return "(?:was|were)"
    if name == _NAMES:
        return f"(?P<{_NAMES}>.+?)(?: and (?P<{_MORE}>{_NUMBER}) more)?"
    return f"(?P<{name}>{'.+?' if name == _SKILL else _NUMBER})" + (f" {noun}s?" if noun else "")


def _value(name: str, text: str) -> int | str | list[str]:
    if name == _NAMES:
        return text.split(", ")
    return text if name == _SKILL else int(text)
