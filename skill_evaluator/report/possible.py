"""What no run can leave in a report, whatever its cases are: the ground that the other checks stand on."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from skill_evaluator.metrics.aspects import is_valid
from skill_evaluator.metrics.failed import failed_cases
from skill_evaluator.model import Split, Usage
from skill_evaluator.report.differences import TOLERANCE, escaped
from skill_evaluator.report.impossible_pairs import impossible_pairs
from skill_evaluator.report.possible_advice import impossible_advice
from skill_evaluator.report.possible_judge import impossible_judge
from skill_evaluator.results import Canary, CanaryState, CaseResult, Interval, Metric, MetricChange, Report, Volatile
from skill_evaluator.skill_names import is_target, plain_name, scored_siblings
from skill_evaluator.texts import tr

_MOST = 1e15  # tokens, dollars or seconds of one run
_EMBEDDED = "embedded"
_BY_CANARY = "canary"

Impossible = tuple[str, object, str]  # JSON pointer, what stands there, the rule it breaks


def impossibilities(report: Report) -> Iterator[Impossible]:
    """Everything that cannot be, whatever the runs were; in no case may the rest be worked out from it."""
    yield from _settings(report)
    yield from _canary(report.canary, report)
    yield from _calls(report.volatile)
    yield from _ids(report)
    for place, case in enumerate(report.cases):
        yield from _runs(case, report.config.runs, f"/cases/{place}")
        yield from _sibling(case, report, f"/cases/{place}/expected_skill")
    for split, result in report.splits.items():
        yield from _intervals(f"/splits/{split}", result.metrics)
        yield from _intervals(f"/splits/{split}", result.run_metrics, key="run_metrics")
        for tag, tagged in result.tags.items():
            yield from _intervals(f"/splits/{split}/tags/{escaped(tag)}", tagged.metrics)
    yield from impossible_judge(report)
    yield from impossible_advice(report)
    yield from _times(report)
    yield from _durations(report)
    yield from _old_values(report)


def _settings(report: Report) -> Iterator[Impossible]:
    if report.agent.name == _EMBEDDED and not report.agent.estimate:
        yield "/agent/estimate", False, tr("the embedded agent asks no model, so that it only estimates")
    if report.volatile.duration_s is not None and not _is_amount(report.volatile.duration_s):
        yield "/volatile/duration_s", report.volatile.duration_s, tr("a time is a number of seconds from 0")


def _canary(canary: Canary, report: Report) -> Iterator[Impossible]:
    failed = canary.state is CanaryState.FAILED
    if failed is not bool(canary.faults):
        yield "/canary/faults", canary.faults, tr("a canary has faults when it failed, and then only")
    if failed is not (report.stopped_by == _BY_CANARY):
        yield (
            "/canary/state",
            canary.state,
            tr("a canary that failed stops the run; it was stopped by {stopped_by}", stopped_by=report.stopped_by),
        )
    if canary.state is CanaryState.UNFINISHED and report.stopped_by is None:
        yield "/canary/state", canary.state, tr("a run that goes to its end has its canary's answer")
    if report.agent.name == _EMBEDDED and canary.state is not CanaryState.NOT_NEEDED:
        yield "/canary/state", canary.state, tr("the embedded agent asks nobody, so that it needs no canary")


def _calls(volatile: Volatile) -> Iterator[Impossible]:
    calls, retries, spent_usd = volatile.calls, volatile.retries, volatile.spent_usd
    if calls is not None and not 0 <= calls <= _MOST:
        yield "/volatile/calls", calls, tr("calls are counted from 0")
    if retries is not None and not 0 <= retries <= (calls or 0):
        yield "/volatile/retries", retries, tr("they are some of the {calls} calls", calls=calls)
    if spent_usd is not None and spent_usd < 0:
        yield "/volatile/spent_usd", spent_usd, tr("costs are counted from 0")


def _ids(report: Report) -> Iterator[Impossible]:
    counts = Counter(case.id for case in report.cases)
    for place, case in enumerate(report.cases):
        if counts[case.id] > 1:
            yield f"/cases/{place}/id", case.id, tr("an id stands once in a test set")


def _sibling(case: CaseResult, report: Report, pointer: str) -> Iterator[Impossible]:
    name, siblings = case.expected_skill, scored_siblings(report.agent)
    if name is None:
        return
    if case.expect_trigger is not False or is_target(name, report.skill.name):
        yield pointer, name, tr("another skill is expected only where the one under test is not")
    if siblings is not None and plain_name(name) not in siblings:
        yield pointer, name, tr("a skill that was not installed beside it, or not asked of a model, cannot be expected")


def _runs(case: CaseResult, planned: int, pointer: str) -> Iterator[Impossible]:
    if case.planned_runs != planned:
        yield f"{pointer}/planned_runs", case.planned_runs, tr("config.runs asks for {planned}", planned=planned)
    before = -1
    for place, run in enumerate(case.runs):
        if not before < run.index < planned:
            rule = tr("repetitions are numbered from 0, each once, in order, below {planned}", planned=planned)
            yield f"{pointer}/runs/{place}/index", run.index, rule
        before = run.index
        if run.usage and not _is_usage(run.usage):
            yield f"{pointer}/runs/{place}/usage", run.usage, tr("tokens and costs are numbers from 0")
    if not _has_evidence(case):
        yield f"{pointer}/runs", tr("the evidence of a check"), tr("a check that failed leaves what it asked for")


def _has_evidence(case: CaseResult) -> bool:
    try:
        failed_cases([case])
    except (LookupError, TypeError):  # evidence is free JSON, and this is what reading it by key can raise
        return False
    return True


def _is_usage(usage: Usage) -> bool:
    amounts = (usage.input_tokens, usage.output_tokens, usage.cost_usd)
    return all(_is_amount(amount) for amount in amounts if amount is not None)


def _is_amount(value: float) -> bool:
    return 0 <= value <= _MOST


def _intervals(pointer: str, metrics: Mapping[str, Metric], key: str = "metrics") -> Iterator[Impossible]:
    for name, metric in metrics.items():
        if metric.interval is not None and not _is_possible(metric.interval):
            place = f"{pointer}/{key}/{escaped(name)}/interval"
            yield place, metric.interval, tr("an interval goes from low to high within 0..1")


def _is_possible(interval: Interval) -> bool:
    return -TOLERANCE <= interval.low <= interval.high <= 1 + TOLERANCE


def _durations(report: Report) -> Iterator[Impossible]:
    """Each case that has runs has as many times, where any are kept."""
    durations_s = report.volatile.durations_s
    runs = {case.id: len(case.runs) for case in report.cases} if durations_s else {}
    for case_id in dict.fromkeys((*runs, *durations_s)):
        found, pointer = durations_s.get(case_id, ()), f"/volatile/durations_s/{escaped(case_id)}"
        if len(found) != runs.get(case_id, 0):
            yield pointer, len(found), f"the case has {runs.get(case_id, 0)} runs"
        for place, one in enumerate(found):
            if one is not None and not _is_amount(one):
                yield f"{pointer}/{place}", one, "a time is a number of seconds from 0"


def _times(report: Report) -> Iterator[Impossible]:
    for split, metrics in report.volatile.latency.items():
        cases = (case for case in report.cases if case.split is split)
        valid = sum(is_valid(run.state, expected=case.expect_trigger) for case in cases for run in case.runs)
        for name, metric in metrics.items():
            pointer = f"/volatile/latency/{split}/{escaped(name)}"
            if not 0 <= (metric.denominator or 0) <= valid:
                yield f"{pointer}/denominator", metric.denominator, tr("the split has {valid} valid runs", valid=valid)
            if (metric.value is not None) is not bool(metric.denominator):
                yield (
                    f"{pointer}/value",
                    metric.value,
                    tr("it is taken over {denominator} runs", denominator=metric.denominator),
                )
            if metric.value is not None and not _is_amount(metric.value):
                yield f"{pointer}/value", metric.value, tr("a time is a number of seconds from 0")
        half, most = (metrics[name].value if name in metrics else None for name in ("latency_p50", "latency_p95"))
        if half is not None and most is not None and half > most:
            yield (
                f"/volatile/latency/{split}/latency_p50",
                half,
                tr("the median lies below the 95th percentile, {most}", most=most),
            )


def _old_values(report: Report) -> Iterator[Impossible]:
    if report.comparison:
        yield from _old("/comparison/changes", report.comparison.changes)
        yield from impossible_pairs(report.comparison)
    yield from _old("/volatile/comparison", report.volatile.comparison)


def _old(pointer: str, changes: Mapping[Split, Sequence[MetricChange]]) -> Iterator[Impossible]:
    numbered = chain.from_iterable(
        ((f"{pointer}/{split}/{place}/old", change) for place, change in enumerate(listed))
        for split, listed in changes.items()
    )
    for place, change in numbered:
        if change.old is not None and not (0 <= change.old <= (1 if change.unit == "ratio" else _MOST)):
            yield place, change.old, tr("rates are 0..1, and all else is a number from 0")
