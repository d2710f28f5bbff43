"""Which models the runs of a suite used, whatever was asked for."""

import json
from collections.abc import Iterable

from skill_evaluator.model import Arm, Run


def models_used(runs: Iterable[Run]) -> tuple[str, ...]:
    """Name the models of the runs with the plugin, sorted; empty where no trace names one.

    Source:
        The first line of a session of Claude Code 2.1.332, and of `messages`, which writes the same.
    """
    found = {_model(run.trace or ()) for run in runs if run.arm is Arm.WITH}
    return tuple(sorted(name for name in found if name))


def _model(trace: Iterable[str]) -> str | None:
    for line in trace:
        if '"init"' not in line:
            continue
        match json.loads(line):
            case {"type": "system", "subtype": "init", "model": str(model)}:
                return model
            case _:
                pass
    return None
