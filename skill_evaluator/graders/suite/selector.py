"""Which calls of a run a grader means."""

from collections.abc import Sequence
from dataclasses import dataclass

from skill_evaluator.graders.javascript import NoAnswer, has_match
from skill_evaluator.graders.suite.calls import Call
from skill_evaluator.graders.suite.pattern_faults import no_verdict
from skill_evaluator.model import Outcome


@dataclass(frozen=True, kw_only=True, slots=True)
class Selector:
    """Calls of one tool, or those of them whose input matches.

    Attributes:
        tool: Name of the tool, compared exactly.
        input_match: JavaScript pattern that the input of a call, as compact JSON, must match; or None.
    """

    tool: str
    input_match: str | None = None

    def places(self, calls: Sequence[Call]) -> tuple[int, ...] | Outcome:
        """List the places among `calls` of those that are meant, 0-based.

        A pattern that takes too long on an input does not match it, as in the real program.

        Returns:
            The places; or an outcome where a call had to be held against a pattern and could not.
        """
        found: list[int] = []
        for place, call in enumerate(calls):
            answer = self._means(call)
            if isinstance(answer, Outcome):
                return answer
            if answer:
                found.append(place)
        return tuple(found)

    def first(self, calls: Sequence[Call]) -> int | Outcome | None:
        """Find the place of the first call that is meant, or None; later calls are not held against the pattern."""
        for place, call in enumerate(calls):
            answer = self._means(call)
            if isinstance(answer, Outcome):
                return answer
            if answer:
                return place
        return None

    def _means(self, call: Call) -> bool | Outcome:
        if call.tool != self.tool or self.input_match is None:
            return call.tool == self.tool
        answer = has_match(self.input_match, "", call.input_json)
        if not isinstance(answer, NoAnswer):
            return answer
        return False if answer.why == "timed_out" else no_verdict(answer, self.input_match)
