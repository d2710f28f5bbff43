"""Rows -> cases: the checks they carry, and the hashes that say when two of them are the same."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from skill_evaluator.formats.testset_rows import Row
from skill_evaluator.graders.params import Params
from skill_evaluator.graders.text import Contains, Matches, NotContains
from skill_evaluator.graders.trace import ToolOrder
from skill_evaluator.model import Aspect, Case, Grader, Needs, Source


def build_case(row: Row, source: Source) -> Case:
    """Make a case of a sound row."""
    graders = tuple(_graders(row))
    return Case(
        id=row.id,
        prompt=row.input,
        split=row.split,
        expect_trigger=row.expect_trigger,
        sha256=_hash(_scored(row)),
        prompt_sha256=_hash(_asked(row)),
        source=source,
        graders=graders,
        tags=row.tags,
        rubric=row.rubric,
        files=row.files,
        context=row.context,
        expected_skill=row.expected_skill,
        stand_ins=tuple(dict.fromkeys(_expected_tools(row))),
        human_scores=row.human_scores,
        needs=_needs(row.graders.read),
    )


def hash_of_hashes(hashes: Iterable[str]) -> str:
    """Hash a set of cases, whatever their order."""
    return hashlib.sha256("\n".join(sorted(hashes)).encode()).hexdigest()


def _graders(row: Row) -> Iterator[Grader]:
    for text in row.contains:
        yield Grader(name=f'contains "{text}"', check=Contains(text=text))
    for text in row.not_contains:
        yield Grader(name=f'does not contain "{text}"', check=NotContains(text=text))
    for pattern in row.patterns:
        yield Grader(name=f"matches /{pattern}/", check=Matches(pattern=pattern))
    if row.params:
        yield Grader(name="has the expected fields", check=Params(expected=row.params), aspect=Aspect.PARAMS)
    if row.tool_calls:
        check = ToolOrder(names=row.tool_calls.names, match=row.tool_calls.match)
        yield Grader(name="calls the tools in order", check=check, aspect=Aspect.TOOL_ORDER)
    yield from row.graders.read


def _expected_tools(row: Row) -> Iterator[str]:
    """Name the tools that a check waits for; those that must not be called need not be there."""
    yield from row.tool_calls.names if row.tool_calls else ()
    if not row.graders.read:
        return
    from skill_evaluator.graders.suite import CallOrder, ToolUsed  # noqa: PLC0415 - most test sets have no such graders

    for grader in row.graders.read:
        match grader.check:
            case ToolUsed(tool=tool, max=most) if most != 0:
                yield tool
            case CallOrder(before=before, after=after):
                yield from (before.tool, after.tool)
            case _:
                pass


def _needs(graders: Sequence[Grader]) -> Needs:
    """Say what graders of the key `graders` look at; those of the other keys look at the output and the calls alone."""
    if not graders:
        return Needs()
    from skill_evaluator.graders.suite import needs_of  # noqa: PLC0415 - most test sets have no such graders

    return needs_of(graders)


def _asked(row: Row) -> Mapping[str, object]:
    """What the agent is shown; without files and context, the hash is what it was before there were any."""
    turns = [{"role": turn.role, "text": turn.text} for turn in row.context]
    return {
        "input": row.input,
        **({"files": row.files} if row.files else {}),
        **({"context": turns} if turns else {}),
    }


def _scored(row: Row) -> Mapping[str, object]:
    """What matters to the score; absent and empty are one, so a new key of the format changes no old hash."""
    calls = row.tool_calls
    whole: dict[str, object] = {
        **_asked(row),
        "expect_trigger": row.expect_trigger,
        "split": row.split.value,
        "contains": sorted(row.contains),
        "not_contains": sorted(row.not_contains),
        "regex": sorted(row.patterns),
        "params": row.params,
        "tool_calls": {"names": calls.names, "match": calls.match} if calls else {},
        "rubric": row.rubric,
        "expected_skill": row.expected_skill or {},
        "human_scores": row.human_scores,
        "graders": sorted(row.graders.written, key=canonical_text),
        "tags": sorted(row.tags),
    }
    return {key: value for key, value in whole.items() if value not in ([], {})}


def _hash(value: Mapping[str, object]) -> str:
    return hashlib.sha256(canonical_text(value).encode()).hexdigest()


def canonical_text(value: Mapping[str, object]) -> str:
    """Write an object as the one JSON text that is hashed for it, whatever the order of its keys."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=dict)
