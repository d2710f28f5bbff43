"""Keeps credentials out of everything that is stored or shown.

Only what an agent wrote is looked through: names, ids and keys are never touched, since runs are found by them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from skill_evaluator.model import Completion, Run, ToolCall
from skill_evaluator.results import Canary

MASK = "[redacted]"
MIN_SECRET_LENGTH = 8  # shorter values occur in ordinary text and open nothing

_SECRET_NAME = re.compile(r"(?:API_?KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)(?:_|$)", re.IGNORECASE)
_KNOWN_SHAPE = re.compile(
    r"""(?x) (?<![A-Za-z0-9_-]) (?:
        sk-(?:ant|proj)-[A-Za-z0-9_-]{16,} | sk-[A-Za-z0-9]{32,} | gh[pousr]_[A-Za-z0-9]{20,} | AKIA[0-9A-Z]{16}
    ) | (?<=Bearer\ )[A-Za-z0-9._~+/=-]{16,}"""
)


def secrets_of(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Collect the values of variables whose names say that they are credentials, longest first."""
    found = {
        value for name, value in environment.items() if _SECRET_NAME.search(name) and len(value) >= MIN_SECRET_LENGTH
    }
    return tuple(sorted(found, key=lambda value: (-len(value), value)))


def blacken(text: str, secrets: Sequence[str]) -> str:
    """Replace the given secrets, and whatever has the shape of a well-known key, by a mask.

    Args:
        text: What an agent wrote.
        secrets: Values to look for, longest first.
    """
    for secret in secrets:
        text = text.replace(secret, MASK)
    return _KNOWN_SHAPE.sub(MASK, text)


def blacken_run(run: Run, secrets: Sequence[str]) -> Run:
    """Mask the credentials in all that the agent wrote in a run."""
    calls = run.tool_calls
    return replace(
        run,
        output=_text(run.output, secrets),
        raw_response=_text(run.raw_response, secrets),
        tool_calls=None if calls is None else tuple(_call(call, secrets) for call in calls),
        failure=run.failure and replace(run.failure, message=blacken(run.failure.message, secrets)),
    )


def blacken_canary(canary: Canary, secrets: Sequence[str]) -> Canary:
    """Mask the credentials in what the agent said to the canary."""
    faults = (
        replace(note, values={key: _value(value, secrets) for key, value in note.values.items()})
        for note in canary.faults
    )
    return replace(canary, faults=tuple(faults))


def blacken_completion(completion: Completion, secrets: Sequence[str]) -> Completion:
    """Mask the credentials in what a model outside the runs answered."""
    answer, failure = completion.answer, completion.failure
    return replace(
        completion,
        answer=answer and {key: _value(value, secrets) for key, value in answer.items()},
        text=_text(completion.text, secrets),
        failure=failure and replace(failure, message=blacken(failure.message, secrets)),
    )


def holds_mask(run: Run) -> bool:
    """Whether something in a run was masked, so that a check may have looked at a mask."""
    return any(text is not None and MASK in text for text in (run.output, repr(run.tool_calls)))


def _text(text: str | None, secrets: Sequence[str]) -> str | None:
    return None if text is None else blacken(text, secrets)


def _call(call: ToolCall, secrets: Sequence[str]) -> ToolCall:
    arguments = {key: _value(value, secrets) for key, value in call.arguments.items()}
    return replace(call, arguments=arguments, result=_text(call.result, secrets))


def _value(value: object, secrets: Sequence[str]) -> object:
    match value:
        case str():
            return blacken(value, secrets)
        case dict():
            return {key: _value(item, secrets) for key, item in value.items()}
        case list():
            return [_value(item, secrets) for item in value]
        case _:
            return value
