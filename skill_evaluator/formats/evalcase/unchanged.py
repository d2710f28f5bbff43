"""Files that are read twice have to be the same both times."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from skill_evaluator.errors import InputError
from skill_evaluator.formats.evalcase.case_files import find_case_files
from skill_evaluator.formats.visible import visible
from skill_evaluator.model import EvalCase, Finding, Level

_State = tuple[int, int, int]  # size, time of the last change, number of the file


@dataclass(frozen=True, kw_only=True, slots=True)
class FileStates:
    """How files were at one time.

    Attributes:
        root: What was named.
        states: By file; None for one that cannot be looked at.
    """

    root: Path
    states: Mapping[Path, _State | None]

    @classmethod
    def of_cases(cls, root: Path) -> "FileStates":
        """Look at all files of cases."""
        files = find_case_files(root)
        return cls(root=root, states={} if files is None else {one: _state(one) for one in (*files.dev, *files.locked)})

    def guarded(self, cases: Iterable[EvalCase]) -> Iterator[EvalCase]:
        """Give cases as they are read again.

        Raises:
            InputError: If a file was changed, added or taken away since; told at the end, or where reading breaks off.
        """
        try:
            yield from cases
        except (ValueError, LookupError, TypeError, OSError) as error:
            self._check(error)
            raise
        self._check(None)

    def _check(self, cause: BaseException | None) -> None:
        now = FileStates.of_cases(self.root).states
        changed = sorted(path for path in {*now, *self.states} if now.get(path) != self.states.get(path))
        if changed:
            raise InputError([_changed(path) for path in changed]) from cause


def _state(path: Path) -> _State | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns, found.st_ino


def _changed(path: Path) -> Finding:
    message = "the file has changed since it was checked; leave it alone until the command has ended"
    return Finding(level=Level.FAIL, code="changed", message=message, file=visible(str(path)))
