"""Reads candidate JSONL: one recorded answer a line, made by any program."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from skill_evaluator.agents.candidate_rows import CandidateRow, row_findings, shown
from skill_evaluator.agents.json_lines import read_line
from skill_evaluator.agents.mistaken import MESSAGES, mistaken_document, mistaken_row
from skill_evaluator.errors import InputError
from skill_evaluator.model import Finding, Level, Run
from skill_evaluator.reasons import reason_of
from skill_evaluator.regular_files import read_regular
from skill_evaluator.results import MAX_RUNS
from skill_evaluator.skill_names import is_target
from skill_evaluator.texts import tr


def read_candidates(path: Path, *, skill_name: str) -> tuple[tuple[int, Run], ...]:
    """Read all answers of a file, each with its 1-based line.

    An answer without `index` is the repetition after those of the same case above it. Whether the skill fired follows
    from `skills_invoked` where `triggered` is absent; where both are, nobody knows, and it stays None. The repetitions
    of a case are numbered from 0 without gaps, up to 999.

    Raises:
        InputError: With every fault of the file.
    """
    reader = _Reader(path, skill_name)
    runs = tuple(reader.runs())
    reader.look_for_gaps()
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

    def look_for_gaps(self) -> None:
        """Find the first repetition of each case that has none before it; only once every line could be read."""
        if self.findings:
            return
        counted: Counter[str] = Counter()
        broken: set[str] = set()
        for (case_id, index), line in sorted(self._line_of.items(), key=lambda item: item[0][1]):
            if index != counted[case_id] and case_id not in broken:
                broken.add(case_id)
                message = tr(
                    "repetition {counted} of this case is recorded nowhere, but {index} is; "
                    "number them from 0 without gaps, or leave 'index' out",
                    counted=counted[case_id],
                    index=index,
                )
                self._fault("index-gap", message, line, case=case_id)
            counted[case_id] += 1

    def _lines(self) -> list[str]:
        try:
            text = read_regular(self._path).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            self._fault("not-utf-8", tr("byte {start} is not UTF-8; save the file as UTF-8", start=error.start), None)
        except (OSError, ValueError) as error:
            self._fault("unreadable", tr("cannot be read: {why}", why=reason_of(error)), None)
        else:
            code = mistaken_document(text)
            if code is None:
                return text.split("\n")
            self._fault(code, MESSAGES[code], 1)
        return []

    def _row(self, line: str, number: int) -> CandidateRow | None:
        try:
            value = read_line(line, strict=True)
        except ValueError as error:
            self._fault("not-json", tr("not one JSON object a line: {error}", error=reason_of(error)), number)
            return None
        if not isinstance(value, dict):
            self._fault("not-json", tr("a JSON object is expected, found {value}", value=shown(value)), number)
            return None
        if code := mistaken_row(value):
            if not any(finding.code == code for finding in self.findings):
                self._fault(code, MESSAGES[code], number)
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
            message = tr(
                "repetition {index} already stands on line {first}; number them from 0, or leave 'index' out",
                index=index,
                first=first,
            )
            self._fault("duplicate-index", message, number, case=row.case_id)
            return None
        if index >= MAX_RUNS:
            if index == MAX_RUNS:
                message = tr(
                    "a case has {max_runs:,} repetitions at most; leave this line and those after it out",
                    max_runs=MAX_RUNS,
                )
                self._fault("too-many-repetitions", message, number, case=row.case_id)
            return None
        fired = self._fired(row)
        if contradiction := self._contradiction(row, fired=fired):
            self._fault("contradiction", contradiction, number, case=row.case_id)
            return None
        said = fired if row.triggered is None else row.triggered
        return row.as_run(index=index, triggered=None if row.error else said)

    def _fired(self, row: CandidateRow) -> bool | None:
        if row.skills_invoked is None:
            return None
        return any(is_target(name, self._skill_name) for name in row.skills_invoked)

    def _contradiction(self, row: CandidateRow, *, fired: bool | None) -> str | None:
        """Say which key says otherwise than `triggered`, or None."""
        if row.triggered is None:
            return None
        said = tr("'triggered' is {value}, which", value=str(row.triggered).lower())
        if row.error:
            return tr("{said} 'error' contradicts; leave one of them out", said=said)
        if fired and not row.triggered:
            return tr("{said} 'skills_invoked' contradicts; leave one of them out", said=said)
        if row.triggered and fired is False:
            return tr(
                "{said} 'skills_invoked' contradicts; add {skill_name!r} to it, or, if the skill was opened "
                "without being invoked, leave 'skills_invoked' out",
                said=said,
                skill_name=self._skill_name,
            )
        return None

    def _fault(self, code: str, message: str, line: int | None, *, case: str | None = None) -> None:
        file = str(self._path)
        self.findings.append(Finding(level=Level.FAIL, code=code, message=message, file=file, line=line, case=case))
