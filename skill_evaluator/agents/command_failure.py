"""Whether a program's session can be scored, and if not, why: a fault of the program is never taken for an answer."""

import signal
from collections.abc import Sequence

from skill_evaluator.agents.command_config import CommandConfig
from skill_evaluator.agents.command_output import Output
from skill_evaluator.model import Failure, FailureKind
from skill_evaluator.sandbox import Ended
from skill_evaluator.skill_names import is_target

_KINDS = (FailureKind.AUTH, FailureKind.RATE_LIMIT, FailureKind.API)
_NAMED = 5  # skills that are named of those listed
_SHOWN = 500  # characters of a line that a program left on standard error


def failure_of(config: CommandConfig, ended: Ended, output: Output, *, timeout_s: float, root: str) -> Failure | None:
    """Say why a session tells nothing about the skill, or None where it does.

    Args:
        config: By which words its errors are told apart.
        ended: How the program ended.
        output: What it printed, closed.
        timeout_s: The limit that held.
        root: The run's folder; its path, which no two runs share, is written as /RUN.
    """
    if ended.timed_out:
        what = "the session had not started" if ended.timed_out == "start" else "the session was not done"
        return Failure(kind=FailureKind.TIMEOUT, message=f"{what} after {timeout_s:g} s")
    said = _last_line(ended.stderr).replace(root, "/RUN")
    if output.error is not None:
        return Failure(kind=_kind(config, f"{output.error}\n{said}"), message=output.error)
    if ended.status != 0:
        return Failure(kind=_kind(config, ended.stderr), message=_joined(_status(ended.status), said))
    if output.fault is not None:
        return Failure(kind=FailureKind.CRASH, message=_joined(output.fault.replace(root, "/RUN"), said))
    return None


def not_listed(config: CommandConfig, output: Output, name: str) -> Failure | None:
    """Say that a skill was not offered to the model, where the program tells what was."""
    if config.reading.listed is None:
        return None
    if output.listed is None:
        return Failure(kind=FailureKind.SKILL_NOT_LISTED, message="no event lists the skills")
    if any(is_target(listed, name) for listed in output.listed):
        return None
    return Failure(kind=FailureKind.SKILL_NOT_LISTED, message=_listing(sorted(output.listed), name))


def _listing(listed: Sequence[str], name: str) -> str:
    if not listed:
        return f"the agent lists no skill, so {name!r} is not offered"
    more = f" and {len(listed) - _NAMED} more" if len(listed) > _NAMED else ""
    return f"the agent lists {', '.join(listed[:_NAMED])}{more}, and {name!r} is not among them"


def _kind(config: CommandConfig, said: str) -> FailureKind:
    folded = said.casefold()
    told = (kind for kind in _KINDS if any(word in folded for word in config.errors.get(kind, ())))
    return next(told, FailureKind.CRASH)


def _joined(what: str, said: str) -> str:
    return f"{what}: {said}" if said else what


def _status(status: int | None) -> str:
    if status is None:
        return "it did not end"
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"ended by signal {-status}"


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:_SHOWN] if lines else ""
