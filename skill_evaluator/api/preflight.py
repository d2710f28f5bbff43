"""Reads everything a run needs and refuses at once whatever cannot work; nothing is run or written here."""

import contextlib
import os
from collections.abc import Iterator, Sequence

from skill_evaluator.agents.command import CommandAgent
from skill_evaluator.agents.messages.agent import MessagesAgent
from skill_evaluator.agents.messages.credentials import url_doubts
from skill_evaluator.agents.replay import ReplayAgent
from skill_evaluator.api.apart import apart_faults
from skill_evaluator.api.batching import batch_faults
from skill_evaluator.api.chosen import ASKED, FREE, agent_kind, agent_name, chosen_probe, make_agent
from skill_evaluator.api.faults import collecting
from skill_evaluator.api.inputs import Inputs, read_inputs
from skill_evaluator.api.narrow import testset_info, testset_notes
from skill_evaluator.api.options import cost_faults, option_faults
from skill_evaluator.api.request import DEFAULT_RUNS, Prepared, Request, Resumable
from skill_evaluator.api.resume import Wanted, find_resumable
from skill_evaluator.api.reviewer_checks import reviewer_faults
from skill_evaluator.api.testset_kinds import is_of_translations, testset_doubts, usual_threshold
from skill_evaluator.api.translation.fitness import fitness_findings
from skill_evaluator.api.unseen import unseen_doubts
from skill_evaluator.errors import InputError
from skill_evaluator.file_names import shown
from skill_evaluator.formats.visible import encodable
from skill_evaluator.model import Agent, Case, Finding, Level, Suite
from skill_evaluator.results import Config, Note
from skill_evaluator.runner.canary import CANARY_CALLS


def prepare(request: Request) -> Prepared:
    """Read the skill, the test set, the baseline and the agent's needs.

    Raises:
        InputError: With every fault of every input.
    """
    numbers = option_faults(request)
    findings = [*numbers]
    inputs = read_inputs(request, findings)
    if inputs.cases and not numbers:
        findings += _doubts(request, inputs)
    agent = _agent(request, inputs, findings)
    config = None if numbers else _config(request, agent, inputs.suite)
    findings += _faults_with(agent, config, request, inputs)
    resumed = collecting(findings, lambda: _resumed(request, inputs, agent, config))
    if request.batch and agent_name(request) == ASKED:
        findings += batch_faults(
            request, inputs.cases, needed_calls=_needed_calls(request, inputs.cases, config, resumed)
        )
    return _prepared(request, inputs, agent, config, resumed, findings)


def _prepared(
    request: Request,
    inputs: Inputs,
    agent: Agent | None,
    config: Config | None,
    resumed: Resumable | None,
    findings: Sequence[Finding],
) -> Prepared:
    """Put together what was found; refuse it as soon as one part of it is missing or wrong."""
    skill, suite, path, raw = inputs.skill, inputs.suite, inputs.testset_path, inputs.testset_bytes
    faulty = any(finding.level is Level.FAIL for finding in findings)
    if faulty or not (skill and suite and path and agent and config) or raw is None:
        raise InputError(sorted(findings, key=lambda finding: finding.level is not Level.FAIL))
    kind = agent_kind(request)
    return Prepared(
        request=request,
        skill=skill,
        suite=suite,
        cases=inputs.cases,
        testset_path=path,
        testset_bytes=raw,
        agent=agent,
        config=config,
        baseline=inputs.baseline,
        warnings=tuple(findings),
        notes=_notes(request, suite, inputs.cases),
        probed=kind.probed,
        retried=kind.retried,
        unasked=request.agent is None and kind.probed,
        probe=chosen_probe(request),
        resumed=resumed,
    )


def _doubts(request: Request, inputs: Inputs) -> Iterator[Finding]:
    doubts = testset_doubts(
        inputs.suite,
        inputs.cases,
        encodable(str(inputs.testset_path)),
        skill=inputs.skill,
        pass_threshold=_threshold(request, inputs.suite),
        judge_model=request.judge_model,
    )
    is_estimate = agent_name(request) == FREE  # makes no output, so a judge would have nothing to vote on
    return (doubt for doubt in doubts if not (is_estimate and doubt.code == "graders-not-judged"))


def _agent(request: Request, inputs: Inputs, findings: list[Finding]) -> Agent | None:
    """Make the agent, where there is something to ask it."""
    skill, suite = inputs.skill, inputs.suite
    if skill is None or suite is None or not inputs.cases:
        return None
    return collecting(
        findings,
        lambda: make_agent(request, skill, testset=suite.cases, cases=inputs.cases, neighbours=inputs.neighbours),
    )


def _faults_with(agent: Agent | None, config: Config | None, request: Request, inputs: Inputs) -> Iterator[Finding]:
    """What these options and cases come to with this agent; what holds without one is told in any case."""
    cases = inputs.cases
    yield from _server_doubts(request, agent)
    info = agent.info if agent else None
    if is_of_translations(inputs.suite):
        yield from fitness_findings(request, cases, info, inputs.testset_path)
    else:
        yield from reviewer_faults(request, cases, info)
    if agent is None:
        return
    yield from cost_faults(request.max_cost_usd, agent.info)
    yield from unseen_doubts(cases, agent.info, encodable(str(inputs.testset_path)))
    if inputs.skill and inputs.testset_path and agent_kind(request).probed:
        yield from apart_faults(inputs.skill, inputs.testset_path)
    if isinstance(agent, CommandAgent | MessagesAgent | ReplayAgent):
        yield from agent.findings
    if isinstance(agent, ReplayAgent) and config is not None:
        yield from (*agent.gaps(cases, runs=config.runs), *agent.left_out(cases, runs=config.runs))


def _server_doubts(request: Request, agent: Agent | None) -> list[Finding]:
    """What is doubtful about the server that is asked; that it is no address at all is said by whoever asks it."""
    if isinstance(agent, MessagesAgent) or request.judge_model or request.advise_model:
        with contextlib.suppress(InputError):
            return url_doubts(os.environ)
    return []


def _resumed(request: Request, inputs: Inputs, agent: Agent | None, config: Config | None) -> Resumable | None:
    skill, suite = inputs.skill, inputs.suite
    if not (request.resume and skill and suite and agent and config):
        return None
    wanted = Wanted(
        skill_name=skill.name,
        skill_sha256=skill.sha256,
        agent=agent.info,
        testset=testset_info(suite, inputs.cases),
        config=config,
        cases=inputs.cases,
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
    return spent + to_ask + (CANARY_CALLS if to_ask and chosen_probe(request) else 0)


def _config(request: Request, agent: Agent | None, suite: Suite | None) -> Config:
    recorded = agent.planned_runs if isinstance(agent, ReplayAgent) else None
    return Config(
        runs=request.runs or max(recorded or 0, 1 if request.draft and recorded else DEFAULT_RUNS),
        seed=request.seed,
        pass_threshold=_threshold(request, suite),
        draft=request.draft,
        tags=request.tags,
        case_globs=request.case_globs,
        judge_model=request.judge_model,
        advise_model=request.advise_model,
    )


def _threshold(request: Request, suite: Suite | None) -> float:
    return usual_threshold(suite) if request.pass_threshold is None else request.pass_threshold


def _notes(request: Request, suite: Suite, cases: Sequence[Case]) -> tuple[Note, ...]:
    name = agent_name(request)
    notes = testset_notes(suite, cases, judge_model=request.judge_model)
    if name == "replay" and request.recordings:
        return (*notes, Note(code="replayed", values={"recordings": shown(request.recordings)}))
    with_files = sum(1 for case in cases if case.files)
    if name == FREE and with_files:
        return (*notes, Note(code="files_not_looked_at", values={"cases": with_files}))
    return notes
