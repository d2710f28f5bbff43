"""Asks an agent: the plan, retries, ceilings, the canary, and what ends a run early.

asyncio, signals and the counting of calls and money stay in here; whoever calls `execute` sees finished runs and,
at the end, an `Executed`.
"""

from skill_evaluator.runner.execution import Executed, OnCanary, OnFinished, execute
from skill_evaluator.runner.plan import PlannedRun, plan_runs
from skill_evaluator.runner.stop import StopCode
from skill_evaluator.runner.terms import (
    NO_RETRIES,
    RETRIES,
    Asked,
    BeforePlan,
    Group,
    OnProbe,
    OnRetry,
    RetryPolicy,
    Sleep,
    Spent,
    Terms,
    unheard,
    unseen,
    wait,
)

__all__ = [
    "NO_RETRIES",
    "RETRIES",
    "Asked",
    "BeforePlan",
    "Executed",
    "Group",
    "OnCanary",
    "OnFinished",
    "OnProbe",
    "OnRetry",
    "PlannedRun",
    "RetryPolicy",
    "Sleep",
    "Spent",
    "StopCode",
    "Terms",
    "execute",
    "plan_runs",
    "unheard",
    "unseen",
    "wait",
]
