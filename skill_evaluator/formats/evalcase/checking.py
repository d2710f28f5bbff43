"""All cases of a folder, gone through once: every fault of every line, ids unique, nothing kept but hashes."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from skill_evaluator.formats.evalcase.familiar import Familiar
from skill_evaluator.formats.evalcase.form import Fault
from skill_evaluator.formats.evalcase.json_line import read_object
from skill_evaluator.formats.evalcase.lines import Line, read_lines
from skill_evaluator.formats.evalcase.place_index import Place, PlaceIndex
from skill_evaluator.formats.evalcase.since import Earlier
from skill_evaluator.formats.evalcase.spots import finding_of
from skill_evaluator.formats.text_file import unreadable_file
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import tr

DIGEST_BYTES: Final = 16


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedFile:
    """A file that was gone through.

    Attributes:
        path: The file.
        locked: Whether it lies in `locked/`.
        digests: A hash of each line that is not blank, one after the other.
    """

    path: Path
    locked: bool
    digests: bytes


def digest_of(line: Line) -> bytes:
    """Hash a line, so that a later reading can tell that it is still the same."""
    return hashlib.blake2b(line.content, digest_size=DIGEST_BYTES).digest()


@dataclass(slots=True)
class Checking:
    """Looks at one file after the other.

    Attributes:
        familiar: What looks at each case by itself.
        earlier: What ids stood for before, or None.
        has_locked: Whether locked files come after those of `dev/`.
        findings: What was found so far.
        count: Lines that hold a case.
    """

    familiar: Familiar
    earlier: Earlier | None = None
    has_locked: bool = False
    findings: list[Finding] = field(default_factory=list)
    count: int = 0
    _places: PlaceIndex = field(default_factory=PlaceIndex)
    _files: list[Path] = field(default_factory=list)
    _sources: PlaceIndex = field(default_factory=PlaceIndex)

    def check_file(self, path: Path, *, locked: bool) -> CheckedFile:
        """Look at all lines of a file; whatever is wrong is kept in `findings`."""
        self._files.append(path)
        digests = bytearray()
        try:
            for line in read_lines(path):
                digests += digest_of(line)
                if not self._check_line(line, path, locked=locked):
                    break
        except OSError as error:
            self.findings.append(unreadable_file(path, error))
        return CheckedFile(path=path, locked=locked, digests=bytes(digests))

    def _check_line(self, line: Line, path: Path, *, locked: bool) -> bool:
        """Look at one line; False where the file is none of cases, so that its other lines need not be looked at."""
        raw, faults = self._read(line)
        if raw is not None and _is_candidate(raw):
            self.findings.append(finding_of(_candidates(), path, line.number))
            return False
        self.count += 1
        if raw is not None:
            faults += self._faults_beside(raw, line.number, locked=locked)
        self.findings += [finding_of(fault, path, line.number, raw) for fault in faults]
        return True

    def _read(self, line: Line) -> tuple[Mapping[str, object] | None, list[Fault]]:
        """Give the object of a line, and what is wrong with it by itself."""
        if line.text is None or line.fault is not None:
            return None, [line.fault] if line.fault else []
        raw, faults = read_object(line.text)
        if raw is not None and not _is_candidate(raw):
            faults += self.familiar.faults_of(raw)
        return raw, faults

    def _faults_beside(self, raw: Mapping[str, object], line: int, *, locked: bool) -> Iterator[Fault]:
        """Give what is wrong with a case only beside the others."""
        case_id = raw.get("id")
        if not isinstance(case_id, str) or not case_id.strip():
            return
        first = self._places.add(case_id, Place(line=line, where=len(self._files) - 1))
        if first is not None:
            message = tr(
                "the id stands twice, first in {place}; give one of the two another id",
                place=self._named(self._places[first]),
            )
            yield Fault(code="duplicate-id", parts=("id",), message=message)
        if self.earlier and (fault := self.earlier.fault_of(case_id, raw)):
            yield fault
        yield from self._locked_answer(raw, line, locked=locked)

    def _locked_answer(self, raw: Mapping[str, object], line: int, *, locked: bool) -> Iterator[Fault]:
        """Say that a case of `dev/` shows what a locked one asks; dev files are gone through before locked ones."""
        texts = raw.get("source"), raw.get("target_locale")
        if not all(isinstance(text, str) for text in texts):
            return
        texts_of_both = "\0".join(map(str, texts))
        if not locked:
            if self.has_locked:
                has_references = bool(raw.get("references"))
                self._sources.add(texts_of_both, Place(line=line, where=len(self._files) - 1, mark=has_references))
        elif (first := self._sources.find(texts_of_both)) is not None:
            place = self._sources[first]
            what = (
                tr("a case that prompts may be made of gives away its answer")
                if place.mark
                else tr("a case that prompts may be made of asks the same")
            )
            message = tr(
                "{what} ({place} has the same source and target locale); remove one of the two",
                what=what,
                place=self._named(place),
            )
            level = Level.FAIL if place.mark else Level.WARN
            yield Fault(code="locked-answer", parts=("source",), message=message, level=level)

    def _named(self, place: Place) -> str:
        return f"{self._files[place.where]}:{place.line}"


def _is_candidate(raw: Mapping[str, object]) -> bool:
    return "case_id" in raw and not raw.keys() & {"id", "source", "assertions"}


def _candidates() -> Fault:
    message = tr(
        "holds candidates (case_id, text), not cases; check them with `skill-evaluator "
        "translation check CASES CANDIDATES`"
    )
    return Fault(code="candidates-file", parts=(), message=message)
