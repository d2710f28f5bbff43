"""What a trend has to know of a saved result, of either kind."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import Protocol

from skill_evaluator.compare.conditions import BY_CHECK, TOUCHED_BY, differences
from skill_evaluator.compare.suite_conditions import TOUCHES, model_of
from skill_evaluator.compare.suite_conditions import differences as suite_differences
from skill_evaluator.compare.suites import suite_metrics
from skill_evaluator.metrics.result_measures import measures_of_result
from skill_evaluator.metrics.standing import Standing, standing
from skill_evaluator.metrics.suite_pairing import pair_suites
from skill_evaluator.model import Split
from skill_evaluator.results import Metric, Note, Report, ReportVerdict
from skill_evaluator.results.suite_result import SuiteResult
from skill_evaluator.results.trends import Kind


class Side(Protocol):
    """A saved result.

    Attributes:
        file: As the user named it.
        kind: Which kind of file it is.
        fingerprint: Equal for two copies of one result.
        why_not: Why it can be on no line; empty for a whole one.
        metrics: Those of the acceptance split, or of the suite.
    """

    file: str
    kind: Kind
    fingerprint: str
    subject: str
    agent: str
    model: str | None
    is_estimate: bool
    threshold: float
    timestamp: str
    versions: tuple[str, ...]
    sha256: str | None
    verdict: str | None
    why_not: tuple[Note, ...]

    @property
    def metrics(self) -> Mapping[str, Metric]:
        """All numbers that a line shows, by name."""
        ...

    def differs(self, other: "Side") -> frozenset[str]:
        """Codes of what forbids to hold some number of the one against the other."""
        ...

    def touched_by(self, name: str) -> frozenset[str]:
        """The codes that forbid it for one metric."""
        ...


class ReportSide:
    """A report of `run`; of its runs nothing is kept, so that many fit into memory."""

    kind: Kind = "run"

    def __init__(self, file: str, report: Report) -> None:
        self.file = file
        self.subject = report.skill.name
        self.agent, self.model = report.agent.name, report.agent.model
        self.is_estimate = report.agent.estimate
        self.threshold = report.config.pass_threshold
        self.timestamp = report.timestamp
        self.versions: tuple[str, ...] = (report.skill.version,)
        self.sha256: str | None = report.skill.sha256
        self.verdict: str | None = str(report.verdict)
        self.why_not = tuple(_why_no_report(report))
        self.fingerprint = _fingerprint(report)
        self.report = replace(report, cases=tuple(replace(case, runs=()) for case in report.cases))

    @property
    def metrics(self) -> Mapping[str, Metric]:
        """Those of the acceptance split, and its times."""
        latency = self.report.volatile.latency.get(Split.ACCEPTANCE, {})
        return {**self.report.splits[Split.ACCEPTANCE].metrics, **latency}

    def differs(self, other: Side) -> frozenset[str]:
        """As `compare` has it, for the acceptance split."""
        if not isinstance(other, ReportSide):
            return frozenset({"kind"})
        return differences(self.report, other.report, Split.ACCEPTANCE)

    def touched_by(self, name: str) -> frozenset[str]:
        """As `compare` has it."""
        return frozenset(TOUCHED_BY.get(name, BY_CHECK))


class SuiteSide:
    """The result of an eval suite."""

    kind: Kind = "suite"
    is_estimate = False
    sha256: str | None = None
    verdict: str | None = None

    def __init__(self, file: str, result: SuiteResult) -> None:
        self.file = file
        plugins = result.settings.plugins
        self.subject = ", ".join(plugin.name for plugin in plugins) or result.settings.root
        self.agent = f"{measures_of_result(result).agent} {result.claude_version}".strip()
        self.model = model_of(result)
        self.threshold = result.settings.threshold
        self.timestamp = result.started_at.strftime("%Y-%m-%dT%H:%M:%SZ")
        self.versions = tuple(plugin.version for plugin in plugins if plugin.version)
        self.why_not = tuple(_why_no_suite(result))
        self.fingerprint = f"{result.started_at.isoformat()} {result.duration_s} {result.cost_usd}"
        self.result = result

    @cached_property
    def metrics(self) -> Mapping[str, Metric]:
        """The numbers that `compare` holds against each other."""
        return suite_metrics(self.result)

    def differs(self, other: Side) -> frozenset[str]:
        """As `compare` has it."""
        if not isinstance(other, SuiteSide):
            return frozenset({"kind"})
        return suite_differences(self.result, other.result, pair_suites(self.result, other.result))

    def touched_by(self, name: str) -> frozenset[str]:
        """As `compare` has it."""
        return frozenset(TOUCHES.get(name, ()))


def _fingerprint(report: Report) -> str:
    """What two results of one run share, and no two runs do but in tests: two files of one report are one result."""
    values = [metric.value for split in Split for metric in report.splits[split].metrics.values()]
    measured = (report.timestamp, report.agent.name, report.agent.model, report.skill.sha256, report.testset.sha256)
    return repr((*measured, report.config, report.verdict, values))


def _why_no_report(report: Report) -> Iterator[Note]:
    if report.verdict is ReportVerdict.INVALID:
        yield Note(code="invalid")
    if report.verdict is ReportVerdict.DRAFT:
        yield Note(code="draft")
    if report.stopped_by is not None:
        yield Note(code="partial", values={"by": report.stopped_by})
    if not _is_time(report.timestamp):
        yield Note(code="no_time")
    judge = report.judge
    if judge is not None and (judge.votes.asked < judge.votes.planned or standing(judge) is Standing.UNASKED):
        yield Note(code="judge_skipped")


def _is_time(timestamp: str) -> bool:
    """Whether it is UTC as reports write it; texts of that form sort as the times do."""
    try:
        return timestamp.endswith("Z") and datetime.strptime(timestamp, "%Y-%m-%dT%H:%M:%S%z") is not None
    except ValueError:
        return False


def _why_no_suite(result: SuiteResult) -> Iterator[Note]:
    if result.partial_reason is not None:
        yield Note(code="partial_suite", values={"by": result.partial_reason})
    if not any(case.with_plugin for case in result.cases):
        yield Note(code="nothing_ran")
    arms = (run for case in result.cases for run in (*case.with_plugin, *(case.without_plugin or ())))
    skipped = sum(bool(run.skipped_paid_graders) for run in arms)
    if skipped:
        yield Note(code="graders_skipped", values={"runs": skipped})
