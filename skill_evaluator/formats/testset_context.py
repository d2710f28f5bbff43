"""The key `context` of a test set: the conversation so far, which the case's input goes on with."""

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Final, Literal

from skill_evaluator.formats.testset_form import Form
from skill_evaluator.formats.testset_keys import TURN_EXPECTED
from skill_evaluator.model import Turn
from skill_evaluator.texts import tr

_KEY = "context"
_Role = Literal["user", "assistant"]
_ROLES: Final = MappingProxyType[str, _Role]({"user": "user", "assistant": "assistant"})
_OFTEN_MEANT: Final = MappingProxyType({"content": "text", "message": "text", "from": "role", "type": "role"})


def read_context(form: Form) -> tuple[Turn, ...]:
    """Give the earlier turns, oldest first; what is wrong is noted."""
    value = form.raw.get(_KEY, [])
    if not isinstance(value, list):
        form.wrong(value, (_KEY,))
        return ()
    roles = [_role(form, index, item) for index, item in enumerate(value)]
    _check_ends(form, roles)
    return tuple(_turns(value, roles))


def _role(form: Form, index: int, item: object) -> _Role | None:
    """Look at one turn; None where its role cannot be told."""
    if not isinstance(item, dict):
        form.wrong(item, (_KEY, index))
        return None
    inner = Form(item, above=(*form.above, _KEY, index), expected=TURN_EXPECTED, faults=form.faults)
    for key in item:
        inner.check_key(key, tuple(TURN_EXPECTED), _OFTEN_MEANT, inside=_KEY)
    inner.text("text")
    return inner.choice("role", _ROLES, required=True)


def _check_ends(form: Form, roles: Sequence[_Role | None]) -> None:
    if roles and roles[0] == "assistant":
        message = tr(
            '"{key}" starts with a turn of the assistant; a conversation starts with the user, so add that turn',
            key=_KEY,
        )
        form.fault("context-first-turn", (_KEY, 0), message)
    if roles and roles[-1] == "user":
        message = tr(
            '"{key}" ends with a turn of the user, but "input" is the user\'s next message; add the '
            "assistant's answer, or move these words into the input",
            key=_KEY,
        )
        form.fault("context-last-turn", (_KEY, len(roles) - 1), message)


def _turns(items: Sequence[object], roles: Sequence[_Role | None]) -> Iterator[Turn]:
    for item, role in zip(items, roles, strict=True):
        if role is not None and isinstance(item, dict) and isinstance(item.get("text"), str):
            yield Turn(role=role, text=item["text"])
