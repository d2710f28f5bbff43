"""What an id stands for, as hashes: a case that is changed so that its verdict may change needs a new id."""

import hashlib
import json
from collections.abc import Mapping
from typing import Final

from skill_evaluator.formats.evalcase.params import DEFAULTS

# What decides about a translation. Context and references do not, nor do tags, difficulty, domain and provenance.
FIELDS: Final = ("source", "source_locale", "target_locale", "assertions", "required_tokens")
_SIZE: Final = 8  # bytes of a hash; enough to tell one text from its own change
MEANING_BYTES: Final = _SIZE * len(FIELDS)


def meaning_of(raw: Mapping[str, object]) -> bytes:
    """Hash what a case means, field by field.

    The order of assertions and of tokens says nothing, nor does a param that is written out though it counts anyway.

    Args:
        raw: The object of a line, sound or not.

    Returns:
        One hash after the other, in the order of `FIELDS`.
    """
    values = (_assertions(raw) if key == "assertions" else _plain(raw, key) for key in FIELDS)
    return b"".join(hashlib.blake2b(_text(value).encode(), digest_size=_SIZE).digest() for value in values)


def changed_fields(before: bytes, now: bytes) -> tuple[str, ...]:
    """Name the fields in which two meanings differ."""
    places = ((key, slice(index * _SIZE, (index + 1) * _SIZE)) for index, key in enumerate(FIELDS))
    return tuple(key for key, place in places if before[place] != now[place])


def _plain(raw: Mapping[str, object], key: str) -> object:
    value = raw.get(key)
    if key == "required_tokens":
        return sorted(map(_text, value)) if isinstance(value, list) else []
    return value


def _assertions(raw: Mapping[str, object]) -> object:
    items = raw.get("assertions")
    return sorted(_text(_assertion(item)) for item in items) if isinstance(items, list) else None


def _assertion(item: object) -> object:
    if not isinstance(item, dict):
        return item
    params = item.get("params") or {}
    defaults = DEFAULTS.get(str(item.get("name")), {})
    return {**item, "params": {**defaults, **params} if isinstance(params, dict) else params}


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
