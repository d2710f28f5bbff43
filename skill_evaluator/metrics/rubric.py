"""What a judge's scores come to: by item of a case, and over the cases of a split.

A text is shown in two orders. It counts where both scores lie within one point, with the mean of both; all sums are
of whole numbers until they become a mean.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from skill_evaluator.metrics.intervals import Share, bootstrap_interval
from skill_evaluator.results import Ballot, CaseResult, Interval, Metric, Panel, RubricScore, Scored, TextSource

RUBRIC_PASS_RATE = "rubric_pass_rate"  # noqa: S105 - a rate, no password
_RUBRIC_MEAN = "rubric_mean"
_APART = 1  # points by which the two orders may differ


class Wanted(NamedTuple):
    """What the test set says of a rubric item: the score to reach, and what a person gave, or None."""

    target: int
    human: int | None = None


class BothOrders(NamedTuple):
    """One text as it was scored in either order."""

    forward: Scored
    backward: Scored

    @property
    def agrees(self) -> bool:
        """Whether the place in the order hardly mattered."""
        return abs(self.forward.score - self.backward.score) <= _APART

    @property
    def total(self) -> int:
        """Both scores together, twice their mean."""
        return self.forward.score + self.backward.score


class Beside(NamedTuple):
    """Means of one rubric item over the cases in which outputs of both versions were judged in the same calls."""

    new: float
    old: float
    cases: int


def in_both_orders(panel: Panel, source: Literal[TextSource.RUN, TextSource.BASELINE]) -> Iterator[BothOrders]:
    """The outputs of one version that have a score in either order, by repetition."""
    forward, backward = _by_text(panel.forward, source), _by_text(panel.backward, source)
    for index in sorted(forward.keys() & backward.keys()):
        yield BothOrders(forward[index], backward[index])


def panels_by_case(panels: Iterable[Panel]) -> Mapping[str, Sequence[Panel]]:
    """The panels of each case that has any."""
    found: dict[str, list[Panel]] = defaultdict(list)
    for panel in panels:
        found[panel.case_id].append(panel)
    return found


def rubric_scores(wanted: Mapping[str, Wanted], panels: Iterable[Panel]) -> dict[str, RubricScore]:
    """Score the rubric items of one case.

    Args:
        wanted: By item.
        panels: What a judge that is fit said of the case, in the order of the test set; each item once.

    Returns:
        One score for each item that is wanted, in the order of the panels: the file of a report keeps that order and
        sorts the scores, and what is listed by item has to be the same when it is read back. An item that was not
        judged has no mean and stands behind the others.
    """
    by_item = {panel.item: panel for panel in panels}
    judged = [item for item in by_item if item in wanted]
    order = (*judged, *sorted(wanted.keys() - by_item.keys()))
    return {item: _score(wanted[item], by_item.get(item)) for item in order}


def rubric_share(case: CaseResult) -> Share:
    """What one case adds to the pass rate: items that reached their target, of those that have a mean."""
    passed = [score.passed for score in case.rubric.values() if score.passed is not None]
    return Share(sum(passed), len(passed), len(passed))


def rubric_pass_rate(cases: Iterable[CaseResult], *, seed: int) -> Metric:
    """The share of rubric items that reached their target, with the bootstrap interval that keeps cases whole."""
    shares = [rubric_share(case) for case in cases]
    return rubric_rate(shares, bootstrap_interval([share for share in shares if share.support], seed=seed))


def rubric_rate(shares: Iterable[Share], interval: Interval | None = None) -> Metric:
    """Add up what the cases add; None without a scored item."""
    listed = list(shares)
    passed, scored = (int(sum(share[place] for share in listed)) for place in (0, 1))
    return Metric(
        name=RUBRIC_PASS_RATE,
        value=passed / scored if scored else None,
        interval=interval,
        numerator=passed,
        denominator=scored,
    )


def rubric_means(cases: Iterable[CaseResult]) -> dict[str, Metric]:
    """The mean of each rubric item over the cases that have one, 1..5; every case counts alike.

    Returns:
        By item, sorted; the denominator is the number of cases.
    """
    found = {item: [score.mean for score in scores if score.mean is not None] for item, scores in _by_item(cases)}
    return {
        item: Metric(
            name=_RUBRIC_MEAN,
            value=math.fsum(means) / len(means) if means else None,
            denominator=len(means),
            unit="score",
        )
        for item, means in found.items()
    }


def beside_baseline(cases: Iterable[CaseResult]) -> dict[str, Beside]:
    """Hold the outputs of both versions against each other, item by item, where the same calls judged both."""
    found = {}
    for item, scores in _by_item(cases):
        pairs = [(one.mean, one.baseline_mean) for one in scores]
        both = [(new, old) for new, old in pairs if new is not None and old is not None]
        if both:
            new, old = (math.fsum(side) / len(both) for side in zip(*both, strict=True))
            found[item] = Beside(new, old, len(both))
    return found


def judged_runs(panel: Panel) -> list[dict[str, object]]:
    """What the judge said of each run in either order, as JSON values; `counted` tells whether both agree."""
    return [
        {
            "run": pair.forward.index,
            "scores": [pair.forward.score, pair.backward.score],
            "reasons": [pair.forward.reason, pair.backward.reason],
            "counted": pair.agrees,
        }
        for pair in in_both_orders(panel, TextSource.RUN)
    ]


def _by_item(cases: Iterable[CaseResult]) -> Iterable[tuple[str, Sequence[RubricScore]]]:
    found: dict[str, list[RubricScore]] = defaultdict(list)
    for case in cases:
        for item, score in case.rubric.items():
            found[item].append(score)
    return sorted(found.items())


def _score(wanted: Wanted, panel: Panel | None) -> RubricScore:
    runs = list(in_both_orders(panel, TextSource.RUN)) if panel else []
    agreed = [pair.total for pair in runs if pair.agrees]
    baseline = [pair.total for pair in in_both_orders(panel, TextSource.BASELINE) if pair.agrees] if panel else []
    return RubricScore(
        target=wanted.target,
        mean=_mean(agreed),
        passed=sum(agreed) >= 2 * wanted.target * len(agreed) if agreed else None,
        runs=len(agreed),
        inconsistent=len(runs) - len(agreed),
        baseline_mean=_mean(baseline),
        human=wanted.human,
    )


def _mean(totals: Sequence[int]) -> float | None:
    return sum(totals) / (2 * len(totals)) if totals else None


def _by_text(ballot: Ballot | None, source: TextSource) -> dict[int, Scored]:
    scores = ballot.scores if ballot else ()
    return {one.index: one for one in scores if one.source is source and one.index is not None}
