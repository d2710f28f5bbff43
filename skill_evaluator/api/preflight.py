"""Reads everything a run needs and refuses at once whatever cannot work; nothing is run or written here."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from skill_evaluator.agents import AGENTS, AgentSetup
from skill_evaluator.agents.replay import ReplayAgent
from skill_evaluator.api.narrow import narrow
from skill_evaluator.api.request import DEFAULT_RUNS, Prepared, Request
from skill_evaluator.api.saved import load_baseline
from skill_evaluator.errors import InputError
from skill_evaluator.formats.skill_md import lies_in_skill, read_skill
from skill_evaluator.formats.testset import find_testset, read_testset
from skill_evaluator.model import Agent, Case, Finding, Level, Skill, Suite
from skill_evaluator.results import Config, Note

MIN_RUNS = 3  # seed rule 8

T = TypeVar("T")


def prepare(request: Request) -> Prepared:
    """Read the skill, the test set, the baseline and the agent's needs.

    Raises:
        InputError: With every fault of every input.
    """
    findings: list[Finding] = []
    skill = _read_skill(request, findings)
    testset_path = request.testset or (find_testset(skill) if skill else None)
    suite = _read_testset(testset_path, skill, request, findings)
    findings += _option_faults(request, skill)
    baseline = _collecting(findings, lambda: load_baseline(request.baseline) if request.baseline else None)
    cases = narrow(suite.cases, tags=request.tags, case_globs=request.case_globs) if suite else ()
    if suite and not cases:
        findings.append(_option("narrowing", "no case is left by --tag and --case; leave them out or widen them"))
    agent = _collecting(findings, lambda: _make_agent(request, skill, cases)) if skill and cases else None
    if isinstance(agent, ReplayAgent):
        findings += agent.findings
    faults = [finding for finding in findings if finding.level is Level.FAIL]
    if faults or skill is None or suite is None or testset_path is None or agent is None:
        raise InputError(faults)
    return Prepared(
        request=request,
        skill=skill,
        suite=suite,
        cases=cases,
        testset_path=testset_path,
        testset_bytes=testset_path.read_bytes(),
        agent=agent,
        config=_config(request, agent),
        baseline=baseline,
        warnings=tuple(finding for finding in findings if finding.level is Level.WARN),
        notes=_notes(request, suite, cases),
    )


def _collecting(findings: list[Finding], read: Callable[[], T]) -> T | None:
    """Call `read`; what it refuses joins the other faults."""
    try:
        return read()
    except InputError as error:
        findings += error.findings
        return None


def _read_skill(request: Request, findings: list[Finding]) -> Skill | None:
    loaded = read_skill(request.skill)
    findings += loaded.findings
    return loaded.skill


def _read_testset(path: Path | None, skill: Skill | None, request: Request, findings: list[Finding]) -> Suite | None:
    if path is None:
        message = (
            f"no test set: looked for testset.json beside {request.skill} and in its evals/ folder; "
            "name one with --testset (a score without test cases is refused)"
        )
        findings.append(Finding(level=Level.FAIL, code="testset-missing", message=message))
        return None
    loaded = read_testset(path, skill=skill, pass_threshold=request.pass_threshold)
    findings += loaded.findings
    return loaded.suite


def _make_agent(request: Request, skill: Skill | None, cases: Sequence[Case]) -> Agent | None:
    name = request.agent or "embedded"
    if name not in AGENTS:
        raise InputError([_option("--agent", f"{name!r} is not known; choose one of {', '.join(AGENTS)}")])
    if skill is None:
        return None
    setup = AgentSetup(skill=skill, cases=cases, seed=request.seed, recordings=request.recordings)
    return AGENTS[name](setup)


def _config(request: Request, agent: Agent) -> Config:
    recorded = agent.planned_runs if isinstance(agent, ReplayAgent) else None
    return Config(
        runs=request.runs or max(recorded or 0, 1 if request.draft and recorded else DEFAULT_RUNS),
        seed=request.seed,
        pass_threshold=request.pass_threshold,
        draft=request.draft,
        tags=request.tags,
        case_globs=request.case_globs,
    )


def _notes(request: Request, suite: Suite, cases: Sequence[Case]) -> tuple[Note, ...]:
    notes = []
    if len(cases) < len(suite.cases):
        notes.append(Note(code="narrowed", values={"cases": len(cases), "of": len(suite.cases)}))
    if request.agent == "replay":
        notes.append(Note(code="replayed", values={"recordings": str(request.recordings)}))
    rubrics = sum(1 for case in cases if case.rubric)
    if rubrics:
        notes.append(Note(code="rubric_not_scored", values={"cases": rubrics}))
    return tuple(notes)


def _option_faults(request: Request, skill: Skill | None) -> list[Finding]:
    faults = []
    runs = request.runs
    if runs is not None and runs < 1:
        faults.append(_option("--runs", f"{runs} is no number of repetitions; at least {MIN_RUNS} are needed"))
    elif runs is not None and runs < MIN_RUNS and not request.draft:
        message = f"{runs} repetitions cannot show stability; use {MIN_RUNS} or more, or --draft for a quick look"
        faults.append(_option("--runs", message))
    if not 0 <= request.pass_threshold <= 1:
        faults.append(_option("--pass-threshold", f"{request.pass_threshold} is outside 0..1; 0.85 is usual"))
    if request.concurrency < 1:
        faults.append(_option("--concurrency", f"{request.concurrency} is below 1; 1 asks one case after the other"))
    return faults + _folder_faults(request, skill)


def _folder_faults(request: Request, skill: Skill | None) -> list[Finding]:
    faults = []
    for option, folder in (("--output-dir", request.output_dir), ("the state folder", request.state_dir)):
        if skill and lies_in_skill(skill, folder):
            message = (
                f"{str(folder)!r} belongs to the skill under test, which is never written to; "
                "name a folder outside it, such as reports"
            )
            faults.append(_option(option, message))
        elif not _can_be_written(folder):
            faults.append(_option(option, f"{str(folder)!r} is no folder that can be written; name another one"))
    return faults


def _can_be_written(folder: Path) -> bool:
    existing = folder.absolute()
    while not existing.exists():
        existing = existing.parent
    return existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)


def _option(name: str, message: str) -> Finding:
    return Finding(level=Level.FAIL, code="option", message=f"{name}: {message}")
