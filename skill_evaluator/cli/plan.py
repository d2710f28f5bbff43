"""What a run is going to do, told before the first call."""

import shlex
from collections.abc import Iterator

from skill_evaluator.agents.messages.agent import MessagesAgent, trigger_only
from skill_evaluator.api.options import COST, NOT_REPORTED
from skill_evaluator.api.request import Prepared
from skill_evaluator.cli.plan_reviewers import judge_usd, reviewer_lines
from skill_evaluator.cli.wording import listed, names_listed, together
from skill_evaluator.file_names import shown
from skill_evaluator.model import AgentInfo, one_line
from skill_evaluator.report.numbers import usd
from skill_evaluator.runner import RETRIES
from skill_evaluator.runner.canary import CANARY_CALLS
from skill_evaluator.texts import changed, joined, ntr, tr


def plan_text(prepared: Prepared) -> str:
    """Say how often who is asked, what bounds that, and what it costs as far as that is known."""
    return joined("\n", [changed(line, one_line) for line in _lines(prepared)])


def _lines(prepared: Prepared) -> Iterator[str]:
    yield _first(prepared)
    if prepared.probed and prepared.calls:
        yield from _probed(prepared)
    if isinstance(prepared.agent, MessagesAgent):
        yield from _requests(prepared, prepared.agent)
    yield from _program(prepared.agent.info)
    yield from reviewer_lines(prepared)
    yield from _together(prepared)
    yield from _ceilings(prepared)


def _first(prepared: Prepared) -> str:
    info = prepared.agent.info
    values = {
        "cases": ntr("{n} case", "{n} cases", len(prepared.cases)),
        "runs": ntr("{n} run", "{n} runs", prepared.config.runs),
        "calls": ntr("{n} call", "{n} calls", prepared.planned),
        "agent": info.name,
        "model": _model(info),
        "cost": _cost(prepared),
    }
    if prepared.resumed:
        return tr(
            "{cases} x {runs} = {calls} of agent {agent} ({model}), {to_go} of them to go; cost: {cost}",
            **values,
            to_go=prepared.calls,
        )
    return tr("{cases} x {runs} = {calls} of agent {agent} ({model}); cost: {cost}", **values)


def _model(info: AgentInfo) -> str:
    if info.estimate:
        return tr("no model, rules {rules}", rules=info.model)
    return tr("model {model}", model=info.model) if info.model else tr("model not recorded")


def _cost(prepared: Prepared) -> str:
    if not prepared.probed:
        return tr("none")
    if isinstance(prepared.agent, MessagesAgent):
        return _estimate(prepared, prepared.agent)
    if prepared.agent.info.settings.get(COST) == NOT_REPORTED:
        return tr("not known, since the agent does not report it")
    return tr("not known before; the agent reports it with each answer")


def _estimate(prepared: Prepared, agent: MessagesAgent) -> str:
    cost_usd = _about_usd(prepared, agent)
    if cost_usd is None:
        return tr("not known, since the price of model {model} is not (--prices FILE)", model=agent.info.model)
    return tr(
        "about {cost} (estimated from the length of the texts, without cache, canary and retries)", cost=usd(cost_usd)
    )


def _about_usd(prepared: Prepared, agent: MessagesAgent) -> float | None:
    """What the calls to go cost, roughly; None where that is not known."""
    whole_usd = agent.about_usd(prepared.cases, prepared.config.runs)
    return None if whole_usd is None else whole_usd * prepared.calls / prepared.planned


def _together(prepared: Prepared) -> Iterator[str]:
    """The sum of agent and judge, where both are asked and both costs are known."""
    if isinstance(prepared.agent, MessagesAgent):
        parts = (_about_usd(prepared, prepared.agent), judge_usd(prepared))
        if None not in parts:
            yield tr("agent and judge together: about {cost}", cost=usd(sum(part or 0.0 for part in parts)))


def _requests(prepared: Prepared, agent: MessagesAgent) -> Iterator[str]:
    """What the messages agent sends in a call, which it may need several requests for."""
    plain = sum(map(trigger_only, prepared.cases))
    whole, settings = len(prepared.cases) - plain, agent.info.settings
    yield tr("server: {url}", url=settings["base_url"])
    few = ntr(
        "usually 1 for {n} case where only the trigger counts",
        "usually 1 for {n} cases where only the trigger counts",
        plain,
    )
    many = ntr(
        "2 and more for {n} case with checks of the output",
        "2 and more for {n} cases with checks of the output",
        whole,
    )
    sorts = listed([*([few] if plain else []), *([many] if whole else [])])
    yield tr("requests of a call: {sorts}; at most {most}", sorts=sorts, most=settings["max_turns"])
    if agent.setup.batch:
        yield tr("batch: the first requests go out together after the canary, at half the price; it may take a day")
    if stand_ins := _texts(agent.info, "stand_ins"):
        yield tr("tools that take any call and do nothing: {names}", names=names_listed(stand_ins))


def _probed(prepared: Prepared) -> Iterator[str]:
    if prepared.probe is None:
        yield tr("canary: skipped (--no-canary), so nothing shows beforehand that the agent can be measured")
    else:
        yield tr(
            "canary: {calls} calls first, with the probe skill {probe}; nothing is scored if it fails",
            calls=CANARY_CALLS,
            probe=prepared.probe.name,
        )
    if prepared.retried:
        most = (prepared.calls + _canary_calls(prepared)) * (1 + RETRIES.most_retries)
        yield tr(
            "a failed call is tried again up to {times} times: {most} calls at the most",
            times=RETRIES.most_retries,
            most=most,
        )
    else:
        yield tr("a failed request is tried again up to 5 times, after a timeout once")


def _program(info: AgentInfo) -> Iterator[str]:
    """What an agent starts on this machine, as its settings tell it."""
    argv = _texts(info, "argv")
    if argv:
        yield tr("it runs a program on this machine, with your rights: {command}", command=shlex.join(argv))
        names = sorted({*_texts(info, "environment"), *_texts(info, "environment_added")})
        yield tr("environment it gets (names): {names}", names=names_listed(names) or tr("none"))


def _texts(info: AgentInfo, name: str) -> list[str]:
    value = info.settings.get(name)
    return [str(item) for item in value] if isinstance(value, list | tuple) else []


def _ceilings(prepared: Prepared) -> Iterator[str]:
    request = prepared.request
    bounds = [
        *([ntr("{n} call", "{n} calls", request.max_calls)] if request.max_calls is not None else []),
        *([tr("{amount} USD", amount=request.max_cost_usd)] if request.max_cost_usd is not None else []),
    ]
    if bounds:
        yield tr("ceiling: {bounds}; no call is started beyond it", bounds=listed(bounds))
    elif prepared.probed or prepared.config.judge_model or prepared.config.advise_model:
        yield tr("ceiling: none (--max-calls and --max-cost-usd set one)")
    needed = prepared.planned + _canary_calls(prepared)
    if request.max_calls is not None and request.max_calls < needed:
        yield tr(
            "the ceiling lies below the {needed} calls of the plan: the result will be partial; "
            "--resume with a higher one goes on from there",
            needed=needed,
        )


def _canary_calls(prepared: Prepared) -> int:
    return CANARY_CALLS if prepared.probe is not None and prepared.calls else 0


def resumption_text(prepared: Prepared) -> str:
    """Say which run goes on; empty where nobody asked for that. It may cost money, so it is told in any case."""
    return joined("\n", [changed(line, one_line) for line in _resumption(prepared)])


def _resumption(prepared: Prepared) -> Iterator[str]:
    resumed = prepared.resumed
    if resumed is not None:
        kept = ntr("{n} run kept", "{n} runs kept", resumed.measured)
        again = ntr("{n} error to be asked again", "{n} errors to be asked again", resumed.errors)
        to_go = ntr("{n} call to go", "{n} calls to go", prepared.calls)
        done = listed([kept, *([again] if resumed.errors else []), to_go])
        spent = tr("spent already: {cost}", cost=usd(resumed.spent_usd)) if resumed.spent_usd else ""
        yield tr("continues {folder}: {done}", folder=shown(resumed.folder), done=together([done, spent]))
        if resumed.batches and prepared.calls:
            yield ntr(
                "{n} message batch kept: fetched, not sent again",
                "{n} message batches kept: fetched, not sent again",
                resumed.batches,
            )
        for other in resumed.passed_over:
            yield tr("a newer run was left unfinished too, of something else: {folder}", folder=other)
    elif prepared.request.resume:
        yield tr("nothing to continue here: no run of this skill was left unfinished, so a new one is started")


def counted(number: int, what: str, many: str | None = None) -> str:
    """A number with what it counts.

    >>> counted(1, "run"), counted(0, "run"), counted(2, "batch", "batches")
    ('1 run', '0 runs', '2 batches')
    """
    return f"{number} {what}" if number == 1 else f"{number} {many or what + 's'}"
