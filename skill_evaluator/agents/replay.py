"""Answers from recordings, so that runs can be graded and reported again with no agent."""

import dataclasses
import difflib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from skill_evaluator.agents.recordings import Recording, read_recordings
from skill_evaluator.agents.skill_names import is_target
from skill_evaluator.model import AgentInfo, Arm, Case, Failure, FailureKind, Finding, Level, Run

_NAMED = 10
_NEAR = 0.85  # one slip in a word of seven letters


class ReplayAgent:
    """Gives back what was recorded; a repetition that was not recorded is an error, never a miss.

    Attributes:
        findings: Doubts about the recordings: cases in them that nobody asks about.
    """

    def __init__(self, recordings: Path, *, skill_name: str, cases: Sequence[Case] = ()) -> None:
        """Read all recordings.

        Args:
            recordings: See `read_recordings`.
            skill_name: Name of the skill under test; tells its invocations from those of others.
            cases: The cases that will be asked; without any, no case is missed in them.

        Raises:
            InputError: With every fault of the recordings.
        """
        found = read_recordings(recordings, skill_name=skill_name)
        self._info = found.info
        self._by_case = {(rec.run.case_id, rec.run.arm, rec.run.index): rec for rec in found.recordings}
        self._by_prompt = {(rec.prompt_sha256, rec.run.arm, rec.run.index): rec.run for rec in found.recordings}
        self._path = str(recordings)
        unknown = _unknown_cases(found.recordings, cases, self._path) if cases else ()
        self.findings = (*unknown, *_almost_named(found.recordings, skill_name, self._path))

    @property
    def info(self) -> AgentInfo:
        """Who answered when the runs were recorded; a replayed estimate stays an estimate."""
        return self._info

    @property
    def planned_runs(self) -> int | None:
        """The most repetitions recorded of any case."""
        return max((index + 1 for _, arm, index in self._by_case if arm is Arm.WITH), default=None)

    def gaps(self, cases: Sequence[Case], *, runs: int) -> tuple[Finding, ...]:
        """Name the cases of which fewer than `runs` repetitions were recorded, all in one FAIL; empty if none is."""
        counts = {
            case.id: sum(self._find(case, Arm.WITH, index) is not None for index in range(runs)) for case in cases
        }
        short = [f"{case_id!r} {count}" for case_id, count in counts.items() if count < runs]
        if not short:
            return ()
        more = f" and {len(short) - _NAMED} more" if len(short) > _NAMED else ""
        message = (
            f"{runs} repetitions of each case are needed, but of {len(short)} of {len(cases)} cases fewer are recorded "
            f"(case and count: {', '.join(short[:_NAMED])}{more}); record the rest, "
            "leave cases out with --case, or take a quick look with --draft --runs 1"
        )
        return (Finding(level=Level.FAIL, code="recordings-incomplete", message=message, file=self._path),)

    async def run(self, case: Case, arm: Arm, index: int) -> Run:
        """Look up one repetition: by case id, or by the prompt where it was recorded under another id."""
        if (found := self._find(case, arm, index)) is not None:
            return found
        why = ": it was recorded with another prompt" if (case.id, arm, index) in self._by_case else ""
        failure = Failure(kind=FailureKind.CRASH, message=f"no recording of repetition {index + 1}{why}")
        return Run(case_id=case.id, arm=arm, index=index, failure=failure)

    def _find(self, case: Case, arm: Arm, index: int) -> Run | None:
        recorded = self._by_case.get((case.id, arm, index))
        if recorded and recorded.prompt_sha256 in (None, case.prompt_sha256):
            return recorded.run
        by_prompt = self._by_prompt.get((case.prompt_sha256, arm, index))
        return dataclasses.replace(by_prompt, case_id=case.id) if by_prompt else None


def _unknown_cases(recordings: Iterable[Recording], cases: Sequence[Case], file: str) -> tuple[Finding, ...]:
    """Name the recorded cases that are not asked, all in one finding."""
    ids = {case.id for case in cases}
    prompts = {case.prompt_sha256 for case in cases}
    unknown = [rec for rec in recordings if not _is_asked(rec, ids, prompts)]
    if not unknown:
        return ()
    names = list(dict.fromkeys(rec.run.case_id for rec in unknown))
    described = ", ".join(_with_nearest(name, ids) for name in names[:_NAMED])
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    message = f"recordings of cases or prompts that are not asked, left out: {described}{more}"
    finding = Finding(
        level=Level.WARN,
        code="unknown-case",
        message=message,
        file=file,
        line=unknown[0].line,
        values={"cases": names},
    )
    return (finding,)


def _almost_named(recordings: Iterable[Recording], skill_name: str, file: str) -> tuple[Finding, ...]:
    """Skills that fired under a name that differs from the target's by case or punctuation alone: likely a slip."""
    invoked = {name for rec in recordings for name in rec.run.skills_invoked}
    near = sorted(
        name
        for name in invoked
        if not is_target(name, skill_name) and _squashed(name.rpartition(":")[2]) == _squashed(skill_name)
    )
    if not near:
        return ()
    message = (
        f"skills fired as {', '.join(map(repr, near))}, but the skill is called {skill_name!r}: "
        "they count as other skills; if it is the same one, correct the recordings or the name in SKILL.md"
    )
    values: dict[str, object] = {"names": near, "skill": skill_name}
    return (Finding(level=Level.WARN, code="skill-name-differs", message=message, file=file, values=values),)


def _is_asked(recording: Recording, ids: set[str], prompts: set[str]) -> bool:
    if recording.prompt_sha256 is None:
        return recording.run.case_id in ids
    return recording.prompt_sha256 in prompts


def _with_nearest(name: str, ids: set[str]) -> str:
    near = [known for known in sorted(ids) if _squashed(known) == _squashed(name)]
    near = near or difflib.get_close_matches(name, sorted(ids), n=1, cutoff=_NEAR)
    return f"{name!r} (did you mean {near[0]!r}?)" if near else repr(name)


def _squashed(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
