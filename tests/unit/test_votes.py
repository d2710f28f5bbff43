"""Votes on graders, from the outcomes of single runs to the whole report."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.compare.reports import compare
from skill_evaluator.errors import InputError
from skill_evaluator.graders.suite import Llm
from skill_evaluator.graders.text import Contains
from skill_evaluator.grading import grade_run
from skill_evaluator.judging import ask_votes, plan_votes
from skill_evaluator.model import (
    AnyQuestion,
    Aspect,
    Case,
    Completion,
    Failure,
    FailureKind,
    Grader,
    PlainQuestion,
    Run,
    Split,
)
from skill_evaluator.report.markdown import report_to_markdown
from skill_evaluator.report.serialize import report_from_json, report_to_json
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Report
from tests.unit.judged_setup import judged_cases, judged_report

FAILED = Completion(failure=Failure(kind=FailureKind.API, message="HTTP 529"))
REFUSED = Completion(failure=Failure(kind=FailureKind.AUTH, message="HTTP 401"))
POLITE = Grader(name="polite", check=Llm(criteria="It is polite."), aspect=Aspect.JUDGED)
SHORT = Grader(name="short", check=Llm(criteria="It is short."), aspect=Aspect.JUDGED)
LANGS: tuple[Lang, ...] = ("en", "zh")
IDS = [f"p{number}" for number in range(6)]


class Scripted:
    """Answers each vote in the order asked."""

    model = "judge-1"

    def __init__(self, answers: Sequence[Completion]) -> None:
        self.asked: list[PlainQuestion] = []
        self._answers = list(answers)

    async def complete(self, question: AnyQuestion) -> Completion:
        assert isinstance(question, PlainQuestion)
        self.asked.append(question)
        return self._answers[len(self.asked) - 1]


def voted_cases(*graders: Grader) -> tuple[Case, ...]:
    """Six of each class; only positives are ever to be voted on."""
    return tuple(replace(case, graders=graders or (POLITE,)) for case in judged_cases({}))


def said(votes: str) -> list[Completion]:
    """`P` for a vote for it, `F` against it, `x` for a failed call."""
    words = {"P": Completion(text="PASS"), "F": Completion(text="FAIL"), "x": FAILED}
    return [words[vote] for vote in votes]


def report_of(folder: Path, votes: Mapping[str, str], *, grader: Grader = POLITE, **options: Any) -> Report:  # noqa: ANN401
    """A report in which every decision was right; by case the votes run by run, all for it where none are told."""
    by_run = {
        (case_id, index): {grader.name: said(votes.get(case_id, "PPP PPP PPP").split()[index])}
        for case_id in IDS
        for index in range(3)
    }
    return judged_report(folder, [], cases=voted_cases(grader), votes=by_run, **options)


def rate(report: Report, split: Split = Split.ACCEPTANCE) -> tuple[int | None, int | None]:
    metric = report.splits[split].metrics["judged_pass_rate"]
    return metric.numerator, metric.denominator


def refused(content: object) -> list[str]:
    with pytest.raises(InputError) as caught:
        report_from_json(json.dumps(content), name="r.json")
    return [f"{finding.code} {finding.pointer}" for finding in caught.value.findings]


def test_three_votes_are_asked_on_each_run_that_triggered() -> None:
    case, negative = (one for one in voted_cases(POLITE, SHORT) if one.id in {"p0", "n0"})
    quiet = Run(case_id="p0", index=0, triggered=False, output="no")
    broken = Run(case_id="p0", index=1, failure=FAILED.failure)
    fired = Run(case_id="p0", index=2, triggered=True, output="yes")
    plans = plan_votes([case, negative], {"p0": [fired, broken, quiet], "n0": [replace(fired, case_id="n0")]})
    judge = Scripted(said("PPPFFF"))

    votes = asyncio.run(ask_votes(plans, judge, concurrency=2))

    assert [(plan.case_id, plan.index, plan.grader) for plan in plans] == [("p0", 2, "polite"), ("p0", 2, "short")]
    assert [question.vote for question in judge.asked] == [0, 1, 2] * 2
    assert votes == {("p0", 2): {"polite": said("PPP"), "short": said("FFF")}}
    verdicts = grade_run(case, fired, votes["p0", 2])
    assert [(one.grader, one.aspect, one.outcome.passed) for one in verdicts] == [
        ("polite", Aspect.JUDGED, True),
        ("short", Aspect.JUDGED, False),
    ]


def test_runs_with_the_same_output_are_voted_on_each_by_itself() -> None:
    """Else votes that divide would seem to agree, as all runs were given those of the first."""
    one, other, _ = (replace(case, graders=(POLITE,)) for case in judged_cases({})[:3])
    runs = {
        case.id: [Run(case_id=case.id, index=at, triggered=True, output="x") for at in (0, 1)] for case in (one, other)
    }
    judge = Scripted(said("PPPFFFPFPFPF"))

    votes = asyncio.run(ask_votes(plan_votes([one, other], runs), judge, concurrency=1))

    assert [question.vote for question in judge.asked] == list(range(12))
    assert [votes[key]["polite"] for key in votes] == [said("PPP"), said("FFF"), said("PFP"), said("FPF")]


def test_without_a_judge_nobody_votes() -> None:
    case = voted_cases(POLITE, Grader(name="has", check=Contains(text="y")))[0]

    verdicts = grade_run(case, Run(case_id=case.id, triggered=True, output="yes"))

    assert [one.grader for one in verdicts] == ["has"]


def test_after_a_refused_key_nobody_is_asked_any_more() -> None:
    case = voted_cases(POLITE, SHORT)[0]
    run = Run(case_id=case.id, triggered=True, output="yes")
    judge = Scripted([*said("P"), REFUSED, *said("PPPP")])
    votes = asyncio.run(ask_votes(plan_votes([case], {case.id: [run]}), judge, concurrency=1))

    assert len(judge.asked) == 2
    polite, short = grade_run(case, run, votes[case.id, 0])
    assert (polite.outcome.passed, polite.outcome.code) == (None, "judge_not_asked")
    assert (short.outcome.passed, short.outcome.evidence["votes"]) == (None, [None] * 3)


def test_a_case_passes_by_most_of_its_runs_and_a_failed_call_is_no_verdict(tmp_path: Path) -> None:
    """p1: 2 of 3 runs pass. p3: 1 of 3. p5: a failed call leaves 1 run for it, and
    1 against it: it could turn either way, so the case is left out."""
    votes = {"p1": "PPP PFP FFP", "p3": "PPP FFF PFF", "p5": "PPF xPP FPF", "p0": "PxP xxx PPx"}
    report = report_of(tmp_path, votes)

    assert rate(report) == (1, 2)
    assert rate(report, Split.TUNING) == (2, 2)  # of p0 nothing is known
    assert report.splits[Split.ACCEPTANCE].metrics["output_pass_rate"].denominator == 0
    assert report.splits[Split.ACCEPTANCE].metrics["pass_hat_k"].value == 1.0
    assert [(one.id, one.sort) for one in report.failed_cases] == [("p3", "judged")]
    [failed] = report.failed_cases
    assert failed.expected == {"checks": [{"grader": "polite", "criteria": "It is polite."}]}
    assert failed.actual["passed_runs"] == 1
    run: Any = failed.actual["runs"]
    assert [(one["run"], one["checks"][0]["evidence"]["votes"]) for one in run] == [
        (1, [False] * 3),
        (2, [True, False, False]),
    ]
    assert run[0]["checks"][0]["evidence"]["shown"] == "an answer"
    assert report.judge is not None
    count = report.judge.votes
    assert (count.planned, count.asked, count.failed) == (54, 54, 6)
    assert (count.divided.numerator, count.divided.denominator) == (5, 14)
    assert [(note.code, note.values) for note in report.reasons] == [("voted_down", {"cases": 1, "of": 2})]
    assert "votes_failed" in [note.code for note in report.notes]


def test_a_failed_vote_is_in_no_other_rate_and_feeds_no_advice(tmp_path: Path) -> None:
    report = report_of(tmp_path, dict.fromkeys(IDS, "FFF FFF FFF"))

    assert rate(report) == (0, 3)
    assert report.splits[Split.ACCEPTANCE].metrics["pass_hat_k"].value == 1.0
    assert report.verdict == "PASS"
    assert report.suggestions == ()


def test_an_outcome_without_a_question_counts_and_takes_no_vote(tmp_path: Path) -> None:
    grader = Grader(name="picture", check=Llm(criteria="c", focus="mock_calls"))
    report = report_of(tmp_path, {}, grader=grader)

    assert rate(report) == (0, 3)
    assert report.judge is not None
    assert report.judge.votes.planned == 0


def test_a_voted_report_is_read_back_as_it_was(tmp_path: Path) -> None:
    report = report_of(tmp_path, {"p1": "PPP FFF FFP", "p2": "PxP PPP FPP"})
    text = report_to_json(report)

    assert report_to_json(report_from_json(text, name="r.json")) == text


@pytest.mark.parametrize("lang", LANGS)
def test_votes_are_shown_with_what_was_seen(tmp_path: Path, lang: Lang) -> None:
    page = report_to_markdown(report_of(tmp_path, {"p1": "PPP FFF FFP", "p2": "PxP PPP FPP"}), lang)

    assert {"en": "Judged pass rate", "zh": "投票通过率"}[lang] in page
    assert "It is polite." in page
    assert "an answer" in page
    assert {"en": "3 of 3, 0 of 3, 1 of 3", "zh": "3 票中 3 票、3 票中 0 票、3 票中 1 票"}[lang] in page
    assert {"en": "no verdict, 3 of 3, 2 of 3", "zh": "没有结论、3 票中 3 票、3 票中 2 票"}[lang] in page


def test_a_report_without_votes_says_nothing_of_them(tmp_path: Path) -> None:
    page = report_to_markdown(judged_report(tmp_path, [], judge_model=None), "en")

    assert "Judged pass rate" not in page


def test_where_no_vote_came_the_report_says_so(tmp_path: Path) -> None:
    report = report_of(tmp_path, dict.fromkeys(IDS, "xxx xxx xxx"))

    assert rate(report) == (0, 0)
    assert [note.code for note in report.reasons] == ["verdict_votes_none"]
    assert "calls of the judge failed" in report_to_markdown(report, "en")


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        (lambda outcome: outcome.update(passed=True), "/outcome/passed"),
        (lambda outcome: outcome.update(code="votes_for"), "/outcome/code"),
        (lambda outcome: outcome["evidence"].update(answers=["FAIL", "PASS", "FAIL"]), "/outcome/evidence/answers/1"),
        (lambda outcome: outcome["evidence"].update(votes=[False] * 2), "/outcome/evidence/votes"),
        (lambda outcome: outcome["evidence"].update(votes=["PASS"] * 3), "/outcome/evidence/votes"),
        (lambda outcome: outcome["evidence"].update(votes=[False, False, None]), "/outcome/evidence/failures"),
    ],
    ids=["passed", "code", "answers", "too-few", "no-votes", "no-failure"],
)
def test_votes_that_cannot_be_are_refused(tmp_path: Path, change: Any, pointer: str) -> None:  # noqa: ANN401
    content = json.loads(report_to_json(report_of(tmp_path, {"p1": "PPP FFF FFP"})))
    change(content["cases"][1]["runs"][1]["verdicts"][0]["outcome"])

    assert f"report-impossible /cases/1/runs/1/verdicts/0{pointer}" in refused(content)


def test_votes_without_a_judge_are_refused(tmp_path: Path) -> None:
    content = json.loads(report_to_json(report_of(tmp_path, {})))
    content["judge"], content["config"]["judge_model"] = None, None

    assert "report-impossible /cases/0/runs/0/verdicts/0/aspect" in refused(content)


def test_a_changed_count_of_votes_is_found(tmp_path: Path) -> None:
    content = json.loads(report_to_json(report_of(tmp_path, {"p1": "PPF PPP PPP"})))
    content["judge"]["votes"]["divided"]["numerator"] = 0
    content["splits"]["acceptance"]["metrics"]["judged_pass_rate"]["numerator"] = 2

    found = refused(content)
    assert "report-changed /judge/votes/divided/numerator" in found
    assert "report-changed /splits/acceptance/metrics/judged_pass_rate/numerator" in found


def test_votes_are_compared_where_the_judge_is_the_same(tmp_path: Path) -> None:
    old = report_of(tmp_path, {})
    new = report_of(tmp_path, {"p1": "FFF FFF FFF"})
    other = report_of(tmp_path, {"p1": "FFF FFF FFF"}, judge_model="judge-2")

    def change(report: Report) -> tuple[str, Sequence[str]]:
        changes = compare(report, old).changes[Split.ACCEPTANCE]
        return next((str(one.mark), one.why) for one in changes if one.name == "judged_pass_rate")

    assert change(new) == ("regressed", ())
    assert change(other) == ("not_comparable", ("judge",))
    assert "judged_pass_rate" in compare(new, old).paired[Split.ACCEPTANCE].changes
    assert "judged_pass_rate" not in compare(other, old).paired[Split.ACCEPTANCE].changes
