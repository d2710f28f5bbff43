"""Compares the placeholders of two texts: identity and number, and order where the syntax leaves no choice."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from skill_evaluator.graders.translation.outcomes import times
from skill_evaluator.graders.translation.placeholders.difference import PlaceholderCode, PlaceholderFault
from skill_evaluator.graders.translation.placeholders.placeholder import Parsed, Placeholder, shown_text
from skill_evaluator.texts import listed, tr

_LISTED: Final = 5  # placeholders in a message on their order


class _Key(NamedTuple):
    name: str
    kind: str


class _One(NamedTuple):
    key: _Key
    place: int  # among those of its text, from 0
    text: str


def find_faults(source: Parsed, target: Parsed, *, allow_reorder: bool) -> tuple[PlaceholderFault, ...]:
    """Say what a translation did to the placeholders of its source.

    A directive without a number takes the next argument. Where both texts leave numbers out, their order decides;
    where one of them has numbers, each directive is known by the number of its argument, written or counted.

    Args:
        source: Of the source; whether it is well-formed is not looked at.
        target: Of the translation; that it is malformed is a fault of its own.
        allow_reorder: Whether those with names or numbers may stand in another order.

    Returns:
        The faults, those that lost a placeholder first; empty where all were kept.
    """
    by_order = not (source.is_numbered or target.is_numbered)
    expected, actual = _keys(source.placeholders, by_order), _keys(target.placeholders, by_order)
    malformed = () if target.reason is None else (_malformed(target.reason),)
    if expected == actual:
        return malformed
    if Counter(expected) == Counter(actual):
        return malformed + _order_faults(target, expected, actual, allow_reorder=allow_reorder)
    return malformed + tuple(_differences(_ones(source, expected), _ones(target, actual)))


def _keys(placeholders: Sequence[Placeholder], by_order: bool) -> list[_Key]:  # noqa: FBT001 - private
    return [_Key("", one.plain) if by_order and one.takes_next else _Key(one.name, one.kind) for one in placeholders]


def _ones(parsed: Parsed, keys: Sequence[_Key]) -> list[_One]:
    return [_One(key, place, one.text) for place, (key, one) in enumerate(zip(keys, parsed.placeholders, strict=True))]


def _malformed(reason: str) -> PlaceholderFault:
    return PlaceholderFault(
        code="placeholder_malformed", message=tr("The translation cannot be formatted: {reason}.", reason=reason)
    )


def _order_faults(
    target: Parsed, expected: list[_Key], actual: list[_Key], *, allow_reorder: bool
) -> tuple[PlaceholderFault, ...]:
    """Compare the order of all, or only of those whose order decides what they show."""
    if allow_reorder:
        expected, actual = [one for one in expected if not one.name], [one for one in actual if not one.name]
    if expected == actual:
        return ()
    texts = [shown_text(one.text) for one in target.placeholders[:_LISTED]]
    message = tr(
        "The placeholders stand in another order, {texts}, {why}.",
        texts=listed([*texts, *(["..."] if len(target.placeholders) > _LISTED else [])]),
        why=tr("which changes what each shows") if allow_reorder else tr("which is not allowed here"),
    )
    return (PlaceholderFault(code="placeholder_reordered", message=message),)


def _differences(expected: list[_One], actual: list[_One]) -> Iterator[PlaceholderFault]:
    """Pair what went with what came in its place; count the rest."""
    known, kept = Counter(one.key for one in expected), Counter(one.key for one in actual)
    lost, gained = _beyond(expected, kept, actual), _beyond(actual, known, expected)
    for went, came in _pairs(lost, gained, known):
        message = tr("{text} has become {text_2}.", text=shown_text(went.text), text_2=shown_text(came.text))
        yield PlaceholderFault(code="placeholder_mutated", message=message)
    for one in lost:
        yield _counted("placeholder_missing", one, known, kept)
    for one in gained:
        yield _counted("placeholder_extra", one, known, kept)


def _beyond(ones: list[_One], others: "Counter[_Key]", other: list[_One]) -> list[_One]:
    """Give those that are more than the other text has, spared where both texts are alike at their ends."""
    left = Counter(others)
    alike = _alike(ones, other)
    for place in alike:
        left[ones[place].key] -= 1
    beyond = []
    for one in ones:
        if one.place in alike:
            continue
        left[one.key] -= 1
        if left[one.key] < 0:
            beyond.append(one)
    return beyond


def _alike(ones: list[_One], other: list[_One]) -> set[int]:
    """Give the places from the start and from the end where both texts have the same placeholder."""
    shorter = min(len(ones), len(other))
    front = next((at for at in range(shorter) if ones[at].key != other[at].key), shorter)
    back = next((at for at in range(shorter - front) if ones[-1 - at].key != other[-1 - at].key), shorter - front)
    return {*range(front), *range(len(ones) - back, len(ones))}


def _pairs(lost: list[_One], gained: list[_One], known: "Counter[_Key]") -> list[tuple[_One, _One]]:
    """Take out of both lists what belongs together: the same argument, else the same place, else a new name."""
    pairs: list[tuple[_One, _One]] = []
    for mark in (_argument, _place, _kind):
        waiting: dict[object, list[_One]] = {}
        for one in reversed(gained):
            if mark is not _kind or one.key not in known:
                waiting.setdefault(mark(one), []).append(one)
        found = [(one, waiting[mark(one)].pop()) for one in lost if mark(one) is not None and waiting.get(mark(one))]
        went, came = {one.place for one, _ in found}, {one.place for _, one in found}
        lost[:] = [one for one in lost if one.place not in went]
        gained[:] = [one for one in gained if one.place not in came]
        pairs += found
    return pairs


def _argument(one: _One) -> str | None:
    return one.key.name or None


def _place(one: _One) -> int | None:
    return None if one.key.name else one.place


def _kind(one: _One) -> str:
    return one.key.kind


def _counted(
    gone_or_new: PlaceholderCode, one: _One, known: "Counter[_Key]", kept: "Counter[_Key]"
) -> PlaceholderFault:
    text, was, now = shown_text(one.text), known[one.key], kept[one.key]
    if was and now:
        message = tr("{text} stands {now} where the source has it {was}.", text=text, now=times(now), was=times(was))
        return PlaceholderFault(code="placeholder_count_mismatch", message=message)
    if was:
        return PlaceholderFault(code=gone_or_new, message=tr("Expected placeholder {text} is missing.", text=text))
    return PlaceholderFault(
        code=gone_or_new, message=tr("{text} is a placeholder that the source does not have.", text=text)
    )
