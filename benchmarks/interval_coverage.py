"""How often the 95 % intervals of one report hold the true rates, by number of cases.

Simulated as in `fail_on.py`: half of the cases positive, three runs a case, all cases equally hard or not. Prints, for
each rate, in what share of the repeats that have an interval it holds the truth, and how many have one. Rates near 1
and few cases are where it parts from 95 %.

    python benchmarks/interval_coverage.py [REPEATS]
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np
from fail_on import RATE, RUNS, Setting, case_rate, simulated

from skill_evaluator.metrics.split import split_result

DEFAULT_REPEATS = 1_000
LOWER = 0.7
DRAWS = 1_000_000  # for the truth where cases differ
SHOWN = ("recall", "false_trigger_rate", "precision", "f1", "pass_hat_k")
RUN_SHOWN = ("recall", "f1")


def true_rates(setting: Setting) -> Mapping[str, float]:
    """What each rate of so many cases would come to; those over runs begin with `run `."""
    rate, decided, all_right = (_mean(setting, share) for share in (lambda x: x, case_rate, lambda x: x**RUNS))
    return {
        "recall": decided,
        "false_trigger_rate": 1 - decided,
        "precision": decided,
        "f1": decided,
        "pass_hat_k": all_right,
        "run recall": rate,
        "run f1": rate,
    }


def coverage(setting: Setting, *, repeats: int, seed: int) -> Iterator[tuple[str, int, float]]:
    """Each rate, how many repeats have an interval, and the share of these that holds the truth."""
    chance, truth = np.random.default_rng(seed), true_rates(setting)
    found: Counter[str] = Counter()
    held: Counter[str] = Counter()
    for repeat in range(repeats):
        hard = _hard(setting, chance, setting.cases).tolist() if setting.spread else None
        split = split_result(simulated(setting, setting.old, hard, chance), seed=repeat)
        shown = {name: split.metrics[name] for name in SHOWN}
        for name, metric in {**shown, **{f"run {name}": split.run_metrics[name] for name in RUN_SHOWN}}.items():
            if metric.interval is not None:
                found[name] += 1
                held[name] += metric.interval.low <= truth[name] <= metric.interval.high
    yield from ((name, found[name], held[name] / found[name]) for name in truth if found[name])


def _mean(setting: Setting, share: Callable[[float], float]) -> float:
    if not setting.spread:
        return share(setting.old[0])
    return float(np.mean([share(one) for one in _hard(setting, np.random.default_rng(0), DRAWS)]))


def _hard(setting: Setting, chance: np.random.Generator, cases: int) -> np.ndarray:
    rate = setting.old[0]
    return chance.beta(2 * rate, 2 * (1 - rate), cases)


def main() -> None:
    """Print a table for the number of repeats given on the command line."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_REPEATS
    for rate in (RATE, LOWER):
        for spread in (False, True):
            for cases in (10, 16, 30, 60, 120):
                setting = replace(Setting(name="", cases=cases, spread=spread), old=(rate, rate))
                shown = [
                    f"{name} {share:.3f} of {count}"
                    for name, count, share in coverage(setting, repeats=repeats, seed=1)
                ]
                print(f"{rate}{', cases differ' * spread}, {cases:>3} cases: " + ", ".join(shown), flush=True)


if __name__ == "__main__":
    main()
