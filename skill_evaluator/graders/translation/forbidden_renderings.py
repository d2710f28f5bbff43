"""Does a translation hold a wording that it must not?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from skill_evaluator.graders.evidence import clean, cut_middle, kept_pieces, normalised, not_run, output_cut
from skill_evaluator.graders.patterns import compile_pattern
from skill_evaluator.graders.text import MATCH_LIMIT_S
from skill_evaluator.graders.translation.outcomes import broken, ok, undecided
from skill_evaluator.model import JsonObject, Outcome, Run
from skill_evaluator.texts import tr

_SHOWN: Final = 10  # renderings, and places of each
_LONGEST: Final = 200  # characters of a rendering
_AROUND: Final = 30  # characters shown on each side of a place
_MOST_TIMEOUTS: Final = 3  # then the other patterns are not looked for, so that the check ends


@dataclass(frozen=True, kw_only=True, slots=True)
class Rendering:
    """One wording: a literal text, or a regular expression."""

    text: str
    is_pattern: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class ForbiddenRenderings:
    """None of the renderings is in the translation.

    Both sides are compared in Unicode NFC and with LF line ends, since texts that look the same are the same wording;
    otherwise exactly, upper and lower case apart.

    Attributes:
        renderings: Never empty. `^` and `$` of a pattern stand for the ends of each line.

    Raises:
        ValueError: If a pattern does not compile; the message says why.
    """

    renderings: tuple[Rendering, ...]

    def __post_init__(self) -> None:
        for rendering in self.renderings:
            if rendering.is_pattern:
                compile_pattern(rendering.text)

    def check(self, run: Run) -> Outcome:
        """Look for each rendering."""
        if run.output is None:
            return not_run("makes no output")
        pieces = kept_pieces(run.output) if run.output_cut else [run.output]
        found, timed_out = self._look([normalised(piece) for piece in pieces], is_cut=run.output_cut)
        if found:
            return _found(found)
        if run.output_cut:
            return output_cut(tr("whether it holds a forbidden rendering"))
        if timed_out:
            return _timed_out(timed_out)
        return ok(tr("The translation holds none of the forbidden renderings."))

    def _look(self, texts: Sequence[str], *, is_cut: bool) -> tuple[list[JsonObject], list[str]]:
        """Find the renderings that are there, and the patterns that ran out of time.

        A pattern says nothing about parts of a text: what it matches there it might not match in the whole.
        """
        found: list[JsonObject] = []
        timed_out: list[str] = []
        for rendering in self.renderings:
            if rendering.is_pattern and (is_cut or len(timed_out) == _MOST_TIMEOUTS):
                continue
            try:
                places = [(text, at) for text in texts for at in islice(_places(rendering, text), _SHOWN)][:_SHOWN]
            except TimeoutError:
                timed_out.append(rendering.text)
                continue
            if places:
                found.append(_facts(rendering, places))
        return found, timed_out


def _places(rendering: Rendering, text: str) -> Iterator[int]:
    """Give the 0-based places at which a rendering begins.

    Raises:
        TimeoutError: If a pattern was not done in time.
    """
    if rendering.is_pattern:
        for match in compile_pattern(rendering.text).finditer(text, timeout=MATCH_LIMIT_S):
            yield match.start()
        return
    literal = normalised(rendering.text)
    at = text.find(literal)
    while at >= 0:
        yield at
        at = text.find(literal, at + max(len(literal), 1))


def _facts(rendering: Rendering, places: Sequence[tuple[str, int]]) -> JsonObject:
    text, at = places[0]
    return {
        "pattern" if rendering.is_pattern else "rendering": cut_middle(clean(rendering.text), _LONGEST),
        "at": [place for _, place in places],
        "excerpt": clean(text[max(at - _AROUND, 0) : at + len(rendering.text[:_LONGEST]) + _AROUND]),
    }


def _found(found: Sequence[JsonObject]) -> Outcome:
    first = found[0]
    said = (
        f"{first['rendering']!r}"
        if "rendering" in first
        else tr("a text that matches {pattern!r}", pattern=first["pattern"])
    )
    message = tr("The translation holds {said}, which it must not.", said=said)
    return broken("forbidden_rendering_found", message, {"renderings": len(found), "found": [*found[:_SHOWN]]})


def _timed_out(patterns: Sequence[str]) -> Outcome:
    pattern = cut_middle(clean(patterns[0]), _LONGEST)
    message = tr(
        "{pattern!r} was not done after {limit:g} s; write it so that it backtracks less.",
        pattern=pattern,
        limit=MATCH_LIMIT_S,
    )
    return undecided("rendering_timeout", message, {"pattern": pattern, "limit_s": MATCH_LIMIT_S})
