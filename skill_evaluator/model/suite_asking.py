"""Whoever runs the cases of an eval suite, and what a run leaves."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, Protocol

from skill_evaluator.model.agents import AgentInfo
from skill_evaluator.model.cases import Case
from skill_evaluator.model.runs import Run
from skill_evaluator.model.stand_ins import Aborted, StandInUse
from skill_evaluator.model.words import Arm

INTERRUPTED: Final = "interrupted"  # the error of a run that a signal ended, here and with the real program


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedRun:
    """One run of a case of a suite, not yet graded.

    Attributes:
        run: What graders look at; its trace, new files and looked-at files are there unless it never started.
        error: Why it ended abnormally, or None. It may still be graded: `run.failure` says whether.
        turns: Turns of the agent; 0 where none was made.
        cost_usd: List price of the agent's requests, those of stand-ins that a model plays not counted.
        duration_s: Seconds of wall time, or None where it never started.
        started_at: When it began (UTC), or None where it never started.
        aborted: Which stand-in ended it, or None.
        stand_ins: What became of the stand-ins, or None where there were none.
        kept: Its temporary folder where that was kept, or None.
        distrusted: The session of a run that is not graded since stand-ins' answers in it were altered, else None.
        notes: What else people should know of it, such as files that the plugin's own hooks wrote into the plugin.
    """

    run: Run
    error: str | None = None
    turns: int = 0
    cost_usd: float = 0.0
    duration_s: float | None = None
    started_at: datetime | None = None
    aborted: Aborted | None = None
    stand_ins: StandInUse | None = None
    kept: Path | None = None
    distrusted: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()


class SuiteAgent(Protocol):
    """Whoever runs the cases of a suite."""

    @property
    def info(self) -> AgentInfo:
        """How results name this agent; `settings["version"]` is the version of its program, where it has one."""
        ...

    async def ask(self, case: Case, arm: Arm, index: int) -> AskedRun:
        """Run one case once; a broken run is returned, never raised. Nothing of it survives the return.

        Where it is cancelled it may return what the run did until then, with the error `INTERRUPTED`.
        """
        ...
