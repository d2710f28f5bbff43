"""What no two reports can leave in a comparison, case by case."""

from collections.abc import Iterator

from skill_evaluator.metrics.paired import RATES
from skill_evaluator.report.differences import TOLERANCE, escaped
from skill_evaluator.results import Comparison, Interval, PairedChange
from skill_evaluator.texts import tr

Impossible = tuple[str, object, str]  # JSON pointer, what stands there, the rule it breaks

_IN_POINTS = tr("a difference of rates goes from low to high within -1..1")
_WIDER = tr("the interval that can stop a build holds the one beside it")


def impossible_pairs(comparison: Comparison) -> Iterator[Impossible]:
    """What no two reports can leave."""
    for split, paired in comparison.paired.items():
        pointer = f"/comparison/paired/{split}"
        if paired.only_old < 0:
            yield f"{pointer}/only_old", paired.only_old, tr("a count goes from 0")
        measured = paired.shared - len(paired.unmeasured)
        for name, change in paired.changes.items():
            yield from _impossible_change(f"{pointer}/changes/{escaped(name)}", name, change, measured)


def _impossible_change(pointer: str, name: str, change: PairedChange, measured: int) -> Iterator[Impossible]:
    if name not in RATES:
        yield pointer, name, tr("the rates are {rates}", rates=", ".join(RATES))
    if not 0 <= change.cases <= measured:
        yield f"{pointer}/cases", change.cases, tr("{measured} cases were measured in both reports", measured=measured)
    if not -1 - TOLERANCE <= change.difference <= 1 + TOLERANCE:
        yield f"{pointer}/difference", change.difference, _IN_POINTS
    for key, interval in (("interval", change.interval), ("gate_interval", change.gate_interval)):
        if interval is not None and not -1 - TOLERANCE <= interval.low <= interval.high <= 1 + TOLERANCE:
            yield f"{pointer}/{key}", interval, _IN_POINTS
    if not _holds(change.gate_interval, change.interval):
        yield f"{pointer}/gate_interval", change.gate_interval, _WIDER


def _holds(wider: Interval | None, interval: Interval | None) -> bool:
    if wider is None or interval is None:
        return wider is interval
    return wider.low <= interval.low + TOLERANCE and interval.high <= wider.high + TOLERANCE
