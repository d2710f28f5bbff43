"""Ids of an earlier folder and what they stood for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from skill_evaluator.formats.evalcase.case_files import CaseFiles
from skill_evaluator.formats.evalcase.form import Fault
from skill_evaluator.formats.evalcase.json_line import read_object
from skill_evaluator.formats.evalcase.lines import Line, read_lines
from skill_evaluator.formats.evalcase.meaning import MEANING_BYTES, changed_fields, meaning_of
from skill_evaluator.formats.evalcase.place_index import Place, PlaceIndex
from skill_evaluator.formats.evalcase.spots import finding_of
from skill_evaluator.formats.text_file import unreadable_file
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import listed, tr

_IS_READ: Final = "link-to-locked"  # the one fault of a layout that hides no ids


@dataclass(slots=True)
class Earlier:
    """What an earlier folder says; memory does not grow by more than some 100 bytes an id.

    Attributes:
        findings: What hides ids: lines and files that cannot be read, or that nothing reads where they lie. Other
            faults are not told again.
    """

    findings: list[Finding] = field(default_factory=list)
    _files: list[Path] = field(default_factory=list)
    _places: PlaceIndex = field(default_factory=PlaceIndex)
    _meanings: bytearray = field(default_factory=bytearray)  # one after the other, as places are numbered

    @property
    def count(self) -> int:
        """How many ids it has."""
        return len(self._places)

    def fault_of(self, case_id: str, raw: Mapping[str, object]) -> Fault | None:
        """Say that an id means something else now; None for a new id, or the same meaning."""
        number = self._places.find(case_id)
        if number is None:
            return None
        before = bytes(self._meanings[number * MEANING_BYTES : (number + 1) * MEANING_BYTES])
        changed = changed_fields(before, meaning_of(raw))
        if not changed:
            return None
        named = listed(f'"{key}"' for key in changed)
        place = self._places[number]
        where = f"{self._files[place.where]}:{place.line}"
        message = tr(
            "the id stood for another case before ({where}): {named} changed; give this case a new id",
            where=where,
            named=named,
        )
        return Fault(code="reused-id", parts=("id",), message=message, values={"fields": list(changed)})

    def read(self, path: Path) -> None:
        """Read the ids of a file; of an id that stands twice, the first counts."""
        self._files.append(path)
        try:
            for line in read_lines(path):
                self._add(line, path)
        except OSError as error:
            self.findings.append(unreadable_file(path, error))

    def _add(self, line: Line, path: Path) -> None:
        raw, faults = (None, [line.fault]) if line.text is None else read_object(line.text)
        case_id = raw.get("id") if raw else None
        if raw is None or not isinstance(case_id, str):
            self.findings += (finding_of(fault, path, line.number) for fault in faults if fault)
        elif self._places.add(case_id, Place(line=line.number, where=len(self._files) - 1)) is None:
            self._meanings += meaning_of(raw)


def read_earlier(files: CaseFiles, *, include_locked: bool) -> Earlier:
    """Read the ids of an earlier folder.

    Args:
        files: Its files.
        include_locked: Whether locked ones may be opened.
    """
    hidden = [one for one in files.findings if one.level is Level.FAIL and one.code != _IS_READ]
    earlier = Earlier(findings=hidden)
    for path in (*files.dev, *(files.locked if include_locked else ())):
        earlier.read(path)
    if not (earlier.count or earlier.findings or (files.locked and not include_locked)):
        message = tr("holds no case with an id, so there is nothing to hold the cases against; name the earlier folder")
        earlier.findings.append(finding_of(Fault(code="no-cases", parts=(), message=message), files.root))
    return earlier
