"""Reads the files that a run starts from; what is wrong with them is gathered."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from skill_evaluator.api.faults import collecting, option_fault
from skill_evaluator.api.kinds import baseline_faults
from skill_evaluator.api.meant import plugin_fault, testset_fault
from skill_evaluator.api.narrow import narrow
from skill_evaluator.api.request import Request
from skill_evaluator.api.saved import load_baseline
from skill_evaluator.api.suite_testset import testset_bytes
from skill_evaluator.api.targets import Targets, target_faults
from skill_evaluator.api.testset_kinds import is_of_translations, suite_of_bytes
from skill_evaluator.api.translation.fitness import narrowing_faults
from skill_evaluator.formats.evalcase.dev_cases import locked_files
from skill_evaluator.formats.skill_files import SKILL_FILE
from skill_evaluator.formats.skill_md import read_skill
from skill_evaluator.formats.testset import find_testset
from skill_evaluator.model import Case, Finding, Level, Skill, Suite
from skill_evaluator.results import Report
from skill_evaluator.texts import tr


@dataclass(frozen=True, kw_only=True, slots=True)
class Inputs:
    """What was read; None for what cannot be used.

    Attributes:
        skill: The skill under test.
        testset_path: The test set's file, or the folder of a suite or of translation cases; None where there is none.
        testset_bytes: That file, or what was made of the folder, read once, so that the copy kept with the runs is what
            was scored.
        suite: What it holds.
        cases: Those that will be asked.
        baseline: The earlier report; None also where none is named.
        neighbours: Skills installed beside the one under test.
    """

    skill: Skill | None
    testset_path: Path | None
    testset_bytes: bytes | None
    suite: Suite | None
    cases: Sequence[Case]
    baseline: Report | None
    neighbours: Sequence[Skill]


def read_inputs(request: Request, findings: list[Finding]) -> Inputs:
    """Read skill, test set, baseline and neighbours.

    Args:
        request: The options.
        findings: Faults and doubts of all of them are added to it.
    """
    loaded = read_skill(request.skill)
    of_plugin = plugin_fault(request.skill)
    findings += [of_plugin] if of_plugin else loaded.findings
    path = request.testset or find_testset(_folder(request.skill))
    findings += target_faults(_targets(request, loaded.skill, path))
    raw = _read_bytes(path, request, loaded.skill, findings)
    suite = _read_testset(raw, path, loaded.skill, findings)
    baseline = collecting(findings, lambda: load_baseline(request.baseline) if request.baseline else None)
    findings += baseline_faults(suite, baseline, request.baseline)
    cases = narrow(suite.cases, tags=request.tags, case_globs=request.case_globs) if suite else ()
    findings += _narrowing_faults(suite, cases, request, path)
    return Inputs(
        skill=loaded.skill,
        testset_path=path,
        testset_bytes=raw,
        suite=suite,
        cases=cases,
        baseline=baseline,
        neighbours=_neighbours(request, loaded.skill, findings),
    )


def _folder(skill: Path) -> Path:
    return skill if skill.is_dir() else skill.parent


def _targets(request: Request, skill: Skill | None, testset: Path | None) -> Targets:
    inputs = (request.skill, testset, request.recordings, request.baseline, request.agent_config, request.prices)
    return Targets(
        folders=(
            ("--output-dir", request.output_dir),
            ("the state folder", request.state_dir),
            ("the state folder", request.state_dir / "runs"),
        ),
        json_file=request.json_file,
        side_files=request.side_files,
        inputs=[path for path in inputs if path is not None],
        skill=skill,
    )


def _read_bytes(path: Path | None, request: Request, skill: Skill | None, findings: list[Finding]) -> bytes | None:
    if path is not None:
        return testset_bytes(path, skill=skill.name if skill else None, seed=request.seed, findings=findings)
    folder = _folder(request.skill)
    if folder.is_dir() and plugin_fault(request.skill) is None:
        findings.append(testset_fault(folder))
    return None


def _read_testset(raw: bytes | None, path: Path | None, skill: Skill | None, findings: list[Finding]) -> Suite | None:
    """What is doubtful is worked out later, from the cases that are asked."""
    if raw is None:
        return None
    loaded = suite_of_bytes(raw, str(path), skill=skill)
    findings += loaded.findings
    return loaded.suite


def _narrowing_faults(
    suite: Suite | None, cases: Sequence[Case], request: Request, path: Path | None
) -> Sequence[Finding]:
    """Whether anything is left to ask."""
    if suite is None or path is None:
        return ()
    if is_of_translations(suite) and (faults := tuple(narrowing_faults(suite, request, locked=locked_files(path)))):
        return faults
    if cases:
        return ()
    return (option_fault(tr("narrowing"), tr("no case is left by --tag and --case; leave them out or widen them")),)


def _neighbours(request: Request, skill: Skill | None, findings: list[Finding]) -> tuple[Skill, ...]:
    """Read the sibling skills; the skill under test may lie among them and is no neighbour of itself."""
    siblings = []
    for folder in request.neighbours:
        found = _skills_in(folder)
        if not found:
            message = tr(
                "{folder!r} holds no {skill_file}, nor do the folders in it", folder=str(folder), skill_file=SKILL_FILE
            )
            findings.append(option_fault("--neighbours", message))
        siblings += [read_skill(path) for path in found]
    findings += [fault for loaded in siblings for fault in loaded.findings if fault.level is Level.FAIL]
    own = skill.path.resolve() if skill else None
    return tuple(loaded.skill for loaded in siblings if loaded.skill and loaded.skill.path.resolve() != own)


def _skills_in(folder: Path) -> list[Path]:
    """The folder where it is a skill's own, else the skills in it."""
    if (folder / SKILL_FILE).is_file():
        return [folder]
    return sorted(path.parent for path in folder.glob(f"*/{SKILL_FILE}"))
