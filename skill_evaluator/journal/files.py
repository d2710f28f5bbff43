"""How the files of a run folder are opened, and how their faults are told."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from pydantic import ValidationError

from skill_evaluator.errors import InputError
from skill_evaluator.journal.records import HEADER_FILE, JOURNAL_FILE
from skill_evaluator.journal.seal import was_changed
from skill_evaluator.model import Finding, Level
from skill_evaluator.reasons import reason_of
from skill_evaluator.regular_files import check_regular
from skill_evaluator.texts import joined, tr

CHANGED = tr("was changed or damaged after it was written: its seal does not fit; put it back as it was")


def lines_of(path: Path) -> Iterator[bytes]:
    """Read a file line by line, since a journal may be larger than the memory; only the last may lack its end.

    Raises:
        InputError: If it cannot be read.
    """
    with _opened(path) as file:
        yield from file


def bytes_of(path: Path) -> bytes:
    """Read a whole file.

    Raises:
        InputError: If it cannot be read.
    """
    with _opened(path) as file:
        return file.read()


def refuse_changed(path: Path, raw: bytes) -> None:
    """Make sure that a file is what was written.

    Raises:
        InputError: If it is not.
    """
    if was_changed(raw):
        raise InputError([fault(path, tr("this file {changed}", changed=CHANGED))])


def first_fault(error: ValidationError) -> str:
    """Say where the first fault of some JSON is, and what it is."""
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return joined(": ", [place or tr("the line"), first["msg"]])


def fault(path: Path, message: str, line: int | None = None) -> Finding:
    """A fault of a file, told with its 1-based line where it has one."""
    return Finding(level=Level.FAIL, code="journal-unreadable", file=str(path), line=line, message=message)


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        check_regular(path)
        with path.open("rb") as file:
            yield file
    except OSError as error:
        message = tr(
            "cannot be read ({why}); a run folder holds {header_file} and {journal_file}",
            why=reason_of(error),
            header_file=HEADER_FILE,
            journal_file=JOURNAL_FILE,
        )
        raise InputError([fault(path, message)]) from error
