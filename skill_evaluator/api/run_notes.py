"""What a report must say besides its numbers, worked out from the finished runs."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from skill_evaluator.file_names import shown
from skill_evaluator.graders.evidence import not_run as not_run_because
from skill_evaluator.journal import TESTSET_FILE
from skill_evaluator.metrics.aspects import open_runs
from skill_evaluator.metrics.cases import is_unmeasured
from skill_evaluator.model import Aspect, Run, Severity, Verdict
from skill_evaluator.redaction import holds_mask
from skill_evaluator.results import Canary, CanaryState, CaseResult, Note

# Reasons that hold for an agent that makes no output and calls no tools at all; told by one note.
_USUAL = frozenset(not_run_because(what).message for what in ("makes no output", "calls no tools"))


def canary_notes(canary: Canary) -> tuple[Note, ...]:
    """What was not looked at before the scored runs."""
    if canary.state is CanaryState.SKIPPED:
        return (Note(code="canary_skipped"),)
    if canary.state is CanaryState.PASSED and not canary.listing_checked:
        return (Note(code="listing_not_checked"),)
    return ()


def run_notes(
    results: Sequence[CaseResult],
    runs: Mapping[str, Sequence[Run]],
    *,
    run_dir: Path,
    testset: str | None,
    scored: bool,
) -> Iterator[Note]:
    """Say what to know of the runs.

    Args:
        results: All cases.
        runs: Their finished runs, by case id.
        run_dir: The folder of the journal.
        testset: Where the test set really lies on this disk, or None where that is not known.
        scored: Whether the report counts anything; an invalid one does not.
    """
    masked = sum(holds_mask(run) for found in runs.values() for run in found)
    if masked:
        yield Note(code="redacted", values={"runs": masked})
    unmeasured = [result.id for result in results if is_unmeasured(result)]
    if unmeasured and scored:
        yield Note(code="unmeasured_cases", values={"cases": unmeasured})
    not_run = [result for result in results if _checks_not_run(result)]
    usual = sum(all(why in _USUAL for why in _reasons(result)) for result in not_run)
    if usual:
        yield Note(code="output_not_run", values={"cases": usual})
    if undecided := _undecided(results):
        yield Note(code="checks_undecided", values={"why": undecided})
    cut = [result.id for result in results if _cut_runs(result)]
    if cut:
        yield Note(code="cut_runs", values={"runs": sum(map(_cut_runs, results)), "cases": cut})
    answers = _answer_files(run_dir, testset)
    seen = [result.id for result in results if _shows(runs.get(result.id, ()), answers)]
    if seen:
        yield Note(code="testset_seen", values={"cases": seen})


def _answer_files(run_dir: Path, testset: str | None) -> tuple[str, ...]:
    """Where the expected answers lie on this disk: the test set, and its copy beside the runs."""
    copy = shown(Path(os.path.realpath(run_dir / TESTSET_FILE)))
    return tuple(filter(None, (testset, copy)))


def _shows(runs: Sequence[Run], files: Sequence[str]) -> bool:
    """Whether an agent came upon one of the files, told by its whole path in what a tool was given or gave back."""
    calls = [call for run in runs for call in run.tool_calls or ()]
    return any(file in (call.result or "") or _holds(call.arguments, file) for call in calls for file in files)


def _holds(value: object, text: str) -> bool:
    match value:
        case str():
            return text in value
        case Mapping():
            return any(_holds(item, text) for item in value.values())
        case Sequence():
            return any(_holds(item, text) for item in value)
        case _:
            return False


def _cut_runs(result: CaseResult) -> int:
    """How many runs were ended before the agent came to its own end."""
    return sum(run.cut_by is not None for run in result.runs)


def _undecided(results: Sequence[CaseResult]) -> list[dict[str, object]]:
    """Give the cases of which a run is open, and the graders that could not look, by the reason."""
    cases: dict[str, list[str]] = {}
    graders: dict[str, dict[str, None]] = {}
    for result in results:
        for verdict in _open_verdicts(result):
            why = verdict.outcome.message
            graders.setdefault(why, {})[verdict.grader] = None
            if result.id not in cases.setdefault(why, []):
                cases[why].append(result.id)
    return [{"message": why, "cases": ids, "graders": list(graders[why])} for why, ids in cases.items()]


def _open_verdicts(result: CaseResult) -> Iterator[Verdict]:
    """Give the checks that leave a run open: where others of their aspect looked, or for a reason of their own."""
    for aspect in Aspect:
        verdicts = [
            verdict
            for run in open_runs(result.runs, aspect, expected=result.expect_trigger)
            for verdict in run.verdicts
            if verdict.aspect is aspect and verdict.severity is Severity.HARD and verdict.outcome.passed is None
        ]
        if _is_looked_at(result, aspect):
            yield from verdicts
        elif aspect is not Aspect.JUDGED:
            yield from (verdict for verdict in verdicts if verdict.outcome.message not in _USUAL)


def _is_looked_at(result: CaseResult, aspect: Aspect) -> bool:
    verdicts = (verdict for run in result.runs for verdict in run.verdicts if verdict.aspect is aspect)
    return any(verdict.outcome.passed is not None for verdict in verdicts)


def _reasons(result: CaseResult) -> Iterator[str]:
    """Say why checks could not look."""
    for run in result.runs:
        for verdict in run.verdicts:
            if verdict.outcome.passed is None and verdict.aspect is not Aspect.JUDGED:
                yield verdict.outcome.message


def _checks_not_run(result: CaseResult) -> bool:
    """Whether no check could look; a judge that did not answer is told of by itself."""
    verdicts = [verdict for run in result.runs for verdict in run.verdicts if verdict.aspect is not Aspect.JUDGED]
    return bool(verdicts) and all(verdict.outcome.passed is None for verdict in verdicts)
