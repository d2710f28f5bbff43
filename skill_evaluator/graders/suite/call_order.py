"""Grader `tool_order`: one tool was called before another."""

from dataclasses import dataclass

from skill_evaluator.graders.evidence import clean, shown_names
from skill_evaluator.graders.suite.calls import INPUT_NOT_KEPT, calls_of
from skill_evaluator.graders.suite.selector import Chosen, Selector
from skill_evaluator.graders.suite.views import SETTLED
from skill_evaluator.model import JsonObject, Outcome, Run
from skill_evaluator.texts import listed, tr

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
        calls = calls_of(run, self.before.tool, self.after.tool)
        if isinstance(calls, Outcome):
            return calls
        before = self.before.choose(calls, only_first=True)
        if isinstance(before, Outcome):
            return before
        after = self.after.choose(calls, only_first=True)
        if isinstance(after, Outcome):
            return after
        if run.was_settled and not after.places:
            return SETTLED  # it might have come later
        if _is_open(before, after):
            return INPUT_NOT_KEPT
        return self._outcome(before, after, called=[call.tool for call in calls])

    def _outcome(self, before: Chosen, after: Chosen, *, called: list[str]) -> Outcome:
        evidence = {
            "before": _shown(self.before, before),
            "after": _shown(self.after, after),
            "called": shown_names(called),
        }
        remark = before.remark or after.remark
        first, second = _named(self.before), _named(self.after)
        if missing := [name for name, chosen in ((first, before), (second, after)) if not chosen.places]:
            message = tr("Never called: {tools}.{remark}", tools=listed(missing), remark=remark)
            return Outcome(passed=False, code="call_order_missing", message=message, evidence=evidence)
        places = [
            tr("{tool} (call {place})", tool=tool, place=chosen.places[0] + 1)
            for tool, chosen in ((first, before), (second, after))
        ]
        if before.places[0] < after.places[0]:
            message = tr("{first} came before {second}.{remark}", first=places[0], second=places[1], remark=remark)
            return Outcome(passed=True, code="call_order_ok", message=message, evidence=evidence if remark else {})
        message = tr("{first} did not come before {second}.{remark}", first=places[0], second=places[1], remark=remark)
        return Outcome(passed=False, code="call_order_wrong", message=message, evidence=evidence)


def _is_open(before: Chosen, after: Chosen) -> bool:
    """Whether calls that may be meant, since their input is not known, would change the answer."""
    first, second = (sorted((*one.places, *one.open)) for one in (before, after))
    if not (before.open or after.open) or not first or not second or first[0] >= second[-1]:
        return False  # one of them was never called, or never after the other, whatever the others are
    return not (before.places and after.places and before.places[0] < second[0])


def _named(selector: Selector) -> str:
    if selector.input_match is None:
        return tr("{tool!r}", tool=selector.tool)
    return tr("{tool!r} with an input that matches {pattern!r}", tool=selector.tool, pattern=selector.input_match)


def _shown(selector: Selector, chosen: Chosen) -> JsonObject:
    """Put a selector into JSON, with the 0-based place of its first call."""
    match = None if selector.input_match is None else clean(selector.input_match)
    place = chosen.places[0] if chosen.places else None
    return {"tool": clean(selector.tool), "input_match": match, "place": place, "timed_out": chosen.timed_out}
