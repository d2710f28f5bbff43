"""Checks of what the agent did: which tools it called, in which order."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from skill_evaluator.graders.evidence import not_run, shown_names
from skill_evaluator.model import Outcome, Run
from skill_evaluator.skill_names import SKILL_TOOL


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolOrder:
    """The tools were called in this order; names are compared exactly.

    Calls of the `Skill` tool only start a skill, so they are passed over unless `names` holds `Skill` itself.

    Attributes:
        names: Tool names in the order expected.
        match: `subsequence` allows other calls in between, `exact` allows none.
    """

    names: tuple[str, ...]
    match: Literal["subsequence", "exact"] = "subsequence"

    def check(self, run: Run) -> Outcome:
        """Compare the names of the calls made with the names expected."""
        if run.tool_calls is None:
            return not_run("calls no tools")
        called = tuple(call.name for call in run.tool_calls if call.name != SKILL_TOOL or SKILL_TOOL in self.names)
        if called == self.names or (self.match == "subsequence" and _in_order(self.names, called)):
            return Outcome(passed=True, code="tools_ok", message="The tools were called in the order expected.")
        if run.was_settled:
            message = "Nothing more was asked once the skill had fired, so this was not looked at."
            return Outcome(passed=None, code="not_run", message=message)
        return self._failure(called)

    def _failure(self, called: tuple[str, ...]) -> Outcome:
        evidence: dict[str, object] = {"expected": shown_names(self.names), "actual": shown_names(called)}
        if missing := _beyond(self.names, called):
            code, message = "tools_missing", f"Never called, or too seldom: {_listed(missing)}."
            evidence["missing"] = shown_names(missing)
        elif self.match == "exact" and (extra := _beyond(called, self.names)):
            code, message = "tools_extra", f"Called without being expected: {_listed(extra)}."
            evidence["extra"] = shown_names(extra)
        else:
            code, message = "tools_out_of_order", "All tools were called, but not in the order expected."
        return Outcome(passed=False, code=code, message=message, evidence=evidence)


def _in_order(names: Sequence[str], called: Sequence[str]) -> bool:
    """Say whether `names` is a subsequence of `called`."""
    rest = iter(called)
    return all(name in rest for name in names)


def _beyond(names: Sequence[str], others: Sequence[str]) -> list[str]:
    """List what `names` holds more often than `others`, in the order of `names`."""
    return list((Counter(names) - Counter(others)).elements())


def _listed(names: Sequence[str]) -> str:
    return ", ".join(shown_names(names))
