"""The seed's rule, metric by metric: worse by more than the bound, within it, or better."""

import math
from collections.abc import Mapping, Sequence

from skill_evaluator.compare.conditions import BY_CHECK, TOUCHED_BY
from skill_evaluator.results import Change, Metric, MetricChange

MARK_ABOVE = 0.05  # more than 5 points of a rate, more than 5 % of a time, a count of tokens or a cost
_ROUNDING = 1e-12  # 0.90 - 0.85 is 0.05000000000000004 in floats; rates of up to 200,000 cases differ by more than this


def changes_again(
    stored: Sequence[MetricChange], metrics: Mapping[str, Metric], *, scored: bool
) -> tuple[MetricChange, ...]:
    """Work out again what a saved report says of its baseline, of which it keeps the old values only.

    Args:
        stored: The changes as they stand; their old values, and why they are not comparable, are believed.
        metrics: The report's own metrics by name.
        scored: Whether the report has a score, so that its own values count.

    Returns:
        One change for each metric, in the order in which they stand; metrics that are missing come last.
    """
    known = {change.name: change for change in stored if change.name in metrics}
    found = []
    for name in (*known, *(name for name in metrics if name not in known)):
        old, why = (known[name].old, frozenset(known[name].why)) if name in known else (None, frozenset())
        found.append(metric_change(metrics[name], metrics[name].value if scored else None, old, why))
    return tuple(found)


def overall(changes: tuple[MetricChange, ...]) -> Change:
    """The mark over the changes of the acceptance split: the worst of those that could be compared."""
    marks = {change.mark for change in changes} - {Change.NOT_COMPARABLE}
    for mark in (Change.REGRESSED, Change.IMPROVED, Change.UNCHANGED):
        if mark in marks:
            return mark
    return Change.NOT_COMPARABLE


def metric_change(metric: Metric, new: float | None, old: float | None, differs: frozenset[str]) -> MetricChange:
    """Hold one value of either report against the other, unless something differs that touches this metric.

    Args:
        metric: Names the metric, its unit and its direction.
        new: This report's value, None if undefined.
        old: The baseline's value, None if undefined.
        differs: Codes of what differs between the reports.
    """
    touched = tuple(code for code in TOUCHED_BY.get(metric.name, BY_CHECK) if code in differs)
    return marked_change(metric, new, old, touched)


def marked_change(metric: Metric, new: float | None, old: float | None, touched: tuple[str, ...]) -> MetricChange:
    """Hold one value against the other where nothing that differs touches it, as `metric_change` does.

    Args:
        metric: Names the metric, its unit and its direction.
        new: The later value, None if undefined.
        old: The earlier one, None if undefined.
        touched: Codes of what differs and touches this metric.
    """
    difference = _difference(new, old, relative=metric.unit != "ratio")
    compared = None if touched else difference
    return MetricChange(
        name=metric.name,
        new=new,
        old=old,
        difference=compared,
        mark=Change.NOT_COMPARABLE if compared is None else _mark(compared, metric),
        unit=metric.unit,
        why=touched if difference is not None else (*touched, "undefined"),
    )


def _difference(new: float | None, old: float | None, *, relative: bool) -> float | None:
    """New minus old, or that as a share of old; None where it is undefined, as a share of 0 or beyond all floats is."""
    if new is None or old is None:
        return None
    if not relative or new == old:
        return new - old
    share = (new - old) / old if old else math.inf
    return share if math.isfinite(share) else None


def _mark(difference: float, metric: Metric) -> Change:
    """The seed's rule: worse by more than the bound, within it, or better; exactly on it is within."""
    if abs(difference) <= MARK_ABOVE + _ROUNDING:
        return Change.UNCHANGED
    return Change.IMPROVED if (difference > 0) is metric.higher_is_better else Change.REGRESSED
