"""A report on half a screen of a terminal: the verdict, the acceptance metrics, what failed first, and what to try."""

from collections.abc import Iterator
from dataclasses import dataclass

from skill_evaluator.model import Split
from skill_evaluator.report import footer, headline, numbers
from skill_evaluator.report.advice import foremost, proposal
from skill_evaluator.report.escape import Md, Table, cut_middle, table, visible
from skill_evaluator.report.limits import beside_limit, limit_of
from skill_evaluator.report.phrases import Phrases, phrases
from skill_evaluator.report.scores import TRIGGER_METRICS, cases_of, counts, metrics_of, shown
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Change, Metric, MetricChange, Report, ReportVerdict

_MOST_ROWS = 9  # with all else they leave room for the question, in 24 lines
_MOST_NAMED = 3
_LONGEST_ID = 40  # characters
_MOST_REASONS = 3
_MINUTE_S = 60
_OF_OTHER_KINDS = frozenset({"latency_p50", "latency_p95", "input_tokens", "output_tokens", "cost_usd"})


@dataclass(frozen=True, kw_only=True, slots=True)
class CompactView:
    """A report in a few lines of plain words.

    Attributes:
        head: What was scored, and with what.
        warning: That no model was run, or None.
        result: The verdict.
        reasons: Why nothing was measured; empty where something was.
        metrics: Of the acceptance cases: metric, value, count, interval, requirement, and with a baseline the change;
            None where there is no score.
        failed: How many cases failed in each split, and the first of them.
        suggestion: The first of them, or None.
        spent: What it cost, and how long it took; None where neither is known.
    """

    head: Md
    warning: Md | None
    result: Md
    reasons: tuple[Md, ...]
    metrics: Table | None
    failed: tuple[Md, ...]
    suggestion: Md | None
    spent: Md | None


def compact_view(report: Report, lang: Lang) -> CompactView:
    """Word what whoever waits for a report wants to know first.

    Args:
        report: Any report; an INVALID one shows no score.
        lang: The language of the words.
    """
    say = phrases(lang, "plain")
    is_scored = report.verdict is not ReportVerdict.INVALID
    return CompactView(
        head=_head(report, say),
        warning=say("compact.estimate") if report.agent.estimate else None,
        result=say.together(headline.result(report, say), headline.missing(report, say)),
        reasons=() if is_scored else tuple(_reasons(report, say)),
        metrics=_metrics(report, say) if is_scored and cases_of(report, Split.ACCEPTANCE) else None,
        failed=tuple(_failed(report, say)),
        suggestion=_suggestion(report, say),
        spent=_spent(report, say),
    )


def _head(report: Report, say: Phrases) -> Md:
    by = say("compact.by_rules", agent=_bare(report.agent.name), rules=_bare(report.agent.model or ""))
    if not report.agent.estimate:
        model = footer.model(report, say)
        shown_ = model if isinstance(model, Md) else _bare(model)
        by = say("compact.by_model", agent=_bare(report.agent.name), model=shown_)
    return say(
        "compact.head",
        name=_bare(report.skill.name),
        version=_bare(report.skill.version),
        by=by,
        cases=report.testset.cases,
        runs=report.config.runs,
    )


def _reasons(report: Report, say: Phrases) -> Iterator[Md]:
    for note in report.reasons[:_MOST_REASONS]:
        yield say.coded("note", note.code, note.values)


def _metrics(report: Report, say: Phrases) -> Table:
    """The metrics of acceptance that have a value, and in any case the four of triggering."""
    changes = _changes(report)
    metrics = [
        metric
        for name, metric in metrics_of(report, Split.ACCEPTANCE).items()
        if name not in _OF_OTHER_KINDS and (metric.value is not None or name in TRIGGER_METRICS)
    ]
    rows = [_row(metric, changes, report, say) for metric in metrics[:_MOST_ROWS]]
    header = say.cells("compact.header")
    if changes is None:
        return table(header[:-1], [row[:-1] for row in rows])
    return table(header, rows)


def _row(metric: Metric, changes: dict[str, MetricChange] | None, report: Report, say: Phrases) -> list[Md]:
    required = _required(metric.name, report, say)
    return [
        say.name(metric.name, "metric"),
        beside_limit(metric, limit_of(metric.name, report), say),
        counts(metric, say),
        Md(numbers.interval(metric.interval)) if metric.interval else say("page.undefined"),
        Md("") if required is None else required,
        _change((changes or {}).get(metric.name), say),
    ]


def _required(name: str, report: Report, say: Phrases) -> Md | None:
    limit = limit_of(name, report)
    if limit is None:
        return None
    key = "compact.at_most" if name == "false_trigger_rate" else "compact.at_least"
    return say(key, limit=Md(numbers.exactly(limit)))


def _changes(report: Report) -> dict[str, MetricChange] | None:
    if report.comparison is None:
        return None
    return {change.name: change for change in report.comparison.changes.get(Split.ACCEPTANCE, ())}


def _change(change: MetricChange | None, say: Phrases) -> Md:
    if change is None:
        return say("page.undefined")
    mark = say.name(change.mark, "change")
    if change.difference is None or change.mark is Change.NOT_COMPARABLE:
        return mark
    return say("compact.change", difference=Md(numbers.points(change.difference)), mark=mark)


def _failed(report: Report, say: Phrases) -> Iterator[Md]:
    for split in Split:
        failed = list(dict.fromkeys(one.id for one in report.failed_cases if one.split is split))
        if failed:
            named = say.join(_bare(id_) for id_ in failed[:_MOST_NAMED])
            more = len(failed) - _MOST_NAMED
            ids = say.together(named, say("list.more", more=more)) if more > 0 else named
            unmeasured = all(one.sort == "unmeasured" for one in report.failed_cases if one.split is split)
            key = f"compact.unmeasured_{split}" if unmeasured else f"compact.failed_{split}"
            yield say(key, failed=len(failed), cases=len(cases_of(report, split)), ids=ids)


def _suggestion(report: Report, say: Phrases) -> Md | None:
    first = foremost(report)
    if first is None:
        return None
    return say("compact.suggestion", first=proposal(first, report, say), number=len(report.suggestions))


def _spent(report: Report, say: Phrases) -> Md | None:
    volatile = report.volatile
    if volatile.duration_s is None:
        return None
    took = _time(volatile.duration_s, say)
    if volatile.spent_usd is None:
        return say("compact.took", took=took)
    return say("compact.spent", took=took, cost=Md(numbers.usd(volatile.spent_usd)))


def _time(duration_s: float, say: Phrases) -> Md:
    if duration_s < _MINUTE_S:
        return shown(duration_s, "s", say)
    return Md(numbers.clock(duration_s))


def _bare(text: str) -> Md:
    """Show a short text of others unquoted: no sign in it disturbs a terminal."""
    return Md(visible(cut_middle(text, _LONGEST_ID, "…")))
