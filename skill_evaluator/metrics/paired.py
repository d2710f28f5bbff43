"""The same cases asked of two versions: what flipped, and what that shows of each rate.

Precision, recall, F1 and false-trigger rate are held against each other over single runs, not over decisions: a case
that fired in 3 of 3 runs and now fires in 2 has moved, though its decision has not. That shows the same change with
fewer cases; and cases are drawn whole, so that runs of one case are never taken for independent.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from skill_evaluator.metrics.intervals import Share
from skill_evaluator.metrics.mcnemar import mcnemar_mid_p
from skill_evaluator.metrics.output import PASS_RATES, all_right
from skill_evaluator.metrics.paired_bootstrap import PairedShare, entering, paired_intervals
from skill_evaluator.metrics.pairing import Pair, Pairing
from skill_evaluator.metrics.rubric import RUBRIC_PASS_RATE, rubric_share
from skill_evaluator.metrics.siblings import EXPECTED_SKILL_RATE, right_share
from skill_evaluator.metrics.trigger import TRIGGER_RATES, TriggerRate, by_run
from skill_evaluator.model import Aspect
from skill_evaluator.results import CaseResult, Evidence, Interval, PairedChange, PairedResult

LEVEL = 0.95
# With 4 cases even the largest change, all of them flipped one way, has a mid-p of 0.0625; with 5 it is 0.03125.
FEWEST_CASES = 5
# A loss shows in positives, in negatives or in both together (precision, F1, pass^k). Each kind of check adds one.
_WAYS_TO_LOSE = 3
_BY_KIND = frozenset({*PASS_RATES, EXPECTED_SKILL_RATE, RUBRIC_PASS_RATE})
_ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True, slots=True)
class PairedRate:
    """A rate as what one case adds to it; `by_check` ones need the same checks on both sides."""

    share: Callable[[CaseResult], Share]
    higher_is_better: bool = True
    by_check: bool = False


def _over_runs(rate: TriggerRate, case: CaseResult) -> Share:
    return rate.share(by_run(case))


def _passes(aspect: Aspect, case: CaseResult) -> Share:
    looked = aspect in case.aspects
    return Share(int(case.aspects.get(aspect, False)), int(looked), int(looked))


def _all_right(case: CaseResult) -> Share:
    chance = all_right(case)
    return Share(0, 0, 0) if chance is None else Share(chance, 1, 1)


RATES: Mapping[str, PairedRate] = MappingProxyType(
    {
        **{
            rate.name: PairedRate(share=partial(_over_runs, rate), higher_is_better=rate.higher_is_better)
            for rate in TRIGGER_RATES
        },
        **{name: PairedRate(share=partial(_passes, aspect), by_check=True) for name, aspect in PASS_RATES.items()},
        EXPECTED_SKILL_RATE: PairedRate(share=right_share, by_check=True),
        RUBRIC_PASS_RATE: PairedRate(share=rubric_share, by_check=True),
        "pass_hat_k": PairedRate(share=_all_right, by_check=True),
    }
)


def paired_result(pairing: Pairing, *, seed: int, left_out: Collection[str] = ()) -> PairedResult:
    """Hold the answers to the same questions against each other.

    Args:
        pairing: The cases of one split of both reports.
        seed: Seeds the draw.
        left_out: Rates that the two reports measured in another way.
    """
    measured = [pair for pair in pairing.pairs if pair.measured]
    worsened = tuple(pair.new.id for pair in measured if pair.worsened)
    improved = tuple(pair.new.id for pair in measured if pair.improved)
    rates = {name: rate for name, rate in RATES.items() if name not in left_out}
    shares = {name: found for name, rate in rates.items() if is_defined(found := _shares(rate, measured))}
    level = gate_level({name: entering(found) for name, found in shares.items()})
    return PairedResult(
        shared=len(pairing.pairs),
        only_new=tuple(case.id for case in pairing.only_new),
        only_old=len(pairing.only_old),
        unmeasured=tuple(pair.new.id for pair in pairing.pairs if not pair.measured),
        worsened=worsened,
        improved=improved,
        mcnemar_p=mcnemar_mid_p(len(worsened), len(improved)),
        gate_level=level,
        changes={
            name: paired_change(found, higher_is_better=RATES[name].higher_is_better, level=level, seed=seed)
            for name, found in shares.items()
        },
    )


def gate_level(cases: Mapping[str, int]) -> float:
    """The confidence at which a rate stops a build, so that all of them together stop an unchanged skill rarely.

    Five per cent are shared out among the ways in which a skill can lose: the rates over triggers and pass^k make three
    between them, as they move together, and each kind of check that enough cases have makes one more, the judge and
    the expected siblings among them. Only losses count, so each share is that of one tail.

    Args:
        cases: How many enter each rate that both reports have.

    Source:
        O. J. Dunn (1961), "Multiple comparisons among means", J. Am. Stat. Assoc. 56:52-64 (Bonferroni's inequality);
        that this count is enough is shown by simulation, `benchmarks/fail_on.py`.
    """
    checks = sum(name in _BY_KIND and count >= FEWEST_CASES for name, count in cases.items())
    return 1 - 2 * (1 - LEVEL) / (_WAYS_TO_LOSE + checks)


def evidence(name: str, cases: int, difference: float, interval: Interval | None) -> Evidence:
    """Word what an interval shows; it decides where it leaves out 0.

    There is none where all cases changed alike, as when a skill fell silent. Then the sign test decides, to which five
    cases or more that all moved the same way are enough.

    Args:
        name: A name of `RATES`.
        cases: Cases that enter it.
        difference: New minus old.
        interval: The interval of the difference.
    """
    return shown_by(cases, difference, interval, higher_is_better=RATES[name].higher_is_better)


def shown_by(cases: int, difference: float, interval: Interval | None, *, higher_is_better: bool) -> Evidence:
    """Word what an interval shows of any number, see `evidence`."""
    if cases < FEWEST_CASES:
        return Evidence.TOO_FEW
    low, high = (difference, difference) if interval is None else (interval.low, interval.high)
    if low <= _ROUNDING and high >= -_ROUNDING:
        return Evidence.WITHIN_NOISE
    return Evidence.IMPROVED if (low > 0) is higher_is_better else Evidence.REGRESSED


def is_defined(shares: Sequence[PairedShare]) -> bool:
    """Whether the rate means something in both reports."""
    return any(new.support for new, _ in shares) and any(old.support for _, old in shares)


def _shares(rate: PairedRate, measured: Sequence[Pair]) -> list[PairedShare]:
    return [
        (rate.share(pair.new), rate.share(pair.old))
        for pair in measured
        if not rate.by_check or pair.new.sha256 == pair.old.sha256
    ]


def paired_change(shares: Sequence[PairedShare], *, higher_is_better: bool, level: float, seed: int) -> PairedChange:
    """Hold a number over the same cases against each other.

    Args:
        shares: One for each case; the number is defined on both sides.
        higher_is_better: Its direction.
        level: Confidence of the wider interval.
        seed: Seeds the draw.
    """
    cases, difference = entering(shares), _ratio([new for new, _ in shares]) - _ratio([old for _, old in shares])
    enough = cases >= FEWEST_CASES
    found = paired_intervals(shares, levels=(LEVEL, level), seed=seed) if enough else None
    interval, wider = found or (None, None)
    return PairedChange(
        cases=cases,
        difference=difference,
        interval=interval,
        gate_interval=wider,
        evidence=shown_by(cases, difference, interval, higher_is_better=higher_is_better),
    )


def _ratio(shares: Sequence[Share]) -> float:
    return sum(share.top for share in shares) / sum(share.bottom for share in shares)
