"""Grader `tool_order`: one tool was called before another."""

from dataclasses import dataclass

from skill_evaluator.graders.evidence import clean, shown_names
from skill_evaluator.graders.suite.calls import calls_of
from skill_evaluator.graders.suite.selector import Selector
from skill_evaluator.graders.suite.views import SETTLED
from skill_evaluator.model import JsonObject, Outcome, Run

__all__ = ["CallOrder", "Selector"]


@dataclass(frozen=True, kw_only=True, slots=True)
class CallOrder:
    """The first call that `before` means stands before the first one that `after` means.

    Where both mean the same call, the order fails.
    """

    before: Selector
    after: Selector

    def check(self, run: Run) -> Outcome:
        """Compare the places of the two calls among all calls of the run."""
        calls = calls_of(run)
        if isinstance(calls, Outcome):
            return calls
        before = self.before.first(calls)
        after = self.after.first(calls)
        if isinstance(before, Outcome):
            return before
        if isinstance(after, Outcome):
            return after
        if run.was_settled and after is None:
            return SETTLED  # it might have come later
        return self._outcome(before, after, called=[call.tool for call in calls])

    def _outcome(self, before: int | None, after: int | None, *, called: list[str]) -> Outcome:
        first, second = _named(self.before), _named(self.after)
        if before is not None and after is not None and before < after:
            message = f"{first} (call {before + 1}) came before {second} (call {after + 1})."
            return Outcome(passed=True, code="call_order_ok", message=message)
        if before is None or after is None:
            missing = [name for name, place in ((first, before), (second, after)) if place is None]
            code, message = "call_order_missing", f"Never called: {', '.join(missing)}."
        else:
            code = "call_order_wrong"
            message = f"{first} (call {before + 1}) did not come before {second} (call {after + 1})."
        evidence = {
            "before": _shown(self.before, before),
            "after": _shown(self.after, after),
            "called": shown_names(called),
        }
        return Outcome(passed=False, code=code, message=message, evidence=evidence)


def _named(selector: Selector) -> str:
    matching = "" if selector.input_match is None else f" with an input that matches {selector.input_match!r}"
    return f"{selector.tool!r}{matching}"


def _shown(selector: Selector, place: int | None) -> JsonObject:
    """Put a selector into JSON, with the 0-based place of its first call."""
    match = None if selector.input_match is None else clean(selector.input_match)
    return {"tool": clean(selector.tool), "input_match": match, "place": place}
