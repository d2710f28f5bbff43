"""Grader `file_exists`: the agent made a file."""

from dataclasses import dataclass

from skill_evaluator.graders.evidence import clean, shown_names
from skill_evaluator.graders.suite.globs import glob_matches
from skill_evaluator.graders.suite.views import SETTLED, not_kept
from skill_evaluator.model import JsonObject, Outcome, Run
from skill_evaluator.texts import tr


@dataclass(frozen=True, kw_only=True, slots=True)
class FileExists:
    """A new file of the workspace matches a glob, or none does.

    Attributes:
        path: Glob over paths relative to the workspace, see `globs.py`.
        exists: Whether there must be one.
    """

    path: str
    exists: bool = True

    def check(self, run: Run) -> Outcome:
        """Look at the files that the agent made; those that it only changed are no new ones."""
        if run.was_settled:
            return SETTLED
        if run.created_files is None:
            return not_kept("created_files")
        found = [path for path in run.created_files if glob_matches(self.path, path)]
        evidence: JsonObject = {"path": clean(self.path), "exists": self.exists}
        if found and self.exists:
            return Outcome(passed=True, code="file_ok", message=tr("The agent made {file!r}.", file=found[0]))
        if found:
            message = tr("The agent made {file!r}, which it must not.", file=found[0])
            return Outcome(
                passed=False, code="file_found", message=message, evidence={**evidence, "found": shown_names(found)}
            )
        if not self.exists:
            message = tr("No new file matches {path!r}.", path=self.path)
            return Outcome(passed=True, code="file_absent_ok", message=message)
        return Outcome(
            passed=False,
            code="file_missing",
            message=tr("No file that the agent made matches {path!r}.", path=self.path),
            evidence={**evidence, "created": shown_names(run.created_files)},
        )
