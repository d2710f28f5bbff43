"""testset.json -> Suite, or all its faults at once."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import Final

from skill_evaluator.formats.json_file import decode_json, json_findings, line_of
from skill_evaluator.formats.json_text import JsonText, pointer_to
from skill_evaluator.formats.not_a_testset import explain_shape
from skill_evaluator.formats.testset_cases import build_case, hash_of_hashes
from skill_evaluator.formats.testset_doubts import PASS_THRESHOLD, find_doubts
from skill_evaluator.formats.testset_form import RowFault, kind_of
from skill_evaluator.formats.testset_rows import Row, read_row
from skill_evaluator.formats.testset_rules import check_floors, check_own_name, check_repeats, floor_faults, sketch
from skill_evaluator.formats.text_file import read_bytes
from skill_evaluator.formats.visible import encodable, visible_findings
from skill_evaluator.model import Case, Finding, Level, Loaded, Skill, Source, Split, Suite
from skill_evaluator.texts import tr

__all__ = ["find_testset", "floor_faults", "read_bytes", "read_testset", "read_testset_bytes", "split_sha256"]

FORMAT: Final = "testset"
_PLACES: Final = ("testset.json", "evals/testset.json")


def find_testset(folder: Path) -> Path | None:
    """Give the test set in a skill's folder: `testset.json`, else `evals/testset.json`, else None.

    Whatever has such a name counts, so that its reader can say why it is no file.
    """
    candidates = (folder / place for place in _PLACES)
    return next((path for path in candidates if os.path.lexists(path)), None)


def read_testset(
    path: Path,
    *,
    skill: Skill | None = None,
    enforce_floors: bool = True,
    pass_threshold: float = PASS_THRESHOLD,
) -> Loaded:
    """Read a test set strictly.

    Args:
        path: The JSON file.
        skill: The skill it is for; two of the warnings compare with it, and no case may expect it as its own sibling.
        enforce_floors: False to accept fewer cases than a score needs.
        pass_threshold: What the cases are to show, 0..1; only the warning of a class that is too small uses it.

    Returns:
        The suite with warnings, or None with every fault of the file in the order of its lines.
    """
    raw = read_bytes(path)
    if isinstance(raw, Finding):
        return Loaded(suite=None, findings=(raw,))
    return read_testset_bytes(raw, str(path), skill=skill, enforce_floors=enforce_floors, pass_threshold=pass_threshold)


def read_testset_bytes(
    raw: bytes,
    name: str,
    *,
    skill: Skill | None = None,
    skill_name: str | None = None,
    enforce_floors: bool = True,
    pass_threshold: float | None = PASS_THRESHOLD,
) -> Loaded:
    """Read the bytes of a test set; see `read_testset`.

    Args:
        raw: The whole file.
        name: Its path as the user named it.
        skill: As for `read_testset`.
        skill_name: Its name, where no more is known of it.
        enforce_floors: As for `read_testset`.
        pass_threshold: As for `read_testset`; None leaves out what `find_doubts` would find.

    Returns:
        The suite with warnings, or None with every fault.
    """
    file = encodable(name)
    document = decode_json(raw, file)
    if isinstance(document, Finding):
        return Loaded(suite=None, findings=(document,))
    findings = [*json_findings(document, file), *explain_shape(document, file)]
    if not isinstance(document.value, list) or any(finding.code == "not-a-testset" for finding in findings):
        return Loaded(suite=None, findings=visible_findings(findings))
    rows = [read_row(row) if isinstance(row, dict) else _not_an_object(row) for row in document.value]
    findings += _row_faults(rows, document, file)
    sketches = [sketch(row, index, document.lines) for index, row in enumerate(document.value)]
    findings += check_repeats(sketches, file)
    target = skill.name if skill else skill_name
    findings += check_own_name(sketches, file, target) if target else []
    findings += check_floors(sketches, file) if enforce_floors else []
    if any(finding.level is Level.FAIL for finding in findings):
        return Loaded(suite=None, findings=_in_order(findings))
    cases = tuple(_cases(rows, document, file))
    if pass_threshold is not None:
        findings += find_doubts(cases, file, skill=skill, pass_threshold=pass_threshold)
    suite = Suite(
        name=PurePath(file).name, format=FORMAT, cases=cases, sha256=hash_of_hashes(case.sha256 for case in cases)
    )
    return Loaded(suite=suite, findings=_in_order(findings))


def split_sha256(suite: Suite, split: Split) -> str:
    """Hash the cases of one split; their order does not matter."""
    return hash_of_hashes(case.sha256 for case in suite.cases if case.split is split)


def _not_an_object(raw: object) -> tuple[RowFault, ...]:
    message = tr("a case is an object in braces, but here stands {raw}; write {{...}} or remove it", raw=kind_of(raw))
    return (RowFault(code="wrong-value", parts=(), message=message),)


def _row_faults(rows: Sequence[Row | tuple[RowFault, ...]], document: JsonText, file: str) -> Iterator[Finding]:
    for index, row in enumerate(rows):
        for fault in row if isinstance(row, tuple) else ():
            yield Finding(
                level=Level.FAIL,
                code=fault.code,
                message=fault.message,
                file=file,
                case=_id(document, index),
                pointer=pointer_to(index, *fault.parts),
                line=line_of(document, index, *fault.parts),
                values=fault.values,
            )


def _id(document: JsonText, index: int) -> str | None:
    raw = document.value[index] if isinstance(document.value, list) else None
    name = raw.get("id") if isinstance(raw, dict) else None
    return name if isinstance(name, str) and name.strip() else None


def _in_order(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    return visible_findings(sorted(findings, key=lambda finding: finding.line or 0))


def _cases(rows: Sequence[Row | tuple[RowFault, ...]], document: JsonText, file: str) -> Iterator[Case]:
    for index, row in enumerate(rows):
        if isinstance(row, Row):
            yield build_case(row, Source(path=file, line=line_of(document, index)))
