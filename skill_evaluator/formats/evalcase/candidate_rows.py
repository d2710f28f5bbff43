"""One line of a file of candidates: the candidate, or everything that is wrong with it.

`candidate.schema.json` beside this module says the same to other programs.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from skill_evaluator.formats.evalcase.form import Fault, Form
from skill_evaluator.formats.evalcase.json_line import no_object, read_sound
from skill_evaluator.formats.json_syntax import explain
from skill_evaluator.model import Candidate
from skill_evaluator.texts import tr

EXPECTED: Final = MappingProxyType(
    {
        "case_id": tr("the id of a case in double quotes"),
        "text": tr('the translation in double quotes, "" where there is none'),
        "raw_response": tr("what the provider sent in double quotes, or null"),
    }
)
_EXPECTED: Final = frozenset(EXPECTED)  # many times as fast to compare as the keys of a proxy
_REQUIRED: Final = ("case_id", "text")
_OF_CASES: Final = ("assertions", "source_locale")
_TOLD: Final = 20  # unknown fields of one line
_KEY: Final = 80  # characters of one that are compared and shown
_HALF: Final = re.compile("[\ud800-\udfff]")
# Gives an object as its pairs, so that a key may be seen twice; made once, since making one takes as long as a line.
# `read_object` would note the place of every value, which for a line of 16 MiB takes many times its memory, and
# look with care at each line with many brackets, as raw responses have them.
_DECODER: Final = json.JSONDecoder(object_pairs_hook=tuple)


def read_candidate(text: str) -> Candidate | Sequence[Fault]:
    """Read one line.

    Args:
        text: The line, not blank.

    Returns:
        The candidate, or every fault of the line.
    """
    try:
        pairs = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        return [Fault(code="not-json", parts=(), message=explain(text, error))]
    except RecursionError:
        return [Fault(code="too-deep", parts=(), message=tr("brackets are nested too deep; no candidate needs that"))]
    except ValueError:  # an integer with more digits than Python converts
        return [Fault(code="not-a-number", parts=(), message=tr("holds a number of thousands of digits"))]
    if not isinstance(pairs, tuple):
        return [no_object(pairs, "candidate")]
    row = dict(pairs)
    if len(row) == len(pairs) and _is_plain(row):
        return _candidate(row)
    return [*_doubled(pairs), *_faults(row)]


def read_sound_candidate(text: str) -> Candidate:
    """Read one line again that `read_candidate` found no fault in."""
    return _candidate(read_sound(text))


def is_case(text: str) -> bool:
    """Say whether a line that is no candidate holds a case."""
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(row, dict) and "case_id" not in row and all(key in row for key in _OF_CASES)


def _candidate(row: Mapping[str, object]) -> Candidate:
    raw = row.get("raw_response")
    return Candidate(case_id=str(row["case_id"]), text=str(row["text"]), raw_response=None if raw is None else str(raw))


def _is_plain(row: Mapping[str, object]) -> bool:
    """Say whether nothing is wrong with an object."""
    return row.keys() <= _EXPECTED and all(_is_sound(key, row.get(key)) for key in _EXPECTED)


def _doubled(pairs: Sequence[tuple[str, object]]) -> Iterator[Fault]:
    for key, count in Counter(key for key, _ in pairs if key in EXPECTED).items():
        if count > 1:
            message = tr("the key {key!r} stands {count} times in one object; keep one", key=key, count=count)
            yield Fault(code="duplicate-key", parts=(key,), message=message)


def _faults(row: Mapping[str, object]) -> Sequence[Fault]:
    unknown = [key for key in row if key not in EXPECTED]
    kept = {key: row[key] for key in EXPECTED if key in row} | {key[:_KEY]: None for key in unknown[:_TOLD]}
    form = Form(kept, EXPECTED)
    form.check_keys(_REQUIRED)
    for key in EXPECTED:
        value = row.get(key)
        if isinstance(value, str) and _HALF.search(value):
            message = tr(
                '"{key}" holds half of a character, a lone \\ud800 to \\udfff; write the character itself', key=key
            )
            form.fault("half-character", (key,), message)
        elif key in row and not _is_sound(key, value):
            form.wrong(_plain(value), (key,))
    if len(unknown) > _TOLD:
        message = tr("{more:,} more unknown fields; take them out", more=len(unknown) - _TOLD)
        form.fault("unknown-field", (), message)
    return form.faults


def _is_sound(key: str, value: object) -> bool:
    if isinstance(value, str):
        return bool(value or key != "case_id") and (value.isascii() or _HALF.search(value) is None)
    return value is None and key == "raw_response"


def _plain(value: object) -> object:
    """Make the pairs of an object an object again, and cut what is only shown."""
    match value:
        case tuple():
            return {}
        case str():
            return value[:_KEY]
        case list():
            return []
        case _:
            return value
