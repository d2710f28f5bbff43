"""Writes candidates as JSON Lines; a file that holds anything else is never replaced."""

import json
import os
from collections.abc import Iterable
from pathlib import Path

from skill_evaluator.api.faults import option_fault
from skill_evaluator.errors import InputError
from skill_evaluator.file_names import shown
from skill_evaluator.model import Candidate
from skill_evaluator.regular_files import read_regular
from skill_evaluator.report.files import write_whole
from skill_evaluator.texts import tr


def candidates_text(candidates: Iterable[Candidate]) -> str:
    r"""Write one candidate a line.

    >>> print(candidates_text([Candidate(case_id="a.001", text="Hallo\n")]), end="")
    {"case_id": "a.001", "text": "Hallo\n", "raw_response": null}
    """
    return "".join(map(_line, candidates))


def write_candidates(output: Path, candidates: Iterable[Candidate], *, earlier: Iterable[Candidate] = ()) -> None:
    """Write a file of candidates, whole or not at all.

    Args:
        output: The file.
        candidates: What it is to hold.
        earlier: What it may hold now; only such a file is replaced.

    Raises:
        InputError: If there is another file by now, or it cannot be written.
    """
    if not is_theirs(output, candidates_text(earlier)):
        message = tr(
            "{output!r} was made by somebody else meanwhile, so it is not written over; the same "
            "command with --resume and another file writes the candidates, and asks nothing again",
            output=shown(output),
        )
        raise InputError([option_fault("-o", message)])
    write_whole({output: candidates_text(candidates)})


def is_theirs(output: Path, text: str) -> bool:
    """Whether a file is not there, or holds this text and nothing else."""
    if not os.path.lexists(output):
        return True
    content = text.encode()
    try:
        return bool(content) and read_regular(output, max_bytes=len(content) + 1) == content
    except (OSError, ValueError):
        return False


def _line(candidate: Candidate) -> str:
    row = {"case_id": candidate.case_id, "text": candidate.text, "raw_response": candidate.raw_response}
    return json.dumps(row, ensure_ascii=False) + "\n"
