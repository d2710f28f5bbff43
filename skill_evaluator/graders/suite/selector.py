"""Which calls of a run a grader means."""

from collections.abc import Sequence
from dataclasses import dataclass

from skill_evaluator.graders.javascript import NoAnswer, has_match
from skill_evaluator.graders.suite.calls import Call
from skill_evaluator.graders.suite.pattern_faults import no_verdict
from skill_evaluator.model import Outcome
from skill_evaluator.texts import joined, ntr, tr

MOST_TIMEOUTS = 5  # a second each; the answer for a run with more of them is left open


@dataclass(frozen=True, kw_only=True, slots=True)
class Chosen:
    """The calls that are meant.

    Attributes:
        places: Their places among all calls, 0-based, ascending.
        timed_out: Calls on which the pattern took too long: they count as not meant, as in the real program.
        open: Places of calls that may be meant too: their input is not known, so no pattern was held against it.
    """

    places: tuple[int, ...]
    timed_out: int = 0
    open: tuple[int, ...] = ()

    @property
    def remark(self) -> str:
        """What to add to a message about them; empty where the pattern was held against every call."""
        late = tr(" The pattern took too long on {calls}, which counts as no match.", calls=_calls(self.timed_out))
        untold = tr(" The input of {calls} is not known, which changes nothing here.", calls=_calls(len(self.open)))
        return joined("", [*([late] if self.timed_out else []), *([untold] if self.open else [])])


def _calls(count: int) -> str:
    return ntr("one call", "{n} calls", count)


@dataclass(frozen=True, kw_only=True, slots=True)
class Selector:
    """Calls of one tool, or those of them whose input matches.

    Attributes:
        tool: Name of the tool, compared exactly.
        input_match: JavaScript pattern that the input of a call, as compact JSON, must match; or None.
    """

    tool: str
    input_match: str | None = None

    def choose(self, calls: Sequence[Call], *, only_first: bool = False) -> Chosen | Outcome:
        """Find the calls that are meant.

        Args:
            calls: All calls of a run.
            only_first: Stop at the first one; later calls are not held against the pattern.

        Returns:
            The calls; or an outcome where one had to be held against a pattern and could not.
        """
        places: list[int] = []
        unknown: list[int] = []
        timed_out = 0
        for place, call in enumerate(calls):
            match self._means(call):
                case NoAnswer(why="timed_out") if timed_out < MOST_TIMEOUTS:
                    timed_out += 1
                case NoAnswer() as answer:
                    return no_verdict(answer, self.input_match or "")
                case True:
                    places.append(place)
                    if only_first:
                        break
                case None:
                    unknown.append(place)
                case False:
                    pass
        return Chosen(places=tuple(places), timed_out=timed_out, open=tuple(unknown))

    def _means(self, call: Call) -> bool | NoAnswer | None:
        if call.tool != self.tool or self.input_match is None:
            return call.tool == self.tool
        if call.input_json is None:
            return None
        return has_match(self.input_match, "", call.input_json)
