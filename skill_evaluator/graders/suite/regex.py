"""Grader `regex`: a JavaScript pattern over a text of the run."""

import re
from dataclasses import dataclass

from skill_evaluator.graders.evidence import clean, cut_around, cut_middle
from skill_evaluator.graders.javascript import NoAnswer, count_matches, first_match, pattern_fault
from skill_evaluator.graders.javascript_engine import LIMIT_S
from skill_evaluator.graders.suite.pattern_faults import no_verdict
from skill_evaluator.graders.suite.targets import Target
from skill_evaluator.graders.suite.views import target_name, view
from skill_evaluator.model import JsonObject, Outcome, Run
from skill_evaluator.texts import tr

_COUNT = re.compile(r"count:0*([0-9]{1,18})")


@dataclass(frozen=True, kw_only=True, slots=True)
class Regex:
    """A pattern is found in a text, is not, or is found so many times.

    A pattern that takes too long is not found, as in the real program; the outcome says that it took too long.

    Attributes:
        pattern: JavaScript regular expression; it may be one that does not compile, which fails.
        flags: Its flags, of `dgimsuvy`; they may be ones that no pattern can have together, which fails.
        match: `contains`, `not_contains` or `count:N`.
        target: The text.
    """

    pattern: str
    flags: str = ""
    match: str = "contains"
    target: Target = "last_message"

    def check(self, run: Run) -> Outcome:
        """Search the text."""
        if (fault := pattern_fault(self.pattern, self.flags)) is not None:
            return no_verdict(NoAnswer(why="bad_pattern", message=fault), self.pattern, self.flags)
        text = view(run, self.target)
        if isinstance(text, Outcome):
            return text
        return self._count(text) if self.match.startswith("count:") else self._search(text)

    def _search(self, text: str) -> Outcome:
        wanted = self.match == "contains"
        found = first_match(self.pattern, self.flags, text)
        match found:
            case NoAnswer(why="timed_out"):
                return self._timed_out(passed=not wanted)
            case NoAnswer():
                return no_verdict(found, self.pattern, self.flags)
            case None if wanted:
                message = tr("Nothing in {where} matches {pattern!r}.", where=self._where, pattern=self.pattern)
                return self._failed("pattern_missing", message, {"text": cut_middle(clean(text))})
            case None:
                message = tr(
                    "Nothing in {where} matches {pattern!r}, as it should be.", where=self._where, pattern=self.pattern
                )
                return Outcome(passed=True, code="pattern_absent_ok", message=message)
            case slice() if wanted:
                message = tr("{pattern!r} matches in {where}.", pattern=self.pattern, where=self._where)
                return Outcome(passed=True, code="pattern_ok", message=message)
            case slice():
                message = tr(
                    "{pattern!r} matches in {where}, which it must not.", pattern=self.pattern, where=self._where
                )
                found_text = cut_middle(clean(text[found]))
                around = cut_around(clean(text), found.start)
                return self._failed("pattern_found", message, {"found": found_text, "text": around, "at": found.start})

    def _count(self, text: str) -> Outcome:
        digits = _COUNT.fullmatch(self.match)
        expected = int(digits[1]) if digits else None  # no text has as many matches as more digits say
        found = count_matches(self.pattern, self.flags, text)
        if isinstance(found, NoAnswer):
            if found.why == "timed_out":
                return self._timed_out(passed=found.found == expected, found=found.found)
            return no_verdict(found, self.pattern, self.flags)
        message = tr(
            "{pattern!r} matches {found} times in {where}, {match!r} was expected.",
            pattern=self.pattern,
            found=found,
            where=self._where,
            match=self.match,
        )
        if found == expected:
            return Outcome(passed=True, code="pattern_count_ok", message=message)
        return self._failed("pattern_count", message, {"matches": found, "text": cut_middle(clean(text))})

    def _failed(self, code: str, message: str, facts: JsonObject) -> Outcome:
        return Outcome(passed=False, code=code, message=message, evidence={**self._named, **facts})

    def _timed_out(self, *, passed: bool, found: int = 0) -> Outcome:
        return Outcome(
            passed=passed,
            code="pattern_timeout",
            message=tr(
                "{pattern!r} was not done with {where} after {limit_s:g} s, which counts as no further match; write it "
                "so that it backtracks less.",
                pattern=self.pattern,
                where=self._where,
                limit_s=LIMIT_S,
            ),
            evidence={**self._named, "limit_s": LIMIT_S, "matches": found},
        )

    @property
    def _where(self) -> str:
        return target_name(self.target)

    @property
    def _named(self) -> JsonObject:
        return {
            "pattern": clean(self.pattern),
            "flags": clean(self.flags),
            "match": clean(self.match),
            "target": clean(self._where),
        }
