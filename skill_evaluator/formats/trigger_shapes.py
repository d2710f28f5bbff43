"""The shapes in which people keep trigger sets, and how to tell them from other JSON files.

A trigger set is a list of prompts, each with a truth value (should the skill fire?) or with the name of the skill
that should; the list stands by itself, under a key, or as two lists under `should_trigger` and `should_not_trigger`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

TEXT_KEYS: Final = ("query", "prompt", "input", "request", "user_request", "user_input", "text")
LABEL_KEY: Final = "should_trigger"
TARGET_KEYS: Final = ("target", "target_skill", "expected_skill", "skill")
ROUTE_KEYS: Final = ("expect", "expected", "expected_primary", "expected_primary_skill", *TARGET_KEYS)
_LIST_KEYS: Final = ("queries", "evals", "cases", "tests", "prompts", "items")
EVALS_FOLDER: Final = "evals"
_NAME_CHARS: Final = 64
_NAME_WORDS: Final = 4
_TWO_LISTS: Final = {LABEL_KEY: True, "should_not_trigger": False}
_EXPECTATIONS: Final = ("expectations", "assertions", "required_artifacts")
_OUTPUT_KEYS: Final = (*_EXPECTATIONS, "expected_output")

Kind = Literal["testset", "wrapped-testset", "trigger-set", "output-evals", "report", "list", "unknown"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """One prompt as it stands in a file.

    Attributes:
        parts: Keys and indexes that lead to it.
        raw: Its keys; a bare text has become the one key `query`.
        label: What the list it stands in says of it, None where it must say so itself.
    """

    parts: tuple[str | int, ...]
    raw: Mapping[str, object]
    label: bool | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """A file taken apart.

    Attributes:
        items: The prompts.
        others: What stands in the list but is neither an object nor a text, by where.
        skill_name: The skill the file says it is for, or None.
        skills: All skills a routing set says it is about, or empty.
        extras: Further keys at the top of the file.
    """

    items: tuple[Item, ...]
    others: Mapping[tuple[str | int, ...], object]
    skill_name: str | None = None
    skills: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()


def take_apart(value: object) -> Shape | None:
    """Find the prompts of a file.

    Args:
        value: The parsed JSON.

    Returns:
        The parts, or None where nothing in it looks like a list of prompts.
    """
    if isinstance(value, list):
        return _shape([((), value, None)], {})
    if not isinstance(value, dict):
        return None
    two = [((key,), value[key], label) for key, label in _TWO_LISTS.items() if isinstance(value.get(key), list)]
    if two:
        return _shape(two, value)
    lists = [key for key, inner in value.items() if isinstance(inner, list) and any(isinstance(x, dict) for x in inner)]
    named = [key for key in _LIST_KEYS if key in lists] or lists
    return _shape([((named[0],), value[named[0]], None)], value) if len(named) == 1 else None


_Found = tuple[tuple[str | int, ...], Sequence[object], bool | None]


def _shape(lists: Sequence[_Found], top: Mapping[str, object]) -> Shape:
    items: list[Item] = []
    others: dict[tuple[str | int, ...], object] = {}
    for above, entries, label in lists:
        for index, entry in enumerate(entries):
            parts = (*above, index)
            if isinstance(entry, dict):
                items.append(Item(parts=parts, raw=entry, label=label))
            elif isinstance(entry, str):
                items.append(Item(parts=parts, raw={TEXT_KEYS[0]: entry}, label=label))
            else:
                others[parts] = entry
    used = {above[0] for above, _, _ in lists if above} | {"skill_name", "skills", "skill"}
    name = next((top[key] for key in ("skill_name", "skill") if isinstance(top.get(key), str)), None)
    skills = top.get("skills")
    return Shape(
        items=tuple(items),
        others=others,
        skill_name=name if isinstance(name, str) else None,
        skills=tuple(x for x in skills if isinstance(x, str)) if isinstance(skills, list) else (),
        extras=tuple(key for key in top if key not in used),
    )


def recognise(value: object) -> Kind:
    """Tell what kind of JSON file this is by its content alone.

    Args:
        value: The parsed JSON.

    Returns:
        `list` for a list of which nothing can be told, `unknown` for anything else of that sort.
    """
    if isinstance(value, dict) and {"schema_version", "verdict"} <= value.keys():
        return "report"
    shape = take_apart(value)
    if shape is None:
        return "unknown"
    rows = [item.raw for item in shape.items]
    if any("input" in row and ("split" in row or "type" in row) for row in rows):
        return "testset" if isinstance(value, list) else "wrapped-testset"
    if _are_evals(shape):
        return "output-evals"
    if any(_is_prompt(item) for item in shape.items):
        return "trigger-set"
    return "list" if isinstance(value, list) else "unknown"


def _are_evals(shape: Shape) -> bool:
    """Whether outputs are expected, and nothing is said of when the skill should fire."""
    if any(item.label is not None or LABEL_KEY in item.raw for item in shape.items):
        return False
    if any(isinstance(item.raw.get(key), list) for item in shape.items for key in _EXPECTATIONS):
        return True
    said = any(key in item.raw for item in shape.items for key in _OUTPUT_KEYS)
    return said and not any(_is_prompt(item) for item in shape.items)


def _is_prompt(item: Item) -> bool:
    labelled = item.label is not None or LABEL_KEY in item.raw
    routed = any(key in item.raw and names_skill(item.raw[key]) for key in ROUTE_KEYS)
    return (labelled or routed) and any(isinstance(item.raw.get(key), str) for key in TEXT_KEYS)


def is_routed(items: Sequence[Item]) -> bool:
    """Say whether a set names skills instead of truth values."""
    if any(item.label is not None or LABEL_KEY in item.raw for item in items):
        return False
    return any(names_skill(item.raw[key]) for item in items for key in ROUTE_KEYS if key in item.raw)


def names_skill(value: object) -> bool:
    """Say whether a value can be the name of a skill, or null for none, and not a sentence about the answer."""
    return value is None or (isinstance(value, str) and len(value) <= _NAME_CHARS and len(value.split()) <= _NAME_WORDS)
