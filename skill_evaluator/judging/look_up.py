"""Names by the word they open with, so that a text is gone through once however many names there are."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import regex

from skill_evaluator.judging.folding import fold
from skill_evaluator.judging.identifiers import Kind
from skill_evaluator.judging.known_names import KnownNames, known_names
from skill_evaluator.judging.names import Hidden, humps_of, parts_of, stands_alone, tokens_of

_CJK = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}"
LETTER = rf"[^\W_{_CJK}]"  # Chinese is written without blanks, so its characters bound no word
_BETWEEN = r"(?:[\s\-_\u2010-\u2015\u2212]{1,3}+|\.)"
_FIRST_WORD = regex.compile(rf"{LETTER}++")


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One way to write a name.

    Attributes:
        pattern: Matches the name at the place where it starts.
        kind: Whose name it is where only its neighbours can tell that it is one; None for a name wherever it stands.
    """

    pattern: regex.Pattern[str]
    kind: Kind | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Index:
    """All names.

    Attributes:
        entries: By the word, or the Chinese character, that a name opens with, casefolded.
        models: By the letters that a model's identifier opens with.
        firsts: Characters that open a name and are no part of a word with blanks around it.
        owners: Single words that may own a repository, casefolded.
    """

    entries: Mapping[str, tuple[Entry, ...]]
    models: Mapping[str, tuple[Entry, ...]]
    firsts: tuple[str, ...]
    owners: frozenset[str]


def index(hidden: Hidden) -> Index:
    """Sort the names of a report and the shipped ones by how they open."""
    known = known_names()
    entries: defaultdict[str, dict[tuple[str, Kind | None], None]] = defaultdict(dict)
    kinds = _kinds(hidden, known)
    for opening, pattern, kind in (*_alone(hidden, known), *_single_words(kinds)):
        entries[opening][pattern, kind] = None
    models: dict[str, tuple[Entry, ...]] = {family: (_family(family, known),) for family in known.families}
    models.update({word: (_entry(f"{word}{rest}(?!{LETTER}){_MORE}"),) for word, rest in known.ids.items()})
    return Index(
        entries={opening: tuple(_entry(*found) for found in names) for opening, names in entries.items()},
        models=models,
        firsts=tuple(sorted(opening for opening in entries if not _FIRST_WORD.match(opening))),
        owners=frozenset(word for word, kind in kinds.items() if kind & Kind.PERSON),
    )


def _entry(pattern: str, kind: Kind | None = None) -> Entry:
    return Entry(pattern=regex.compile(pattern, regex.IGNORECASE), kind=kind)


def _kinds(hidden: Hidden, known: KnownNames) -> dict[str, Kind]:
    kinds: dict[str, Kind] = {}
    for names, kind in (
        (hidden.skills, Kind.SKILL),
        (hidden.people, Kind.PERSON),
        (hidden.models, Kind.MODEL),
        (known.sometimes, Kind.MODEL),
    ):
        for word in (name.casefold() for name in names if not stands_alone(name)):
            kinds[word] = kinds.get(word, kind) | kind
    return kinds


def _single_words(kinds: Mapping[str, Kind]) -> Iterator[tuple[str, str, Kind | None]]:
    for word, kind in kinds.items():
        yield _opening(word), _whole(regex.escape(word), word), kind


def _alone(hidden: Hidden, known: KnownNames) -> Iterator[tuple[str, str, Kind | None]]:
    for address in hidden.whole:
        yield _opening(address), rf"{_whole(regex.escape(address), address)}(?:\.git(?!{LETTER}))?", None
    for name in (*hidden.skills, *hidden.people, *hidden.models):
        if stands_alone(name):
            yield from ((opening, pattern, None) for opening, pattern in _several_parts(name))
    for name in known.always:
        yield _opening(name), _whole(_BETWEEN.join(regex.escape(part) for part in name.split()), name), None
    surnames = "|".join(regex.escape(fold(name).text) for name in known.surnames_after_claude)
    yield "claude", rf"(?<!jean[\s\-])claude(?!{LETTER}|[\s\-](?:{surnames})(?!{LETTER}))", None


def _opening(name: str) -> str:
    word = _FIRST_WORD.match(name)
    return (word[0] if word else name[0]).casefold()


def _whole(pattern: str, name: str) -> str:
    """Let a pattern end with a whole word, as far as the name's script parts words."""
    return f"{pattern}(?!{LETTER})" if regex.match(LETTER, name[-1]) else pattern


def _several_parts(name: str) -> Iterator[tuple[str, str]]:
    """`level-maker`: however its parts are set apart, and as LevelMaker or levelMaker, but not as one plain word.

    The parts of a name written LevelMaker may also stand together, in any case.
    """
    tokens = [humps_of(token) for token in tokens_of(name)]
    spaced = _BETWEEN.join(f"{_BETWEEN}?".join(regex.escape(hump) for hump in humps) for humps in tokens)
    for count in range(1, len(tokens[0]) + 1):
        yield _opening("".join(tokens[0][:count])), _whole(spaced, name)
    yield _opening(name), _whole(regex.escape(name), name)
    first, *others = parts_of(name)
    if others:
        humps = "".join(regex.escape(part[:1].upper() + part[1:]) for part in others)
        joined = rf"(?-i:[{regex.escape(first[:1].upper() + first[:1].lower())}]{regex.escape(first[1:])}{humps})"
        yield _opening("".join((first, *others))), _whole(joined, name)


_VERSION = r"v?\d{1,4}(?:[.x]\d{1,3})*+[a-z]{0,2}(?![a-z])"
_WORDS = "|".join(sorted(known_names().words, key=len, reverse=True))
_MORE = rf"(?:[-_@:][a-z0-9]++(?:\.[a-z0-9]++)*+|\ (?:{_WORDS})(?![a-z]))*+"


def _family(family: str, known: KnownNames) -> Entry:
    """`claude-sonnet-4-5-20250929`, `GPT-4o`, `Gemini 2.5 Pro`: a family with a version or a word behind it."""
    words = "|".join(known.words)
    first = rf"(?:[-_. ]?{_VERSION}|[-_. ](?:{words})(?![a-z])(?:[-_ ]{_VERSION})?|-[a-z]\d++(?![a-z]))"
    return _entry(f"{family}{first}{_MORE}")
