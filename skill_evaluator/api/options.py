"""Numbers among the options that cannot work, each told with its remedy."""

import math

from skill_evaluator.api.faults import option_fault
from skill_evaluator.api.request import Request
from skill_evaluator.metrics.limits import MIN_VALID_RUNS
from skill_evaluator.model import AgentInfo, Finding
from skill_evaluator.results import MAX_RUNS

COST, NOT_REPORTED = "cost", "not reported"  # what an agent says in its settings that hears of no costs


def option_faults(request: Request) -> list[Finding]:
    """Every fault of the numbers."""
    faults = [*_runs_faults(request.runs, draft=request.draft), *threshold_faults(request.pass_threshold)]
    if request.concurrency < 1:
        message = f"{request.concurrency} is below 1; 1 asks one case after the other"
        faults.append(option_fault("--concurrency", message))
    if request.timeout_s is not None and not (request.timeout_s > 0 and math.isfinite(request.timeout_s)):
        faults.append(option_fault("--timeout-s", f"{request.timeout_s} is no time above 0; 300 seconds are usual"))
    if request.max_turns is not None and request.max_turns < 1:
        faults.append(option_fault("--max-turns", f"{request.max_turns} is below 1; 10 are usual"))
    if request.seed < 0:
        faults.append(option_fault("--seed", f"{request.seed} is below 0; any whole number from 0 on will do"))
    return [*faults, *_ceiling_faults(request)]


def threshold_faults(pass_threshold: float | None) -> list[Finding]:
    """Whether F1 can be held against the threshold; None means that another one stands."""
    if pass_threshold is None or 0 <= pass_threshold <= 1:
        return []
    return [option_fault("--pass-threshold", f"{pass_threshold} is outside 0..1; 0.85 is usual")]


def cost_faults(max_cost_usd: float | None, info: AgentInfo) -> list[Finding]:
    """Whether costs can be held against a ceiling; an agent that asks nobody never reaches one."""
    if max_cost_usd is None or info.settings.get(COST) != NOT_REPORTED:
        return []
    if info.name == "messages":
        why = f"the price of model {info.model!r} is not known"
        message = f"{why}, so this cannot be kept; give --prices FILE, or use --max-calls"
    else:
        message = f"agent {info.name} does not report what a call costs, so this cannot be kept; use --max-calls"
    return [option_fault("--max-cost-usd", message)]


def _ceiling_faults(request: Request) -> list[Finding]:
    faults = []
    if request.max_calls is not None and request.max_calls < 1:
        faults.append(option_fault("--max-calls", f"{request.max_calls} is below 1; leave it out for no ceiling"))
    if request.max_cost_usd is not None and not 0 < request.max_cost_usd < math.inf:
        message = f"{request.max_cost_usd} is no amount above 0; leave it out for no ceiling"
        faults.append(option_fault("--max-cost-usd", message))
    return faults


def _runs_faults(runs: int | None, *, draft: bool) -> list[Finding]:
    if runs is None or MIN_VALID_RUNS <= runs <= MAX_RUNS or (draft and 1 <= runs <= MAX_RUNS):
        return []
    if runs > MAX_RUNS:
        message = f"{runs} repetitions are more than {MAX_RUNS}; 3 to 10 are usual"
    elif runs < 1:
        message = f"{runs} is no number of repetitions; at least {MIN_VALID_RUNS} are needed"
    else:
        message = f"{runs} repetitions cannot show stability; use {MIN_VALID_RUNS} or more, or --draft for a quick look"
    return [option_fault("--runs", message)]
