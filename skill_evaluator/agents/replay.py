"""Answers from recordings, so that runs can be graded and reported again with no agent."""

import dataclasses
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from skill_evaluator.agents.recordings import Recording, read_recordings
from skill_evaluator.model import AgentInfo, Arm, Case, Failure, FailureKind, Finding, Level, Run

_NAMED = 10


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
        self.findings = _unknown_cases(found.recordings, cases, str(recordings)) if cases else ()

    @property
    def info(self) -> AgentInfo:
        """Who answered when the runs were recorded; a replayed estimate stays an estimate."""
        return self._info

    @property
    def planned_runs(self) -> int | None:
        """The most repetitions recorded of any case."""
        return max((index + 1 for _, arm, index in self._by_case if arm is Arm.WITH), default=None)

    async def run(self, case: Case, arm: Arm, index: int) -> Run:
        """Look up one repetition: by case id, or by the prompt where it was recorded under another id."""
        recorded = self._by_case.get((case.id, arm, index))
        if recorded and recorded.prompt_sha256 in (None, case.prompt_sha256):
            return recorded.run
        if by_prompt := self._by_prompt.get((case.prompt_sha256, arm, index)):
            return dataclasses.replace(by_prompt, case_id=case.id)
        why = ": it was recorded with another prompt" if recorded else ""
        failure = Failure(kind=FailureKind.CRASH, message=f"no recording of repetition {index + 1}{why}")
        return Run(case_id=case.id, arm=arm, index=index, failure=failure)


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


def _is_asked(recording: Recording, ids: set[str], prompts: set[str]) -> bool:
    if recording.prompt_sha256 is None:
        return recording.run.case_id in ids
    return recording.prompt_sha256 in prompts


def _with_nearest(name: str, ids: set[str]) -> str:
    near = [known for known in sorted(ids) if _squashed(known) == _squashed(name)]
    return f"{name!r} (did you mean {near[0]!r}?)" if near else repr(name)


def _squashed(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
