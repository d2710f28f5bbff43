"""Reads a folder of sessions of Claude Code: those printed as stream-json, and the files it keeps itself."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from skill_evaluator.agents.session_folder import Session, SessionFolder, deal
from skill_evaluator.agents.session_lines import parse_session
from skill_evaluator.agents.stream_json import Transcript, read_stream
from skill_evaluator.errors import InputError
from skill_evaluator.model import AgentInfo, Arm, Case, Finding, Level, Run
from skill_evaluator.reasons import reason_of
from skill_evaluator.regular_files import read_regular
from skill_evaluator.texts import tr

NAMED_SO = tr("<case id>.<n>.jsonl or <case id>/<n>.jsonl")
_NAME = re.compile(r"(?:(?P<folder>[^/]+)/|(?P<case>[^/]+)\.)(?P<number>[0-9]{1,9})\.jsonl")
_NO_NAME = tr(
    "its name does not say which run it is; expected {named_so}, or a session file of Claude Code, which is found by "
    "what was asked first in it",
    named_so=NAMED_SO,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sessions:
    """What was read.

    Attributes:
        info: The models that answered.
        runs: By case and repetition.
        strays: Files, relative to the folder, of sessions that ask what no case asks.
        repeated: How many files repeat the first turn of another, as forks do, and count once with it.
    """

    info: AgentInfo
    runs: tuple[Run, ...]
    strays: tuple[str, ...]
    repeated: int = 0


def is_session_file(path: Path) -> bool:
    """Whether a file is a session that Claude Code keeps itself; False too where it cannot be read."""
    try:
        return parse_session(_text_of(path)) is not None
    except (OSError, ValueError):
        return False


def read_sessions(path: Path, *, skill_name: str, cases: Sequence[Case]) -> Sessions:
    """Read all sessions below a folder, or one file of Claude Code's own with its subagents.

    Raises:
        InputError: With every fault found.
    """
    reader = _Reader(path, skill_name, frozenset(case.id for case in cases if case.needs.trace))
    for file in reader.files():
        reader.read(file)
    runs = [*reader.named_runs(), *reader.runs_by_prompt(cases)]
    if reader.faults:
        raise InputError(reader.faults)
    model = ", ".join(sorted(reader.models)) or None
    settings = {"recorded_as": ", ".join(sorted(reader.forms))}
    info = AgentInfo(name="replay", model=model, settings=settings)
    return Sessions(info=info, runs=tuple(runs), strays=tuple(reader.strays), repeated=reader.repeated)


class _Reader:
    """Goes through the files and gathers what they say and what is wrong with them."""

    def __init__(self, path: Path, skill_name: str, traced: frozenset[str]) -> None:
        self.faults: list[Finding] = []
        self.models: set[str] = set()
        self.forms: set[str] = set()
        self.strays: list[str] = []
        self._path = path
        self._skill_name = skill_name
        self._traced = traced
        self._folder = SessionFolder()
        self._named: dict[str, dict[int, tuple[Path, Session | Transcript]]] = {}
        self._counts: dict[str, int] = {}

    @property
    def repeated(self) -> int:
        """As in `Sessions`."""
        return self._folder.repeated

    def files(self) -> list[Path]:
        """Find everything named so, whatever it is; folders that cannot be listed are faults."""
        if os.path.isdir(self._path):  # noqa: PTH112 - Path.is_dir may raise
            return self._below(self._path)
        return [self._path, *self._below(self._path.with_suffix(""))]

    def read(self, path: Path) -> None:
        """Take one file in."""
        name = _NAME.fullmatch(path.relative_to(self._base()).as_posix())
        try:
            text = _text_of(path)
        except OSError as error:
            self.faults.append(_unreadable(path, error))
            return
        kept = parse_session(text)
        session = self._folder.add(path, kept) if kept else None
        self.forms.add("session-file" if kept else "stream-json")
        if name and (session or not kept):
            case_id = name["folder"] or name["case"]
            traced = case_id in self._traced
            said = session or read_stream(text.split("\n"), skill_name=self._skill_name, traced=traced)
            self._note(path, case_id, int(name["number"]), said)
        elif name:
            self._fault(path, "subagent-alone", tr("tells what a subagent did; name the session that launched it so"))
        elif not kept:
            self._fault(path, "file-name", _NO_NAME)

    def named_runs(self) -> Iterator[Run]:
        """Give the runs whose file names say what they are, those of a case in the order of the numbers."""
        turns: dict[str, Path] = {}
        for case_id, numbered in self._named.items():
            self._counts[case_id] = len(numbered)
            for index, number in enumerate(sorted(numbered)):
                path, said = numbered[number]
                if isinstance(said, Session) and said.turn:
                    first = turns.setdefault(said.turn.key, path)
                    if first != path:
                        self._fault(
                            path,
                            "duplicate-session",
                            tr("the same session as {name!r}; remove one of them", name=first.name),
                        )
                if (transcript := self._transcript(path, said, case_id)) is not None:
                    yield transcript.as_run(case_id=case_id, arm=Arm.WITH, index=index)

    def runs_by_prompt(self, cases: Sequence[Case]) -> Iterator[Run]:
        """Give the runs of the other sessions, by what was asked first in them."""
        named = [
            said for numbered in self._named.values() for _, said in numbered.values() if isinstance(said, Session)
        ]
        for session, case_id, index in deal(self._folder.unnamed(named), cases, self._counts):
            transcript = self._turn(session, case_id) if case_id else None
            if case_id and transcript:
                self.models.update(filter(None, [transcript.model]))
                yield transcript.as_run(case_id=case_id, arm=Arm.WITH, index=index)
            else:
                self.strays.append(session.path.relative_to(self._base()).as_posix())

    def _note(self, path: Path, case_id: str, number: int, said: Session | Transcript) -> None:
        first, _ = self._named.setdefault(case_id, {}).setdefault(number, (path, said))
        if first != path:
            self._fault(
                path, "duplicate-index", tr("the same repetition as {name!r}; remove one of them", name=first.name)
            )

    def _turn(self, session: Session, case_id: str) -> Transcript | None:
        return self._folder.read(session, skill_name=self._skill_name, traced=case_id in self._traced)

    def _transcript(self, path: Path, said: Session | Transcript, case_id: str) -> Transcript | None:
        transcript = self._turn(said, case_id) if isinstance(said, Session) else said
        if transcript is None:
            self._fault(path, "nothing-asked", tr("nothing was asked in this session; remove it"))
        elif transcript.model:
            self.models.add(transcript.model)
        return transcript

    def _base(self) -> Path:
        return self._path if os.path.isdir(self._path) else self._path.parent  # noqa: PTH112 - Path.is_dir may raise

    def _below(self, folder: Path) -> list[Path]:
        failed: list[OSError] = []
        found = [
            Path(place) / name
            for place, folders, files in os.walk(folder, onerror=failed.append)
            for name in (*folders, *files)
            if name.endswith(".jsonl")
        ]
        if folder == self._path:
            self.faults += [_unreadable(Path(str(error.filename)), error) for error in failed]
        return sorted(found)

    def _fault(self, path: Path, code: str, message: str) -> None:
        self.faults.append(Finding(level=Level.FAIL, code=code, message=message, file=str(path)))


def _text_of(path: Path) -> str:
    return read_regular(path).decode("utf-8-sig", "replace")


def _unreadable(path: Path, error: OSError) -> Finding:
    message = tr("cannot be read: {why}", why=reason_of(error))
    return Finding(level=Level.FAIL, code="unreadable", message=message, file=str(path))
