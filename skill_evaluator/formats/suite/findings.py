"""Faults and doubts -> findings that name the case, the file in it and the line, and say what a fault leads to."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from skill_evaluator.formats.json_text import pointer_to
from skill_evaluator.formats.suite.case_files import PlacedFault
from skill_evaluator.formats.suite.case_reading import ReadCase
from skill_evaluator.formats.suite.discovery import Place
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.names import MOCKS
from skill_evaluator.formats.suite.seen import Doubt, SeenCase
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import tr

LINK = "suite-link"
_UNKNOWN = tr("it is not known what comes of it")
_LEADS_TO = {
    "refused": tr("the case does not load"),
    "fails": tr("the case loads, but every run of it fails"),
    "fails-with-scaffold": tr("the case loads, but with `--scaffold` every run of it fails"),
    "throws": tr("the grader fails every run"),
    "unread": _UNKNOWN,
}
_ONCE_LOADED = tr("once the case loads, every run of it fails")
_ALL_FAIL = tr("every run fails")


@dataclass(frozen=True, slots=True)
class Finder:
    """Gathers the findings of one suite.

    Attributes:
        place: Where the suite lies.
        findings: Those so far.
    """

    place: Place
    findings: list[Finding] = field(default_factory=list)

    def case_of(self, folder: Path) -> str:
        """Name a case by its folder below the eval directory; by its own name if it is that directory."""
        relative = os.path.relpath(folder, self.place.eval_dir)
        return folder.name if relative == "." else Path(relative).as_posix()

    def add_case_faults(self, read: ReadCase, faults: Iterable[PlacedFault]) -> None:
        """Add what is wrong with a case, by file relative to its folder; an empty file is the case as a whole."""
        case = self.case_of(read.folder)
        linked = {finding.file for finding in self.findings if finding.code == LINK}
        for file, fault in faults:
            if file == MOCKS and str(self.place.named(read.folder / file)) in linked:
                continue  # what keeps it from being read is that it is a link
            text = read.files.texts.get(file)
            line = fault.line if fault.line is not None else text.line(fault.path) if text is not None else None
            leads_to = _ONCE_LOADED if read.fields is None and fault.effect == "fails" else _LEADS_TO[fault.effect]
            self._add(fault, leads_to, file=file or None, case=case, line=line)

    def add_odd_bytes(self, read: ReadCase) -> None:
        """Add which files of a case are no UTF-8."""
        for file, line in read.files.odd_bytes.items():
            message = tr("holds bytes that are no UTF-8, which are read as U+FFFD; save the file as UTF-8")
            self.findings.append(
                Finding(
                    level=Level.WARN,
                    code="not-utf8",
                    message=message,
                    file=file,
                    case=self.case_of(read.folder),
                    line=line,
                )
            )

    def add_shared_fault(self, path: Path | None, fault: SuiteFault) -> None:
        """Add what all cases share, at a path or at the suite as a whole; once, also where the search met it."""
        file = str(self.place.named(path or self.place.eval_dir))
        is_told = any(
            (finding.code == fault.code and fault.code == "too-many-entries")
            or (finding.file == file and (fault.code == LINK or finding.message.endswith(fault.message)))
            for finding in self.findings
            if finding.case is None
        )
        if not is_told:
            self._add(fault, _UNKNOWN if fault.effect == "unread" else _ALL_FAIL, file=file)

    def add_search_fault(self, folder: Path, fault: SuiteFault) -> None:
        """Add what keeps a folder from being searched for cases."""
        self._add(fault, tr("cases in it are not found"), file=str(self.place.named(folder)))

    def add_no_case(self, *, is_filtered: bool) -> None:
        """Add that there is nothing to run."""
        message = (
            tr("no case is left by --case and --tag; check their spelling")
            if is_filtered
            else tr("holds no case: a folder with a prompt.md or a case.yaml; add one")
        )
        self.findings.append(
            Finding(level=Level.FAIL, code="no-cases", message=message, file=str(self.place.named(self.place.eval_dir)))
        )

    def add_warning(self, fault: SuiteFault) -> None:
        """Add a doubt about the suite as a whole."""
        file = str(self.place.named(self.place.eval_dir))
        self.findings.append(
            Finding(level=Level.WARN, code=fault.code, message=fault.message, file=file, values=fault.values)
        )

    def add_doubt(self, code: str, case: SeenCase | None, doubt: Doubt, line: int | None) -> None:
        """Add what a rule says."""
        eval_dir = str(self.place.named(self.place.eval_dir))
        self.findings.append(
            Finding(
                level=doubt.level,
                code=code,
                message=doubt.message,
                file=doubt.file if case is not None else eval_dir,
                case=case.place if case is not None else None,
                pointer=pointer_to(*doubt.path) or None,
                line=line,
                values=doubt.values,
            )
        )

    def _add(
        self, fault: SuiteFault, leads_to: str, *, file: str | None, case: str | None = None, line: int | None = None
    ) -> None:
        self.findings.append(
            Finding(
                level=Level.WARN if fault.effect == "fails-with-scaffold" else Level.FAIL,
                code=fault.code,
                message=tr("{leads_to}: {why}", leads_to=leads_to, why=fault.message),
                file=file,
                case=case,
                pointer=pointer_to(*fault.path) or None,
                line=line if line is not None else fault.line,
                values=fault.values,
            )
        )
