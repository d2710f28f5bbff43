"""Cases that do not say whether the skill should fire, scripted runs of them, and the report that they make.

A run is written as one letter:

    r   right, the skill fired          q   right, the skill did not fire
    w   wrong, the skill fired          n   wrong, the skill did not fire
    u   right, unknown whether it fired
    o   open: the hard check that can tell is passed, the other cannot decide
    s   nothing to say: no hard check can decide
    e   the run failed
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from skill_evaluator.api.measure import Measured, build_report
from skill_evaluator.graders.text import NotContains
from skill_evaluator.grading import grade_run
from skill_evaluator.journal import JournalEnd, JournalHeader
from skill_evaluator.metrics.cases import case_result
from skill_evaluator.model import (
    AgentInfo,
    Case,
    Failure,
    FailureKind,
    Grader,
    Outcome,
    Run,
    Severity,
    Source,
    Split,
    Usage,
)
from skill_evaluator.results import CaseResult, Config, Report, SkillInfo, TestsetInfo

FIRED = {"r": True, "w": True, "q": False, "n": False, "u": None, "o": True, "s": True, "e": None}
OUTPUTS = {"r": "%s there!", "q": "%s there!", "u": "%s there!", "w": "there!", "n": "there!", "o": "%s 5?", "s": "5?"}
UNDECIDED = Outcome(passed=None, code="number_undecided", message="Nobody can tell whether 5 is a number.")


@dataclass(frozen=True, kw_only=True, slots=True)
class Keeps:
    """Passes with the placeholder, fails without, and cannot tell where the text is `5?` alone."""

    def check(self, run: Run) -> Outcome:
        if run.output == "5?":
            return UNDECIDED
        if "%s" in str(run.output):
            return Outcome(passed=True, code="ok", message="Every placeholder is there.")
        return Outcome(
            passed=False,
            code="placeholder_missing",
            message="Expected placeholder '%s' is missing.",
            evidence={"expected": ["%s"], "actual": []},
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Numbers:
    """Cannot tell where a 5 is in the text."""

    def check(self, run: Run) -> Outcome:
        return UNDECIDED if "5" in str(run.output) else Outcome(passed=True, code="ok", message="No number.")


GRADERS = (
    Grader(name="placeholder_integrity", check=Keeps()),
    Grader(name="number_fidelity", check=Numbers()),
)
SHOWN = Grader(name="max_chars", check=NotContains(text="!"), severity=Severity.REPORT)


def output_case(
    name: str, *graders: Grader, split: Split = Split.ACCEPTANCE, sha256: str = "", tags: tuple[str, ...] = ()
) -> Case:
    """A case with the usual two hard checks where none are given."""
    return Case(
        id=name,
        prompt=f"Translate {name}.",
        split=split,
        expect_trigger=None,
        sha256=sha256 or f"{name} as written",
        prompt_sha256=f"hash of {name}",
        source=Source(path="dev/a.jsonl", line=1),
        graders=graders or GRADERS,
        tags=tags,
    )


def output_runs(name: str, letters: str) -> tuple[Run, ...]:
    return tuple(_run(name, index, letter) for index, letter in enumerate(letters))


def _run(name: str, index: int, letter: str) -> Run:
    failed = letter == "e"
    return Run(
        case_id=name,
        index=index,
        triggered=FIRED[letter],
        output=None if failed else f"\n{OUTPUTS[letter]}\n",
        failure=Failure(kind=FailureKind.TIMEOUT, message="after 300 s") if failed else None,
        duration_s=2.0 + index,
        usage=None if failed else Usage(input_tokens=100, output_tokens=10 * (index + 1), cost_usd=0.01),
    )


def output_result(letters: str, *graders: Grader, name: str = "c", planned: int | None = None) -> CaseResult:
    """Grade the runs of one case and put them together."""
    case = output_case(name, *graders)
    graded = [(run, grade_run(case, run)) for run in output_runs(name, letters)]
    return case_result(case, graded, planned_runs=planned or len(letters))


def output_report(  # noqa: PLR0913 - what tests vary, one by one
    folder: Path,
    letters: Mapping[str, str],
    *,
    cases: Sequence[Case] = (),
    runs: int = 3,
    threshold: float = 1.0,
    agent: AgentInfo | None = None,
    version: str = "1",
    baseline: Report | None = None,
    on_shared_cases: bool = False,
    config: Config | None = None,
) -> Report:
    """Make a report of cases by the letters of their runs.

    Args:
        folder: For the run folder.
        letters: By case.
        cases: The cases in order; the usual ones where none are given.
        runs: Runs planned.
        threshold: Share of right cases that passes.
        agent: Who answered.
        version: Of the skill.
        baseline: An earlier report.
        on_shared_cases: Whether to compare over the shared cases alone.
        config: All options, in place of runs and threshold.
    """
    folder.mkdir(exist_ok=True)
    for name in ("run.json", "testset.json", "journal.jsonl"):
        (folder / name).write_bytes(b"")
    asked = cases or [output_case(name) for name in letters]
    header = JournalHeader(
        agent=agent or AgentInfo(name="messages", model="agent-1"),
        skill=SkillInfo(name="s", version=version, description="d", sha256=version * 64, files=("SKILL.md",)),
        testset=TestsetInfo(name="t", sha256="b", split_sha256=dict.fromkeys(Split, "c"), cases=len(asked)),
        config=config or Config(runs=runs, seed=0, pass_threshold=threshold),
        timestamp=f"2026-01-02T03:04:0{version}Z",
        skill_path="s/SKILL.md",
        testset_path="cases",
        concurrency=1,
        testset_file_sha256="d",
    )
    measured = Measured(
        header=header,
        end=JournalEnd(duration_s=1.0),
        cases=asked,
        runs={case.id: output_runs(case.id, letters.get(case.id, "")) for case in asked},
        run_dir=folder,
        baseline=baseline,
        on_shared_cases=on_shared_cases,
    )
    return build_report(measured)
