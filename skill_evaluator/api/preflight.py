"""Reads everything a run needs and refuses at once whatever cannot work; nothing is run or written here."""

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path

from skill_evaluator.agents import AGENTS, AgentKind, AgentSetup
from skill_evaluator.agents.command import CommandAgent
from skill_evaluator.agents.messages.agent import MessagesAgent
from skill_evaluator.agents.messages.credentials import credential_names, url_doubts
from skill_evaluator.agents.replay import ReplayAgent
from skill_evaluator.api.apart import apart_faults
from skill_evaluator.api.batching import batch_faults
from skill_evaluator.api.faults import collecting, option_fault
from skill_evaluator.api.narrow import narrow, testset_info, testset_notes
from skill_evaluator.api.options import cost_faults, option_faults
from skill_evaluator.api.probe import probe_skill
from skill_evaluator.api.request import DEFAULT_RUNS, Prepared, Request, Resumable
from skill_evaluator.api.resume import Wanted, find_resumable
from skill_evaluator.api.reviewer_checks import reviewer_faults
from skill_evaluator.api.saved import load_baseline
from skill_evaluator.api.targets import Targets, target_faults
from skill_evaluator.api.unseen import unseen_doubts
from skill_evaluator.errors import InputError
from skill_evaluator.file_names import shown
from skill_evaluator.formats.skill_files import SKILL_FILE
from skill_evaluator.formats.skill_md import read_skill
from skill_evaluator.formats.testset import find_testset, read_bytes, read_testset_bytes
from skill_evaluator.formats.testset_doubts import find_doubts
from skill_evaluator.formats.visible import encodable
from skill_evaluator.model import Agent, Case, Finding, Level, Skill, Suite
from skill_evaluator.results import Config, Note
from skill_evaluator.runner.canary import CANARY_CALLS

_FREE, _ASKED = "embedded", "messages"  # the agent that is meant where none is named: without and with a credential


def prepare(request: Request) -> Prepared:
    """Read the skill, the test set, the baseline and the agent's needs.

    Raises:
        InputError: With every fault of every input.
    """
    findings: list[Finding] = []
    skill = _read_skill(request, findings)
    testset_path = request.testset or find_testset(_folder(request.skill))
    numbers = option_faults(request)
    findings += [*numbers, *target_faults(_targets(request, skill, testset_path))]
    raw = _read_bytes(testset_path, request, findings)
    suite = _read_testset(raw, testset_path, skill, findings)
    baseline = collecting(findings, lambda: load_baseline(request.baseline) if request.baseline else None)
    cases = narrow(suite.cases, tags=request.tags, case_globs=request.case_globs) if suite else ()
    if suite and not cases:
        findings.append(option_fault("narrowing", "no case is left by --tag and --case; leave them out or widen them"))
    if cases and not numbers:
        findings += find_doubts(
            cases,
            encodable(str(testset_path)),
            skill=skill,
            pass_threshold=request.pass_threshold,
            judge_model=request.judge_model,
        )
    neighbours = _neighbours(request, skill, findings)
    agent = None
    if skill and suite and cases:
        agent = collecting(findings, lambda: _make_agent(request, skill, suite, cases, neighbours))
    findings += cost_faults(request.max_cost_usd, agent.info) if agent else ()
    findings += _server_doubts(request, agent)
    findings += reviewer_faults(request, cases, agent.info if agent else None)
    findings += unseen_doubts(cases, agent.info, encodable(str(testset_path))) if agent else ()
    if agent and skill and testset_path and _kind(request).probed:
        findings += apart_faults(skill, testset_path)
    config = None if numbers else _config(request, agent)
    if isinstance(agent, CommandAgent | MessagesAgent):
        findings += agent.findings
    if isinstance(agent, ReplayAgent):
        findings += (*agent.findings, *(_recorded_faults(agent, cases, config.runs) if config else ()))
    resumed = None
    if request.resume and skill and suite and agent and config:
        resumed = collecting(findings, lambda: _resumed(request, skill, suite, cases, agent, config))
    if request.batch and _name(request) == _ASKED:
        findings += batch_faults(request, cases, needed_calls=_needed_calls(request, cases, config, resumed))
    faulty = any(finding.level is Level.FAIL for finding in findings)
    if faulty or not (skill and suite and testset_path and agent and config) or raw is None:
        raise InputError(findings)
    return Prepared(
        request=request,
        skill=skill,
        suite=suite,
        cases=cases,
        testset_path=testset_path,
        testset_bytes=raw,
        agent=agent,
        config=config,
        baseline=baseline,
        warnings=tuple(findings),
        notes=_notes(request, suite, cases),
        probed=_kind(request).probed,
        retried=_kind(request).retried,
        unasked=request.agent is None and _kind(request).probed,
        probe=_probe(request),
        resumed=resumed,
    )


def _targets(request: Request, skill: Skill | None, testset: Path | None) -> Targets:
    inputs = (request.skill, testset, request.recordings, request.baseline, request.agent_config, request.prices)
    return Targets(
        folders=(
            ("--output-dir", request.output_dir),
            ("the state folder", request.state_dir),
            ("the state folder", request.state_dir / "runs"),
        ),
        json_file=request.json_file,
        inputs=[path for path in inputs if path is not None],
        skill=skill,
    )


def _read_skill(request: Request, findings: list[Finding]) -> Skill | None:
    loaded = read_skill(request.skill)
    findings += loaded.findings
    return loaded.skill


def _read_bytes(path: Path | None, request: Request, findings: list[Finding]) -> bytes | None:
    """Read the test set once, so that the copy kept with the runs is what was scored."""
    if path is not None:
        raw = read_bytes(path)
        if isinstance(raw, bytes):
            return raw
        findings.append(raw)
        return None
    folder = _folder(request.skill)
    if folder.is_dir():
        message = (
            f"no test set: neither {folder / 'testset.json'} nor {folder / 'evals' / 'testset.json'} exists; "
            "name one with --testset (a score without test cases is refused)"
        )
        findings.append(Finding(level=Level.FAIL, code="testset-missing", message=message))
    return None


def _read_testset(raw: bytes | None, path: Path | None, skill: Skill | None, findings: list[Finding]) -> Suite | None:
    """What is doubtful is worked out later, from the cases that are asked."""
    if raw is None:
        return None
    loaded = read_testset_bytes(raw, str(path), skill=skill, pass_threshold=None)
    findings += loaded.findings
    return loaded.suite


def _folder(skill: Path) -> Path:
    return skill if skill.is_dir() else skill.parent


def _make_agent(
    request: Request, skill: Skill, suite: Suite, cases: Sequence[Case], neighbours: Sequence[Skill]
) -> Agent:
    name = _name(request)
    if name not in AGENTS:
        raise InputError([option_fault("--agent", f"{name!r} is not known; choose one of {', '.join(AGENTS)}")])
    setup = AgentSetup(
        skill=skill,
        cases=cases,
        testset=suite.cases,
        seed=request.seed,
        recordings=request.recordings,
        neighbours=neighbours,
        probe=_probe(request),
        agent_config=request.agent_config,
        model=request.model,
        timeout_s=request.timeout_s,
        max_turns=request.max_turns,
        batch=request.batch,
        named=request.agent is not None,
        prices=None if _for_reviewers_alone(request) else request.prices,
    )
    return AGENTS[name].factory(setup)


def _name(request: Request) -> str:
    """The agent that is meant: whoever has set a credential wants a real model asked."""
    return request.agent or (_ASKED if credential_names(os.environ) else _FREE)


def _kind(request: Request) -> AgentKind:
    return AGENTS[_name(request)]


def _for_reviewers_alone(request: Request) -> bool:
    """Whether the prices are those of the judge or the analyst, and no business of the agent's."""
    return _name(request) != _ASKED and (request.judge_model is not None or request.advise_model is not None)


def _probe(request: Request) -> Skill | None:
    """The skill that the canary asks for, where the agent has a canary."""
    return probe_skill() if _kind(request).probed and not request.no_canary else None


def _resumed(
    request: Request, skill: Skill, suite: Suite, cases: Sequence[Case], agent: Agent, config: Config
) -> Resumable | None:
    wanted = Wanted(
        skill_name=skill.name,
        skill_sha256=skill.sha256,
        agent=agent.info,
        testset=testset_info(suite, cases),
        config=config,
        cases=cases,
    )
    return find_resumable(request.state_dir / "runs", wanted)


def _needed_calls(
    request: Request, cases: Sequence[Case], config: Config | None, resumed: Resumable | None
) -> int | None:
    """Calls of all processes until the plan is whole, if nothing fails; None where the plan is not known."""
    if config is None:
        return None
    spent, measured = (resumed.calls, resumed.measured) if resumed else (0, 0)
    to_ask = len(cases) * config.runs - measured
    return spent + to_ask + (CANARY_CALLS if to_ask and _probe(request) else 0)


def _neighbours(request: Request, skill: Skill | None, findings: list[Finding]) -> tuple[Skill, ...]:
    """Read the sibling skills; the skill under test may lie among them and is no neighbour of itself."""
    siblings = []
    for folder in request.neighbours:
        found = (
            [folder]
            if (folder / SKILL_FILE).is_file()
            else sorted(path.parent for path in folder.glob(f"*/{SKILL_FILE}"))
        )
        if not found:
            findings.append(
                option_fault("--neighbours", f"{str(folder)!r} holds no {SKILL_FILE}, nor do the folders in it")
            )
        siblings += [read_skill(path) for path in found]
    findings += [fault for loaded in siblings for fault in loaded.findings if fault.level is Level.FAIL]
    own = skill.path.resolve() if skill else None
    return tuple(loaded.skill for loaded in siblings if loaded.skill and loaded.skill.path.resolve() != own)


def _server_doubts(request: Request, agent: Agent | None) -> list[Finding]:
    """What is doubtful about the server that is asked; that it is no address at all is said by whoever asks it."""
    if isinstance(agent, MessagesAgent) or request.judge_model or request.advise_model:
        with contextlib.suppress(InputError):
            return url_doubts(os.environ)
    return []


def _recorded_faults(agent: ReplayAgent, cases: Sequence[Case], runs: int) -> tuple[Finding, ...]:
    return (*agent.gaps(cases, runs=runs), *agent.left_out(cases, runs=runs))


def _config(request: Request, agent: Agent | None) -> Config:
    recorded = agent.planned_runs if isinstance(agent, ReplayAgent) else None
    return Config(
        runs=request.runs or max(recorded or 0, 1 if request.draft and recorded else DEFAULT_RUNS),
        seed=request.seed,
        pass_threshold=request.pass_threshold,
        draft=request.draft,
        tags=request.tags,
        case_globs=request.case_globs,
        judge_model=request.judge_model,
        advise_model=request.advise_model,
    )


def _notes(request: Request, suite: Suite, cases: Sequence[Case]) -> tuple[Note, ...]:
    notes = testset_notes(suite, cases, judge_model=request.judge_model)
    name = _name(request)
    if name == "replay" and request.recordings:
        return (*notes, Note(code="replayed", values={"recordings": shown(request.recordings)}))
    with_files = sum(1 for case in cases if case.files)
    if name == _FREE and with_files:
        return (*notes, Note(code="files_not_looked_at", values={"cases": with_files}))
    return notes
