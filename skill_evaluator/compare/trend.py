"""Several saved results -> lines of those that measured the same thing the same way, and what is on none of them.

What a line holds is held against its newest result by the rules of `compare`; a result that measured nothing, or only
a part, is on no line.
"""

from collections.abc import Iterable, Iterator, Sequence

from skill_evaluator.compare.trend_sides import Side
from skill_evaluator.results import Note
from skill_evaluator.results.trends import LeftOut, Trend, TrendLine, TrendPoint

_TOLD_BY_METRIC = frozenset({"checks", "judge", "threshold"})  # leave some numbers out, and the others in place


def trend(sides: Iterable[Side]) -> Trend:
    """Put results in lines.

    Args:
        sides: In any order; two of one moment keep theirs.

    Returns:
        Each result on one line or among those left out.
    """
    dated = sorted(sides, key=lambda side: side.timestamp)
    left_out: list[LeftOut] = []
    seen: dict[str, str] = {}
    groups: dict[tuple[bool, str, str], list[Side]] = {}
    for side in dated:
        why = list(_why_not(side, seen))
        if why:
            left_out.append(_left_out(side, why))
            continue
        seen[side.fingerprint] = side.file
        groups.setdefault((side.is_estimate, side.kind, side.subject), []).append(side)
    lines = []
    for _, group in sorted(groups.items(), key=lambda item: item[0]):
        line, apart = _line(group)
        lines.append(line)
        left_out += apart
    order = {side.file: place for place, side in enumerate(dated)}
    return Trend(lines=tuple(lines), left_out=tuple(sorted(left_out, key=lambda one: order[one.file])))


def _why_not(side: Side, seen: dict[str, str]) -> Iterator[Note]:
    yield from side.why_not
    if side.fingerprint in seen:
        yield Note(code="same_result", values={"file": seen[side.fingerprint]})


def _line(group: Sequence[Side]) -> tuple[TrendLine, list[LeftOut]]:
    """Hold all results of a group against the newest one."""
    newest = group[-1]
    points, apart = [], []
    for side in group:
        differs = newest.differs(side)
        if forbidding := sorted(differs - _TOLD_BY_METRIC):
            values = {"why": forbidding, "file": newest.file}
            apart.append(_left_out(side, [Note(code="not_comparable", values=values)]))
        else:
            points.append(_point(side, differs))
    line = TrendLine(
        kind=newest.kind,
        subject=newest.subject,
        agent=newest.agent,
        model=newest.model,
        is_estimate=newest.is_estimate,
        threshold=newest.threshold,
        points=tuple(points),
    )
    return line, apart


def _point(side: Side, differs: frozenset[str]) -> TrendPoint:
    metrics = {name: metric for name, metric in side.metrics.items() if not differs & side.touched_by(name)}
    return TrendPoint(
        file=side.file,
        timestamp=side.timestamp,
        versions=side.versions,
        sha256=side.sha256,
        verdict=side.verdict,
        metrics=metrics,
        apart=tuple(sorted(differs)) if len(metrics) < len(side.metrics) else (),
    )


def _left_out(side: Side, why: Sequence[Note]) -> LeftOut:
    return LeftOut(file=side.file, subject=side.subject, timestamp=side.timestamp, why=tuple(why))
