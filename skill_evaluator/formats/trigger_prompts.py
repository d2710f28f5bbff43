"""One item of a trigger set -> a `Prompt`, or what is wrong with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from skill_evaluator.formats.testset_form import kind_of, shown
from skill_evaluator.formats.testset_keys import SPLITS
from skill_evaluator.formats.trigger_shapes import LABEL_KEY, ROUTE_KEYS, TARGET_KEYS, TEXT_KEYS, Item, names_skill
from skill_evaluator.model import JsonObject, Split
from skill_evaluator.texts import listed, tr

NO_SKILL: Final = frozenset({"none", "null", ""})  # how routing sets say that no skill should fire
_ACCEPTABLE: Final = "acceptable"
# Keys whose short values group cases; whatever else an item says is a remark and finds no place in a test set.
_TAG_KEYS: Final = (
    "category", "categories", "tag", "tags", "label", "labels", "kind", "group", "scenario", "difficulty",
    "language", "lang", "locale", "prompt_locale",
)  # fmt: skip
_MAX_TAG_CHARS: Final = 40
# `split` as other tools name the two halves.
_SPLITS: Final = MappingProxyType(
    {**SPLITS, "train": Split.TUNING, "dev": Split.TUNING, "test": Split.ACCEPTANCE, "validation": Split.ACCEPTANCE,
     "val": Split.ACCEPTANCE, "holdout": Split.ACCEPTANCE}
)  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Prompt:
    """One prompt, with typed values.

    Attributes:
        parts: Where it stands in the file.
        text: The user's words.
        label: Whether the skill should fire; None in a routing set.
        route: The skill that should, None without one or where none should.
        acceptable: Skills that may fire as well.
        id: As given, a number as text; None without one.
        id_was_number: Whether it was one.
        tags: Labels it is grouped by.
        split: As given, None without a known one.
        dropped: Keys that find no place in a test set.
        carried: Further keys of the test set, such as graders.
    """

    parts: tuple[str | int, ...]
    text: str
    label: bool | None
    route: str | None = None
    acceptable: tuple[str, ...] = ()
    id: str | None = None
    id_was_number: bool = False
    tags: tuple[str, ...] = ()
    split: Split | None = None
    dropped: tuple[str, ...] = ()
    carried: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class ItemFault:
    """What is wrong with an item, and where."""

    code: str
    parts: tuple[str | int, ...]
    message: str


def read_item(item: Item, *, routed: bool) -> Prompt | tuple[ItemFault, ...]:
    """Read one item.

    Args:
        item: As taken out of the file.
        routed: Whether the set names skills instead of truth values.

    Returns:
        The prompt, or all its faults.
    """
    text_key = text_key_of(item.raw)
    route_key = next((key for key in (ROUTE_KEYS if routed else TARGET_KEYS) if key in item.raw), None)
    faults = [*text_faults(item, text_key), *(_route_faults(item, route_key) if routed else _label_faults(item))]
    if faults or text_key is None:
        return tuple(faults)
    tags = tags_of(item.raw)
    split = split_of(item.raw)
    used = {
        text_key,
        LABEL_KEY,
        "id",
        *tags,
        *(("split",) if split else ()),
        *((route_key, _ACCEPTABLE) if routed else ()),
    }
    label = item.label if item.label is not None else item.raw.get(LABEL_KEY)
    route = item.raw.get(route_key) if route_key else None
    return Prompt(
        parts=item.parts,
        text=str(item.raw[text_key]),
        label=label if isinstance(label, bool) and not routed else None,
        route=route if isinstance(route, str) and route.lower() not in NO_SKILL else None,
        acceptable=_acceptable(item.raw),
        id=id_of(item.raw),
        id_was_number=not isinstance(item.raw.get("id", ""), str),
        tags=tuple(dict.fromkeys(tag for found in tags.values() for tag in found)),
        split=split,
        dropped=tuple(key for key in item.raw if key not in used),
    )


def text_faults(item: Item, key: str | None) -> list[ItemFault]:
    """Say what is wrong with the words of an item, which stand under a key."""
    if key is None:
        message = tr(
            "no prompt; expected one of the keys {known}, found {found}",
            known=listed(TEXT_KEYS[:3]),
            found=listed(item.raw) or tr("none"),
        )
        return [ItemFault(code="missing-key", parts=item.parts, message=message)]
    value = item.raw[key]
    if isinstance(value, str) and value.strip():
        return []
    return [_wrong(item, key, value, tr("the user's words in double quotes"))]


def _label_faults(item: Item) -> list[ItemFault]:
    if item.label is not None or isinstance(item.raw.get(LABEL_KEY), bool):
        return []
    if LABEL_KEY in item.raw:
        return [_wrong(item, LABEL_KEY, item.raw[LABEL_KEY], tr("true or false, without quotes"))]
    message = tr('"{key}" is missing; expected true or false', key=LABEL_KEY)
    return [ItemFault(code="missing-key", parts=item.parts, message=message)]


def _route_faults(item: Item, key: str | None) -> list[ItemFault]:
    if key is None:
        message = tr("no skill is named; expected one of the keys {keys}", keys=listed(ROUTE_KEYS))
        return [ItemFault(code="missing-key", parts=item.parts, message=message)]
    value = item.raw[key]
    if names_skill(value):
        return []
    return [_wrong(item, key, value, tr('the name of the skill that should fire, or "none"'))]


def _wrong(item: Item, key: str, value: object, expected: str) -> ItemFault:
    message = tr(
        '"{key}" is {value} ({kind}); expected {wanted}',
        key=key,
        value=shown(value),
        kind=kind_of(value),
        wanted=expected,
    )
    return ItemFault(code="wrong-value", parts=(*item.parts, key), message=message)


def tags_of(raw: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    """Give the labels by key; a key with any other value is left to be dropped."""
    found = {key: _texts(raw.get(key)) for key in _TAG_KEYS}
    return {key: tags for key, tags in found.items() if tags and max(map(len, tags)) <= _MAX_TAG_CHARS}


def _texts(value: object) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [value]
    return tuple(item.strip() for item in values if isinstance(item, str) and item.strip())


def _acceptable(raw: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(name for name in _texts(raw.get(_ACCEPTABLE)) if name.lower() not in NO_SKILL)


def split_of(raw: Mapping[str, object]) -> Split | None:
    """Give the split, as this or another tool names it; None without a known one."""
    return _SPLITS.get(str(raw.get("split")))


def text_key_of(raw: Mapping[str, object]) -> str | None:
    """Give the key under which the user's words stand."""
    return next((key for key in TEXT_KEYS if key in raw), None)


def id_of(raw: Mapping[str, object]) -> str | None:
    """Give the id, a number as text; None without one."""
    value = raw.get("id")
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    return str(value).strip() or None
