"""What a list tells of each case: how it came out, whether that is new, how long it took and what it cost."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from skill_evaluator.metrics.aspects import aspect_passed, is_valid
from skill_evaluator.metrics.cases import is_unmeasured
from skill_evaluator.metrics.stability import is_unstable
from skill_evaluator.model import Aspect, Split
from skill_evaluator.results import CaseResult, Report, RunResult, RunState

_PLAIN_ID = re.compile(r"[A-Za-z0-9_.-]{1,60}")


class Outcome(StrEnum):
    """How a case came out; what needs a look stands first."""

    WRONG = "wrong"
    UNMEASURED = "unmeasured"
    UNDECIDED = "undecided"
    UNSTABLE = "unstable"
    RIGHT = "right"


class Flip(StrEnum):
    """What became of a case since the baseline."""

    WORSENED = "worsened"
    IMPROVED = "improved"


class Mark(StrEnum):
    """What one run shows: whether the skill fired, or, of a case that does not ask, whether its output is right."""

    FIRED = "fired"
    QUIET = "quiet"
    RIGHT = "right"
    WRONG = "wrong"
    OPEN = "open"
    UNKNOWN = "unknown"
    ERROR = "error"
    NOT_RUN = "not_run"


_STATE = {
    RunState.TRIGGERED: Mark.FIRED,
    RunState.NOT_TRIGGERED: Mark.QUIET,
    RunState.ERROR: Mark.ERROR,
    RunState.UNKNOWN: Mark.UNKNOWN,
}
_OUTPUT = {True: Mark.RIGHT, False: Mark.WRONG, None: Mark.OPEN}


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseFacts:
    """One case, as far as a list tells of it.

    Attributes:
        anchor: What its card is called in an address, after `case-`; that of its row stands after `row-`.
        kind: The class of the case, as words name it.
        is_failed: Whether it stands among the failed cases of the report.
        marks: One for each planned run, by repetition.
        seconds: Median of its valid runs; None where no time is known.
        cost_usd: Sum over its runs; None where one of them does not tell.
    """

    case: CaseResult
    anchor: str
    kind: str
    outcome: Outcome
    is_failed: bool
    flip: Flip | None
    marks: tuple[Mark, ...]
    seconds: float | None
    cost_usd: float | None


def facts_of(report: Report) -> tuple[CaseFacts, ...]:
    """The facts of all cases: acceptance first, then in the order of the test set."""
    failed = {failed.id for failed in report.failed_cases}
    flips, anchors = _flips(report), case_anchors(report.cases)
    ordered = [case for split in Split for case in report.cases if case.split is split]
    return tuple(
        CaseFacts(
            case=case,
            anchor=anchors[case.id],
            kind=_KINDS[case.expect_trigger],
            outcome=_outcome(case, is_failed=case.id in failed),
            is_failed=case.id in failed,
            flip=flips.get(case.id),
            marks=_marks(case),
            seconds=_seconds(case, report.volatile.durations_s.get(case.id, ())),
            cost_usd=_cost_usd(case.runs),
        )
        for case in ordered
    )


_KINDS: Mapping[bool | None, str] = {True: "positive", False: "negative", None: "output_only"}


def case_anchors(cases: Iterable[CaseResult]) -> Mapping[str, str]:
    """By id: what each case is called in an address, after `case-`: its id, or its place where the id is not plain.

    A place has a colon, which no plain id has, so no two are alike.
    """
    return {
        case.id: case.id if _PLAIN_ID.fullmatch(case.id) else f":{place}" for place, case in enumerate(cases, start=1)
    }


def _outcome(case: CaseResult, *, is_failed: bool) -> Outcome:
    if is_unmeasured(case):
        return Outcome.UNMEASURED
    if is_failed:
        return Outcome.WRONG
    if case.is_right is None:
        return Outcome.UNDECIDED
    return Outcome.UNSTABLE if is_unstable(case) else Outcome.RIGHT


def _flips(report: Report) -> Mapping[str, Flip]:
    paired = report.comparison.paired.values() if report.comparison else ()
    return {
        case_id: flip
        for result in paired
        for flip, ids in ((Flip.WORSENED, result.worsened), (Flip.IMPROVED, result.improved))
        for case_id in ids
    }


def _marks(case: CaseResult) -> tuple[Mark, ...]:
    found = {run.index: _mark(run, case.expect_trigger) for run in case.runs}
    return tuple(found.get(index, Mark.NOT_RUN) for index in range(case.planned_runs))


def _mark(run: RunResult, expected: bool | None) -> Mark:  # noqa: FBT001 - the name of the field says it
    if expected is not None or run.state is RunState.ERROR:
        return _STATE[run.state]
    return _OUTPUT[aspect_passed(run, Aspect.OUTPUT)]


def _seconds(case: CaseResult, durations_s: Sequence[float | None]) -> float | None:
    known = [
        duration_s
        for run, duration_s in zip(case.runs, durations_s, strict=False)
        if duration_s is not None and is_valid(run.state, expected=case.expect_trigger)
    ]
    return median(known) if known else None


def _cost_usd(runs: Sequence[RunResult]) -> float | None:
    costs = [run.usage.cost_usd if run.usage else None for run in runs]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if known and len(known) == len(costs) else None
