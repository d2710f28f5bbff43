"""Finds which case each session file of Claude Code answers: by its name, else by what was asked first in it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from skill_evaluator.agents.session_file import Subagents, read_session_turn
from skill_evaluator.agents.session_lines import SessionFile, Turn, first_turn
from skill_evaluator.agents.stream_json import Transcript
from skill_evaluator.model import Case


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """One session file and what was asked first in it, or None where nothing was."""

    path: Path
    session_id: str
    turn: Turn | None


class SessionFolder:
    """All session files of one place.

    Attributes:
        repeated: How many files repeated the first turn of another and were left out, once `unnamed` is through.
    """

    def __init__(self) -> None:
        self.repeated = 0
        self._sessions: list[Session] = []
        self._subagents: dict[str, dict[str, Subagents]] = defaultdict(dict)
        self._lines: dict[tuple[str, str], SessionFile] = {}

    def add(self, path: Path, file: SessionFile) -> Session | None:
        """Take a file in.

        Returns:
            The session, or None where the file tells of a subagent.
        """
        if file.agent_id is not None:
            self._lines.setdefault((file.session_id, file.agent_id), file)
            return None
        session = Session(path=path, session_id=file.session_id, turn=first_turn(file.lines))
        self._sessions.append(session)
        return session

    def read(self, session: Session, *, skill_name: str, traced: bool = False) -> Transcript | None:
        """Read the first turn of a session, or give None where nothing was asked; see `read_session_turn`."""
        if session.turn is None:
            return None
        subagents = {name: file.lines for (owner, name), file in self._lines.items() if owner == session.session_id}
        return read_session_turn(session.turn, subagents, skill_name=skill_name, traced=traced)

    def unnamed(self, named: Sequence[Session]) -> Iterator[Session]:
        """Give those whose name says nothing, by their time; a fork repeats its first turn and is left out."""
        taken = {session.turn.key for session in named if session.turn}
        paths = {session.path for session in named}
        for session in sorted(self._sessions, key=_time):
            key = session.turn.key if session.turn else str(session.path)
            if key not in taken:
                taken.add(key)
                yield session
            elif session.path not in paths:
                self.repeated += 1


def case_of_prompt(cases: Sequence[Case]) -> Mapping[str, Sequence[str]]:
    """Give the ids of the cases that ask something, by what they ask, blanks around it aside.

    A session is known by what was asked first in it, which is no answer to a case that goes on with a conversation.
    """
    ids: dict[str, list[str]] = defaultdict(list)
    for case in cases:
        if not case.context:
            ids[case.prompt.strip()].append(case.id)
    return ids


def deal(
    sessions: Iterable[Session], cases: Sequence[Case], numbered: Mapping[str, int]
) -> Iterator[tuple[Session, str | None, int]]:
    """Say which case each session answers, and as which repetition.

    Where several cases ask the same, the sessions are dealt out to them in turn.

    Args:
        sessions: In the order of their time.
        cases: All cases of the test set.
        numbered: How many repetitions of each case are taken already.

    Yields:
        The session, the id of its case or None, and the repetition, 0-based.
    """
    ids = case_of_prompt(cases)
    asked: Counter[str] = Counter()
    count = Counter(numbered)
    for session in sessions:
        prompt = session.turn.prompt.strip() if session.turn else ""
        alike = ids.get(prompt, ())
        case_id = alike[asked[prompt] % len(alike)] if alike and session.turn else None
        asked[prompt] += 1
        yield session, case_id, count[case_id or ""]
        count[case_id or ""] += 1


def _time(session: Session) -> tuple[str, bool, str]:
    """Sort a session before its forks, which have more than the one turn."""
    turn = session.turn
    return (turn.started, not turn.is_only, str(session.path)) if turn else ("", True, str(session.path))
