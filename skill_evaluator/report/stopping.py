"""Whether a comparison stops a build, and by which rates, in words."""

from collections.abc import Mapping

from skill_evaluator.model import Split
from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Md
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.results import Change, Comparison, Evidence, MetricChange


def gate_words(comparison: Comparison, say: Phrases) -> Md | None:
    """Say which rates stop the build, from what to what, or that none could; None where none was asked to.

    Args:
        comparison: A report against an earlier one.
        say: The words.
    """
    if comparison.fail_on == "never":
        return None
    mode = Md(comparison.fail_on)
    changes = {change.name: change for change in comparison.changes.get(Split.ACCEPTANCE, ())}
    if comparison.stops:
        rates = say.join(_rate(changes[name], comparison, say) for name in comparison.stops if name in changes)
        words = say("page.gate_stops", mode=mode, rates=rates)
    else:
        compared = any(one.unit == "ratio" and one.mark is not Change.NOT_COMPARABLE for one in changes.values())
        words = say("page.gate_passes" if compared else "page.gate_nothing", mode=mode)
        if not compared and any("split_hash" in one.why for one in changes.values()):
            words = say.together(words, say("page.gate_other_cases"))
    return say.together(words, _almost(changes, comparison, say))


def _almost(changes: Mapping[str, MetricChange], comparison: Comparison, say: Phrases) -> Md:
    """Name the rates that are marked and shown at the usual level, but not at the one that stops a build."""
    paired = comparison.paired.get(Split.ACCEPTANCE)
    if paired is None or comparison.fail_on != "significant":
        return Md("")
    names = [
        say.name(name, "metric")
        for name, beside in paired.changes.items()
        if beside.evidence is Evidence.REGRESSED and name not in comparison.stops and _is_marked(changes.get(name))
    ]
    level = Md(numbers.percent(paired.gate_level))
    return say("page.gate_almost", rates=say.join(names), level=level) if names else Md("")


def _is_marked(change: MetricChange | None) -> bool:
    return change is not None and change.mark is Change.REGRESSED


def _rate(change: MetricChange, comparison: Comparison, say: Phrases) -> Md:
    paired = comparison.paired.get(Split.ACCEPTANCE)
    beside = paired.changes.get(change.name) if paired else None
    moved = say(
        "page.gate_rate",
        name=say.name(change.name, "metric"),
        old=_ratio(change.old, say),
        new=_ratio(change.new, say),
    )
    if paired is None or beside is None or comparison.fail_on == "marked":
        return moved
    if beside.gate_interval is None:
        return say("page.gate_all_alike", moved=moved, cases=beside.cases)
    return say(
        "page.gate_interval",
        moved=moved,
        level=Md(numbers.percent(paired.gate_level)),
        interval=Md(numbers.points_interval(beside.gate_interval)),
    )


def _ratio(value: float | None, say: Phrases) -> Md:
    return say("page.undefined") if value is None else Md(numbers.ratio(value))
