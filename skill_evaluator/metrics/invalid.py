"""What makes a whole report worthless, so that it shows no score at all."""

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from skill_evaluator.metrics.cases import is_undecided
from skill_evaluator.metrics.limits import MIN_VALID_RUNS, MIN_VALID_RUNS_DRAFT, above_a_tenth
from skill_evaluator.metrics.split import OUTPUT_ONLY
from skill_evaluator.model import Failure, FailureKind, Split
from skill_evaluator.results import Canary, CanaryState, CaseResult, Config, Note, SplitResult

# These stop every run alike: whatever did get an answer was not measured the way the rest would have been.
FATAL = frozenset({FailureKind.AGENT_MISSING, FailureKind.AUTH})
# One or two errors may be bad luck, and `--resume` asks them again; three in one class are a pattern.
MIN_ERRORS_TO_GIVE_UP = 3
_GIVEN_UP = "error_budget"
_CANARY, _KILLED = "canary", "kill"  # after these nobody looked whether the skill's files had changed


def invalid_reasons(
    *,
    splits: Mapping[Split, SplitResult],
    cases: Sequence[CaseResult],
    config: Config,
    stopped_by: str | None,
    canary: Canary,
    narrowed_below_floors: bool,
) -> tuple[Note, ...]:
    """Everything that makes the report INVALID, then the causes of its failed runs; empty if it is not.

    After a failed canary nothing was scored, so what was not measured needs no reasons besides.
    """
    if canary.state is CanaryState.FAILED:
        return (*canary.faults, *_interrupted(cases, stopped_by))
    foremost = frozenset(FailureKind) if stopped_by == _GIVEN_UP else FATAL
    causes = _causes([run.failure for case in cases for run in case.runs if run.failure is not None])
    deciding = (
        *_interrupted(cases, stopped_by),
        *_not_listed(cases),
        *(note for kind, note in causes.items() if kind in foremost),
        *_nothing_measured(cases, splits[Split.ACCEPTANCE], narrowed=narrowed_below_floors),
        *_undecided_share(cases, config.pass_threshold),
        *(note for split, result in splits.items() for note in _error_shares(split, result)),
        *_too_few_valid_runs(cases, MIN_VALID_RUNS_DRAFT if config.draft else MIN_VALID_RUNS),
    )
    return (*deciding, *(note for kind, note in causes.items() if kind not in foremost)) if deciding else ()


def errors_too_many(planned: int) -> int:
    """The smallest number of failed runs, of so many planned ones of a class, at which a run is given up.

    From then on the share of errors alone makes the report INVALID, whatever the rest would be.

    >>> [errors_too_many(planned) for planned in (9, 29, 30, 66)]
    [3, 3, 4, 7]
    """
    return next(errors for errors in itertools.count(MIN_ERRORS_TO_GIVE_UP) if above_a_tenth(errors, planned))


def runs_stand(cases: Sequence[CaseResult], stopped_by: str | None) -> bool:
    """Whether what ended a run early left its runs whole, so that only calls after them are missing."""
    return stopped_by not in {_CANARY, _KILLED} and all(len(case.runs) >= case.planned_runs for case in cases)


def _interrupted(cases: Sequence[CaseResult], stopped_by: str | None) -> Iterator[Note]:
    """A run that was ended early is worthless unless all planned runs are there, be they errors."""
    if stopped_by is not None and not runs_stand(cases, stopped_by):
        finished, planned = sum(len(case.runs) for case in cases), sum(case.planned_runs for case in cases)
        yield Note(code="interrupted", values={"signal": stopped_by, "finished": finished, "planned": planned})


def _not_listed(cases: Sequence[CaseResult]) -> Iterator[Note]:
    kinds = {run.failure.kind for case in cases for run in case.runs if run.failure is not None}
    if FailureKind.SKILL_NOT_LISTED in kinds:
        yield Note(code="skill_not_listed")


def _nothing_measured(cases: Sequence[CaseResult], acceptance: SplitResult, *, narrowed: bool) -> Iterator[Note]:
    """One class alone says nothing; only a test set narrowed on purpose, a draft, may go without negatives.

    Cases that are judged by their output alone are no class of triggers: of them one has to be decided.
    """
    scored = [case for case in cases if case.split is Split.ACCEPTANCE]
    output_only = [case for case in scored if case.expect_trigger is None]
    if output_only and all(case.decision is None for case in output_only):
        yield Note(code="nothing_measured", values={"class": OUTPUT_ONLY})
    if output_only and len(output_only) == len(scored):
        return
    no_positives = acceptance.metrics["f1"].value is None
    no_negatives = acceptance.metrics["false_trigger_rate"].value is None
    if no_positives or (no_negatives and not narrowed):
        yield Note(code="nothing_measured")


def _undecided_share(cases: Sequence[CaseResult], threshold: float) -> Iterator[Note]:
    """Outputs that nobody could decide are not right ones: too many of them leave open what the rest would be.

    Unless the verdict is FAIL whatever they are.
    """
    scored = [case for case in cases if case.split is Split.ACCEPTANCE and case.expect_trigger is None]
    undecided = [case.id for case in scored if is_undecided(case)]
    decided = [case.decision for case in scored if case.decision is not None]
    whole = len(decided) + len(undecided)
    at_best = decided.count(True) + len(undecided)
    if decided and above_a_tenth(len(undecided), whole) and at_best / whole >= threshold:
        yield Note(code="undecided_share", values={"cases": undecided, "of": whole})


def _error_shares(split: Split, result: SplitResult) -> Iterator[Note]:
    for class_, share in result.error_shares.items():
        errors, planned = share.numerator or 0, share.denominator or 0
        if above_a_tenth(errors, planned):
            values = {"class": class_, "split": str(split), "errors": errors, "planned": planned}
            yield Note(code="error_share", values=values)


def _too_few_valid_runs(cases: Sequence[CaseResult], needed: int) -> Iterator[Note]:
    short = [case.id for case in cases if case.valid_runs < needed]
    if short:
        yield Note(code="too_few_valid_runs", values={"cases": short, "needed": needed})


def _causes(failures: Sequence[Failure]) -> dict[FailureKind, Note]:
    """Each kind of failure once, in the agent's first words; a skill that is not listed has a note of its own."""
    counts = Counter(failure.kind for failure in failures)
    first = {failure.kind: failure.message for failure in reversed(failures)}
    return {
        kind: Note(code="cause", values={"kind": str(kind), "message": first[kind], "runs": counts[kind]})
        for kind in FailureKind
        if counts[kind] and kind is not FailureKind.SKILL_NOT_LISTED
    }
