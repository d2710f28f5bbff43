"""What the graders of a case look at beyond output and tool calls; agents keep nothing else of it."""

from dataclasses import dataclass, replace

from skill_evaluator.model.runs import Run


@dataclass(frozen=True, kw_only=True, slots=True)
class Needs:
    """What a run has to keep for the graders of its case.

    Attributes:
        trace: Whether one of them looks at the session as a whole.
        created_files: Whether one of them looks for new files in the workspace.
        files: Paths of the files whose content one of them looks at, as they name them, each once.
    """

    trace: bool = False
    created_files: bool = False
    files: tuple[str, ...] = ()

    @property
    def of_workspace(self) -> bool:
        """Whether the workspace is looked at once the run has ended."""
        return self.created_files or bool(self.files)


def only_needed(run: Run, needs: Needs) -> Run:
    """Leave out of a run what no grader looks at, so that nothing is kept in vain."""
    return replace(
        run,
        trace=run.trace if needs.trace else None,
        created_files=run.created_files if needs.created_files else None,
        seen_files={path: seen for path, seen in run.seen_files.items() if path in needs.files},
    )
