"""A folder with an eval suite -> the labelled prompts of each skill that it is about."""

import difflib
import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from skill_evaluator.formats.skill_creator import LabelledSets, only_new
from skill_evaluator.formats.suite_prompts import SuitePrompts, suite_prompts
from skill_evaluator.formats.trigger_sets import contradictions
from skill_evaluator.formats.visible import encodable
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import listed, tr

if TYPE_CHECKING:
    from skill_evaluator.formats.suite.suite import LoadedSuite
    from skill_evaluator.formats.suite_claims import Target

CASE_FILES = frozenset({"prompt.md", "case.yaml"})


def is_suite_path(path: Path) -> bool:
    """Say whether a path names a suite or one of its cases: a folder, or a file by which a case is written."""
    return os.path.isdir(path) or path.name in CASE_FILES  # noqa: PTH112 - Path.is_dir may raise


def read_suite_sets(path: Path, *, skill: str | None) -> LabelledSets:
    """Read the cases of a suite that say whether a skill should fire.

    Args:
        path: The folder of a plugin, of its suite, or of a case; or the file of a case.
        skill: The skill under test, which the plugin must have; None for each of its skills.

    Returns:
        One set for each skill; none where a case cannot be read, or none says anything of a skill.
    """
    from skill_evaluator.formats.suite.suite import read_suite  # noqa: PLC0415 - loads YAML

    loaded = read_suite(path)
    if isinstance(loaded, Finding):
        return LabelledSets(path=path, findings=(loaded,))
    faults = [finding for finding in loaded.findings if finding.level is Level.FAIL]
    if loaded.refused or any(finding.case is None for finding in faults):
        return LabelledSets(path=path, findings=_openable(loaded.eval_dir, faults))
    targets = _targets(loaded, skill)
    if isinstance(targets, str):
        return LabelledSets(path=path, findings=(_fault(path, "unknown-skill", targets),))
    sets = _sets(path, loaded, targets)
    failing = listed(dict.fromkeys(str(finding.case) for finding in faults))
    note = tr("every run of these cases fails in `claude plugin eval`; `validate` says why: {failing}", failing=failing)
    return replace(sets, notes=(*sets.notes, note)) if failing else sets


def _openable(eval_dir: Path, faults: Sequence[Finding]) -> tuple[Finding, ...]:
    """Give faults of cases a path that can be opened, from where the suite was named."""
    return tuple(
        replace(one, file=str(_folder(eval_dir, one.case) / (one.file or "")), case=None) if one.case else one
        for one in faults
    )


def _folder(eval_dir: Path, case: str) -> Path:
    """Find the folder of a case; one that is the eval directory itself goes by its own name."""
    folder = eval_dir / case
    return folder if os.path.lexists(folder) else eval_dir


def _targets(loaded: "LoadedSuite", skill: str | None) -> "dict[str, Target] | str":
    """Choose the skills that sets are made for, by the name of each set; or say what is wrong with the choice."""
    from skill_evaluator.formats.suite_claims import Target, skill_checks  # noqa: PLC0415 - loads a pattern engine

    plugin, skills = loaded.plugin_name, loaded.skills
    if (
        not skills
        and skill is None
        and any(one.input_match for case in loaded.suite.cases for one in skill_checks(case))
    ):
        return tr(
            "no skill is found beside this suite, and its graders name some; say with --skill NAME which is meant"
        )
    if not skills:
        name = skill or loaded.suite.name
        return {encodable(name): Target(names=(name,), plugin=plugin, commands=loaded.commands)}
    names = [names for names in skills if skill is None or skill in names]
    if not names:
        known = [name for of_skill in skills for name in of_skill[:1]]
        near = difflib.get_close_matches(skill or "", known, n=1)
        meant = tr("did you mean {near!r}?", near=near[0]) if near else tr("choose one of them")
        return tr(
            "the plugin {plugin!r}, which this suite is about, has no skill {skill!r}; it has {known}: {meant}",
            plugin=plugin,
            skill=skill,
            known=listed(known),
            meant=meant,
        )
    return {
        encodable(skill or own[0]): Target(
            names=own, plugin=plugin, others=tuple(one for one in skills if one != own), commands=loaded.commands
        )
        for own in names
    }


def _sets(path: Path, loaded: "LoadedSuite", targets: "dict[str, Target]") -> LabelledSets:
    from skill_evaluator.formats.suite_claims import claim_about  # noqa: PLC0415 - loads a pattern engine

    cases = loaded.suite.cases
    found = {name: suite_prompts(cases, partial(claim_about, target=target)) for name, target in targets.items()}
    faults = list(dict.fromkeys(fault for one in found.values() for fault in contradictions(one.prompts)))
    findings = [_fault(path, fault.code, fault.message) for fault in faults]
    sets = {name: one.prompts for name, one in found.items() if one.prompts}
    if not sets:
        findings.append(_fault(path, "no-triggers", _nothing_said(found)))
    return LabelledSets(path=path, sets={} if findings else sets, notes=tuple(_notes(found)), findings=tuple(findings))


def _nothing_said(found: dict[str, SuitePrompts]) -> str:
    names = listed(map(repr, found))
    return tr(
        "no case says whether the skill {names} should fire; add graders of type tool_used "
        "with tool Skill, whose input_match, if they have one, matches its name",
        names=names,
    )


def _notes(found: dict[str, SuitePrompts]) -> Sequence[str]:
    if len(found) == 1:
        return next(iter(found.values())).notes
    return list(only_new({name: one.notes for name, one in found.items()}))


def _fault(path: Path, code: str, message: str) -> Finding:
    return Finding(level=Level.FAIL, code=code, message=message, file=str(path))
