"""The first place where a value has another shape than a table says."""

from collections.abc import Mapping

from skill_evaluator.formats.suite.faults import KeyPath
from skill_evaluator.formats.suite.form import described
from skill_evaluator.formats.suite.shapes import Each, Either, Items, Kinds, Plain, Record, Shape
from skill_evaluator.texts import joined, listed, tr

Misfit = tuple[KeyPath, str]  # the place, and what stands there and was expected


def misfit(value: object, shape: Shape, path: KeyPath = ()) -> Misfit | None:
    """Give the first place where a value has another shape, or None."""
    found: Misfit | None
    match shape, value:
        case Plain(), _ if shape.holds(value):
            found = None
        case Either(), _:
            found = _of_any(value, shape, path)
        case Items(), list():
            found = _in_items(value, shape, path)
        case Record(), dict():
            found = _in_record(value, shape, path)
        case Each(), dict():
            found = _in_each(value, shape, path)
        case Kinds(), dict():
            found = _in_kinds(value, shape, path)
        case _:
            found = _other(value, shape, path)
    return found


def _of_any(value: object, shape: Either, path: KeyPath) -> Misfit | None:
    found = [misfit(value, one, path) for one in shape.shapes]
    if None in found:
        return None
    inner = (one for one in found if one is not None and len(one[0]) > len(path))
    return next(inner, None) or _other(value, shape, path)


def _in_items(value: list[object], shape: Items, path: KeyPath) -> Misfit | None:
    seen: list[object] = []
    for index, item in enumerate(value):
        if found := misfit(item, shape.of, (*path, index)):
            return found
        own = item.get(shape.once) if shape.once is not None and isinstance(item, dict) else None
        if own is not None and own in seen:
            return (*path, index), tr("has the same {key!r} as another; give each its own", key=shape.once)
        seen.append(own)
    return None


def _in_record(value: Mapping[str, object], shape: Record, path: KeyPath) -> Misfit | None:
    for key in shape.needs:
        if key not in value:
            return (*path, key), tr("is missing; expected {expected}", expected=_words(shape.keys[key]))
    if shape.one_of and sum(key in value for key in shape.one_of) != 1:
        names = joined(tr(" and "), shape.one_of)
        return path, tr("is {found}; expected exactly one of the keys {names}", found=described(value), names=names)
    inner = (misfit(value[key], one, (*path, key)) for key, one in shape.keys.items() if key in value)
    return next((found for found in inner if found is not None), None)


def _in_each(value: Mapping[str, object], shape: Each, path: KeyPath) -> Misfit | None:
    if shape.is_filled and not value:
        return path, tr("is empty; expected one key at least")
    for key, item in value.items():
        if shape.key is not None and not shape.key.holds(key):
            return path, tr("has the key {key!r}; expected {expected}", key=key, expected=shape.key.words)
        if found := misfit(item, shape.value, (*path, key)):
            return found
    return None


def _in_kinds(value: Mapping[str, object], shape: Kinds, path: KeyPath) -> Misfit | None:
    kind = value.get(shape.key, shape.default)
    if not isinstance(kind, str) or kind not in shape.kinds:
        found = tr("is {found}", found=described(kind)) if shape.key in value else tr("is missing")
        return (*path, shape.key), tr("{found}; expected one of {names}", found=found, names=listed(shape.kinds))
    return _in_record(value, shape.kinds[kind], path)


def _other(value: object, shape: Shape, path: KeyPath) -> Misfit:
    return path, tr("is {found}; expected {expected}", found=described(value), expected=_words(shape))


def _words(shape: Shape) -> str:
    match shape:
        case Plain():
            return shape.words
        case Items():
            return tr("a list, each item {words}", words=_words(shape.of))
        case Record() | Each() | Kinds():
            return tr("a mapping")
        case Either():
            return joined(tr(", or "), [_words(one) for one in shape.shapes])
