"""Reports of every kind for tests of what is shown: kept ones, and ones drawn by seed through the real pipeline.

A drawn report has cases of both classes or of their output alone, runs that fire or fail, checks that pass, fail or
cannot look, siblings, tags, costs and times, and now and then a judge or a baseline.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from skill_evaluator.api.measure import Measured, build_report
from skill_evaluator.journal import JournalEnd, JournalHeader
from skill_evaluator.model import (
    AgentInfo,
    Aspect,
    Case,
    Failure,
    FailureKind,
    Grader,
    Outcome,
    Run,
    Severity,
    Source,
    Split,
    ToolCall,
    Usage,
)
from skill_evaluator.results import Config, Interval, Panel, Report, SkillInfo, TestsetInfo
from tests.unit.judged_setup import fair, judged_cases, judged_report, panel
from tests.unit.output_only_setup import output_case, output_report
from tests.unit.page_reports import GOLDEN, OLDER, loaded, timed

SKILL, SIBLING = "map-maker", "town-history"


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """Passes where the output names the check, fails where it names it with `not`, and else cannot look."""

    name: str

    def check(self, run: Run) -> Outcome:
        said = str(run.output)
        if f"no {self.name}" in said:
            return Outcome(passed=False, code="contains_missing", message="Not there.", evidence={"missing": self.name})
        if self.name in said:
            return Outcome(passed=True, code="contains_ok", message="There.")
        return Outcome(passed=None, code="not_run", message="Could not look.")


def kept_reports() -> Iterator[tuple[str, Report]]:
    """Those of files: of this version with the times of each run, and of two earlier versions."""
    for path in sorted(GOLDEN.glob("*.json")):
        report = loaded(path)
        yield path.stem, report if report.agent.estimate else timed(report)
    yield "nearly", _nearly(timed(loaded(GOLDEN / "failing.json")))
    for name in ("version-1", "version-3"):
        yield name, loaded(OLDER / f"{name}.json")


def _nearly(report: Report) -> Report:
    """The same with shares so near to 0, to 1 and to what decides that rounding alone would hide it."""
    values = {"precision": 0.9968, "recall": 0.0004, "f1": 0.8496, "false_trigger_rate": 0.1004, "pass_hat_k": 0.995}
    acceptance = report.splits[Split.ACCEPTANCE]
    changed = {name: replace(acceptance.metrics[name], value=value) for name, value in values.items()}
    ends = Interval(low=0.0004, high=0.9996)
    changed["output_pass_rate"] = replace(acceptance.metrics["output_pass_rate"], interval=ends)
    split = replace(acceptance, metrics={**acceptance.metrics, **changed})
    return replace(report, splits={**report.splits, Split.ACCEPTANCE: split})


def made_reports(folder: Path) -> Iterator[tuple[str, Report]]:
    """Judged ones, one of outputs alone, and drawn ones; some beside a baseline."""
    old = judged_report(folder / "judged-old", [panel(fair([3, 4, 4]), case.id) for case in _positives()])
    yield "judged", judged_report(folder / "judged", [*_panels()], cases=_scored_by_people(), baseline=old)
    yield "unfit", judged_report(folder / "unfit", [panel(lambda _text, _place: 5, "p1")])
    letters = {"a": "rrr", "b": "rrw", "c": "wwu", "d": "rro", "e": "qrr", "f": "ooo", "g": "rnr"}
    cases = [output_case(name, tags=("ui",) if name in "abe" else ()) for name in letters]
    cases[1] = replace(cases[1], split=Split.TUNING)
    before = output_report(folder / "outputs-old", dict.fromkeys(letters, "rrr"), cases=cases)
    yield "outputs", output_report(folder / "outputs", letters, cases=cases, version="2", baseline=before)
    yield "drawn, of more than a page", drawn_report(folder, 0, cases=64, runs=4, errors=0.02, with_baseline=True)
    yield "drawn, small", drawn_report(folder, 1, cases=13, runs=3, errors=0.0, with_baseline=True)
    yield "drawn, of two runs", drawn_report(folder, 2, cases=8, runs=2, errors=0.0)
    yield "drawn, broken", drawn_report(folder, 3, cases=7, runs=2, errors=0.6)


def _positives() -> Sequence[Case]:
    return [case for case in judged_cases({"clarity": 4}) if case.expect_trigger]


def _scored_by_people() -> Sequence[Case]:
    return [
        replace(case, human_scores={"clarity": 3 + int(case.id[1]) % 3}) if case.rubric else case for case in _all()
    ]


def _all() -> Sequence[Case]:
    return judged_cases({"clarity": 4, "tone": 3})


def _panels() -> Iterator[Panel]:
    for place, case in enumerate(_positives()):
        worth = [3 + place % 3, 4, 5 - place % 2]
        yield panel(fair(worth, [2, 3, 4]), case.id, baseline=3, seed=place)
        yield panel(fair([3, 2, 4]), case.id, "tone", seed=place)


def drawn_report(
    folder: Path, seed: int, *, cases: int, runs: int, errors: float, with_baseline: bool = False
) -> Report:
    """Draw a report; its baseline asked the same cases of an earlier version of the skill.

    Args:
        folder: For run folders.
        seed: Another report for each.
        cases: How many.
        runs: Of each case.
        errors: The share of runs that fail.
        with_baseline: Whether it is held against one.
    """
    draw = random.Random(seed)  # noqa: S311 - cases, no secret
    asked = [_case(number, draw) for number in range(cases)]
    plan = _Plan(runs=runs, errors=errors)
    old = _report(folder / f"{seed}-old", asked, plan, draw, version="1") if with_baseline else None
    return _report(folder / str(seed), asked, plan, draw, version="2", baseline=old)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Plan:
    runs: int
    errors: float


def _case(number: int, draw: random.Random) -> Case:
    expected = number % 2 == 0
    asks = draw.sample(("output", "params", "tool_order"), draw.randrange(3)) if expected else ()
    graders = tuple(Grader(name=f"has {name}", check=Found(name=name), aspect=Aspect(name)) for name in asks)
    shown = Grader(name="shown", check=Found(name="output"), severity=Severity.REPORT)
    return Case(
        id=f"case-{'abcdefgh'[number % 8]}{'xyz'[number // 8 % 3]}{'klm'[number // 24]}",
        prompt=f"words of {'nopqrstu'[number % 8]}",
        split=tuple(Split)[number // 2 % 2],
        expect_trigger=expected,
        sha256=f"{number}",
        prompt_sha256=f"{number}",
        source=Source(path="t.jsonl", line=number + 1),
        graders=(*graders, shown) if draw.random() < 0.1 else graders,
        tags=tuple(draw.sample(("near", "far"), draw.randrange(3))),
        expected_skill=None if expected or draw.random() < 0.5 else SIBLING,
    )


def _report(
    folder: Path,
    cases: Sequence[Case],
    plan: _Plan,
    draw: random.Random,
    *,
    version: str,
    baseline: Report | None = None,
) -> Report:
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("run.json", "testset.json", "journal.jsonl"):
        (folder / name).write_bytes(b"")
    good = draw.choice((0.5, 0.8, 0.97))
    header = JournalHeader(
        agent=AgentInfo(name="messages", model="agent-one", settings={"neighbours": [SIBLING]}),
        skill=SkillInfo(name=SKILL, version=version, description="d", sha256=version * 64, files=("SKILL.md",)),
        testset=TestsetInfo(name="t", sha256="b", split_sha256=dict.fromkeys(Split, "c"), cases=len(cases)),
        config=Config(runs=plan.runs, seed=0, pass_threshold=draw.choice((0.85, 0.875, 0.9))),
        timestamp=f"2026-01-0{version}T03:04:05Z",
        skill_path="s/SKILL.md",
        testset_path="t.jsonl",
        concurrency=1,
        testset_file_sha256="d",
    )
    measured = Measured(
        header=header,
        end=JournalEnd(duration_s=draw.choice((12.34, 75.06, 4_000.0))),
        cases=cases,
        runs={case.id: [_run(case, index, good, plan, draw) for index in range(plan.runs)] for case in cases},
        run_dir=folder,
        baseline=baseline,
    )
    return build_report(measured)


def _run(case: Case, index: int, good: float, plan: _Plan, draw: random.Random) -> Run:
    if draw.random() < plan.errors:
        failure = Failure(kind=draw.choice((FailureKind.TIMEOUT, FailureKind.API)), message="no answer")
        return Run(case_id=case.id, index=index, failure=failure, duration_s=draw.uniform(1, 9))
    fired = case.expect_trigger if draw.random() < good else not case.expect_trigger
    said = {True: "{}", False: "no {}", None: ""}
    looks = draw.choices((True, False, None), weights=(8, 2, 1), k=3)
    other = draw.choice(((), (SIBLING,)))
    return Run(
        case_id=case.id,
        index=index,
        triggered=fired,
        output=" ".join(
            said[passed].format(name) for passed, name in zip(looks, ("output", "params", "tool_order"), strict=True)
        ),
        skills_invoked=(SKILL,) if fired else other,
        tool_calls=(ToolCall(name="Read", arguments={}),),
        duration_s=draw.uniform(0.01, 30),
        usage=Usage(
            input_tokens=draw.randrange(100, 90_000),
            output_tokens=draw.randrange(10, 2_000),
            cost_usd=draw.choice((0.00003, 0.0123, 1.5)) if draw.random() < good else None,
            requests=1,
        ),
    )
