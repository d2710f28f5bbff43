"""Results of eval suites for tests: files that the real program wrote, and small ones made by hand."""

import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from skill_evaluator.report.suite.notes import OF_SUITE, as_sentence
from skill_evaluator.report.suite.reading import suite_result_from_json
from skill_evaluator.results import Note
from skill_evaluator.results.suite_result import (
    CaseNumbers,
    CaseOfSuite,
    GraderOfCase,
    GraderResult,
    PluginOfSuite,
    RunOfCase,
    SuiteNumbers,
    SuiteResult,
    SuiteSettings,
)

_FILE = Path(__file__).parents[1] / "data" / "suite_results.jsonl.gz"
FIRED = GraderOfCase(name="fired", type="tool_used", weight=1.0, config={"tool": "Skill"})
QUIET = GraderOfCase(name="quiet", type="tool_used", weight=1.0, config={"tool": "Skill", "min": 0, "max": 0})
TIN = GraderOfCase(name="tin", type="regex", weight=1.0, config={"target": "last_message", "pattern": "tin"})


@cache
def recorded() -> Mapping[str, str]:
    """Files `aggregate-result.json` as Claude Code 2.1.332 wrote them, by suite."""
    rows = (json.loads(line) for line in gzip.decompress(_FILE.read_bytes()).decode().splitlines())
    return {row["name"]: row["text"] for row in rows}


def recorded_result(name: str) -> SuiteResult:
    return suite_result_from_json(recorded()[name], name=name)


def told(notes: Iterable[Note], kind: str = OF_SUITE) -> list[str]:
    return [as_sentence(note, kind) for note in notes]


def found(grader: GraderOfCase, *, passed: bool, scored: bool = True) -> GraderResult:
    return GraderResult(
        name=grader.name, passed=passed, weight=1.0, explanation="so", is_scored=scored, is_with_only=not scored
    )


def run(*graders: GraderResult, score: float | None = 1.0, error: str | None = None) -> RunOfCase:
    return RunOfCase(score=score, passed=score == 1, graders=graders, error=error, is_api_error=False)


def case(
    name: str,
    *runs: RunOfCase,
    graders: Sequence[GraderOfCase] = (TIN,),
    score: float | None = 1.0,
    without: Sequence[RunOfCase] | None = None,
    delta: float | None = None,
) -> CaseOfSuite:
    return CaseOfSuite(
        name=name,
        folder=f"evals/{name}",
        source="prose",
        prompt="Label my shelf.",
        runs_per_case=len(runs) or 1,
        timeout_s=300,
        max_turns=10,
        graders=tuple(graders),
        with_plugin=runs,
        without_plugin=None if without is None else tuple(without),
        numbers=CaseNumbers(score=score, pass_rate=float(score == 1), delta=delta),
    )


def suite(*cases: CaseOfSuite, threshold: float = 1.0) -> SuiteResult:
    scores = [one.numbers.score or 0.0 for one in cases]
    deltas = [one.numbers.delta for one in cases if one.numbers.delta is not None]
    return SuiteResult(
        claude_version="2.1.332",
        started_at=datetime(2026, 5, 1, 8, 43, 23, 665_000, tzinfo=UTC),
        duration_s=3.0,
        cost_usd=0.0024,
        settings=SuiteSettings(
            root="/plugins/pantry",
            ablation="none",
            threshold=threshold,
            concurrency=1,
            plugins=(PluginOfSuite(name="pantry", path="/plugins/pantry", version="0.1.0"),),
        ),
        cases=cases,
        numbers=SuiteNumbers(
            cases_total=len(cases),
            cases_passed=sum(score >= threshold for score in scores),
            score=sum(scores) / len(scores) if scores else 0.0,
            pass_rate=0.0,
            mean_delta=sum(deltas) / len(deltas) if deltas else None,
        ),
    )
