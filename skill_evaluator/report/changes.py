"""This report beside its baseline, as a table for each split."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from skill_evaluator.metrics.output import OUTPUT_PASS_RATE
from skill_evaluator.model import Split
from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Md, Table, table
from skill_evaluator.report.moments import moment
from skill_evaluator.report.output_only import is_output_only
from skill_evaluator.report.paired import PairedView, paired_views
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.scores import SHOWN_METRICS, cases_of, shown
from skill_evaluator.report.stopping import gate_words
from skill_evaluator.results import Change, Comparison, MetricChange, Report

_SHORT_HASH = 12

Changes = Mapping[Split, Sequence[MetricChange]]


@dataclass(frozen=True, kw_only=True, slots=True)
class ComparisonView:
    """A comparison in words; `tables` and `paired` by split, acceptance first, each under its heading.

    Attributes:
        gate: Whether it stops a build, or None where that was not asked.
        shared: Over how many cases both sides were worked out again, or None where they were not.
        paired_rule: How to read the paired evidence, or None where there is none.
    """

    heading: Md
    versions: Md
    tables: tuple[tuple[Md, Table], ...]
    notes: tuple[Md, ...]
    rule: Md
    gate: Md | None
    shared: Md | None
    paired: tuple[PairedView, ...]
    paired_rule: Md | None


def comparison_view(
    new: Report, comparison: Comparison, say: Phrases, *, latency: Changes | None = None
) -> ComparisonView:
    """Word a comparison.

    Args:
        new: The later report.
        comparison: That report against an earlier one.
        say: The words.
        latency: The times compared, by split.
    """
    paired = paired_views(new, comparison.paired, say)
    return ComparisonView(
        heading=_heading(new, comparison, say),
        versions=say(
            "page.compare_versions",
            new=comparison.new_version,
            old=comparison.old_version,
            hash=comparison.old_sha256[:_SHORT_HASH],
            new_time=moment(new.timestamp, say),
            old_time=moment(comparison.old_timestamp, say),
            mark=say.name(comparison.mark, "change"),
        ),
        tables=tuple(_tables(comparison, latency or {}, say)),
        notes=tuple(say.coded("note", note.code, note.values) for note in comparison.notes),
        rule=_rule(new, comparison, say),
        gate=gate_words(comparison, say),
        shared=_shared(new, comparison, say),
        paired=paired,
        paired_rule=say("page.paired_rule_output" if is_output_only(new) else "page.paired_rule") if paired else None,
    )


def _positives(new: Report, comparison: Comparison) -> int:
    """How many acceptance cases the changes are about: those that should trigger; where none says so, the decided."""
    paired = comparison.paired.get(Split.ACCEPTANCE)
    left_out = paired.only_new if paired and comparison.shared_only else ()
    cases = [case for case in cases_of(new, Split.ACCEPTANCE) if case.id not in left_out]
    if is_output_only(new):
        return sum(case.decision is not None for case in cases)
    return sum(case.expect_trigger is True for case in cases)


def _shared(new: Report, comparison: Comparison, say: Phrases) -> Md | None:
    """On how many of how many cases the changes rest."""
    paired = comparison.paired
    if not (comparison.shared_only and paired.keys() >= set(Split)):
        return None
    shared = {str(split): paired[split].shared for split in Split}
    everything = {f"all_{split}": len(cases_of(new, split)) for split in Split}
    return say("page.compare_shared", **shared, **everything)


def _heading(new: Report, comparison: Comparison, say: Phrases) -> Md:
    """Two reports of one version are told apart by their times."""
    what = _headline(new, comparison, say)
    if comparison.new_version != comparison.old_version:
        return say("page.compare", old=comparison.old_version, what=what)
    times = {"new_time": moment(new.timestamp, say), "old_time": moment(comparison.old_timestamp, say)}
    return say("page.compare_same_version", version=comparison.old_version, what=what, **times)


def _headline(new: Report, comparison: Comparison, say: Phrases) -> Md:
    """The change of the score where it can be told, else the mark over everything."""
    score, key = (OUTPUT_PASS_RATE, "page.compare_right") if is_output_only(new) else ("f1", "page.compare_f1")
    for change in comparison.changes.get(Split.ACCEPTANCE, ()):
        if change.name == score and change.difference is not None:
            difference = Md(numbers.points(change.difference))
            return say(key, difference=difference, mark=say.name(change.mark, "change"))
    return say.name(comparison.mark, "change")


def _rule(new: Report, comparison: Comparison, say: Phrases) -> Md:
    """The rule behind the marks, and how much one of the cases moves; nothing of that without any."""
    rule, cases = say("page.compare_rule"), _positives(new, comparison)
    if not cases:
        return rule
    one = Md(numbers.points(1 / cases).lstrip("+"))
    key = "page.compare_one_case_output" if is_output_only(new) else "page.compare_one_case"
    return say.together(rule, say(key, cases=cases, points=one))


def _tables(comparison: Comparison, latency: Changes, say: Phrases) -> list[tuple[Md, Table]]:
    found = []
    for split in Split:
        changes = sorted([*comparison.changes.get(split, ()), *latency.get(split, ())], key=_place)
        rows = [_row(change, say) for change in changes if not (change.new is None and change.old is None)]
        if rows:
            found.append((say(f"page.split_{split}"), table(say.cells("page.compare_header"), rows)))
    return found


def _place(change: MetricChange) -> int:
    """The order of the tables of metrics; names this version does not know come last."""
    return SHOWN_METRICS.index(change.name) if change.name in SHOWN_METRICS else len(SHOWN_METRICS)


def _row(change: MetricChange, say: Phrases) -> list[Md]:
    mark = say.name(change.mark, "change")
    if change.mark is Change.NOT_COMPARABLE and change.why:
        mark = say("page.compare_why", mark=mark, why=say.join(say.name(code, "why") for code in change.why))
    return [
        say.name(change.name, "metric"),
        _side(change.new, change.old, change, say),
        _side(change.old, change.new, change, say),
        shown_difference(change, say),
        mark,
    ]


def _side(value: float | None, other: float | None, change: MetricChange, say: Phrases) -> Md:
    """One value of two; times that are marked as changed are never shown alike."""
    marked = change.mark in {Change.REGRESSED, Change.IMPROVED}
    if marked and change.unit == "s" and value is not None and other is not None:
        return say("page.seconds", number=Md(numbers.seconds_apart(value, other)))
    return shown(value, change.unit, say)


def shown_difference(change: MetricChange, say: Phrases) -> Md:
    """Show how far a metric moved: rates in points, all else in per cent; a dash where that is undefined."""
    if change.difference is None:
        return say("page.undefined")
    if change.unit == "ratio":
        return say("page.compare_points", number=Md(numbers.points(change.difference)))
    return Md(numbers.change_percent(change.difference))
