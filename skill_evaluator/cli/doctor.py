"""`doctor`: what can run on this machine."""

import argparse
import json
from dataclasses import asdict

from skill_evaluator.api.doctor import Diagnosis, doctor
from skill_evaluator.cli.console import show
from skill_evaluator.cli.language import spoken
from skill_evaluator.cli.wrapping import padded
from skill_evaluator.report.escape import display_width
from skill_evaluator.texts import localized, tr


def execute(options: argparse.Namespace) -> int:
    """Print the diagnosis; the exit status is 1 if something is wrong."""
    seen = doctor()
    if options.json:
        show(json.dumps([asdict(diagnosis) for diagnosis in seen], indent=2))
    else:
        width = max(display_width(localized(diagnosis.subject, spoken())) for diagnosis in seen)
        show(
            "\n".join(f"{_state(one)} {_padded(one.subject, width)}  {localized(one.detail, spoken())}" for one in seen)
        )
    return 0 if all(diagnosis.fine for diagnosis in seen) else 1


def _padded(subject: str, width: int) -> str:
    return padded(localized(subject, spoken()), width)


def _state(seen: Diagnosis) -> str:
    """One word; what only waits for a key does not fail."""
    if not seen.fine:
        return localized(tr("FAIL"), spoken())
    return localized(tr("ok  ") if seen.ready else tr("need"), spoken())
