"""Cases out of files, one at a time: memory does not grow with their number."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from skill_evaluator.errors import InputError
from skill_evaluator.formats.evalcase.building import build_case
from skill_evaluator.formats.evalcase.case_files import CASES, DEV, CaseFiles, find_case_files
from skill_evaluator.formats.evalcase.checking import DIGEST_BYTES, CheckedFile, Checking, digest_of
from skill_evaluator.formats.evalcase.familiar import Familiar
from skill_evaluator.formats.evalcase.form import Fault
from skill_evaluator.formats.evalcase.json_line import read_sound
from skill_evaluator.formats.evalcase.lines import read_lines
from skill_evaluator.formats.evalcase.manifest import read_manifest
from skill_evaluator.formats.evalcase.since import Earlier, read_earlier
from skill_evaluator.formats.evalcase.spots import finding_of
from skill_evaluator.formats.text_file import read_bytes, unreadable_file
from skill_evaluator.model import EvalCase, Finding, Level, Source
from skill_evaluator.texts import tr

_LAYOUT: Final = tr(
    "put files of cases into {cases}/{dev}/, such as {cases}/{dev}/placeholders.jsonl", cases=CASES, dev=DEV
)


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseSource:
    """Cases that were checked once, and are read again each time they are gone through.

    Attributes:
        path: The folder or file as it was named.
        findings: Every fault and doubt; with a FAIL among them nothing may be gone through.
        count: How many cases there are.
        left_out: How many locked files were not opened.
        files: Those that were checked, in the order in which cases come.
    """

    path: Path
    findings: tuple[Finding, ...]
    count: int
    left_out: int = 0
    files: tuple[CheckedFile, ...] = field(default=(), repr=False)

    @property
    def is_sound(self) -> bool:
        """Whether the cases may be gone through."""
        return not any(finding.level is Level.FAIL for finding in self.findings)

    def __iter__(self) -> Iterator[EvalCase]:
        """Give each case, in the order of files and lines; dev before locked.

        Raises:
            InputError: If there are faults, or a file is not what it was when it was checked.
        """
        if not self.is_sound:
            raise InputError(self.findings)
        for file in self.files:
            yield from _cases(file)


def open_cases(path: Path, *, include_locked: bool = True, since: Path | None = None) -> CaseSource:
    """Check all cases of a folder, or of one file.

    Args:
        path: The folder, or the file.
        include_locked: False for whoever makes prompts: files in `locked/` are not opened at all.
        since: An earlier folder or file; an id that means something else now is a fault. None for no such check.
    """
    files = find_case_files(path)
    if files is None:
        return CaseSource(path=path, findings=(_no_place(path),), count=0)
    earlier = _earlier(since, include_locked=include_locked) if since else None
    return _checked(path, files, earlier, files.locked if include_locked else ())


def _checked(path: Path, files: CaseFiles, earlier: Earlier | None, locked: Sequence[Path]) -> CaseSource:
    """Go through all files that may be opened, those of dev first."""
    manifest = read_manifest(files.manifest)
    familiar = Familiar(accepted=manifest.accepted_licenses)
    checking = Checking(familiar=familiar, earlier=earlier, has_locked=bool(files.dev and locked))
    wanted = [*((file, False) for file in files.dev), *((file, True) for file in locked)]
    checked = tuple(checking.check_file(file, locked=is_locked) for file, is_locked in wanted)
    findings = (*files.findings, *manifest.findings, *(earlier.findings if earlier else ()), *checking.findings)
    left_out = len(files.locked) - len(locked)
    if not checking.count and not any(finding.level is Level.FAIL for finding in findings):
        findings = (*findings, _no_cases(files, left_out))
    return CaseSource(path=path, findings=findings, count=checking.count, left_out=left_out, files=checked)


def _earlier(path: Path, *, include_locked: bool) -> Earlier:
    files = find_case_files(path)
    return Earlier(findings=[_no_place(path)]) if files is None else read_earlier(files, include_locked=include_locked)


def _no_place(path: Path) -> Finding:
    found = read_bytes(path, max_bytes=0)
    if isinstance(found, Finding) and found.code != "is-a-folder":
        return found
    message = tr("the folder holds no cases: it has no folder {cases}; {layout}", cases=CASES, layout=_LAYOUT)
    return finding_of(Fault(code="no-cases", parts=(), message=message), path)


def _no_cases(files: CaseFiles, left_out: int) -> Finding:
    if left_out and not files.dev:
        message = tr("all its cases are locked, and no prompt may be made of those; {layout}", layout=_LAYOUT)
        return finding_of(Fault(code="locked-cases", parts=(), message=message), files.root)
    return finding_of(
        Fault(code="no-cases", parts=(), message=tr("holds no case; {layout}", layout=_LAYOUT)), files.root
    )


def _cases(file: CheckedFile) -> Iterator[EvalCase]:
    place = 0
    try:
        for line in read_lines(file.path):
            if digest_of(line) != file.digests[place : place + DIGEST_BYTES] or line.text is None:
                raise _changed(file.path, line.number)
            place += DIGEST_BYTES
            row = read_sound(line.text)
            yield build_case(row, Source(path=str(file.path), line=line.number), locked=file.locked)
    except OSError as error:
        raise InputError([unreadable_file(file.path, error)]) from error
    if place != len(file.digests):
        raise _changed(file.path, None)


def _changed(path: Path, line: int | None) -> InputError:
    message = tr("was changed while it was read; leave it alone and start again")
    return InputError([finding_of(Fault(code="changed-file", parts=(), message=message), path, line)])
