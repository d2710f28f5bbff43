"""Takes names out of text, so that a judge cannot know whose answer it reads.

All names are replaced by one word that is the same for all; nothing but the names is changed. What is looked for,
and why ordinary words stay, is told in docs/judge.md.
"""

from collections.abc import Iterable, Iterator
from functools import cache

import regex

from skill_evaluator.judging.folding import fold
from skill_evaluator.judging.identifiers import REACH, is_identifier
from skill_evaluator.judging.look_up import LETTER, Entry, index
from skill_evaluator.judging.names import Hidden

PLACEHOLDER = "[name]"

_PLUGIN = regex.compile(r"(?<![\w.\-:])[a-z][\w.\-]{0,63}:", regex.IGNORECASE | regex.REVERSE | regex.ASCII)
_SCHEME = regex.compile(r"(?:git\+)?(?:https?|ssh|git)://(?:www\.)?|git@", regex.IGNORECASE | regex.REVERSE)
_FAMILY = regex.compile(r"[a-z]++")

Span = tuple[int, int]


class Scrubber:
    """Replaces names; made once for all texts of a report."""

    def __init__(self, hidden: Hidden) -> None:
        self._index = index(hidden)
        others = "".join(regex.escape(first) for first in self._index.firsts)
        self._words = regex.compile(rf"{LETTER}++|[{others}]")
        self._paragraph = cache(self.scrub)

    def scrub(self, text: str) -> str:
        """Give a text without the names; one without any comes back as it is."""
        folded = fold(text)
        pieces: list[str] = []
        done = 0
        for start, end in _joined(folded.origin(*span) for span in self._found(folded.text)):
            pieces += (text[done:start], PLACEHOLDER)
            done = end
        return "".join((*pieces, text[done:]))

    def scrub_paragraphs(self, text: str) -> str:
        """Do the same for each paragraph by itself, once for equal ones: for texts of our own, which share theirs."""
        return "\n\n".join(self._paragraph(paragraph) for paragraph in text.split("\n\n"))

    def _found(self, text: str) -> Iterator[Span]:
        done = 0
        for word in self._words.finditer(text):
            if word.start() < done:
                continue
            span = self._longest(text, word.start(), word[0].casefold())
            if span is not None:
                done = span[1]
                yield self._whole(text, *span)

    def _longest(self, text: str, start: int, word: str) -> Span | None:
        """Find the longest name that opens with a word at this place."""
        longest = 0
        for entry in self._entries(word):
            match = entry.pattern.match(text, start)
            if match and match.end() > longest and self._counts(text, match.span(), entry):
                longest = match.end()
        return (start, longest) if longest else None

    def _entries(self, word: str) -> Iterable[Entry]:
        """Look a word up, and as the family of a model without its version."""
        found = self._index.entries.get(word, ())
        family = _FAMILY.match(word)
        models = self._index.models.get(family[0], ()) if family else ()
        return (*found, *models) if found or models else ()

    def _counts(self, text: str, span: Span, entry: Entry) -> bool:
        return entry.kind is None or is_identifier(text, *span, entry.kind, self._index.owners)

    def _whole(self, text: str, start: int, end: int) -> Span:
        """Of `plugin:name` the plugin is a name too, and of a link what stands before the host."""
        for opening in (_PLUGIN, _SCHEME):
            before = opening.match(text, max(0, start - REACH), start)
            if before:
                return before.start(), end
        return start, end


def _joined(spans: Iterable[Span]) -> Iterator[Span]:
    """Make one of spans that overlap."""
    last: Span | None = None
    for start, end in spans:
        if last is None or start >= last[1]:
            if last is not None:
                yield last
            last = (start, end)
        else:
            last = (min(start, last[0]), max(last[1], end))
    if last is not None:
        yield last
