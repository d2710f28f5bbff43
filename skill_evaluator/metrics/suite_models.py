"""Which models the runs of a suite used, whatever was asked for."""

import json
from collections.abc import Iterable, Sequence

from skill_evaluator.model import Arm, Run


def models_used(runs: Iterable[Run]) -> tuple[str, ...]:
    """Name the models of the runs with the plugin, sorted; empty where no trace names one.

    Source:
        The first line of a session of Claude Code 2.1.332, and of `messages`, which writes the same.
    """
    found = {_model(run.trace or ()) for run in runs if run.arm is Arm.WITH}
    return tuple(sorted(name for name in found if name))


def model_words(asked: str | None, used: Sequence[str]) -> str | None:
    """Name the model of a suite: as it was asked for, and as the traces have it; None where neither is known.

    >>> model_words("opus", ["claude-opus-5-5"]), model_words(None, ["a", "b"]), model_words(None, [])
    ('opus (claude-opus-5-5)', 'a, b', None)
    """
    listed = ", ".join(used)
    if asked is None or not used or asked == listed:
        return asked or listed or None
    return f"{asked} ({listed})"


def model_named_by(line: str) -> str | None:
    """Give the model that a line of a trace names, which only the first of a session does."""
    if '"init"' not in line:
        return None
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):  # a session may hold anything
        return None
    match event:
        case {"type": "system", "subtype": "init", "model": str(model)}:
            return model
        case _:
            return None


def _model(trace: Iterable[str]) -> str | None:
    return next(filter(None, map(model_named_by, trace)), None)
