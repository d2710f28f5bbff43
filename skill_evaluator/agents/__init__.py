"""Who is asked: one file each; `AGENTS` names those that `--agent` can choose."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from skill_evaluator.errors import InputError
from skill_evaluator.model import Agent, Case, Finding, Level, Skill
from skill_evaluator.texts import tr


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentSetup:
    """What an agent may need before it can be asked.

    Attributes:
        skill: The skill it is offered.
        cases: What it will be asked.
        testset: All cases of the test set, also those that are not asked this time.
        seed: For whatever it draws.
        recordings: `--recordings`, or None.
        neighbours: Skills installed beside it, without the skill itself.
        agent_config: `--agent-config`, or None.
        model: `--model`, or None.
        timeout_s: `--timeout-s`, or None for the agent's own.
        probe: The skill that the canary asks for, installed beside the target; None without a canary.
        max_turns: `--max-turns`, or None for the agent's own.
        batch: `--batch`.
        prices: `--prices`, or None for the table shipped.
        named: Whether the user named the agent, rather than got the one that is meant where none is named.
    """

    skill: Skill
    cases: Sequence[Case]
    testset: Sequence[Case]
    seed: int
    recordings: Path | None = None
    neighbours: Sequence[Skill] = ()
    agent_config: Path | None = None
    model: str | None = None
    timeout_s: float | None = None
    probe: Skill | None = None
    max_turns: int | None = None
    batch: bool = False
    prices: Path | None = None
    named: bool = True


AgentFactory = Callable[[AgentSetup], Agent]


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentKind:
    """One agent that can be chosen.

    Attributes:
        factory: Makes it; raises InputError where it cannot be asked at all.
        probed: Whether it asks somebody who may fail or misunderstand: a canary then goes before the scored runs,
            failed calls are tried again, and ceilings hold. Others give the same answer every time, for nothing.
        retried: Whether failed calls are tried again by whoever asks the agent; not where its own client does that.
    """

    factory: AgentFactory
    probed: bool
    retried: bool = False


def _embedded(setup: AgentSetup) -> Agent:
    from skill_evaluator.agents.embedded import EmbeddedAgent  # noqa: PLC0415 - loads scikit-learn

    _refuse_unused(setup, "embedded")
    neighbours = [(skill.name, skill.description) for skill in setup.neighbours]
    return EmbeddedAgent(setup.skill, seed=setup.seed, neighbours=neighbours)


def _replay(setup: AgentSetup) -> Agent:
    from skill_evaluator.agents.replay import ReplayAgent  # noqa: PLC0415 - only this agent reads recordings

    if setup.recordings is None:
        message = tr("the replay agent answers from recordings; name them with --recordings PATH")
        raise InputError([Finding(level=Level.FAIL, code="recordings-missing", message=message)])
    if setup.neighbours:
        message = tr("--neighbours is for agents that are asked; recorded answers cannot change any more")
        raise InputError([Finding(level=Level.FAIL, code="neighbours-unused", message=message)])
    _refuse_unused(setup, "replay")
    _refuse_another_skill(setup, setup.recordings)
    return ReplayAgent(setup.recordings, skill_name=setup.skill.name, cases=setup.cases, testset=setup.testset)


def _refuse_another_skill(setup: AgentSetup, recordings: Path) -> None:
    """What another version of the skill did says nothing about this one."""
    from skill_evaluator.journal import is_run_folder, read_header  # noqa: PLC0415 - takes long to load

    if not is_run_folder(recordings):
        return
    recorded = read_header(recordings).skill
    if recorded.sha256 != setup.skill.sha256:
        message = tr(
            "was recorded with another version of the skill ({version}, hash {then}; "
            "now {now}); score it as what it was with: skill-evaluator regrade {recordings}",
            version=recorded.version,
            then=recorded.sha256[:12],
            now=setup.skill.sha256[:12],
            recordings=str(recordings),
        )
        fault = Finding(level=Level.FAIL, code="recordings-of-another-skill", file=str(recordings), message=message)
        raise InputError([fault])


def _command(setup: AgentSetup) -> Agent:
    from skill_evaluator.agents.command import CommandAgent  # noqa: PLC0415 - only this agent starts programs
    from skill_evaluator.agents.command_checks import model_faults, name_faults  # noqa: PLC0415 - likewise
    from skill_evaluator.agents.command_reader import read_config  # noqa: PLC0415 - likewise

    _refuse_unused(setup, "command")
    if setup.agent_config is None:
        message = tr("the command agent needs to know how its program is called; say it with --agent-config FILE.toml")
        raise InputError([Finding(level=Level.FAIL, code="agent-config-missing", message=message)])
    config = read_config(setup.agent_config)
    others = (*setup.neighbours, *([setup.probe] if setup.probe else []))
    if faults := [*model_faults(config, setup.model), *name_faults(setup.skill, others)]:
        raise InputError(faults)
    return CommandAgent(
        config,
        setup.skill,
        cases=setup.cases,
        neighbours=setup.neighbours,
        probe=setup.probe,
        model=setup.model,
        timeout_s=setup.timeout_s,
    )


def _messages(setup: AgentSetup) -> Agent:
    from skill_evaluator.agents.messages.setup import make_agent  # noqa: PLC0415 - only this agent asks a server

    _refuse_unused(setup, "messages")
    return make_agent(setup, os.environ)


def _claude_code(setup: AgentSetup) -> Agent:
    from skill_evaluator.agents.claude_code.choice import make_agent  # noqa: PLC0415 - only this agent needs the program

    _refuse_unused(setup, "claude-code")
    return make_agent(setup, os.environ)


# Options of `AgentSetup` -> which agents they are for.
_USED_BY = MappingProxyType(
    {
        "recordings": ("replay",),
        "agent_config": ("command",),
        "model": ("command", "claude-code", "messages"),
        "timeout_s": ("command", "claude-code", "messages"),
        "max_turns": ("claude-code", "messages"),
        "prices": ("messages",),
        "batch": ("messages",),
    }
)


# What is said of an agent that nobody named.
def _either(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else tr("{first} or {second}", first=_either(names[:-1]), second=names[-1])


_BY_DEFAULT = MappingProxyType(
    {
        "embedded": tr(", the default where no key is set (ANTHROPIC_BASE_URL alone does not choose another)"),
        "messages": tr(", the default where a key is set"),
    }
)


def _refuse_unused(setup: AgentSetup, agent: str) -> None:
    """An option that changes nothing would make a reader believe that it did."""
    given = {
        option: users
        for option, users in _USED_BY.items()
        if getattr(setup, option) is not None and getattr(setup, option) is not False
    }
    faults = [
        Finding(
            level=Level.FAIL,
            code=f"{option.replace('_', '-')}-unused",
            message=tr(
                "--{option} is for --agent {users}; the agent chosen is {agent!r}{otherwise}",
                option=option.replace("_", "-"),
                users=_either(users),
                agent=agent,
                otherwise=""
                if setup.named
                else tr("{by_default}; add --agent {user}", by_default=_BY_DEFAULT[agent], user=users[-1]),
            ),
        )
        for option, users in given.items()
        if agent not in users
    ]
    if faults:
        raise InputError(faults)


AGENTS: Mapping[str, AgentKind] = MappingProxyType(
    {
        "embedded": AgentKind(factory=_embedded, probed=False),
        "replay": AgentKind(factory=_replay, probed=False),
        "command": AgentKind(factory=_command, probed=True, retried=True),
        "messages": AgentKind(factory=_messages, probed=True),
        "claude-code": AgentKind(factory=_claude_code, probed=True, retried=True),
    }
)
