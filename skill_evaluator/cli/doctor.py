"""`doctor`: what can run on this machine."""

import argparse
import json
from dataclasses import asdict

from skill_evaluator.api.doctor import Diagnosis, doctor
from skill_evaluator.cli.console import show


def execute(options: argparse.Namespace) -> int:
    """Print the diagnosis; the exit status is 1 if something is wrong."""
    seen = doctor()
    if options.json:
        show(json.dumps([asdict(diagnosis) for diagnosis in seen], indent=2))
    else:
        width = max(len(diagnosis.subject) for diagnosis in seen)
        show("\n".join(f"{_state(one)} {one.subject:<{width}}  {one.detail}" for one in seen))
    return 0 if all(diagnosis.fine for diagnosis in seen) else 1


def _state(seen: Diagnosis) -> str:
    """One word; what only waits for a key does not fail."""
    if not seen.fine:
        return "FAIL"
    return "ok  " if seen.ready else "need"
