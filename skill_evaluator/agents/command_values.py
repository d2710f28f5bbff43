"""What an expression finds in an event of a program, whatever shape it has there."""

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from skill_evaluator.model import JsonObject

if TYPE_CHECKING:
    from jmespath.parser import ParsedResult


def found(expression: "ParsedResult | None", event: object) -> object:
    """Evaluate an expression; one that does not fit an event says nothing about it."""
    from jmespath.exceptions import JMESPathError  # noqa: PLC0415 - loaded only for this agent

    if expression is None:
        return None
    try:
        value: object = expression.search(event)
    except (JMESPathError, ArithmeticError, TypeError, ValueError, RecursionError):
        return None
    return None if value is False else value


def flat(value: object) -> Iterator[object]:
    """Give what stands in a list, however deep; one value is a list of its own, nothing an empty one."""
    match value:
        case list():
            for item in value:
                yield from flat(item)
        case None:
            pass
        case _:
            yield value


def objects(value: object) -> Iterable[JsonObject]:
    """Give the JSON objects among them."""
    return [item for item in flat(value) if isinstance(item, dict)]


def call_key(id_: object) -> str | None:
    """Give what joins a call and its result, or None where the program gives no id."""
    return str(id_) if isinstance(id_, str | int) and id_ != "" else None


def as_text(value: object) -> str:
    """Put a result into words: blocks with a text give their texts, anything else its JSON."""
    match value:
        case str():
            return value
        case list() if value and all(isinstance(item, dict) and isinstance(item.get("text"), str) for item in value):
            return "\n".join(item["text"] for item in value)
        case _:
            return json.dumps(value, ensure_ascii=False, sort_keys=True)
