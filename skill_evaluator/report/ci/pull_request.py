"""A report as a comment of a pull request: verdict, reasons, what changed, what failed, what to try."""

from collections.abc import Iterator, Mapping
from functools import partial

from skill_evaluator.model import Split
from skill_evaluator.report import footer, numbers
from skill_evaluator.report.advice import foremost, proposal
from skill_evaluator.report.changes import shown_difference
from skill_evaluator.report.ci.comment import MOST_REASONS, Block, Page, fitted
from skill_evaluator.report.ci.failed import failed_cases, flips
from skill_evaluator.report.ci.outcome import stops_build
from skill_evaluator.report.escape import Md, Table, table
from skill_evaluator.report.headline import missing, summed_up
from skill_evaluator.report.output_only import is_output_only, shown_input
from skill_evaluator.report.phrases import Phrases, phrases
from skill_evaluator.report.scores import SHOWN_METRICS, TRIGGER_METRICS, counts, shown
from skill_evaluator.report.stopping import gate_words
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Metric, MetricChange, Report, ReportVerdict

_MOST_FLIPS = 10
_SHORT = 160  # characters of an input


def report_to_comment(report: Report, lang: Lang) -> str:
    """Lay a report out for GitHub, in less than 65,536 characters whatever it holds.

    Args:
        report: Any report; an INVALID one shows no score.
        lang: The language of everything but quoted text.
    """
    say = phrases(lang)
    return fitted(partial(_page, report, say), say)


def _page(report: Report, say: Phrases, most: int) -> Page:
    is_scored = report.verdict is not ReportVerdict.INVALID
    first = foremost(report)
    return Page(
        subject=("run", report.skill.name, report.volatile.skill_path, report.volatile.testset_path),
        heading=_heading(report, say),
        reasons=[*_reasons(report, say)],
        table=_metrics(report, say) if is_scored else None,
        flips=[*_flips(report, say)] if is_scored else [],
        blocks=[block for split in Split if (block := _block(report, split, say, most)) is not None],
        suggestion=say("ci.suggestion", proposal=proposal(first, report, say)) if first else None,
        command=footer.command(report, say),
        measured=say(
            "ci.measured",
            agent=report.agent.name,
            model=footer.model(report, say),
            runs=report.config.runs,
            version=report.evaluator_version,
        ),
    )


def _heading(report: Report, say: Phrases) -> Md:
    passes = report.verdict is ReportVerdict.PASS and not stops_build(report)
    fails = report.verdict in {ReportVerdict.FAIL, ReportVerdict.INVALID}
    icon = Md("✅" if passes else "❌" if fails else "⚠️")
    what = say.together(summed_up(report, say), missing(report, say))
    return say("ci.heading", icon=icon, name=report.skill.name, what=what)


def _reasons(report: Report, say: Phrases) -> Iterator[Md]:
    if report.comparison is not None and report.comparison.stops:
        yield gate_words(report.comparison, say) or Md("")
    for note in report.reasons[:MOST_REASONS]:
        yield say.coded("note", note.code, note.values)
    if len(report.reasons) > MOST_REASONS:
        yield say("ci.more_reasons", reasons=len(report.reasons) - MOST_REASONS)


def _metrics(report: Report, say: Phrases) -> Table | None:
    """The acceptance metrics that have a value, and the four of triggering in any case."""
    found = {**report.splits[Split.ACCEPTANCE].metrics, **report.volatile.latency.get(Split.ACCEPTANCE, {})}
    wanted = () if is_output_only(report) else TRIGGER_METRICS
    listed = [
        found[name] for name in SHOWN_METRICS if name in found and (found[name].value is not None or name in wanted)
    ]
    changes = _changes(report)
    if not listed:
        return None
    header = say.cells("ci.metrics_header" if changes is None else "ci.metrics_header_baseline")
    return table(header, [_row(metric, changes, say) for metric in listed])


def _changes(report: Report) -> Mapping[str, MetricChange] | None:
    if report.comparison is None:
        return None
    every = (
        *report.comparison.changes.get(Split.ACCEPTANCE, ()),
        *report.volatile.comparison.get(Split.ACCEPTANCE, ()),
    )
    return {change.name: change for change in every}


def _row(metric: Metric, changes: Mapping[str, MetricChange] | None, say: Phrases) -> list[Md]:
    row = [
        say.name(metric.name, "metric"),
        shown(metric.value, metric.unit, say),
        counts(metric, say),
        Md(numbers.interval(metric.interval)) if metric.interval else say("page.undefined"),
    ]
    if changes is not None:
        row.append(_change(changes.get(metric.name), say))
    return row


def _change(change: MetricChange | None, say: Phrases) -> Md:
    if change is None:
        return say("page.undefined")
    mark = say.name(change.mark, "change")
    if change.difference is None:
        return mark
    return say("ci.moved", difference=shown_difference(change, say), mark=mark)


def _flips(report: Report, say: Phrases) -> Iterator[Md]:
    paired = report.comparison.paired.get(Split.ACCEPTANCE) if report.comparison else None
    if paired is None:
        return
    worsened, improved = flips(report, Split.ACCEPTANCE)
    yield say("ci.flips", shared=paired.shared, worsened=len(worsened), improved=len(improved))
    for key, ids in (("ci.now_wrong", worsened), ("ci.now_right", improved)):
        if ids:
            more = [Md("…")] if len(ids) > _MOST_FLIPS else []
            yield say(key, ids=say.join([*ids[:_MOST_FLIPS], *more]))


def _block(report: Report, split: Split, say: Phrases, most: int) -> Block | None:
    failed = failed_cases(report, split)
    if not failed:
        return None
    lines = [
        say(
            "ci.failed_case",
            id=one.case.id,
            what=one.headline(say),
            input=say.quote(shown_input(one.case.prompt, one.case), limit=_SHORT),
        )
        for one in list(failed.values())[:most]
    ]
    if len(failed) > most:
        lines.append(say("ci.more_cases", cases=len(failed) - most))
    return Block(heading=say(f"ci.failed_{split}", cases=len(failed)), lines=lines)
