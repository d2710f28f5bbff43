"""Answers from recordings, so that runs can be graded and reported again with no agent."""

import dataclasses
import itertools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from skill_evaluator.agents.claims import claim
from skill_evaluator.agents.recordings import Recording, read_recordings
from skill_evaluator.agents.replay_doubts import almost_named, named, repeated_sessions, unknown_cases
from skill_evaluator.model import AgentInfo, Arm, Case, Failure, FailureKind, Finding, Level, Run, only_needed
from skill_evaluator.texts import tr


class ReplayAgent:
    """Gives back what was recorded; a repetition that was not recorded is an error, never a miss.

    Attributes:
        findings: Doubts about the recordings: cases in them that nobody asks about, names that almost match.
    """

    def __init__(
        self, recordings: Path, *, skill_name: str, cases: Sequence[Case], testset: Sequence[Case] = ()
    ) -> None:
        """Read all recordings.

        Args:
            recordings: See `read_recordings`.
            skill_name: Name of the skill under test; tells its invocations from those of others.
            cases: The cases that will be asked.
            testset: All cases of the test set where only some are asked; else the runs of a case that is left out
                could pass for those of a renamed one with the same prompt.

        Raises:
            InputError: With every fault of the recordings.
        """
        ids = {case.id for case in cases}
        known = [*cases, *(case for case in testset if case.id not in ids)]
        found = read_recordings(recordings, skill_name=skill_name, cases=known)
        self._info = found.info
        self._cases = tuple(cases)
        self._path = str(recordings)
        self._claims = _claims(known, found.recordings)
        self._runs: dict[tuple[str, str | None], dict[tuple[Arm, int], Run]] = {}
        for rec in found.recordings:
            recorded = self._runs.setdefault((rec.run.case_id, rec.prompt_sha256), {})
            recorded[rec.run.arm, rec.run.index] = rec.run
        self.findings = (
            *unknown_cases(found.recordings, cases, self._claims, self._path),
            *repeated_sessions(found.repeated, self._path),
            *almost_named(found.recordings, skill_name, self._path),
        )

    @property
    def info(self) -> AgentInfo:
        """Who answered when the runs were recorded; a replayed estimate stays an estimate."""
        return self._info

    @property
    def planned_runs(self) -> int | None:
        """The most repetitions, counted from 0 without a gap, that were recorded of every asked case.

        Where some case has none, the most of any, so that `gaps` names what is missing; None where all have none.
        """
        counts = [_unbroken(self._repetitions(case)) for case in self._cases]
        return min(counts, default=0) or max(counts, default=0) or None

    def gaps(self, cases: Sequence[Case], *, runs: int) -> tuple[Finding, ...]:
        """Name the cases of which fewer than `runs` repetitions were recorded, all in one FAIL; empty if none is."""
        counts = {case.id: sum(index < runs for index in self._repetitions(case)) for case in cases}
        short = [f"{case_id!r} {count}" for case_id, count in counts.items() if count < runs]
        if not short:
            return ()
        message = tr(
            "{runs} repetitions of each case are needed, but of {n} of {of} cases fewer are recorded "
            "(case and count: {short}); record the rest, "
            "leave cases out with --case, or take a quick look with --draft --runs 1",
            runs=runs,
            n=len(short),
            of=len(cases),
            short=named(short),
        )
        return (Finding(level=Level.FAIL, code="recordings-incomplete", message=message, file=self._path),)

    def left_out(self, cases: Sequence[Case], *, runs: int) -> tuple[Finding, ...]:
        """Say in one WARN that more than `runs` repetitions of some case were recorded; empty if of none.

        Its values: `runs` as given, and `recorded`, the most repetitions of one case.
        """
        counts = [len(self._repetitions(case)) for case in cases]
        over = sum(max(count - runs, 0) for count in counts)
        if not over:
            return ()
        message = tr(
            "{over} of the {recorded} recorded runs are left out: {runs} repetitions of each case are scored, "
            "and up to {most} are recorded; to score more, give --runs up to the number recorded of every case",
            over=over,
            recorded=sum(counts),
            runs=runs,
            most=max(counts),
        )
        values = {"runs": runs, "recorded": max(counts)}
        finding = Finding(level=Level.WARN, code="recordings-left-out", message=message, file=self._path, values=values)
        return (finding,)

    async def run(self, case: Case, arm: Arm, index: int) -> Run:
        """Look up one repetition: by case id, or by the prompt where it was recorded under another id."""
        if (found := self._of(case).get((arm, index))) is not None:
            return only_needed(dataclasses.replace(found, case_id=case.id), case.needs)
        changed = case.id not in self._claims and any(name == case.id for name, _ in self._runs)
        why = ": it was recorded with another prompt" if changed else ""
        failure = Failure(kind=FailureKind.CRASH, message=f"no recording of repetition {index + 1}{why}")
        return Run(case_id=case.id, arm=arm, index=index, failure=failure)

    def _of(self, case: Case) -> Mapping[tuple[Arm, int], Run]:
        """Give what was recorded of a case, by its prompt where prompts were recorded."""
        old = self._claims.get(case.id, "")
        return self._runs.get((old, case.prompt_sha256)) or self._runs.get((old, None), {})

    def _repetitions(self, case: Case) -> frozenset[int]:
        return frozenset(index for arm, index in self._of(case) if arm is Arm.WITH)


def _claims(cases: Sequence[Case], recordings: Iterable[Recording]) -> Mapping[str, str]:
    """Give the recorded id by id of the case; where no prompts were recorded, only the same id will do."""
    pairs = {(rec.run.case_id, rec.prompt_sha256) for rec in recordings}
    same = {case.id: case.id for case in cases if (case.id, None) in pairs}
    hashed = sorted((case_id, prompt) for case_id, prompt in pairs if prompt is not None)
    return {**same, **claim(cases, hashed)}  # sorted, since the order in which runs finished is chance


def _unbroken(indices: frozenset[int]) -> int:
    """Count from 0 up to the first that is not there."""
    return next(number for number in itertools.count() if number not in indices)
