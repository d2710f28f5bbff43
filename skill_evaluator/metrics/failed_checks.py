"""What failing checks asked for and what they found, out of the evidence that each left."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from skill_evaluator.metrics.aspects import is_graded
from skill_evaluator.model import Aspect, Outcome, Severity, Verdict
from skill_evaluator.results import CaseResult, RunResult

# Outcome code -> the name of what was asked for, and the key of the evidence that holds it.
_ASKED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "contains_missing": ("contains", "missing"),
        "not_contains_found": ("not_contains", "found"),
        "regex_missing": ("regex", "pattern"),
        "regex_timeout": ("regex", "pattern"),
        "params_no_json": ("params", "expected"),
        "tools_missing": ("tool_calls", "expected"),
        "tools_out_of_order": ("tool_calls", "expected"),
        "tools_extra": ("tool_calls", "expected"),
        "votes_against": ("criteria", "criteria"),
    }
)


def asked_for(case: CaseResult, aspect: Aspect) -> list[dict[str, object]]:
    """What the checks that failed in the runs that are looked at had asked for, each once."""
    graded = [run for run in case.runs if is_graded(run.state, expected=case.expect_trigger)]
    wishes: list[dict[str, object]] = []
    for wish in (_wish(verdict) for run in graded for verdict in _failing(run, aspect)):
        if wish not in wishes:
            wishes.append(wish)
    return wishes


def failures_of(run: RunResult, aspect: Aspect, *, with_message: bool = False) -> list[dict[str, object]]:
    """The failing checks of one run, with their evidence, and what they said themselves where that is asked for."""
    return [
        {
            "grader": verdict.grader,
            "code": verdict.outcome.code,
            **({"message": verdict.outcome.message} if with_message else {}),
            "evidence": dict(verdict.outcome.evidence),
        }
        for verdict in _failing(run, aspect)
    ]


def _failing(run: RunResult, aspect: Aspect) -> Iterator[Verdict]:
    for verdict in run.verdicts:
        if verdict.aspect is aspect and verdict.severity is Severity.HARD and verdict.outcome.passed is False:
            yield verdict


def _wish(verdict: Verdict) -> dict[str, object]:
    return {"grader": verdict.grader, **_wanted(verdict.outcome)}


def _wanted(outcome: Outcome) -> dict[str, object]:
    """Empty for a code that is not in the table: the grader's name then has to say it."""
    fields = outcome.evidence.get("fields")
    if outcome.code == "params_mismatch" and isinstance(fields, list | tuple):
        return {"params": {field["path"]: field["expected"] for field in fields}}
    name, key = _ASKED.get(outcome.code, ("", ""))
    return {name: outcome.evidence[key]} if key in outcome.evidence else {}
