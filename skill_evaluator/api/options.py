"""Numbers among the options that cannot work, each told with its remedy."""

import math

from skill_evaluator.api.faults import option_fault
from skill_evaluator.api.request import Request
from skill_evaluator.metrics.limits import MIN_VALID_RUNS
from skill_evaluator.model import AgentInfo, Finding
from skill_evaluator.results import MAX_RUNS
from skill_evaluator.texts import tr

COST, NOT_REPORTED = "cost", "not reported"  # what an agent says in its settings that hears of no costs


def option_faults(request: Request) -> list[Finding]:
    """Every fault of the numbers."""
    faults = [*_runs_faults(request.runs, draft=request.draft), *threshold_faults(request.pass_threshold)]
    if request.concurrency < 1:
        message = tr("{concurrency} is below 1; 1 asks one case after the other", concurrency=request.concurrency)
        faults.append(option_fault("--concurrency", message))
    if request.timeout_s is not None and not (request.timeout_s > 0 and math.isfinite(request.timeout_s)):
        faults.append(
            option_fault(
                "--timeout-s", tr("{timeout_s} is no time above 0; 300 seconds are usual", timeout_s=request.timeout_s)
            )
        )
    if request.max_turns is not None and request.max_turns < 1:
        faults.append(
            option_fault("--max-turns", tr("{max_turns} is below 1; 10 are usual", max_turns=request.max_turns))
        )
    if request.seed < 0:
        faults.append(
            option_fault("--seed", tr("{seed} is below 0; any whole number from 0 on will do", seed=request.seed))
        )
    return [*faults, *_ceiling_faults(request)]


def threshold_faults(pass_threshold: float | None) -> list[Finding]:
    """Whether F1 can be held against the threshold; None means that another one stands."""
    if pass_threshold is None or 0 <= pass_threshold <= 1:
        return []
    return [
        option_fault(
            "--pass-threshold", tr("{pass_threshold} is outside 0..1; 0.85 is usual", pass_threshold=pass_threshold)
        )
    ]


def cost_faults(max_cost_usd: float | None, info: AgentInfo) -> list[Finding]:
    """Whether costs can be held against a ceiling; an agent that asks nobody never reaches one."""
    if max_cost_usd is None or info.settings.get(COST) != NOT_REPORTED:
        return []
    if info.name == "messages":
        why = tr("the price of model {model!r} is not known", model=info.model)
        message = tr("{why}, so this cannot be kept; give --prices FILE, or use --max-calls", why=why)
    else:
        message = tr(
            "agent {name} does not report what a call costs, so this cannot be kept; use --max-calls", name=info.name
        )
    return [option_fault("--max-cost-usd", message)]


def _ceiling_faults(request: Request) -> list[Finding]:
    faults = []
    if request.max_calls is not None and request.max_calls < 1:
        faults.append(
            option_fault(
                "--max-calls", tr("{max_calls} is below 1; leave it out for no ceiling", max_calls=request.max_calls)
            )
        )
    if request.max_cost_usd is not None and not 0 < request.max_cost_usd < math.inf:
        message = tr(
            "{max_cost_usd} is no amount above 0; leave it out for no ceiling", max_cost_usd=request.max_cost_usd
        )
        faults.append(option_fault("--max-cost-usd", message))
    return faults


def _runs_faults(runs: int | None, *, draft: bool) -> list[Finding]:
    if runs is None or MIN_VALID_RUNS <= runs <= MAX_RUNS or (draft and 1 <= runs <= MAX_RUNS):
        return []
    if runs > MAX_RUNS:
        message = tr("{runs} repetitions are more than {max_runs}; 3 to 10 are usual", runs=runs, max_runs=MAX_RUNS)
    elif runs < 1:
        message = tr(
            "{runs} is no number of repetitions; at least {min_valid_runs} are needed",
            runs=runs,
            min_valid_runs=MIN_VALID_RUNS,
        )
    else:
        message = tr(
            "{runs} repetitions cannot show stability; use {min_valid_runs} or more, or --draft for a quick look",
            runs=runs,
            min_valid_runs=MIN_VALID_RUNS,
        )
    return [option_fault("--runs", message)]
