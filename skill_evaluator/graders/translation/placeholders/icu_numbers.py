"""Does a branch for numbers still tell the number?

`one {# file}` may become `one {a file}` in a language whose `one` is for 1 alone; `few` may not lose its `#`.
"""

from collections.abc import Sequence

from skill_evaluator.graders.translation.placeholders.icu_found import Found, Step, inside, shown
from skill_evaluator.graders.translation.placeholders.icu_message import POUND, Argument, Choice, Message, head_of
from skill_evaluator.graders.translation.placeholders.icu_plurals import OTHER
from skill_evaluator.graders.translation.placeholders.icu_selectors import SAME_NUMBER, rules_for, same_number
from skill_evaluator.texts import tr


def texts_of(source: Choice, target: Choice, key: str, path: Sequence[Step], found: Found) -> tuple[Message, Message]:
    """Choose what a branch of a translation is compared with, and settle whether it has to tell the number.

    Args:
        source: A choice between numbers.
        target: What it became.
        key: A branch of the translation.
        path: The branches that it is in, itself the last.
        found: Where differences go.

    Returns:
        The source's text and the translation's, both without the number where nothing more is to be said of it. The
        source's text is that of the same branch, else that of the same number, else that of `other`. A category that
        stands for several numbers may follow `other`, and has to where it would tell no number: a source's `one` may
        be for 1 alone.
    """
    named = key if key in source.branches else _of_same_number(source, target, key)
    before, usual, after = source.branches[named or OTHER], source.branches[OTHER], target.branches[key]
    if before == after == usual:
        return before, after
    is_for_one = _is_for_one_number(target, key, found)
    if not is_for_one and _rest(before, source) != _rest(after, source) == _rest(usual, source):
        before = usual
    was, now, usually = _own(before, source), _own(after, source), _own(usual, source)
    if was == now:
        return (usual if usually and not now and not is_for_one else before), after
    if now and now == usually:
        return _without_own(before, source), _without_own(after, source)
    if not now and is_for_one and set(_rest(after, source)) <= set(_rest(before, source)):  # else it became another
        if named:
            gone = inside(tr("{placeholder} is gone", placeholder=shown(head_of(was[0]))), path)
            found.doubt(tr("{gone}, whose words may tell the number", gone=gone))
        return _without_own(before, source), after
    if not was:
        before = (*before, *usually)  # the number came, and not as `other` has it
    return before, after


def _of_same_number(source: Choice, target: Choice, key: str) -> str | None:
    """Name the branch of the source for the same number, unless the translation kept it beside this one."""
    selector = same_number(key, source)
    return None if selector in target.branches else selector


def _is_for_one_number(choice: Choice, key: str, found: Found) -> bool:
    if key.startswith("="):
        return True
    rules = rules_for(choice, found)
    return key in rules.for_one_number if rules else key in SAME_NUMBER


def _own(message: Message, choice: Choice) -> list[Argument]:
    """Give what tells the number: `#`, and the argument by its name; sorted, since it may change places."""
    return sorted(part for part in message if isinstance(part, Argument) and part.name in {POUND.name, choice.name})


def _rest(message: Message, choice: Choice) -> list[str]:
    return sorted(map(head_of, _without_own(message, choice)))


def _without_own(message: Message, choice: Choice) -> Message:
    return tuple(p for p in message if not isinstance(p, Argument) or p.name not in {POUND.name, choice.name})
