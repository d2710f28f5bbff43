"""`validate`: what would break or mislead, told before anything is run."""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from skill_evaluator.cli.console import say, show_json, show_line
from skill_evaluator.cli.github import tell_findings
from skill_evaluator.cli.language import spoken
from skill_evaluator.formats.loader import Checked, check_targets
from skill_evaluator.formats.visible import visible
from skill_evaluator.model import LEVEL_WORDS, Finding, Level, one_line
from skill_evaluator.texts import changed, joined, listed, ntr, tr

if TYPE_CHECKING:
    from skill_evaluator.formats.suite.checked import CheckedSuite


def execute(options: argparse.Namespace) -> int:
    """Print all findings; the exit status is 1 if one of them stops a run."""
    checked = check_targets(options.paths, eval_dir=options.eval_dir, since=options.since)
    suites = [tuple(_named(suite, is_alone=len(checked.suites) == 1)) for suite in checked.suites]
    findings = (*checked.findings, *(finding for suite in suites for finding in suite))
    if options.json:
        show_json(json.dumps([_fields(finding) for finding in findings], ensure_ascii=False, indent=2))
    else:
        apart = (finding.worded(spoken()) for finding in checked.findings)
        for line in (*apart, *(_line(finding) for suite in suites for finding in suite)):
            show_line(line)
    for suite in checked.suites if len(checked.suites) > 1 else ():
        say(tr("{place}: {cases}", place=suite.eval_dir, cases=_cases([suite])))
    say(_summary(options.paths, findings, checked))
    tell_findings([*checked.findings, *(one for suite in checked.suites for one in _placed(suite))], options.lang)
    return 1 if any(finding.level is Level.FAIL for finding in findings) else 0


def _named(suite: "CheckedSuite", *, is_alone: bool) -> Iterator[Finding]:
    """Give the findings of a suite, with the eval directory before their places where several suites are checked."""
    for finding in suite.findings:
        if is_alone:
            yield finding
        elif finding.case is not None:
            yield replace(finding, case=f"{suite.eval_dir}/{finding.case}")
        elif finding.file in suite.shared_files:
            yield replace(finding, file=f"{suite.eval_dir}/{finding.file}")
        else:
            yield finding


def _placed(suite: "CheckedSuite") -> Iterator[Finding]:
    """Give the findings of a suite with the file as it lies on the disk, where there is one."""
    for finding in suite.findings:
        below = "/".join(part for part in (finding.case, finding.file) if part)
        is_below = suite.suite is not None and (finding.case is not None or finding.file in suite.shared_files)
        yield replace(finding, file=f"{suite.suite}/{below}") if is_below else finding


def _line(finding: Finding) -> str:
    place = "/".join(part for part in (finding.case, finding.file) if part)
    level = LEVEL_WORDS[finding.level]
    return changed(tr("{level} {place}: {message}", level=level, place=place, message=finding.message), one_line)


def _fields(finding: Finding) -> dict[str, object]:
    names = ("level", "code", "file", "case", "pointer", "line", "message")
    return {name: getattr(finding, name) for name in names}


def _summary(paths: Sequence[Path], findings: Sequence[Finding], checked: Checked) -> str:
    counts = [
        tr("{count} {level}", count=sum(finding.level is level for finding in findings), level=LEVEL_WORDS[level])
        for level in Level
    ]
    places = listed([visible(str(path)) for path in paths])
    found = tr("{counts} in {places}", counts=listed(counts), places=places)
    return joined(tr("; "), [found, *_read(checked)])


def _read(checked: Checked) -> Iterator[str]:
    """Say what was read, of each kind that is there."""
    if checked.suites:
        yield _cases(checked.suites)
    elif checked.skills > 1:
        yield tr("{count} skills read", count=checked.skills)
    if checked.translations is not None:
        yield ntr("{n:,} translation case read", "{n:,} translation cases read", checked.translations)


def _cases(suites: "Sequence[CheckedSuite]") -> str:
    """Say how many cases load and what they claim."""
    loaded, refused = sum(suite.loaded for suite in suites), sum(suite.refused for suite in suites)
    fires, quiet = sum(suite.fires for suite in suites), sum(suite.quiet for suite in suites)
    silent = sum(suite.silent for suite in suites)
    return tr(
        "{loaded}{refused}: {fires} should fire, {quiet} should stay quiet, {silent} say nothing of the skill",
        loaded=ntr("{n} case loads", "{n} cases load", loaded),
        refused=ntr(", {n} does not", ", {n} do not", refused) if refused else "",
        fires=fires,
        quiet=quiet,
        silent=silent,
    )
