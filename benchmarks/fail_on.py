"""How often a comparison stops a build: of a skill that did not change, and of one that lost what it could.

Cases are simulated run by run and go through the program's own functions: case, split, report, comparison, gate.
Prints; the bounds are held by `tests/unit/test_fail_on.py` with fewer repeats.

    python benchmarks/fail_on.py [REPEATS]
"""

import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from skill_evaluator.compare.reports import compare
from skill_evaluator.metrics.cases import decide
from skill_evaluator.metrics.gate import stops
from skill_evaluator.metrics.split import split_result
from skill_evaluator.model import AgentInfo, Aspect, Split
from skill_evaluator.results import (
    CaseResult,
    Comparison,
    Config,
    Report,
    ReportVerdict,
    SkillInfo,
    TestsetInfo,
    Volatile,
)

DEFAULT_REPEATS = 1_000
OTHERS = 0.4  # of them for each of the other tables: power is far from its bound, and each takes a minute
RUNS = 3
RATE = 0.9
MOST_FALSE_STOPS = 0.05
LEAST_POWER = 0.8
CHECKED = (Aspect.OUTPUT, Aspect.PARAMS, Aspect.TOOL_ORDER)


@dataclass(frozen=True, kw_only=True, slots=True)
class Setting:
    """One comparison to repeat: half of the cases are positives; `new` and `old` are shares of right runs by class.

    Attributes:
        checks: How many kinds of checks each positive has; each passes in 90 % of the runs that fired.
        spread: Whether cases differ in how hard they are (beta distribution of that mean); the same in both versions.
    """

    name: str
    cases: int
    old: tuple[float, float] = (RATE, RATE)
    new: tuple[float, float] = (RATE, RATE)
    checks: int = 0
    spread: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Stopped:
    """Shares of repeats that were stopped."""

    significant: float
    marked: float


def stopped(setting: Setting, *, repeats: int, seed: int) -> Stopped:
    """Repeat one comparison and count how often either gate stops it."""
    chance = np.random.default_rng(seed)
    found = [_compared(setting, chance) for _ in range(repeats)]
    marked = [bool(stops(one.changes[Split.ACCEPTANCE], one.paired[Split.ACCEPTANCE], "marked")) for one in found]
    return Stopped(significant=sum(bool(one.stops) for one in found) / repeats, marked=sum(marked) / repeats)


def unchanged() -> Iterable[Setting]:
    """The skill did not change: what is asked of it, and harder cases that are only printed."""
    for cases in (10, 16, 30):
        yield Setting(name="unchanged", cases=cases)


def unchanged_otherwise() -> Iterable[Setting]:
    """Beyond what is asked: more cases, flakier skills, cases of unequal difficulty, and checks besides."""
    yield Setting(name="unchanged", cases=60)
    for rate in (0.7, 0.8):
        for cases in (16, 30, 60):
            yield Setting(name=f"unchanged, rate {rate}", cases=cases, old=(rate, rate), new=(rate, rate))
    for cases in (16, 30, 60):
        yield Setting(name="unchanged, cases differ", cases=cases, spread=True)
        yield Setting(name="unchanged, 3 checks", cases=cases, checks=3)


def losses() -> Iterable[Setting]:
    """A real loss, read both ways: of the share of runs, and of the share of cases decided rightly."""
    for points, cases in ((0.30, 30), (0.20, 60)):
        for reading, rate in (("runs", RATE - points), ("cases", run_rate(case_rate(RATE) - points))):
            name = f"{100 * points:.0f} points of {reading}"
            yield Setting(name=f"{name}, recall", cases=cases, new=(rate, RATE))
            yield Setting(name=f"{name}, false triggers", cases=cases, new=(RATE, rate))
            yield Setting(name=f"{name}, both", cases=cases, new=(rate, rate))


def case_rate(rate: float) -> float:
    """How likely most of three runs are right."""
    return rate * rate * (3 - 2 * rate)


def run_rate(share: float) -> float:
    """The other way round, by halving."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if case_rate(middle) < share else (low, middle)
    return low


def simulated(
    setting: Setting, rates: tuple[float, float], difficulty: Sequence[float] | None, chance: np.random.Generator
) -> tuple[CaseResult, ...]:
    """The cases of one version; every other one is a positive."""
    return tuple(
        _case(number, difficulty[number] if difficulty else rates[number % 2], setting.checks, chance)
        for number in range(setting.cases)
    )


def _compared(setting: Setting, chance: np.random.Generator) -> Comparison:
    difficulty = _difficulty(setting, chance)
    old = _report(simulated(setting, setting.old, difficulty, chance), chance)
    new = _report(simulated(setting, setting.new, difficulty, chance), chance)
    return compare(new, old, fail_on="significant")


def _difficulty(setting: Setting, chance: np.random.Generator) -> Sequence[float] | None:
    return chance.beta(2 * RATE, 2 * (1 - RATE), setting.cases).tolist() if setting.spread else None


def _case(number: int, rate: float, checks: int, chance: np.random.Generator) -> CaseResult:
    """Even numbers are positives."""
    positive = number % 2 == 0
    right = chance.random(RUNS) < rate
    fired = right if positive else ~right
    passed = chance.random((checks, RUNS)) < RATE
    decision = decide(int(fired.sum()), RUNS, expected=positive)
    looked = zip(CHECKED, passed, strict=False) if positive and decision else ()
    return replace(
        _BLANK,
        id=f"c{number:03}",
        prompt_sha256=f"{number}",
        expect_trigger=positive,
        triggered_runs=int(fired.sum()),
        decision=decision,
        successes=int((right & passed.all(axis=0)).sum() if positive else right.sum()),
        aspects={aspect: 2 * int((fired & one).sum()) > RUNS for aspect, one in looked},
    )


def _report(cases: tuple[CaseResult, ...], chance: np.random.Generator) -> Report:
    seed = int(chance.integers(2**31))
    splits = {Split.ACCEPTANCE: split_result(cases, seed=seed), Split.TUNING: split_result((), seed=seed)}
    return replace(_EMPTY, splits=splits, cases=cases, config=Config(runs=RUNS, seed=seed, pass_threshold=0.85))


_BLANK = CaseResult(
    id="",
    split=Split.ACCEPTANCE,
    expect_trigger=True,
    prompt="",
    prompt_sha256="",
    sha256="",
    planned_runs=RUNS,
    valid_runs=RUNS,
    triggered_runs=0,
    decision=None,
    fluctuation=None,
    successes=0,
)
_EMPTY = Report(
    skill=SkillInfo(name="simulated", version="1", description="", sha256="", files=()),
    testset=TestsetInfo(name="", sha256="", split_sha256={}, cases=0),
    agent=AgentInfo(name="simulated"),
    config=Config(runs=RUNS, seed=0, pass_threshold=0.85),
    timestamp="2026-01-01T00:00:00Z",
    verdict=ReportVerdict.PASS,
    reasons=(),
    splits={},
    cases=(),
    failed_cases=(),
    volatile=Volatile(latency={}, skill_path="", testset_path="", concurrency=1),
)


def _print(settings: Iterable[Setting], aim: str, repeats: int) -> None:
    for number, setting in enumerate(settings):
        found = stopped(setting, repeats=repeats, seed=number)
        name = f"{setting.name}, {setting.cases} cases"
        print(f"{name:<48}{100 * found.significant:>10.1f}%{100 * found.marked:>10.1f}%   {aim}", flush=True)


def main() -> None:
    """Print three tables for the number of repeats given on the command line."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_REPEATS
    started_s = time.perf_counter()
    print(f"builds stopped of {repeats}, {RUNS} runs a case, half of the cases positive, {100 * RATE:.0f} % right runs")
    print(f"{'':<48}{'significant':>11}{'marked':>11}")
    _print(unchanged(), f"aim: at most {100 * MOST_FALSE_STOPS:.0f}%", repeats)
    fewer = max(1, int(repeats * OTHERS))
    print(f"of {fewer}:")
    _print(losses(), f"aim: at least {100 * LEAST_POWER:.0f}%", fewer)
    _print(unchanged_otherwise(), "", fewer)
    print(f"{time.perf_counter() - started_s:.0f} s")


if __name__ == "__main__":
    main()
