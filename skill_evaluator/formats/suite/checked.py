"""A suite as `validate` tells of it: its findings with their places, and how many of its cases load and claim what."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from skill_evaluator.formats.suite.expected import side_of
from skill_evaluator.formats.suite.suite import LoadedSuite, read_suite
from skill_evaluator.formats.visible import visible, visible_findings
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import tr


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedSuite:
    """What is said of one suite.

    Attributes:
        eval_dir: The folder of the suite as the user would name it, made visible.
        findings: By case, then file, then line. `case` is the folder of the case and `file` relative to it; a finding
            about the suite as a whole has no case and the eval directory as its file. The message tells the line.
        top: Folder that was looked at, absolute, with links followed: the eval directory or one in it; None where there
            is none.
        suite: The eval directory likewise.
        shared_files: Files of findings about no case that are named relative to the eval directory.
        fires: Cases that load and ask that a skill fires.
        quiet: Cases that load and ask that a skill stays quiet, whichever else they ask for.
        silent: Cases that load and say nothing of a skill.
        refused: Cases that do not load.
    """

    eval_dir: str
    findings: tuple[Finding, ...]
    top: Path | None = None
    suite: Path | None = None
    shared_files: frozenset[str] = frozenset()
    fires: int = 0
    quiet: int = 0
    silent: int = 0
    refused: int = 0

    @property
    def loaded(self) -> int:
        """How many cases load."""
        return self.fires + self.quiet + self.silent


def check_suite(target: Path, *, eval_dir: str | None = None, plugin: Path | None = None) -> CheckedSuite:
    """Read a suite and give all that is wrong or doubtful about it.

    Args:
        target: As for `read_suite`.
        eval_dir: As for `read_suite`.
        plugin: As for `read_suite`.
    """
    loaded = read_suite(target, eval_dir=eval_dir, plugin=plugin)
    if not isinstance(loaded, Finding):
        return told(loaded)
    place = loaded.file or str(target)
    may_do_without = loaded.code == "no-eval-dir"  # the skills of a plugin are checked all the same
    finding = replace(loaded, file=place, level=Level.WARN if may_do_without else Level.FAIL)
    return CheckedSuite(eval_dir=visible(place), findings=visible_findings([finding]))


def told(loaded: LoadedSuite) -> CheckedSuite:
    """Give what `validate` says of a suite that was read."""
    sides = [side_of(case.graders) for case in loaded.suite.cases]
    shared = {finding.file for finding in loaded.findings if finding.case is None}
    return CheckedSuite(
        eval_dir=visible(str(loaded.eval_dir)),
        findings=placed(loaded.findings, loaded.eval_dir),
        top=_real(loaded.top),
        suite=_real(loaded.eval_dir),
        shared_files=frozenset(below for file in shared if (below := _below(file, loaded.eval_dir)) != file),
        fires=sides.count(True),
        quiet=sides.count(False),
        silent=sides.count(None),
        refused=len(loaded.refused),
    )


def joined(suites: Iterable[CheckedSuite]) -> tuple[CheckedSuite, ...]:
    """Give each suite once, where several targets name it or parts of it, under the name that it was given first."""
    by_suite: dict[Path | str, list[CheckedSuite]] = {}
    for one in suites:
        parts = by_suite.setdefault(one.suite or one.eval_dir, [])
        if not any(_holds(other, one) for other in parts):
            parts[:] = [*(other for other in parts if not _holds(one, other)), one]
    return tuple(_as_one(parts) for parts in by_suite.values())


def _holds(outer: CheckedSuite, inner: CheckedSuite) -> bool:
    if outer.top is None or inner.top is None:
        return outer.top is inner.top
    return inner.top.is_relative_to(outer.top)


def _as_one(parts: Sequence[CheckedSuite]) -> CheckedSuite:
    first = parts[0]
    if len(parts) == 1:
        return first
    findings = {_order(finding): finding for part in parts for finding in part.findings}
    return replace(
        first,
        findings=tuple(sorted(findings.values(), key=_order)),
        shared_files=first.shared_files.union(*(part.shared_files for part in parts)),
        fires=sum(part.fires for part in parts),
        quiet=sum(part.quiet for part in parts),
        silent=sum(part.silent for part in parts),
        refused=sum(part.refused for part in parts),
    )


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def placed(findings: Iterable[Finding], eval_dir: Path) -> tuple[Finding, ...]:
    """Give findings the places of a suite, in the order of case, file and line."""
    there = visible_findings(_placed(finding, eval_dir) for finding in findings)
    return tuple(sorted({_order(finding): finding for finding in there}.values(), key=_order))


def _placed(finding: Finding, eval_dir: Path) -> Finding:
    message = (
        finding.message
        if finding.line is None
        else tr("line {line}: {message}", line=finding.line, message=finding.message)
    )
    file = finding.file if finding.case is not None else _below(finding.file, eval_dir)
    return replace(finding, message=message, file=file)


def _below(file: str | None, eval_dir: Path) -> str:
    """Name a file of the suite that belongs to no case relative to the eval directory, and that directory as it is."""
    if file is None or Path(file) == eval_dir or not Path(file).is_relative_to(eval_dir):
        return file or str(eval_dir)
    return Path(file).relative_to(eval_dir).as_posix()


def _order(finding: Finding) -> tuple[str, str, int, str]:
    is_fault = "0" if finding.level is Level.FAIL else "1"
    return (finding.case or "", finding.file or "", finding.line or 0, is_fault + finding.message)
