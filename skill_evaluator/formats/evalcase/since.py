"""Ids of an earlier folder and what they stood for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from skill_evaluator.formats.evalcase.case_files import CaseFiles
from skill_evaluator.formats.evalcase.form import Fault
from skill_evaluator.formats.evalcase.json_line import read_object
from skill_evaluator.formats.evalcase.lines import read_lines
from skill_evaluator.formats.evalcase.meaning import changed_fields, meaning_of
from skill_evaluator.formats.evalcase.spots import finding_of
from skill_evaluator.formats.text_file import unreadable_file
from skill_evaluator.model import Finding


@dataclass(slots=True)
class Earlier:
    """What an earlier folder says.

    Attributes:
        meanings: File, line and meaning by id.
        findings: Lines that cannot be read, so that their ids are not known. Its other faults are not told again.
    """

    meanings: dict[str, tuple[Path, int, bytes]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def fault_of(self, case_id: str, raw: Mapping[str, object]) -> Fault | None:
        """Say that an id means something else now; None for a new id, or the same meaning."""
        if case_id not in self.meanings:
            return None
        path, line, before = self.meanings[case_id]
        changed = changed_fields(before, meaning_of(raw))
        if not changed:
            return None
        named = ", ".join(f'"{key}"' for key in changed)
        message = f"the id stood for another case before ({path}:{line}): {named} changed; give this case a new id"
        return Fault(code="reused-id", parts=("id",), message=message, values={"fields": list(changed)})


def read_earlier(files: CaseFiles, *, include_locked: bool) -> Earlier:
    """Read the ids of an earlier folder.

    Args:
        files: Its files.
        include_locked: Whether locked ones may be opened.
    """
    earlier = Earlier()
    for path in (*files.dev, *(files.locked if include_locked else ())):
        try:
            _read(earlier, path)
        except OSError as error:
            earlier.findings.append(unreadable_file(path, error))
    return earlier


def _read(earlier: Earlier, path: Path) -> None:
    for line in read_lines(path):
        raw, faults = (None, [line.fault]) if line.text is None else read_object(line.text)
        case_id = raw.get("id") if raw else None
        if raw is not None and isinstance(case_id, str):
            earlier.meanings.setdefault(case_id, (path, line.number, meaning_of(raw)))
        else:
            earlier.findings += (finding_of(fault, path, line.number) for fault in faults if fault)
