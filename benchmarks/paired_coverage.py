"""How often the paired 95 % interval of a rate holds the true difference, by number of cases.

Simulated as in `fail_on.py`: half of the cases positive, three runs a case. Prints how many of the repeats have an
interval at all, and in what share of these it holds the truth; few cases and rates near 1 are where it parts from 95 %.

    python benchmarks/paired_coverage.py [REPEATS]
"""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np
from fail_on import RATE, RUNS, Setting, simulated

from skill_evaluator.metrics.paired import paired_result
from skill_evaluator.metrics.pairing import pair_cases

DEFAULT_REPEATS = 500
NOW = 0.7


def true_differences(new: float, old: float) -> Mapping[str, float]:
    """What each rate of so many cases would come to, new minus old; as many positives as negatives."""
    after, before = _rates(new), _rates(old)
    return {name: after[name] - before[name] for name in after}


def coverage(setting: Setting, *, repeats: int, seed: int) -> Iterator[tuple[str, int, float]]:
    """Each rate, how many repeats have an interval, and the share of these that holds the truth."""
    chance, truth = np.random.default_rng(seed), true_differences(setting.new[0], setting.old[0])
    found: Counter[str] = Counter()
    held: Counter[str] = Counter()
    for repeat in range(repeats):
        old, new = (simulated(setting, rates, None, chance) for rates in (setting.old, setting.new))
        for name, change in paired_result(pair_cases(new, old), seed=repeat).changes.items():
            if change.interval is not None:
                found[name] += 1
                held[name] += change.interval.low <= truth[name] <= change.interval.high
    yield from ((name, found[name], held[name] / found[name]) for name in truth if found[name])


def _rates(rate: float) -> Mapping[str, float]:
    false = 1 - rate
    return {
        "precision": rate / (rate + false),
        "recall": rate,
        "f1": 2 * rate / (rate + 1 + false),
        "false_trigger_rate": false,
        "pass_hat_k": rate**RUNS,
    }


def main() -> None:
    """Print a table for the number of repeats given on the command line."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_REPEATS
    for now in (RATE, NOW):
        for cases in (10, 16, 30, 60, 120):
            setting = Setting(name="", cases=cases, new=(now, now))
            shown = [
                f"{name} {share:.3f} of {count}" for name, count, share in coverage(setting, repeats=repeats, seed=1)
            ]
            print(f"{RATE} -> {now}, {cases:>3} cases: " + ", ".join(shown), flush=True)


if __name__ == "__main__":
    main()
