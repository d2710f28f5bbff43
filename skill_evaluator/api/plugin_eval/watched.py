"""Stand-ins whose answers are remembered, run by run, so that those of clean runs can be kept."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from skill_evaluator.model import Arm, Case
from skill_evaluator.stand_ins import OpenStandIns, Recording, SuiteStandIns

RunKey = tuple[str, Arm, int]  # case, arm, repetition


class WatchedStandIns:
    """Stand-ins of a suite.

    Args:
        stand_ins: Those that are watched.
    """

    def __init__(self, stand_ins: SuiteStandIns) -> None:
        self._stand_ins = stand_ins
        self._recordings: dict[RunKey, tuple[Recording, ...]] = {}

    @property
    def recordings(self) -> Mapping[RunKey, tuple[Recording, ...]]:
        """What models answered so far, by run."""
        return self._recordings

    @asynccontextmanager
    async def of_run(self, case: Case, arm: Arm, index: int) -> AsyncIterator[OpenStandIns]:
        """Give those of one run; leaving the context stops them and whatever they wait for."""
        async with self._stand_ins.of_run(case, arm, index) as opened:
            try:
                yield opened
            finally:
                self._recordings[case.id, arm, index] = opened.recordings
