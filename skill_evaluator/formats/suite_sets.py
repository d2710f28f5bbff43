"""A folder with an eval suite -> the labelled prompts of its skill."""

from pathlib import Path

from skill_evaluator.formats.skill_creator import LabelledSets
from skill_evaluator.formats.suite_prompts import suite_prompts
from skill_evaluator.formats.trigger_sets import contradictions
from skill_evaluator.formats.visible import encodable
from skill_evaluator.model import Finding, Level


def read_suite_sets(path: Path, *, skill: str | None) -> LabelledSets:
    """Read the cases of a suite that say whether the skill should fire.

    Args:
        path: The folder of a plugin, of its suite, or of a case.
        skill: The name to give the set, or None for that of the suite.

    Returns:
        One set; none where a case cannot be read, or none says anything of a skill.
    """
    from skill_evaluator.formats.suite.suite import expected_trigger, read_suite  # noqa: PLC0415 - loads YAML

    loaded = read_suite(path)
    if isinstance(loaded, Finding):
        return LabelledSets(path=path, findings=(loaded,))
    if loaded.refused:
        faults = tuple(finding for finding in loaded.findings if finding.level is Level.FAIL)
        return LabelledSets(path=path, findings=faults)
    found = suite_prompts(loaded.suite.cases, expected_trigger)
    findings = [_fault(path, fault.code, fault.message) for fault in contradictions(found.prompts)]
    if not found.prompts:
        message = "no case says whether a skill should fire; add graders of type tool_used with tool Skill"
        findings.append(_fault(path, "no-triggers", message))
    name = encodable(skill or loaded.suite.name or path.name)
    return LabelledSets(
        path=path, sets={} if findings else {name: found.prompts}, notes=found.notes, findings=tuple(findings)
    )


def _fault(path: Path, code: str, message: str) -> Finding:
    return Finding(level=Level.FAIL, code=code, message=message, file=str(path))
