"""Reads recorded runs from wherever they were kept: a run folder, candidate JSONL, or a folder of sessions."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from skill_evaluator.agents.candidates import read_candidates
from skill_evaluator.agents.sessions import NAMED_SO, is_session_file, read_sessions
from skill_evaluator.errors import InputError
from skill_evaluator.journal import HEADER_FILE, JOURNAL_FILE, TESTSET_FILE, read_journal
from skill_evaluator.model import AgentInfo, Case, Finding, Level, Run
from skill_evaluator.texts import tr

_NO_CASE = ""  # the hash of no prompt


@dataclass(frozen=True, kw_only=True, slots=True)
class Recording:
    """One recorded run.

    Attributes:
        prompt_sha256: Hash of what the agent was shown, or None where only the case id is known.
        line: 1-based line in the file named, or None.
    """

    run: Run
    prompt_sha256: str | None = None
    line: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Recordings:
    """All runs of one place, and who answered.

    Attributes:
        repeated: How many session files repeat another one and were left out.
    """

    info: AgentInfo
    recordings: tuple[Recording, ...]
    repeated: int = 0


def read_recordings(path: Path, *, skill_name: str, cases: Sequence[Case] = ()) -> Recordings:
    """Read recorded runs; what they are is told by the place.

    Args:
        path: A run folder, a candidate file, a session file of Claude Code, or a folder of sessions. Those named
            `<case id>.<n>.jsonl` or `<case id>/<n>.jsonl` belong to that case, the order of the numbers gives the
            repetitions; other session files belong to the case that asks what was asked first in them.
        skill_name: Name of the skill under test.
        cases: All cases of the test set, for finding those that sessions answer.

    Raises:
        InputError: With every fault found.
    """
    if path.name in (HEADER_FILE, JOURNAL_FILE):
        raise InputError(
            [
                _fault(
                    path,
                    "file-name",
                    tr("is part of a run folder; name the folder, {parent!r}", parent=str(path.parent)),
                )
            ]
        )
    if _exists(path / HEADER_FILE) or _exists(path / JOURNAL_FILE):
        found = _from_journal(path)
    elif os.path.isdir(path) or is_session_file(path):  # noqa: PTH112 - Path.is_dir may raise
        found = _from_sessions(path, skill_name, cases)
    else:
        found = _from_candidates(path, skill_name)
    if not found.recordings:
        raise InputError(
            [_fault(path, "no-recordings", tr("holds no recorded run; expected {expected}", expected=_EXPECTED))]
        )
    return found


def _from_journal(folder: Path) -> Recordings:
    """Take the runs of a journal; only its regular files are opened."""
    parts = [folder / name for name in (HEADER_FILE, JOURNAL_FILE, TESTSET_FILE)]
    if odd := [part for part in parts if _exists(part) and not os.path.isfile(part)]:  # noqa: PTH113 - may raise
        raise InputError([_fault(part, "unreadable", tr("cannot be read: it is not a regular file")) for part in odd])
    journal = read_journal(folder)
    recordings = (Recording(run=entry.run, prompt_sha256=entry.prompt_sha256) for entry in journal.entries)
    return Recordings(info=journal.header.agent, recordings=tuple(recordings))


def _from_candidates(path: Path, skill_name: str) -> Recordings:
    runs = read_candidates(path, skill_name=skill_name)
    info = AgentInfo(name="replay", settings={"recorded_as": "candidates"})
    return Recordings(info=info, recordings=tuple(Recording(run=run, line=line) for line, run in runs))


def _from_sessions(path: Path, skill_name: str, cases: Sequence[Case]) -> Recordings:
    found = read_sessions(path, skill_name=skill_name, cases=cases)
    runs = [Recording(run=run) for run in found.runs]
    strays = [Recording(run=Run(case_id=name), prompt_sha256=_NO_CASE) for name in found.strays]
    return Recordings(info=found.info, recordings=(*runs, *strays), repeated=found.repeated)


def _exists(path: Path) -> bool:
    return os.path.lexists(path)  # unlike Path.exists it never raises on a path that cannot be


_EXPECTED = tr(
    "a run folder with {header_file} and {journal_file}, a file of candidate JSONL, "
    "a session file of Claude Code, or a folder of such files or of sessions named {named_so}",
    header_file=HEADER_FILE,
    journal_file=JOURNAL_FILE,
    named_so=NAMED_SO,
)


def _fault(path: Path, code: str, message: str) -> Finding:
    return Finding(level=Level.FAIL, code=code, message=message, file=str(path))
