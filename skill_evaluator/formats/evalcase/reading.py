"""Cases out of files, one at a time: memory does not grow with their number."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from skill_evaluator.formats.evalcase.case_files import find_case_files
from skill_evaluator.formats.evalcase.checks import check_of
from skill_evaluator.model import Assertion, EvalCase, Finding, Provenance, Severity, Source


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseSource:
    """Cases that were checked once, and are read again each time they are gone through.

    Attributes:
        path: The folder or file as it was named.
        findings: Every fault and doubt; with a FAIL among them nothing may be gone through.
        count: How many cases there are.
        left_out: How many locked ones were not opened.
    """

    path: Path
    findings: tuple[Finding, ...]
    count: int
    includes_locked: bool = True

    def __iter__(self) -> Iterator[EvalCase]:
        """Give each case, in the order of files and lines."""
        files = find_case_files(self.path)
        if files is None:
            return
        for file, locked in (
            *((one, False) for one in files.dev),
            *((one, True) for one in files.locked if self.includes_locked),
        ):
            with file.open(encoding="utf-8") as lines:
                for number, line in enumerate(lines, 1):
                    if line.strip():
                        yield case_of_row(json.loads(line), Source(path=str(file), line=number), locked=locked)


def open_cases(path: Path, *, include_locked: bool = True, since: Path | None = None) -> CaseSource:
    """Check all cases of a folder, or of one file.

    Args:
        path: The folder, or the file.
        include_locked: False for whoever makes prompts: files in `locked/` are not opened at all.
        since: An earlier folder; an id that means something else now is a fault. None for no such check.
    """
    del since
    source = CaseSource(path=path, findings=(), count=0, includes_locked=include_locked)
    return CaseSource(path=path, findings=(), count=sum(1 for _ in source), includes_locked=include_locked)


def case_of_row(row: Mapping[str, object], place: Source, *, locked: bool = False) -> EvalCase:
    """Make a case of a sound row."""
    raw: dict[str, object] = dict(row)
    provenance = raw["provenance"]
    assertions = raw["assertions"]
    if not isinstance(provenance, dict) or not isinstance(assertions, list):
        raise TypeError(place)
    return EvalCase(
        id=str(raw["id"]),
        source_locale=str(raw["source_locale"]),
        target_locale=str(raw["target_locale"]),
        domain=str(raw["domain"]),
        source=str(raw["source"]),
        assertions=tuple(
            Assertion(
                name=one["name"],
                severity=Severity(one["severity"]),
                params=one.get("params", {}),
                check=check_of(one["name"], one.get("params", {}), raw),
            )
            for one in assertions
        ),
        provenance=Provenance(**provenance),
        place=place,
        locked=locked,
        row=raw,
    )
