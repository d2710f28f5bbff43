"""What a user asks of a suite, and who is told how it goes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from skill_evaluator.formats.suite.suite import LoadedSuite
from skill_evaluator.grading.suite_scores import CaseScore
from skill_evaluator.model import Arm, AskedRun, Case
from skill_evaluator.report.words import Lang
from skill_evaluator.results.suite_result import RunOfCase, SuiteResult

Ablation = Literal["none", "with-without"]


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteOptions:
    """What the command line of `plugin-eval` says, checked.

    Attributes:
        suite: The suite, as it was read for the target with its filters.
        is_named: Whether the target was named as an installed plugin, not as a path.
        output_dir: Where result and report go; made when something is written.
        report: Where the HTML report goes instead, or None.
        json_file: Where `--json` writes the result too, or None.
        side_files: Where it is written in other formats, by option: `--junit`, `--csv`.
        runs: Runs of each arm in place of the cases' own, or None.
        concurrency: Runs under way at once, 1..8.
        model: Model of the agent in place of the cases' own, or None.
        judge_model: Model of the judge and of stand-ins that a model plays, or None for the agent's usual small one.
        ablation: One arm or two for all cases, or None for each case's default.
        threshold: Score from which a case passes, 0..1.
        max_cost_usd: Nothing new is started once so much is spent; None for no bound.
        allow_tools: Grants beyond reading, as written.
        disallow_tools: Tools that no run may call, as written.
        scaffold: Whether scaffold scripts are run.
        mocks: `record` for stand-ins, `off` for the plugin's real servers.
        allow_real_servers: Whether servers without a stand-in are really started.
        keep_temp: Whether the folders of runs are kept.
        agent: Who is asked.
        program: Path of Claude Code, or None to look for it.
        case_filter, tag_filters: As given, for the record; None where not given.
        lang: The language of the HTML report.
    """

    suite: LoadedSuite
    output_dir: Path
    report: Path | None = None
    json_file: Path | None = None
    side_files: Mapping[str, Path] = field(default_factory=dict)
    is_named: bool = False
    runs: int | None = None
    concurrency: int = 1
    model: str | None = None
    judge_model: str | None = None
    ablation: Ablation | None = None
    threshold: float = 1.0
    max_cost_usd: float | None = None
    allow_tools: Sequence[str] = ()
    disallow_tools: Sequence[str] = ()
    scaffold: bool = False
    mocks: Literal["record", "off"] = "record"
    allow_real_servers: bool = False
    keep_temp: bool = False
    agent: Literal["claude-code", "messages"] = "claude-code"
    program: str | None = None
    case_filter: str | None = None
    tag_filters: Sequence[str] | None = None
    lang: Lang = "en"


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannedCase:
    """A case as it will be run: `arms` in order, `runs` of each; `error` where every run fails before it starts."""

    case: Case
    arms: tuple[Arm, ...]
    runs: int
    error: str | None = None
    advisories: tuple[str, ...] = ()
    not_granted: tuple[str, ...] = ()

    @property
    def has_two_arms(self) -> bool:
        """Whether it is run without the plugin too."""
        return len(self.arms) > 1


class Listener(Protocol):
    """Is told how a suite goes; every method in the thread of the caller."""

    def planned(self, cases: Sequence[PlannedCase], *, ablation: Ablation, is_default: bool) -> None:
        """What is going to be run, before the first run."""
        ...

    def finished(self, planned: PlannedCase, asked: AskedRun, graded: RunOfCase, arm: Arm, index: int) -> None:
        """One run ended and was graded."""
        ...

    def case_done(self, planned: PlannedCase, score: CaseScore, *, runs: int, cost_usd: float) -> None:
        """All runs of a case ended; in the order of the cases."""
        ...

    def warned(self, message: str) -> None:
        """Something a reader must know, such as runs that ended on an API error."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class EvaluatedSuite:
    """What came of a suite.

    Attributes:
        result: The answer; None where nothing may be run.
        exit_status: 0, 1, 2, or one of `EXIT_BY_SIGNAL`.
        reasons: Why the status is not 0 although every case reached the threshold, one sentence each.
        remarks: What a reader must know that changes no status, one sentence each.
        kept: Temporary folders that were kept.
        report: The HTML report, where it was written.
        had_cases: Whether there was a case to run; without any, nothing is written but what `--json` asks for.
    """

    result: SuiteResult | None
    exit_status: int
    reasons: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    kept: tuple[Path, ...] = ()
    report: Path | None = None
    had_cases: bool = True
