"""Grader `file_exists`: the agent made a file."""

from dataclasses import dataclass

from skill_evaluator.model import Outcome, Run


@dataclass(frozen=True, kw_only=True, slots=True)
class FileExists:
    """A new file of the workspace matches a glob, or none does.

    Attributes:
        path: Glob over paths relative to the workspace.
        exists: Whether there must be one.
    """

    path: str
    exists: bool = True

    def check(self, run: Run) -> Outcome:
        """Look at the files that the agent made."""
        raise NotImplementedError
