"""One line of a file of candidates: the candidate, or everything that is wrong with it.

`candidate.schema.json` beside this module says the same to other programs.
"""

import difflib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from skill_evaluator.formats.json_syntax import explain
from skill_evaluator.formats.json_text import pointer_to
from skill_evaluator.model import Candidate

_EXPECTED: Final = MappingProxyType(
    {
        "case_id": "the id of a case in double quotes",
        "text": 'the translation in double quotes, "" where there is none',
        "raw_response": "what the provider sent in double quotes, or null",
    }
)
_REQUIRED: Final = ("case_id", "text")
_SHOWN: Final = 80  # characters
_TOLD: Final = 20  # unknown keys of one line
_HALF: Final = re.compile("[\ud800-\udfff]")


class RowFault(NamedTuple):
    """What is wrong with a line: code of the finding, message, and JSON pointer or None."""

    code: str
    message: str
    pointer: str | None = None


def read_candidate(line: bytes) -> Candidate | tuple[RowFault, ...]:
    """Read one line.

    Args:
        line: Its bytes, not blank.

    Returns:
        The candidate, or every fault of the line.
    """
    try:
        text = line.decode()
        value = json.loads(text, object_pairs_hook=tuple)  # an object as its pairs, so that a key may be seen twice
    except UnicodeDecodeError as error:
        return (RowFault("not-utf8", f"is not UTF-8 text (found byte 0x{line[error.start]:02x}); save it as UTF-8"),)
    except json.JSONDecodeError as error:
        return (RowFault("not-json", explain(error.doc, error)),)
    except RecursionError:
        return (RowFault("too-deep", "brackets are nested too deep; no candidate needs that"),)
    except ValueError:  # an integer with more digits than Python converts
        return (RowFault("not-a-number", "holds a number of thousands of digits"),)
    if not isinstance(value, tuple):
        return (RowFault("not-an-object", f"each line is one object {{...}}, found {_shown(value)}"),)
    row = dict(value)
    return (*_doubled(value, row), *_faults(row)) or _candidate(row)


def shown_id(case_id: str) -> str:
    """Quote the id of a case, cut where nobody could read it."""
    return _shown(case_id)


def _doubled(pairs: Sequence[tuple[str, object]], row: Mapping[str, object]) -> Iterator[RowFault]:
    if len(row) < len(pairs):
        for key, count in Counter(key for key, _ in pairs if key in _EXPECTED).items():
            if count > 1:
                message = f"the key {key!r} stands {count} times in one object; keep one"
                yield RowFault("duplicate-key", message, pointer_to(key))


def _candidate(row: Mapping[str, object]) -> Candidate:
    raw = row.get("raw_response")
    return Candidate(case_id=str(row["case_id"]), text=str(row["text"]), raw_response=None if raw is None else str(raw))


def _faults(row: Mapping[str, object]) -> Iterator[RowFault]:
    unknown = [key for key in row if key not in _EXPECTED]
    for key in unknown[:_TOLD]:
        near = difflib.get_close_matches(key[:_SHOWN], _EXPECTED, n=1)
        remedy = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(_EXPECTED)}"
        yield RowFault("unknown-key", f"unknown key {_shown(key)}; {remedy}", pointer_to(key[:_SHOWN]))
    if len(unknown) > _TOLD:
        yield RowFault("unknown-key", f"{len(unknown) - _TOLD:,} more unknown keys; known are {', '.join(_EXPECTED)}")
    for key in _REQUIRED:
        if key not in row:
            yield RowFault("missing-key", f"the key {key!r} is missing; write {_EXPECTED[key]}")
    for key, expected in _EXPECTED.items():
        if key in row and not _is_fine(key, row[key]):
            yield RowFault("wrong-value", f"should be {expected}, found {_shown(row[key])}", pointer_to(key))
        elif key in row and _has_half(row[key]):
            message = "holds half of a character, a lone \\ud800 to \\udfff; write the character itself"
            yield RowFault("half-character", message, pointer_to(key))


def _is_fine(key: str, value: object) -> bool:
    if isinstance(value, str):
        return bool(value) or key != "case_id"
    return value is None and key == "raw_response"


def _has_half(value: object) -> bool:
    return isinstance(value, str) and not value.isascii() and _HALF.search(value) is not None


def _shown(value: object) -> str:
    match value:
        case tuple():
            return "an object"
        case list():
            return "a list"
        case str():
            return repr(value if len(value) <= _SHOWN else f"{value[:_SHOWN]}...")
        case _:
            return json.dumps(value)[:_SHOWN]
