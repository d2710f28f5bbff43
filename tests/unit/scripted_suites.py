"""Suites run by an agent and a judge that follow a script: no program is started, no server asked."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from skill_evaluator.api.plugin_eval.evaluation import Parts
from skill_evaluator.api.plugin_eval.execution import evaluate_with
from skill_evaluator.api.plugin_eval.options import Ablation, EvaluatedSuite, PlannedCase, SuiteOptions
from skill_evaluator.api.plugin_eval.plan import plan_suite
from skill_evaluator.formats.suite.suite import LoadedSuite, read_suite
from skill_evaluator.grading.suite_scores import CaseScore
from skill_evaluator.model import (
    AgentInfo,
    AnyQuestion,
    Arm,
    AskedRun,
    Case,
    Completer,
    Completion,
    Failure,
    FailureKind,
    Run,
    Usage,
)
from skill_evaluator.results.suite_result import RunOfCase
from tests.suite_files import lay_out
from tests.unit.suite_runs import assistant, text

Files = Mapping[str, str | bytes | None]
Answer = Callable[[Case, Arm, int], AskedRun]
MANIFEST = '{"name": "demo", "version": "0.1.0"}'
GRADER = "---\ntype: regex\n---\nhigh water\n"
JUDGED = "---\ntype: llm\n---\nPASS if it names a time.\n"
STARTED = datetime(2026, 5, 1, 8, 0, tzinfo=UTC)


def suite(root: Path, files: Files) -> LoadedSuite:
    """Read a plugin with a manifest and the files of its `evals/`."""
    return bare_suite(root, {".claude-plugin/plugin.json": MANIFEST, **files})


def bare_suite(root: Path, files: Files) -> LoadedSuite:
    """Read a suite with the files of its `evals/`; without a manifest among them there is no plugin."""
    below = {
        name.removeprefix("../") if name.startswith((".", "skills")) else f"evals/{name}": one
        for name, one in files.items()
    }
    loaded = read_suite(lay_out(root, below))
    assert isinstance(loaded, LoadedSuite), loaded
    return loaded


def case_files(name: str = "c", *, runs: int = 1, grader: str = GRADER, head: str = "") -> Files:
    """Give the files of one case."""
    return {
        f"{name}/prompt.md": f"---\nruns: {runs}\n{head}---\n\nWhen is high water?\n",
        f"{name}/graders/g.md": grader,
    }


def said(words: str = "high water at ten", *, cost_usd: float = 0.25) -> Answer:
    """Answer every run with these words."""

    def answer(case: Case, arm: Arm, index: int) -> AskedRun:
        run = Run(
            case_id=case.id, arm=arm, index=index, output=words, trace=(assistant(text(words)),), created_files=()
        )
        return AskedRun(run=run, turns=1, cost_usd=cost_usd, duration_s=1.0, started_at=STARTED)

    return answer


def failing(kind: FailureKind, words: str = "HTTP 400") -> Answer:
    """Fail every run."""

    def answer(case: Case, arm: Arm, index: int) -> AskedRun:
        asked = said()(case, arm, index)
        return replace(asked, run=replace(asked.run, failure=Failure(kind=kind, message=words)), error=words)

    return answer


@dataclass
class ScriptedAgent:
    """Answers as told; runs wait for their turn where a gate is given."""

    answer: Answer = field(default_factory=said)
    gate: Callable[[Case, Arm, int], float] = lambda *_: 0.0
    asked: list[tuple[str, Arm, int]] = field(default_factory=list)
    under_way: int = 0
    most_under_way: int = 0
    is_open: bool = False

    @property
    def info(self) -> AgentInfo:
        return AgentInfo(name="claude-code", settings={"version": "2.1.332"})

    async def __aenter__(self) -> Self:
        self.is_open = True
        return self

    async def __aexit__(self, *_: object) -> None:
        self.is_open = False

    async def ask(self, case: Case, arm: Arm, index: int) -> AskedRun:
        assert self.is_open
        self.asked.append((case.id, arm, index))
        self.under_way += 1
        self.most_under_way = max(self.under_way, self.most_under_way)
        try:
            await asyncio.sleep(self.gate(case, arm, index))
            return self.answer(case, arm, index)
        finally:
            self.under_way -= 1


@dataclass
class ScriptedJudge:
    """Answers questions one after another, the last answer again and again."""

    answers: Sequence[str | Failure] = ("PASS",)
    usage: Usage | None = field(default_factory=lambda: Usage(cost_usd=0.125))
    questions: list[AnyQuestion] = field(default_factory=list)

    @property
    def model(self) -> str:
        return "judge"

    async def complete(self, question: AnyQuestion) -> Completion:
        self.questions.append(question)
        answer = self.answers[min(len(self.questions), len(self.answers)) - 1]
        if isinstance(answer, Failure):
            return Completion(failure=answer)
        return Completion(text=answer, usage=self.usage)


@dataclass
class Heard:
    """Remembers what it is told."""

    lines: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    is_default: bool = False
    ablation: Ablation | None = None

    def planned(self, cases: Sequence[PlannedCase], *, ablation: Ablation, is_default: bool) -> None:
        self.ablation, self.is_default = ablation, is_default
        self.lines.append(f"planned {len(cases)}")

    def finished(self, planned: PlannedCase, asked: AskedRun, graded: RunOfCase, arm: Arm, index: int) -> None:
        assert asked.run.case_id == planned.case.id
        self.lines.append(f"{planned.case.id} {arm} {index} {graded.score}")

    def case_done(self, planned: PlannedCase, score: CaseScore, *, runs: int, cost_usd: float) -> None:
        self.lines.append(f"done {planned.case.id} {score.with_plugin.score} {runs} {cost_usd}")

    def warned(self, message: str) -> None:
        self.warnings.append(message)


@dataclass(frozen=True, kw_only=True)
class Ran:
    """What came of a scripted suite."""

    evaluated: EvaluatedSuite
    heard: Heard
    agent: ScriptedAgent


def run(
    loaded: LoadedSuite,
    output_dir: Path,
    *,
    agent: ScriptedAgent | None = None,
    judge: Completer | None = None,
    secrets: Sequence[str] = (),
    **asked: object,
) -> Ran:
    """Run a suite."""
    agent, heard = agent or ScriptedAgent(), Heard()
    options = replace(SuiteOptions(suite=loaded, output_dir=output_dir), **asked)  # type: ignore[arg-type]
    parts = Parts(agent=agent, judge=judge, secrets=secrets)
    return Ran(evaluated=evaluate_with(options, plan_suite(options), parts, heard), heard=heard, agent=agent)
