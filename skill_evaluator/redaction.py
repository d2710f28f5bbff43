"""Keeps credentials out of everything that is stored or shown.

Only what an agent wrote is looked through, its names of tools, skills and fields too; ids of cases and the paths that
graders name are never touched, since runs are found by them.
"""

import codecs
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from skill_evaluator.credentials import MASK, mask_keys
from skill_evaluator.json_escapes import plainly_escaped
from skill_evaluator.model import Completion, MockCall, Run, SeenFile, ToolCall
from skill_evaluator.results import Canary

_WIDE = ("utf-16-le", "utf-16-be")
_BYTE_ORDER_MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
MIN_SECRET_LENGTH = 8  # shorter values occur in ordinary text and open nothing

_SECRET_NAME = re.compile(r"(?:API_?KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)(?:_|$)", re.IGNORECASE)


def secrets_of(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Collect the values of variables whose names say that they are credentials, longest first."""
    found = {
        value for name, value in environment.items() if _SECRET_NAME.search(name) and len(value) >= MIN_SECRET_LENGTH
    }
    return longest_first(found)


def longest_first(values: Iterable[str]) -> tuple[str, ...]:
    """Bring secrets into the order in which they are looked for, so that none hides a part of a longer one."""
    return tuple(sorted(set(values), key=lambda value: (-len(value), value)))


def blacken(text: str, secrets: Sequence[str]) -> str:
    """Replace the given secrets, and whatever has the shape of a key, by a mask.

    Passwords without a shape of their own stay: graders look at what is kept, and an example may have been asked for.

    Args:
        text: What an agent wrote.
        secrets: Values to look for, longest first.
    """
    for secret in secrets:
        text = text.replace(secret, MASK)
    return mask_keys(text)


def blacken_run(run: Run, secrets: Sequence[str]) -> Run:
    """Mask the credentials in all that the agent wrote in a run."""
    calls = run.tool_calls
    return replace(
        run,
        output=_text(run.output, secrets),
        raw_response=_text(run.raw_response, secrets),
        skills_invoked=tuple(blacken(name, secrets) for name in run.skills_invoked),
        tool_calls=None if calls is None else tuple(_call(call, secrets) for call in calls),
        failure=run.failure and replace(run.failure, message=blacken(run.failure.message, secrets)),
        trace=None if run.trace is None else tuple(_lines(run.trace, secrets)),
        skill_changes=tuple(blacken(path, secrets) for path in run.skill_changes),
        created_files=None if run.created_files is None else tuple(blacken(one, secrets) for one in run.created_files),
        seen_files={path: _seen(seen, secrets) for path, seen in run.seen_files.items()},
        mock_calls=None if run.mock_calls is None else tuple(_mock_call(call, secrets) for call in run.mock_calls),
    )


def blacken_canary(canary: Canary, secrets: Sequence[str]) -> Canary:
    """Mask the credentials in what the agent said to the canary."""
    faults = (
        replace(note, values={key: _value(value, secrets) for key, value in note.values.items()})
        for note in canary.faults
    )
    return replace(canary, faults=tuple(faults))


def blacken_completion(completion: Completion, secrets: Sequence[str]) -> Completion:
    """Mask the credentials in what a model outside the runs answered."""
    answer, failure = completion.answer, completion.failure
    return replace(
        completion,
        answer=answer and {key: _value(value, secrets) for key, value in answer.items()},
        text=_text(completion.text, secrets),
        failure=failure and replace(failure, message=blacken(failure.message, secrets)),
    )


def holds_mask(run: Run) -> bool:
    """Whether something in a run was masked, so that a check may have looked at a mask."""
    names = (*run.skills_invoked, *run.skill_changes)
    texts = (
        run.output,
        repr(run.tool_calls),
        *names,
        *(run.trace or ()),
        *(run.created_files or ()),
        repr(run.mock_calls),
    )
    seen = (file.content for file in run.seen_files.values())
    return any(text is not None and MASK in text for text in texts) or any(
        content is not None and any(MASK.encode(encoding) in content for encoding in ("utf-8", *_WIDE))
        for content in seen
    )


def _text(text: str | None, secrets: Sequence[str]) -> str | None:
    return None if text is None else blacken(text, secrets)


def _lines(lines: Sequence[str], secrets: Sequence[str]) -> Iterator[str]:
    """Mask them in lines of JSON, where any letter may be written as an escape; other lines stay as they are."""
    written = (json.dumps(secret, ensure_ascii=False)[1:-1] for secret in secrets)
    spellings = sorted({*secrets, *written}, key=lambda value: (-len(value), value))
    for line in lines:
        plain = plainly_escaped(line)
        masked = blacken(plain, spellings)
        yield line if masked == plain else masked


def _seen(seen: SeenFile, secrets: Sequence[str]) -> SeenFile:
    """Mask them in a file; all its other bytes stay as they are, whether they are text or not."""
    if seen.content is None:
        return seen
    text = seen.content.decode(errors="surrogateescape")
    masked = _wide(blacken(text, secrets).encode(errors="surrogateescape"), secrets)
    return seen if masked == seen.content else SeenFile.of(masked)


def _wide(content: bytes, secrets: Sequence[str]) -> bytes:
    """Mask them where they stand in UTF-16."""
    if b"\0" not in content:
        return content
    if encoding := _BYTE_ORDER_MARKS.get(content[:2]):
        even = len(content) // 2 * 2
        text = content[:even].decode(encoding, "surrogatepass")
        content = blacken(text, secrets).encode(encoding, "surrogatepass") + content[even:]
    for encoding in _WIDE:
        for secret in secrets:
            content = content.replace(secret.encode(encoding, "surrogatepass"), MASK.encode(encoding))
    return content


def _mock_call(call: MockCall, secrets: Sequence[str]) -> MockCall:
    arguments = _table(call.arguments, secrets)
    return replace(call, tool=blacken(call.tool, secrets), arguments=arguments, output=blacken(call.output, secrets))


def _call(call: ToolCall, secrets: Sequence[str]) -> ToolCall:
    arguments = None if call.arguments is None else _table(call.arguments, secrets)
    return replace(call, name=blacken(call.name, secrets), arguments=arguments, result=_text(call.result, secrets))


def _table(table: Mapping[str, object], secrets: Sequence[str]) -> dict[str, object]:
    """Mask them in keys and values."""
    masked = _value(dict(table), secrets)
    return masked if isinstance(masked, dict) else {}


def _value(value: object, secrets: Sequence[str]) -> object:
    """Mask them in whatever JSON can hold; a loop, since a model may nest deeper than Python calls itself."""
    top = [value]
    waiting: list[tuple[Any, Any]] = [(top, 0)]  # what holds a value, and where
    while waiting:
        holder, key = waiting.pop()
        match holder[key]:
            case str() as text:
                holder[key] = blacken(text, secrets)
            case dict() as table:
                holder[key] = inner = _with_masked_keys(table, secrets)
                waiting += [(inner, name) for name in inner]
            case list() as items:
                holder[key] = copied = list(items)
                waiting += [(copied, place) for place in range(len(copied))]
            case _:
                pass  # a number, true, false or null
    return top[0]


def _with_masked_keys(table: Mapping[str, object], secrets: Sequence[str]) -> dict[str, object]:
    """Mask them in keys; keys that would be one are numbered, so that no value is lost."""
    kept: dict[str, object] = {}
    for key, item in table.items():
        masked = blacken(key, secrets)
        name, number = masked, 2
        while name in kept or (name != key and name in table):
            name, number = f"{masked} ({number})", number + 1
        kept[name] = item
    return kept
