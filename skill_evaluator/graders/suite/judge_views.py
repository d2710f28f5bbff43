"""The texts of a run that a judge may be shown."""

import json

from skill_evaluator.graders.evidence import not_run
from skill_evaluator.graders.suite.targets import FileTarget, Target
from skill_evaluator.model import Outcome, Run


def view(run: Run, target: Target) -> str | Outcome:
    """Give the text behind a target, or the outcome where there is none."""
    if isinstance(target, FileTarget):
        return not_run(f"keeps no {target.path!r}")
    match target:
        case "last_message":
            return not_run("makes no output") if run.output is None else run.output
        case "trace":
            return not_run("keeps no trace") if run.trace is None else "\n".join(run.trace)
        case "files":
            return not_run("has no workspace") if run.created_files is None else "\n".join(run.created_files)
        case "mock_calls":
            return "\n".join(json.dumps({"tool": call.tool}) for call in run.mock_calls or ())
