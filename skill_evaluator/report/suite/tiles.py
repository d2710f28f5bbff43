"""The main numbers of a suite, each with its interval and what it is held against."""

from collections.abc import Iterator
from dataclasses import dataclass

from skill_evaluator.grading.suites import plain_sum
from skill_evaluator.metrics.suite_notes import as_measured
from skill_evaluator.report.escape import Md
from skill_evaluator.report.page.charts import Strip
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.suite.figures import UNDEFINED, between, duration, fraction, money, share, signed
from skill_evaluator.report.suite.overview import all_runs, threshold
from skill_evaluator.results import Confusion, Interval, Metric
from skill_evaluator.results.suite_result import SuiteMeasures, SuiteResult

_RATES = ("precision", "recall", "false_trigger_rate")


@dataclass(frozen=True, kw_only=True, slots=True)
class Tile:
    """One main number; `detail` says how far it can be trusted, or is None; `strip` is drawn, or is None."""

    label: Md
    value: Md
    detail: Md | None = None
    strip: Strip | None = None


def tiles(result: SuiteResult, measures: SuiteMeasures, say: Phrases) -> Iterator[Tile]:
    """Give the main numbers."""
    yield _score(result, measures, say)
    yield from _tiles_of_arms(result, measures, say)
    yield from _counts(result, say)
    yield from (_rate(name, measures, say) for name in _RATES)
    if (other := measures.other_skill) is not None and other.of:
        yield _counted("other_skill", len(other.cases), other.of, say("suite.other_skill_detail"), say)
    detail = say("suite.cost_detail", price=cost_words(result, say), duration=duration(result.duration_s, say))
    yield Tile(label=say("suite.cost"), value=money(result.cost_usd), detail=detail)


def cost_words(result: SuiteResult, say: Phrases) -> Md:
    """Say what the cost of a suite holds."""
    judge = plain_sum([run.judge_cost_usd for run in all_runs(result)])
    return say("suite.list_price_judge", judge=money(judge)) if judge else say("suite.list_price")


def _score(result: SuiteResult, measures: SuiteMeasures, say: Phrases) -> Tile:
    score = as_measured(result.numbers.score, *(case.with_plugin for case in result.cases))
    interval = None if measures.score is None else measures.score.interval
    return Tile(
        label=say("suite.score"),
        value=share(score),
        detail=between(interval, say),
        strip=_strip(score, interval, limit=result.settings.threshold),
    )


def _tiles_of_arms(result: SuiteResult, measures: SuiteMeasures, say: Phrases) -> Iterator[Tile]:
    baselines = [as_measured(case.numbers.score_without, case.without_plugin) for case in result.cases]
    compared = [baseline for baseline in baselines if baseline is not None]
    if result.settings.ablation != "with-without" and not compared:
        return
    yield _delta(result, measures.delta, say)
    baseline = plain_sum(compared) / len(compared) if compared else None
    detail = say("suite.without_detail", cases=len(compared))
    yield Tile(
        label=say("suite.without"),
        value=share(baseline),
        detail=detail,
        strip=_strip(baseline, None, limit=result.settings.threshold),
    )


def _delta(result: SuiteResult, measured: Metric | None, say: Phrases) -> Tile:
    interval = None if measured is None else measured.interval
    delta, shown = as_measured(result.numbers.mean_delta, all_runs(result)), between(interval, say, is_difference=True)
    detail = say("suite.delta_detail_interval", interval=shown) if shown else say("suite.delta_detail")
    strip = _strip(delta, interval, low=-1.0, limit=0.0)
    return Tile(label=say("suite.delta"), value=signed(delta), detail=detail, strip=strip)


def _counts(result: SuiteResult, say: Phrases) -> Iterator[Tile]:
    numbers = result.numbers
    detail = say("suite.at_threshold_detail", threshold=threshold(result))
    yield _counted("at_threshold", numbers.cases_passed, numbers.cases_total, detail, say)
    runs = [run for case in result.cases for run in case.with_plugin]
    yield _counted("perfect", sum(run.passed for run in runs), len(runs), say("suite.perfect_detail"), say)


def _counted(key: str, number: int, of: int, detail: Md, say: Phrases) -> Tile:
    return Tile(label=say(f"suite.{key}"), value=Md(f"{number}/{of}"), detail=detail)


def _rate(name: str, measures: SuiteMeasures, say: Phrases) -> Tile:
    metric, label = measures.trigger.get(name), say(f"suite.{name}")
    if metric is None or metric.value is None:
        return Tile(label=label, value=UNDEFINED, detail=say(f"suite.undefined_{_why(name, measures.counts)}"))
    return Tile(
        label=label,
        value=fraction(metric),
        detail=between(metric.interval, say),
        strip=_strip(metric.value, metric.interval),
    )


def _why(name: str, counts: Confusion) -> str:
    """Why a rate is undefined."""
    told = counts.true_positives + counts.false_negatives + counts.false_positives + counts.true_negatives
    if told == 0:
        return "unmeasured" if counts.unmeasured else "untold"
    return name


def _strip(
    value: float | None, interval: Interval | None, *, low: float = 0.0, limit: float | None = None
) -> Strip | None:
    if value is None:
        return None
    ends = None if interval is None else (interval.low, interval.high)
    return Strip(low=low, value=value, interval=ends, limit=limit)
