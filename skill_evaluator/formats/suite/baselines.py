"""The recorded sessions that `baseline` graders compare with.

Source: Suites recorded with Claude Code 2.1.332.
"""

import os
from dataclasses import replace
from pathlib import Path
from typing import Final

from skill_evaluator.formats.reasons import json_reason
from skill_evaluator.formats.suite.blanks import trimmed
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.paths import is_other, is_outward, path_fault, reason_of
from skill_evaluator.formats.suite.reading import is_inside, read_bytes_inside
from skill_evaluator.formats.suite.strict_json import read_json
from skill_evaluator.texts import tr

_MAX_BASELINE: Final = 10 * 1024 * 1024


def baseline_fault(case: Path, grader: str, written: str, *, root: Path) -> SuiteFault | None:
    """Say what is wrong with the file of a `baseline` grader; that one is missing is told elsewhere.

    Args:
        case: Folder of the case.
        grader: Name of the grader.
        written: The file as written.
        root: The outermost folder that may be read.
    """
    path = ("graders", grader, "baseline_file")
    if (problem := _baseline_problem(case, written, root)) is not None:
        return path_fault(
            "bad-baseline-file",
            path,
            tr("`baseline_file` names {written!r}, which {problem}", written=written, problem=problem),
        )
    if is_outward(case, written):
        problem = tr("leads out of the case; put the transcript into the case's folder")
    else:
        content = read_bytes_inside(case / written, root=root, max_bytes=_MAX_BASELINE)
        problem = _content_problem(content)
    if problem is None:
        return None
    fault = path_fault(
        "bad-baseline-file",
        path,
        tr("`baseline_file` names {written!r}, which {problem}", written=written, problem=problem),
    )
    return replace(fault, code="baseline-not-read", effect="throws")


def _baseline_problem(case: Path, written: str, root: Path) -> str | None:
    path = case / written
    try:
        if Path(written).is_absolute() or not is_inside(Path(os.path.normpath(path)).parent, root):
            return tr("leads out of the plugin; put the transcript into the case's folder")
        is_dangling = path.is_symlink() and not path.exists()
        return tr("is no file; name the transcript to compare with") if is_other(path) or is_dangling else None
    except (OSError, ValueError) as error:
        return tr("cannot be followed ({why}); check the path", why=reason_of(error))


def _content_problem(content: bytes | SuiteFault) -> str | None:
    if isinstance(content, bytes):
        return _lines_problem(content.decode("utf-8", "replace"))
    return content.message if content.code in ("leads-outside", "too-large") else None


def _lines_problem(text: str) -> str | None:
    for number, line in enumerate(text.split("\n"), start=1):
        if not trimmed(line):
            continue
        try:
            read_json(line)
        except ValueError as error:
            return tr(
                "is no JSON in line {number} ({why}); save the transcript with one JSON value a line",
                number=number,
                why=json_reason(error),
            )
        except RecursionError:
            continue
    return None
