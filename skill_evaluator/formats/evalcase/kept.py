"""The copy of cases that lies beside their runs: all that is needed to grade them again, the prompts as they were sent.

A prompt is kept as well as the case that it was made of, so that a later version, which may word it differently, still
knows which runs answered it.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Final

from skill_evaluator.formats.evalcase.building import build_case
from skill_evaluator.formats.evalcase.kept_mark import FORMAT
from skill_evaluator.formats.evalcase.prompts import prompt_of
from skill_evaluator.formats.evalcase.rows import check_row
from skill_evaluator.formats.evalcase.runnable import case_of, suite_from
from skill_evaluator.formats.visible import encodable
from skill_evaluator.model import Case, EvalCase, Finding, Level, Loaded, Source
from skill_evaluator.reasons import foreign
from skill_evaluator.texts import tr

_VERSION: Final = 1
_OF_MANIFEST: Final = "bad-license"  # which other statements are fine stands in a file that is not kept


def kept_bytes(cases: Iterable[EvalCase]) -> bytes:
    """Write cases with their prompts and places as one JSON object.

    Raises:
        LockedCaseError: At the first locked case.
    """
    rows = [
        {"file": case.place.path, "line": case.place.line, "prompt": prompt_of(case), "case": case.row}
        for case in cases
    ]
    whole = {"format": FORMAT, "version": _VERSION, "cases": rows}
    return json.dumps(whole, ensure_ascii=False, indent=1, default=dict).encode(errors="backslashreplace")


def read_kept(raw: bytes, name: str) -> Loaded:
    """Read a copy.

    Args:
        raw: All of it.
        name: The folder or file that it was made of, or its own path; the suite is called after it.
    """
    try:
        cases = tuple(_cases(json.loads(raw)))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        problem = f"{type(error).__name__}: {error}"
        message = tr(
            "is no copy of cases as a run keeps it ({problem}); name the cases themselves",
            problem=foreign(problem),
        )
        fault = Finding(level=Level.FAIL, code="kept-cases", message=message, file=encodable(name))
        return Loaded(suite=None, findings=(fault,))
    return Loaded(suite=suite_from(cases, PurePath(encodable(name)).name))


def _cases(whole: object) -> Iterator[Case]:
    if not isinstance(whole, dict) or whole.get("format") != FORMAT or whole.get("version") != _VERSION:
        raise ValueError(f"it is not of format {FORMAT!r}, version {_VERSION}")
    for kept in whole["cases"]:
        place = Source(path=str(kept["file"]), line=int(kept["line"]))
        row = kept["case"]
        for fault in check_row(row, ()):
            if fault.level is Level.FAIL and fault.code != _OF_MANIFEST:
                raise ValueError(fault.message)
        yield case_of(build_case(row, place, locked=False), str(kept["prompt"]))
