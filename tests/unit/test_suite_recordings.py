"""The same transcripts, graded by the real program and by ours: verdicts, votes, scores and aggregates are equal."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from skill_evaluator.formats.suite.suite import LoadedSuite, read_suite
from skill_evaluator.grading import CaseScore, GradedRun, SuiteScore, grade_suite_run, score_case, score_suite
from skill_evaluator.metrics.suite_trigger import suite_trigger
from skill_evaluator.model import Arm, Case, Check, JudgedCheck, PlainQuestion, Run
from tests.conformance.transcripts import CaseTranscript, RunTranscript, SuiteTranscript, own_suites, recordings
from tests.recorded_suites import RecordedSuite, suites_by_name

_LEFT_OUT = re.compile(r"^\[…\d+ [^\n]*\]$", re.MULTILINE)
OF_OTHERS = sorted(name for name in recordings() if name not in own_suites())


def shown_texts(recorded: RunTranscript) -> list[tuple[str, str]]:
    """What a judge was shown of one run, by name of the grader."""
    rows = [(str(row["name"]), row.get("evidence")) for row in recorded.told.graders]
    return [(name, evidence) for name, evidence in rows if isinstance(evidence, str)]


JUDGED = sorted(
    name for name in own_suites() if any(shown_texts(run) for case in recordings()[name].cases for run in case.runs)
)


def test_all_own_suites_are_recorded() -> None:
    assert set(own_suites()) <= set(recordings())


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("name", sorted(own_suites()))
def test_own_suites_get_the_verdicts_of_the_real_program(name: str, tmp_path: Path) -> None:
    _compare(own_suites()[name], recordings()[name], tmp_path)


@pytest.mark.usefixtures("conformance")
@pytest.mark.parametrize("name", OF_OTHERS)
def test_recorded_suites_get_the_verdicts_of_the_real_program(name: str, tmp_path: Path) -> None:
    _compare(suites_by_name()[name], recordings()[name], tmp_path)


def test_triggering_is_measured_over_recorded_suites(tmp_path: Path) -> None:
    """In one suite it fires in its only run, as it should; in the other in one run of three, as it should not."""
    asked = []
    for name in ("own/one-arm-kinds", "own/skill-negative"):
        (case,) = _load(own_suites()[name].lay_out(tmp_path / name)).suite.cases
        (recorded,) = recordings()[name].cases
        asked.append((case, [replace(one.run, case_id=case.id) for one in recorded.runs]))

    found = suite_trigger(asked, seed=1)

    assert (found.without_claim, found.error_runs) == (0, 0)
    assert {name: metric.value for name, metric in found.by_case.items()} == {
        "precision": 1,
        "recall": 1,
        "f1": 1,
        "false_trigger_rate": 0,
    }
    assert {name: metric.value for name, metric in found.by_run.items()} == {
        "precision": 1 / 2,
        "recall": 1,
        "f1": 2 / 3,
        "false_trigger_rate": 1 / 3,
    }


@pytest.mark.parametrize("name", JUDGED)
def test_judge_is_shown_the_same_texts(name: str, tmp_path: Path) -> None:
    """Of a session only the lines at both ends are shown; the line between them has words of its own."""
    cases = {_folder(case): case for case in _load(own_suites()[name].lay_out(tmp_path)).suite.cases}

    for recorded_case in recordings()[name].cases:
        checks = {grader.name: grader.check for grader in cases[recorded_case.folder].graders}
        for recorded in recorded_case.runs:
            for grader, evidence in shown_texts(recorded):
                _check_shown(checks[grader], recorded.run, evidence)


def _check_shown(check: Check | JudgedCheck, run: Run, evidence: str) -> None:
    assert isinstance(check, JudgedCheck)
    question = check.ask(run)
    assert isinstance(question, PlainQuestion), question
    for part in _LEFT_OUT.split(evidence):
        assert part in question.text


def _compare(suite: RecordedSuite, recorded: SuiteTranscript, tmp_path: Path) -> None:
    cases = {_folder(case): case for case in _load(suite.lay_out(tmp_path)).suite.cases}
    told, found = [], []
    scores: list[CaseScore] = []
    for recorded_case in recorded.cases:
        graded = [_grade(cases, recorded_case, run, recorded) for run in recorded_case.runs]
        score = score_case(*([one for one in graded if one.run.arm is arm] for arm in (Arm.WITH, Arm.WITHOUT)))
        scores.append(score)
        told += [_told(run) for run in recorded_case.runs] + [dict(recorded_case.aggregates)]
        found += [_found(one) for one in graded] + [dict(_case_aggregates(score))]
    told.append(dict(recorded.aggregates))
    found.append(dict(_suite_aggregates(score_suite(scores, threshold=recorded.threshold))))
    assert found == told


def _load(plugin: Path) -> LoadedSuite:
    loaded = read_suite(plugin)
    assert isinstance(loaded, LoadedSuite), loaded
    return loaded


def _folder(case: Case) -> str:
    assert case.metadata is not None
    return case.metadata.folder


def _grade(
    cases: Mapping[str, Case], recorded_case: CaseTranscript, recorded: RunTranscript, suite: SuiteTranscript
) -> GradedRun:
    case = cases[recorded_case.folder]
    return grade_suite_run(case, recorded.run, has_two_arms=suite.has_two_arms, votes=recorded.votes)


def _told(recorded: RunTranscript) -> dict[str, object]:
    told = recorded.told
    rows = [
        (row["name"], row["passed"], row["weight"], row["scored"], row["withOnly"], row.get("judgeVotes"))
        for row in told.graders
    ]
    return {"score": told.score, "passed": told.passed, "graders": rows}


def _found(graded: GradedRun) -> dict[str, object]:
    return {"score": graded.score, "passed": graded.passed, "graders": list(_rows(graded))}


def _rows(graded: GradedRun) -> Iterator[tuple[object, ...]]:
    for row in graded.verdicts:
        votes = None if row.votes is None or None in row.votes else list(row.votes)
        yield (row.name, row.passed, _json_number(row.weight), row.is_scored, row.is_with_only, votes)


def _json_number(number: float | None) -> float | None:
    """A number as JavaScript writes it to JSON."""
    return None if number is None or number == float("inf") else number


def _case_aggregates(score: CaseScore) -> dict[str, float | None]:
    without = score.without_plugin
    found = {"score": score.with_plugin.score, "passRate": score.with_plugin.pass_rate}
    if without is not None:
        found["passRateWithout"] = without.pass_rate
    if without is not None and score.is_comparable:
        found |= {"scoreWithout": without.score, "delta": score.delta}
    return found


def _suite_aggregates(score: SuiteScore) -> dict[str, float | None]:
    found = {
        "casesTotal": score.cases,
        "casesPassed": score.passed,
        "overallScore": score.score,
        "overallPassRate": score.pass_rate,
    }
    return found | ({"meanDelta": score.mean_delta} if score.compared else {})
