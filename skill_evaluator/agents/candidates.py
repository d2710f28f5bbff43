"""Reads candidate JSONL: one recorded answer a line, made by any program."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from skill_evaluator.agents.candidate_rows import CandidateRow, row_findings
from skill_evaluator.agents.json_lines import read_line
from skill_evaluator.agents.skill_names import is_target
from skill_evaluator.errors import InputError
from skill_evaluator.model import Finding, Level, Run

_STREAM_CODE = "stream-as-candidates"
_STREAM = (
    "this looks like a session printed as stream-json, which does not say what case it belongs to; "
    "put it into a folder as <case id>.<n>.jsonl and name the folder"
)


def read_candidates(path: Path, *, skill_name: str) -> tuple[tuple[int, Run], ...]:
    """Read all answers of a file, each with its 1-based line.

    An answer without `index` is the repetition after those of the same case above it. Whether the skill fired follows
    from `skills_invoked` where `triggered` is absent; where both are, nobody knows, and it stays None.

    Raises:
        InputError: With every fault of the file.
    """
    reader = _Reader(path, skill_name)
    runs = tuple(reader.runs())
    if reader.findings:
        raise InputError(reader.findings)
    return runs


class _Reader:
    """Goes through the lines and gathers what is wrong with them."""

    def __init__(self, path: Path, skill_name: str) -> None:
        self.findings: list[Finding] = []
        self._path = path
        self._skill_name = skill_name
        self._above: Counter[str] = Counter()
        self._line_of: dict[tuple[str, int], int] = {}

    def runs(self) -> Iterator[tuple[int, Run]]:
        """Give the answers of the lines without fault."""
        for number, line in enumerate(self._lines(), start=1):
            if line.strip() and (row := self._row(line, number)) and (run := self._run(row, number)):
                yield number, run

    def _lines(self) -> list[str]:
        try:
            return self._path.read_bytes().decode("utf-8-sig").split("\n")
        except UnicodeDecodeError as error:
            self._fault("not-utf-8", f"byte {error.start} is not UTF-8; save the file as UTF-8", None)
        except OSError as error:
            self._fault("unreadable", f"cannot be read: {error.strerror}", None)
        return []

    def _row(self, line: str, number: int) -> CandidateRow | None:
        try:
            value = read_line(line)
        except ValueError as error:
            self._fault("not-json", f"not one JSON object a line: {error}", number)
            return None
        if not isinstance(value, dict):
            self._fault("not-json", f"a JSON object is expected, found {str(value)[:40]!r}", number)
            return None
        if "type" in value and "case_id" not in value:
            if not any(finding.code == _STREAM_CODE for finding in self.findings):
                self._fault(_STREAM_CODE, _STREAM, number)
            return None
        try:
            return CandidateRow.model_validate(value)
        except ValidationError as error:
            case = value.get("case_id")
            named = case if isinstance(case, str) else None
            self.findings += row_findings(error, file=str(self._path), line=number, case=named)
            return None

    def _run(self, row: CandidateRow, number: int) -> Run | None:
        index = self._above[row.case_id] if row.index is None else row.index
        self._above[row.case_id] += 1
        first = self._line_of.setdefault((row.case_id, index), number)
        if first != number:
            message = f"repetition {index} already stands on line {first}; number them from 0, or leave 'index' out"
            self._fault("duplicate-index", message, number, case=row.case_id)
            return None
        fired = self._fired(row)
        if other := _contradicted(row, fired=fired):
            message = f"'triggered' is {str(row.triggered).lower()}, which {other!r} contradicts; leave one of them out"
            self._fault("contradiction", message, number, case=row.case_id)
            return None
        said = fired if row.triggered is None else row.triggered
        return row.as_run(index=index, triggered=None if row.error else said)

    def _fired(self, row: CandidateRow) -> bool | None:
        if row.skills_invoked is None:
            return None
        return any(is_target(name, self._skill_name) for name in row.skills_invoked)

    def _fault(self, code: str, message: str, line: int | None, *, case: str | None = None) -> None:
        file = str(self._path)
        self.findings.append(Finding(level=Level.FAIL, code=code, message=message, file=file, line=line, case=case))


def _contradicted(row: CandidateRow, *, fired: bool | None) -> str | None:
    """Name the key that says otherwise than `triggered`, or None."""
    if row.triggered is None:
        return None
    if row.error:
        return "error"
    return "skills_invoked" if fired and not row.triggered else None
