"""What a run is going to do, told before the first call."""

import shlex
from collections.abc import Iterator

from skill_evaluator.agents.messages.agent import MessagesAgent, trigger_only
from skill_evaluator.api.options import COST, NOT_REPORTED
from skill_evaluator.api.request import Prepared
from skill_evaluator.cli.plan_reviewers import judge_usd, reviewer_lines
from skill_evaluator.file_names import shown
from skill_evaluator.model import AgentInfo, one_line
from skill_evaluator.report.numbers import usd
from skill_evaluator.runner import RETRIES
from skill_evaluator.runner.canary import CANARY_CALLS


def plan_text(prepared: Prepared) -> str:
    """Say how often who is asked, what bounds that, and what it costs as far as that is known."""
    return "\n".join(one_line(line) for line in _lines(prepared))


def _lines(prepared: Prepared) -> Iterator[str]:
    info = prepared.agent.info
    cases, runs = counted(len(prepared.cases), "case"), counted(prepared.config.runs, "run")
    calls = f"{cases} x {runs} = {counted(prepared.planned, 'call')}"
    model = f"no model, rules {info.model}" if info.estimate else f"model {info.model or 'not recorded'}"
    to_go = f", {prepared.calls} of them to go" if prepared.resumed else ""
    yield f"{calls} of agent {info.name} ({model}){to_go}; cost: {_cost(prepared)}"
    if prepared.probed and prepared.calls:
        yield from _probed(prepared)
    if isinstance(prepared.agent, MessagesAgent):
        yield from _requests(prepared, prepared.agent)
    yield from _program(prepared.agent.info)
    yield from reviewer_lines(prepared)
    yield from _together(prepared)
    yield from _ceilings(prepared)


def _cost(prepared: Prepared) -> str:
    if not prepared.probed:
        return "none"
    if isinstance(prepared.agent, MessagesAgent):
        return _estimate(prepared, prepared.agent)
    if prepared.agent.info.settings.get(COST) == NOT_REPORTED:
        return "not known, since the agent does not report it"
    return "not known before; the agent reports it with each answer"


def _estimate(prepared: Prepared, agent: MessagesAgent) -> str:
    cost_usd = _about_usd(prepared, agent)
    if cost_usd is None:
        return f"not known, since the price of model {agent.info.model} is not (--prices FILE)"
    return f"about {usd(cost_usd)} (estimated from the length of the texts, without cache, canary and retries)"


def _about_usd(prepared: Prepared, agent: MessagesAgent) -> float | None:
    """What the calls to go cost, roughly; None where that is not known."""
    whole_usd = agent.about_usd(prepared.cases, prepared.config.runs)
    return None if whole_usd is None else whole_usd * prepared.calls / prepared.planned


def _together(prepared: Prepared) -> Iterator[str]:
    """The sum of agent and judge, where both are asked and both costs are known."""
    if isinstance(prepared.agent, MessagesAgent):
        parts = (_about_usd(prepared, prepared.agent), judge_usd(prepared))
        if None not in parts:
            yield f"agent and judge together: about {usd(sum(part or 0.0 for part in parts))}"


def _requests(prepared: Prepared, agent: MessagesAgent) -> Iterator[str]:
    """What the messages agent sends in a call, which it may need several requests for."""
    plain = sum(map(trigger_only, prepared.cases))
    whole, settings = len(prepared.cases) - plain, agent.info.settings
    yield f"server: {settings['base_url']}"
    sorts = [
        *([f"usually 1 for {counted(plain, 'case')} where only the trigger counts"] if plain else []),
        *([f"2 and more for {counted(whole, 'case')} with checks of the output"] if whole else []),
    ]
    yield f"requests of a call: {', '.join(sorts)}; at most {settings['max_turns']}"
    if agent.setup.batch:
        yield "batch: the first requests go out together after the canary, at half the price; it may take a day"
    if stand_ins := _texts(agent.info, "stand_ins"):
        yield f"tools that take any call and do nothing: {', '.join(stand_ins)}"


def _probed(prepared: Prepared) -> Iterator[str]:
    if prepared.probe is None:
        yield "canary: skipped (--no-canary), so nothing shows beforehand that the agent can be measured"
    else:
        probe = prepared.probe.name
        yield f"canary: {CANARY_CALLS} calls first, with the probe skill {probe}; nothing is scored if it fails"
    if prepared.retried:
        most = (prepared.calls + _canary_calls(prepared)) * (1 + RETRIES.most_retries)
        yield f"a failed call is tried again up to {RETRIES.most_retries} times: {most} calls at the most"
    else:
        yield "a failed request is tried again up to 5 times, after a timeout once"


def _program(info: AgentInfo) -> Iterator[str]:
    """What an agent starts on this machine, as its settings tell it."""
    argv = _texts(info, "argv")
    if argv:
        yield f"it runs a program on this machine, with your rights: {shlex.join(argv)}"
        names = sorted({*_texts(info, "environment"), *_texts(info, "environment_added")})
        yield f"environment it gets (names): {', '.join(names) or 'none'}"


def _texts(info: AgentInfo, name: str) -> list[str]:
    value = info.settings.get(name)
    return [str(item) for item in value] if isinstance(value, list | tuple) else []


def _ceilings(prepared: Prepared) -> Iterator[str]:
    request = prepared.request
    bounds = [
        *([f"{request.max_calls} calls"] if request.max_calls is not None else []),
        *([f"{request.max_cost_usd} USD"] if request.max_cost_usd is not None else []),
    ]
    if bounds:
        yield f"ceiling: {', '.join(bounds)}; no call is started beyond it"
    elif prepared.probed or prepared.config.judge_model or prepared.config.advise_model:
        yield "ceiling: none (--max-calls and --max-cost-usd set one)"
    needed = prepared.planned + _canary_calls(prepared)
    if request.max_calls is not None and request.max_calls < needed:
        yield (
            f"the ceiling lies below the {needed} calls of the plan: the result will be partial; "
            "--resume with a higher one goes on from there"
        )


def _canary_calls(prepared: Prepared) -> int:
    return CANARY_CALLS if prepared.probe is not None and prepared.calls else 0


def resumption_text(prepared: Prepared) -> str:
    """Say which run goes on; empty where nobody asked for that. It may cost money, so it is told in any case."""
    return "\n".join(one_line(line) for line in _resumption(prepared))


def _resumption(prepared: Prepared) -> Iterator[str]:
    resumed = prepared.resumed
    if resumed is not None:
        again = f", {counted(resumed.errors, 'error')} to be asked again" if resumed.errors else ""
        kept = f"{counted(resumed.measured, 'run')} kept{again}"
        spent = f"; spent already: {usd(resumed.spent_usd)}" if resumed.spent_usd else ""
        yield f"continues {shown(resumed.folder)}: {kept}, {counted(prepared.calls, 'call')} to go{spent}"
        if resumed.batches and prepared.calls:
            yield f"{counted(resumed.batches, 'message batch', 'message batches')} kept: fetched, not sent again"
        for other in resumed.passed_over:
            yield f"a newer run was left unfinished too, of something else: {other}"
    elif prepared.request.resume:
        yield "nothing to continue here: no run of this skill was left unfinished, so a new one is started"


def counted(number: int, what: str, many: str | None = None) -> str:
    """A number with what it counts.

    >>> counted(1, "run"), counted(0, "run"), counted(2, "batch", "batches")
    ('1 run', '0 runs', '2 batches')
    """
    return f"{number} {what}" if number == 1 else f"{number} {many or what + 's'}"
