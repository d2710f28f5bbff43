"""What is doubtful about recordings although they can be played: cases nobody asks about, names that almost match."""

import difflib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from skill_evaluator.agents.recordings import Recording
from skill_evaluator.model import Case, Finding, Level
from skill_evaluator.skill_names import is_target
from skill_evaluator.texts import joined, tr

_NAMED = 10
_NEAR = 0.85  # one slip in a word of seven letters


def unknown_cases(
    recordings: Iterable[Recording], cases: Sequence[Case], claims: Mapping[str, str], file: str
) -> tuple[Finding, ...]:
    """Name the recorded cases that answer none of those asked, all in one WARN.

    Args:
        recordings: All that was recorded.
        cases: The cases that are asked.
        claims: Recorded id by id of the case.
        file: Where the recordings lie.
    """
    asked = {(claims[case.id], prompt) for case in cases if case.id in claims for prompt in (case.prompt_sha256, None)}
    unknown = [rec for rec in recordings if (rec.run.case_id, rec.prompt_sha256) not in asked]
    if not unknown:
        return ()
    names = list(dict.fromkeys(rec.run.case_id for rec in unknown))
    ids = {case.id for case in cases}
    message = tr(
        "recordings of cases or prompts that are not asked, left out: {names}",
        names=named([_with_nearest(name, ids) for name in names]),
    )
    finding = Finding(
        level=Level.WARN,
        code="unknown-case",
        message=message,
        file=file,
        line=unknown[0].line,
        values={"cases": names},
    )
    return (finding,)


def repeated_sessions(repeated: int, file: str) -> tuple[Finding, ...]:
    """Say in one WARN how many session files repeat another's first turn; empty without any."""
    if not repeated:
        return ()
    message = tr(
        "{repeated} session files repeat the first turn of another one, as forks do, and count once with it; sessions "
        "that were asked apart have ids of their own",
        repeated=repeated,
    )
    values = {"files": repeated}
    return (Finding(level=Level.WARN, code="sessions-repeated", message=message, file=file, values=values),)


def almost_named(recordings: Iterable[Recording], skill_name: str, file: str) -> tuple[Finding, ...]:
    """Skills that fired under a name that differs from the target's by case or punctuation alone: likely a slip."""
    invoked = {name for rec in recordings for name in rec.run.skills_invoked}
    near = sorted(
        name
        for name in invoked
        if not is_target(name, skill_name) and _squashed(name.rpartition(":")[2]) == _squashed(skill_name)
    )
    if not near:
        return ()
    message = tr(
        "skills fired as {names}, but the skill is called {skill_name!r}: "
        "they count as other skills; if it is the same one, correct the recordings or the name in SKILL.md",
        names=", ".join(map(repr, near)),
        skill_name=skill_name,
    )
    values: dict[str, object] = {"names": near, "skill": skill_name}
    return (Finding(level=Level.WARN, code="skill-name-differs", message=message, file=file, values=values),)


def named(words: Sequence[str]) -> str:
    """List the first ten, and say how many more there are."""
    more = tr(" and {n} more", n=len(words) - _NAMED) if len(words) > _NAMED else ""
    return joined("", [", ".join(words[:_NAMED]), more])


def _with_nearest(name: str, ids: Collection[str]) -> str:
    near = [known for known in sorted(ids) if _squashed(known) == _squashed(name)]
    near = near or difflib.get_close_matches(name, sorted(ids), n=1, cutoff=_NEAR)
    return tr("{name!r} (did you mean {near!r}?)", name=name, near=near[0]) if near and near[0] != name else repr(name)


def _squashed(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
