"""Rules about numbers: counts that no run reaches, graders that nothing fails, limits that are too tight."""

import math
from collections.abc import Iterator
from typing import Final

from skill_evaluator.formats.suite.rules.tested import calls_of, doubt_at, needs_work
from skill_evaluator.formats.suite.seen import Doubt, SeenCase, SeenGrader, SeenSuite
from skill_evaluator.graders.suite import CallOrder
from skill_evaluator.texts import tr

# A run starts a program and asks a model at least once; recorded runs of real models take 5 s and more for one turn.
MIN_TIMEOUT_S: Final = 15
MIN_RUNS: Final = 2


def count_never_met(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """`min` is 1 where it is not written, so `max: 0` alone asks for at least one call and for none."""
    for seen in case.graders:
        for calls in calls_of(seen):
            if calls.most is None or calls.least <= calls.most:
                continue
            if calls.most == 0 and _min_is_default(case, seen.file, seen.path):
                message = tr(
                    "`max: 0` without `min: 0` can never pass, since `min` is 1 by default; write both to ask "
                    "that {tool!r} is never called",
                    tool=calls.selector.tool,
                )
            else:
                message = tr(
                    "`min: {least}` is above `max: {most}`, so no number of calls passes; make `min` the lower one",
                    least=calls.least,
                    most=calls.most,
                )
            yield doubt_at(seen, ("max",), message, min=calls.least, max=calls.most)


def _min_is_default(case: SeenCase, file: str, path: tuple[str | int, ...]) -> bool:
    text = case.texts.get(file)
    return text is None or (*path, "min") not in text.entries


def count_always_met(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """No number of calls fails a grader with `min: 0` and no `max`."""
    for seen in case.graders:
        for calls in calls_of(seen):
            if calls.least == 0 and calls.most is None:
                message = tr(
                    "`min: 0` without `max` passes whatever the agent does; write `max: 0` too to ask that "
                    "{tool!r} is never called, or a higher `min`",
                    tool=calls.selector.tool,
                )
                yield doubt_at(seen, ("min",), message)


def infinite_weight(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """An infinite weight makes the score no number, and no threshold is reached."""
    for seen in case.graders:
        if math.isinf(seen.grader.weight):
            message = tr("with an infinite weight the score is no number and the case never passes; write a number")
            yield doubt_at(seen, ("weight",), message)


def few_turns(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """After a call the agent needs one more turn to read the result, else the run ends on its limit."""
    needed = 1 + max((_rounds(seen) for seen in case.graders), default=0)
    turns = case.limits.max_turns
    if turns < needed:
        file, path = case.where("max_turns", "execution")
        message = tr(
            "`max_turns: {turns}` is likely too small: the graders ask for what takes {needed} turns or "
            "more, and a run that reaches the limit counts as an error; be generous, the default is 10",
            turns=turns,
            needed=needed,
        )
        yield Doubt(message=message, file=file, path=path, values={"max_turns": turns, "needed": needed})


def _rounds(seen: SeenGrader) -> int:
    return 2 if isinstance(seen.grader.check, CallOrder) else int(needs_work(seen))


def short_timeout(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """A run that takes longer is ended, and graded on what it had."""
    timeout_s = case.limits.timeout_s
    if timeout_s < MIN_TIMEOUT_S:
        file, path = case.where("timeout_seconds", "execution")
        message = tr(
            "`timeout_seconds: {timeout_s}` is likely too small for starting the program and one answer "
            "of a model; be generous, the default is 300",
            timeout_s=timeout_s,
        )
        yield Doubt(message=message, file=file, path=path, values={"timeout_seconds": timeout_s})


def few_runs(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """One run of an agent is mostly chance."""
    if case.limits.runs < MIN_RUNS:
        file, path = case.where("runs")
        message = tr(
            "`runs: 1` measures mostly chance; leave it at 3 or more, and use `--runs 1` while trying things out"
        )
        yield Doubt(message=message, file=file, path=path)
