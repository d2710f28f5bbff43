"""The same cases asked of both versions, in words: what flipped, and what that shows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from skill_evaluator.metrics.power import CHANGE, cases_needed, smallest_change
from skill_evaluator.model import Split
from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Md, Table, table
from skill_evaluator.report.output_only import is_output_only, shown_input
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.scores import SHOWN_METRICS
from skill_evaluator.results import CaseResult, PairedChange, PairedResult, Report

_MOST_FLIPS = 20  # listed of either kind; the JSON has all


@dataclass(frozen=True, kw_only=True, slots=True)
class PairedView:
    """One split in words; `flips` are list items, `table` is None where no rate is defined in both reports."""

    heading: Md
    counts: Md
    flips: tuple[Md, ...]
    table: Table | None
    power: Md | None


def paired_views(report: Report, paired: Mapping[Split, PairedResult], say: Phrases) -> tuple[PairedView, ...]:
    """Word the paired evidence of each split that has cases in either report."""
    return tuple(
        _view(report, split, paired[split], say)
        for split in Split
        if split in paired and (paired[split].shared or paired[split].only_new or paired[split].only_old)
    )


def _view(report: Report, split: Split, paired: PairedResult, say: Phrases) -> PairedView:
    cases = {case.id: case for case in report.cases}
    rows = [_row(name, paired.changes[name], say) for name in sorted(paired.changes, key=_place)]
    return PairedView(
        heading=say("page.paired_heading", split=say(f"page.split_{split}")),
        counts=say.together(*_counts(report, paired, say)),
        flips=(*_flips("worsened", paired.worsened, cases, say), *_flips("improved", paired.improved, cases, say)),
        table=table(say.cells("page.paired_header"), rows) if rows else None,
        power=_power(paired, say) if split is Split.ACCEPTANCE and paired.shared else None,
    )


def _counts(report: Report, paired: PairedResult, say: Phrases) -> Iterator[Md]:
    if paired.only_new or paired.only_old:
        yield say("page.paired_some", shared=paired.shared, new=len(paired.only_new), old=paired.only_old)
    else:
        yield say("page.paired_all", shared=paired.shared)
    if paired.unmeasured:
        key = "page.paired_unmeasured_output" if is_output_only(report) else "page.paired_unmeasured"
        yield say(key, cases=paired.unmeasured)
    if paired.mcnemar_p is not None:
        p = Md(numbers.probability(paired.mcnemar_p))
        yield say("page.paired_flips", worsened=len(paired.worsened), improved=len(paired.improved), p=p)
    elif paired.shared:
        yield say("page.paired_no_flips")


def _flips(kind: str, ids: Sequence[str], cases: Mapping[str, CaseResult], say: Phrases) -> Iterator[Md]:
    for case_id in ids[:_MOST_FLIPS]:
        prompt = shown_input(cases[case_id].prompt, cases[case_id]) if case_id in cases else ""
        yield say(f"page.paired_{kind}", id=case_id, input=prompt)
    if len(ids) > _MOST_FLIPS:
        yield say("page.paired_more", more=len(ids) - _MOST_FLIPS)


def _row(name: str, change: PairedChange, say: Phrases) -> list[Md]:
    return [
        say.name(name, "metric"),
        Md(change.cases),
        say("page.compare_points", number=Md(numbers.points(change.difference))),
        Md(numbers.points_interval(change.interval)) if change.interval else say("page.undefined"),
        say.name(change.evidence, "evidence"),
    ]


def _place(name: str) -> tuple[int, str]:
    return (SHOWN_METRICS.index(name) if name in SHOWN_METRICS else len(SHOWN_METRICS)), name


def _power(paired: PairedResult, say: Phrases) -> Md | None:
    cases = paired.shared - len(paired.unmeasured)
    if cases <= 0:
        return None
    flips = (len(paired.worsened) + len(paired.improved)) / cases
    shown, needed = smallest_change(cases, flips), cases_needed(CHANGE, flips)
    if shown is None:
        return say("page.paired_power_none", needed=needed, cases=cases)
    points = Md(numbers.points(shown).lstrip("+"))
    return say("page.paired_power", needed=needed, cases=cases, points=points)
