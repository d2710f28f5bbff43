"""What is asked, how often, and in which order."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from skill_evaluator.model import Arm, Case


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannedRun:
    """One question to ask once."""

    case: Case
    arm: Arm
    index: int


def plan_runs(cases: Sequence[Case], *, runs: int, seed: int) -> tuple[PlannedRun, ...]:
    """Lay out `runs` repetitions of every case in a shuffled order that depends on the seed alone.

    Args:
        cases: What is asked.
        runs: Repetitions of each case, >= 1.
        seed: Any whole number.
    """
    plan = [PlannedRun(case=case, arm=Arm.WITH, index=index) for case in cases for index in range(runs)]
    random.Random(seed).shuffle(plan)  # noqa: S311 - an order, no secret
    return tuple(plan)
