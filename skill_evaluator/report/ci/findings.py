"""Findings about inputs as a table for a summary or a comment."""

from collections.abc import Sequence
from typing import Final

from skill_evaluator.model import Finding, Level
from skill_evaluator.report.escape import Md, markdown_table, table
from skill_evaluator.report.phrases import Phrases, phrases
from skill_evaluator.report.words import Lang
from skill_evaluator.texts import localized

_MOST: Final = 50


def findings_to_comment(findings: Sequence[Finding], lang: Lang) -> str:
    """List findings for GitHub, those that stop a run first, and never more than there is room for.

    Args:
        findings: In any order.
        lang: The language of everything but quoted text.
    """
    say = phrases(lang)
    counts = {level.lower(): sum(one.level is level for one in findings) for level in Level}
    icon = Md("❌" if counts["fail"] else "⚠️" if findings else "✅")
    parts = [f"### {icon} `skill-evaluator validate`: {say('ci.findings', **counts)}"]
    ordered = sorted(findings, key=lambda one: one.level is not Level.FAIL)[:_MOST]
    rows = [_row(one, say) for one in ordered]
    if rows:
        parts.append(markdown_table(table(say.cells("ci.findings_header"), rows)))
    if len(findings) > _MOST:
        parts.append(say("ci.more_findings", findings=len(findings) - _MOST))
    return "\n\n".join(parts) + "\n"


def _row(finding: Finding, say: Phrases) -> list[Md]:
    level = say(f"ci.level_{finding.level.lower()}")
    return [level, _place(finding, say), say.quote(localized(finding.message, say.lang))]


def _place(finding: Finding, say: Phrases) -> Md:
    """The file with its line, then the case: two texts, so that no case reads like a folder."""
    file = finding.file if finding.line is None else f"{finding.file or ''}:{finding.line}"
    return Md(" ".join(say.quote(part) for part in (file, finding.case) if part))
