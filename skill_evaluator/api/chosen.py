"""Which agent is meant by the options, and how it is made."""

import os
from collections.abc import Sequence

from skill_evaluator.agents import AGENTS, AgentKind, AgentSetup
from skill_evaluator.agents.messages.credentials import credential_names
from skill_evaluator.api.faults import option_fault
from skill_evaluator.api.probe import probe_skill
from skill_evaluator.api.request import Request
from skill_evaluator.errors import InputError
from skill_evaluator.model import Agent, Case, Skill
from skill_evaluator.texts import tr

FREE, ASKED = "embedded", "messages"  # the agent that is meant where none is named: without and with a credential


def agent_name(request: Request) -> str:
    """Name the agent that is meant: whoever has set a credential wants a real model asked."""
    return request.agent or (ASKED if credential_names(os.environ) else FREE)


def agent_kind(request: Request) -> AgentKind:
    """Tell how the agent that is meant is asked.

    Raises:
        KeyError: If there is no such agent; `make_agent` refuses it in words.
    """
    return AGENTS[agent_name(request)]


def chosen_probe(request: Request) -> Skill | None:
    """Give the skill that the canary asks for, where the agent has a canary."""
    return probe_skill() if agent_kind(request).probed and not request.no_canary else None


def make_agent(
    request: Request, skill: Skill, *, testset: Sequence[Case], cases: Sequence[Case], neighbours: Sequence[Skill]
) -> Agent:
    """Make the agent; nothing is asked yet.

    Args:
        request: The options.
        skill: The skill under test.
        testset: All cases of the test set.
        cases: Those that will be asked.
        neighbours: Skills installed beside it.

    Raises:
        InputError: If there is no such agent, or it cannot be asked so.
    """
    name = agent_name(request)
    if name not in AGENTS:
        raise InputError(
            [
                option_fault(
                    "--agent", tr("{name!r} is not known; choose one of {agents}", name=name, agents=", ".join(AGENTS))
                )
            ]
        )
    setup = AgentSetup(
        skill=skill,
        cases=cases,
        testset=testset,
        seed=request.seed,
        recordings=request.recordings,
        neighbours=neighbours,
        probe=chosen_probe(request),
        agent_config=request.agent_config,
        model=request.model,
        timeout_s=request.timeout_s,
        max_turns=request.max_turns,
        batch=request.batch,
        named=request.agent is not None,
        prices=None if _are_prices_of_reviewers(request) else request.prices,
    )
    return AGENTS[name].factory(setup)


def _are_prices_of_reviewers(request: Request) -> bool:
    """Whether the prices are those of the judge or the analyst alone, and no business of the agent's."""
    return agent_name(request) != ASKED and (request.judge_model is not None or request.advise_model is not None)
