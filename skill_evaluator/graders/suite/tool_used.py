"""Grader `tool_used`: how often a tool was called."""

import math
from dataclasses import dataclass

from skill_evaluator.graders.evidence import clean, shown_names
from skill_evaluator.graders.suite.calls import INPUT_NOT_KEPT, calls_of
from skill_evaluator.graders.suite.selector import Chosen, Selector
from skill_evaluator.graders.suite.views import SETTLED
from skill_evaluator.model import Outcome, Run
from skill_evaluator.texts import ntr, tr


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolUsed:
    """A tool was called at least `min` and at most `max` times; failed and denied calls count too.

    Attributes:
        tool: Its name, compared exactly.
        input_match: JavaScript pattern that the input of a call, as compact JSON, must match to count; or None.
        min: Fewest calls, 1 where it is None: `max: 0` alone can never pass.
        max: Most calls, or None for any number.
    """

    tool: str
    input_match: str | None = None
    min: int | None = None
    max: int | None = None

    def check(self, run: Run) -> Outcome:
        """Count the calls; a pattern is compiled only where there is a call of the tool to hold against it."""
        calls = calls_of(run, self.tool)
        if isinstance(calls, Outcome):
            return calls
        chosen = Selector(tool=self.tool, input_match=self.input_match).choose(calls)
        if isinstance(chosen, Outcome):
            return chosen
        fewest = len(chosen.places)
        most = math.inf if run.was_settled else fewest + len(chosen.open)
        least, limit = 1 if self.min is None else self.min, math.inf if self.max is None else self.max
        passed = least <= fewest and most <= limit
        if passed or most < least or fewest > limit:
            return self._outcome(chosen, passed=passed, least=least, called=[call.tool for call in calls])
        return SETTLED if run.was_settled else INPUT_NOT_KEPT  # more calls would have changed the answer

    def _outcome(self, chosen: Chosen, *, passed: bool, least: int, called: list[str]) -> Outcome:
        count = len(chosen.places)
        expected = _bounds(least, self.max)
        message = tr(
            "{tool!r} was called {times}{matching}; expected {expected}.{remark}",
            tool=self.tool,
            times=_times(count),
            matching=self._matching,
            expected=expected,
            remark=chosen.remark,
        )
        if passed:
            evidence = {"timed_out": chosen.timed_out} if chosen.timed_out else {}
            return Outcome(passed=True, code="tool_used_ok", message=message, evidence=evidence)
        return Outcome(
            passed=False,
            code="tool_used_too_few" if count < least else "tool_used_too_many",
            message=message,
            evidence={
                "tool": clean(self.tool),
                "input_match": None if self.input_match is None else clean(self.input_match),
                "count": count,
                "min": least,
                "max": self.max,
                "timed_out": chosen.timed_out,
                "called": shown_names(called),
            },
        )

    @property
    def _matching(self) -> str:
        return (
            "" if self.input_match is None else tr(" with an input that matches {pattern!r}", pattern=self.input_match)
        )


def _bounds(least: int, most: int | None) -> str:
    """Say how often it should have been called.

    >>> _bounds(1, None), _bounds(3, None), _bounds(0, 0), _bounds(2, 2), _bounds(0, 2), _bounds(1, 3)
    ('at least once', 'at least 3 times', 'never', 'exactly 2 times', 'at most 2 times', '1 to 3 times')
    """
    if most is None:
        return tr("at least {times}", times=_times(least)) if least else tr("any number of times")
    if most == least:
        return tr("exactly {times}", times=_times(most)) if most else tr("never")
    return (
        tr("{least} to {times}", least=least, times=_times(most))
        if least
        else tr("at most {times}", times=_times(most))
    )


def _times(count: int) -> str:
    return ntr("once", "{n} times", count)
