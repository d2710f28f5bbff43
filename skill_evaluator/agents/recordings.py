"""Reads recorded runs from wherever they were kept: a run folder, candidate JSONL, or a folder of sessions."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from skill_evaluator.agents.candidates import read_candidates
from skill_evaluator.agents.json_lines import read_regular
from skill_evaluator.agents.stream_json import Transcript, read_stream
from skill_evaluator.errors import InputError
from skill_evaluator.journal import HEADER_FILE, JOURNAL_FILE, TESTSET_FILE, read_journal
from skill_evaluator.model import AgentInfo, Arm, Finding, Level, Run

_STREAM_NAME = re.compile(r"(?:(?P<folder>[^/]+)/|(?P<case>[^/]+)\.)(?P<number>[0-9]{1,9})\.jsonl")


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
    """All runs of one place, and who answered."""

    info: AgentInfo
    recordings: tuple[Recording, ...]


def read_recordings(path: Path, *, skill_name: str) -> Recordings:
    """Read recorded runs; what they are is told by the place.

    Args:
        path: A run folder, a candidate file, or a folder of stream-json files named
            `<case id>.<n>.jsonl` or `<case id>/<n>.jsonl`; the order of the numbers gives the repetitions.
        skill_name: Name of the skill under test.

    Raises:
        InputError: With every fault found.
    """
    if path.name in (HEADER_FILE, JOURNAL_FILE):
        raise InputError([_fault(path, "file-name", f"is part of a run folder; name the folder, {str(path.parent)!r}")])
    if _exists(path / HEADER_FILE) or _exists(path / JOURNAL_FILE):
        found = _from_journal(path)
    elif os.path.isdir(path):  # noqa: PTH112 - Path.is_dir may raise
        found = _from_streams(path, skill_name)
    else:
        found = _from_candidates(path, skill_name)
    if not found.recordings:
        raise InputError([_fault(path, "no-recordings", f"holds no recorded run; expected {_EXPECTED}")])
    return found


def _from_journal(folder: Path) -> Recordings:
    """Take the runs of a journal; only its regular files are opened."""
    parts = [folder / name for name in (HEADER_FILE, JOURNAL_FILE, TESTSET_FILE)]
    if odd := [part for part in parts if _exists(part) and not os.path.isfile(part)]:  # noqa: PTH113 - may raise
        raise InputError([_fault(part, "unreadable", "cannot be read: it is not a regular file") for part in odd])
    journal = read_journal(folder)
    recordings = (Recording(run=entry.run, prompt_sha256=entry.prompt_sha256) for entry in journal.entries)
    return Recordings(info=journal.header.agent, recordings=tuple(recordings))


def _from_candidates(path: Path, skill_name: str) -> Recordings:
    runs = read_candidates(path, skill_name=skill_name)
    info = AgentInfo(name="replay", settings={"recorded_as": "candidates"})
    return Recordings(info=info, recordings=tuple(Recording(run=run, line=line) for line, run in runs))


def _from_streams(folder: Path, skill_name: str) -> Recordings:
    faults: list[Finding] = []
    numbered = _stream_paths(folder, faults)
    sessions = [
        (case_id, index, session)
        for case_id, paths in numbered.items()
        for index, path in enumerate(paths)
        if (session := _read_session(path, skill_name, faults))
    ]
    if faults:
        raise InputError(faults)
    models = sorted({session.model for _, _, session in sessions if session.model})
    info = AgentInfo(name="replay", model=", ".join(models) or None, settings={"recorded_as": "stream-json"})
    runs = (session.as_run(case_id=case_id, arm=Arm.WITH, index=index) for case_id, index, session in sessions)
    return Recordings(info=info, recordings=tuple(Recording(run=run) for run in runs))


def _stream_paths(folder: Path, faults: list[Finding]) -> dict[str, list[Path]]:
    """Sort the files of a folder by case, and those of a case by number."""
    numbered: dict[str, dict[int, Path]] = {}
    for path in _jsonl_below(folder, faults):
        name = _STREAM_NAME.fullmatch(path.relative_to(folder).as_posix())
        if name is None:
            faults.append(_fault(path, "file-name", f"its name does not say which run it is; expected {_EXPECTED}"))
            continue
        first = numbered.setdefault(name["folder"] or name["case"], {}).setdefault(int(name["number"]), path)
        if first != path:
            faults.append(_fault(path, "duplicate-index", f"the same repetition as {first.name!r}; remove one of them"))
    return {case_id: [paths[number] for number in sorted(paths)] for case_id, paths in numbered.items()}


def _jsonl_below(folder: Path, faults: list[Finding]) -> list[Path]:
    """Find everything named so, whatever it is; folders that cannot be listed are faults."""
    failed: list[OSError] = []
    found = [
        Path(place) / name
        for place, folders, files in os.walk(folder, onerror=failed.append)
        for name in (*folders, *files)
        if name.endswith(".jsonl")
    ]
    faults += [_unreadable(Path(str(error.filename)), error) for error in failed]
    return sorted(found)


def _read_session(path: Path, skill_name: str, faults: list[Finding]) -> Transcript | None:
    try:
        text = read_regular(path).decode("utf-8-sig", "replace")
    except OSError as error:
        faults.append(_unreadable(path, error))
        return None
    return read_stream(text.split("\n"), skill_name=skill_name)


def _exists(path: Path) -> bool:
    return os.path.lexists(path)  # unlike Path.exists it never raises on a path that cannot be


_EXPECTED = (
    f"a run folder with {HEADER_FILE} and {JOURNAL_FILE}, a file of candidate JSONL, "
    "or a folder of sessions named <case id>.<n>.jsonl or <case id>/<n>.jsonl"
)


def _unreadable(path: Path, error: OSError) -> Finding:
    return _fault(path, "unreadable", f"cannot be read: {error.strerror or error}")


def _fault(path: Path, code: str, message: str) -> Finding:
    return Finding(level=Level.FAIL, code=code, message=message, file=str(path))
