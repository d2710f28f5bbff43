"""Says which recorded case answers which asked one, where cases were renamed since."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from skill_evaluator.model import Case


def claim(cases: Sequence[Case], recorded: Sequence[tuple[str, str]]) -> Mapping[str, str]:
    """Hand out recorded cases to those who ask the same prompt, each to one at most.

    A case takes what was recorded under its own id. Then the others, taken for renamed, take what is left of their
    prompt: the first of them the first recorded.

    Args:
        cases: All cases of the test set, those that are asked first: what belongs to one that is not asked this time
            is not free for another with the same prompt, but what is free goes to one that is asked.
        recorded: Id and prompt hash of each recorded case, without repeats, in recorded order.

    Returns:
        Recorded id by id of the case; a case that nothing was recorded of is absent.
    """
    pairs = frozenset(recorded)
    own = {case.id: case.id for case in cases if (case.id, case.prompt_sha256) in pairs}
    others = [case for case in cases if case.id not in own]
    return own | dict(_renamed(others, [pair for pair in recorded if pair[0] not in own]))


def _renamed(cases: Sequence[Case], recorded: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    free: dict[str, deque[str]] = {}
    for case_id, prompt in recorded:
        free.setdefault(prompt, deque()).append(case_id)
    taken: set[str] = set()
    for case in cases:
        names = free.get(case.prompt_sha256, deque())
        while names and names[0] in taken:
            names.popleft()
        if names:
            taken.add(names[0])
            yield case.id, names.popleft()
