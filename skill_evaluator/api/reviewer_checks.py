"""Whether judge and analyst can be asked, and whether asking them could change anything."""

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from skill_evaluator.api.faults import collecting, option_fault
from skill_evaluator.api.request import Request
from skill_evaluator.metrics.judge import wanted_scores
from skill_evaluator.model import AgentInfo, Case, Finding, Level
from skill_evaluator.texts import tr

JUDGE, ANALYST = "--judge-model", "--advise-model"


def reviewer_faults(
    request: Request,
    cases: Sequence[Case],
    info: AgentInfo | None,
    environ: Mapping[str, str] = os.environ,
) -> list[Finding]:
    """Every fault and doubt of the options that name a judge or an analyst.

    Args:
        request: The options.
        cases: What will be asked.
        info: The agent, or None where it cannot be asked.
        environ: Where server and credentials may be named.
    """
    asked = {JUDGE: request.judge_model, ANALYST: request.advise_model}
    models = {option: model for option, model in asked.items() if model is not None}
    if not models:
        return []
    faults = _credential_faults(models, environ)
    if request.judge_model is not None:
        faults += _judge_faults(request.judge_model, cases, info, named=request.agent is not None)
    return [*faults, *_price_faults(request, models)]


def _judge_faults(model: str, cases: Sequence[Case], info: AgentInfo | None, *, named: bool) -> Iterator[Finding]:
    if cases and not wanted_scores(cases) and not any(case.voted for case in cases):
        message = tr(
            "no case that should trigger has a `rubric`, or a grader that a model votes on, so there is nothing to "
            "judge; add one, or leave it out"
        )
        yield option_fault(JUDGE, message)
    if info is not None and info.estimate:
        message = tr(
            "agent {name} writes no output, so there is nothing to judge; name another --agent", name=info.name
        )
        if not named:
            message = tr(
                "agent {name}, the default where no key is set, writes no output, so there is nothing to judge; "
                "add --agent messages (ANTHROPIC_BASE_URL alone does not choose it)",
                name=info.name,
            )
        yield option_fault(JUDGE, message)
    if info is not None and info.model == model:
        message = tr(
            "{model!r} would judge its own outputs, which models are known to favour; name another model with {judge}",
            model=model,
            judge=JUDGE,
        )
        yield Finding(level=Level.WARN, code="self-judging", message=message, values={"model": model})


def _credential_faults(models: Mapping[str, str], environ: Mapping[str, str]) -> list[Finding]:
    from skill_evaluator.agents.messages.credentials import (  # noqa: PLC0415 - only these options need a server
        base_url_of,
        can_ask,
        check_credentials,
        check_model,
    )

    faults: list[Finding] = []
    collecting(faults, lambda: base_url_of(environ))
    collecting(faults, lambda: check_credentials(environ))
    for model in models.values():
        collecting(faults, partial(check_model, model))
    if not can_ask(environ):
        message = tr(
            "needs a key: set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN; or set ANTHROPIC_BASE_URL to a server that "
            "takes none, such as one on this machine"
        )
        faults += [option_fault(option, message) for option in models]
    return faults


def _price_faults(request: Request, models: Mapping[str, str]) -> list[Finding]:
    """A ceiling on costs cannot be kept by whoever does not know them."""
    from skill_evaluator.agents.messages.price_file import read_prices  # noqa: PLC0415 - likewise

    faults: list[Finding] = []
    prices = collecting(faults, lambda: read_prices(request.prices))
    if prices is None or request.max_cost_usd is None:
        return faults
    for option, model in models.items():
        if prices.cost_usd(model, input=1, cached=0, written=0, output=1) is None:
            message = tr(
                "the price of model {model!r} ({option}) is not known, so this cannot be kept; give --prices FILE, or "
                "leave it out",
                model=model,
                option=option,
            )
            faults.append(option_fault("--max-cost-usd", message))
    return faults
