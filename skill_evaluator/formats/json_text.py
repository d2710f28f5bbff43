"""JSON with the line of every value, and every fault of the text said in plain words."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from skill_evaluator.formats.json_syntax import explain, line_of
from skill_evaluator.texts import tr

MAX_DEPTH: Final = 64
_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)


@dataclass(frozen=True, kw_only=True, slots=True)
class JsonFault:
    """Something in the text that is no sound JSON.

    Attributes:
        code: `not-json`, `duplicate-key`, `not-a-number`, `half-character` or `too-deep`.
        message: What was found and what to do.
        line: 1-based.
        pointer: RFC 6901, or None where the text could not be followed so far.
    """

    code: str
    message: str
    line: int
    pointer: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class JsonText:
    """A parsed text.

    Attributes:
        value: What it holds; None also when it could not be parsed, see `faults`.
        lines: 1-based line of each value by its JSON pointer; for a member of an object that of its key.
        faults: In the order of the text; empty for sound JSON.
    """

    value: object
    lines: Mapping[str, int]
    faults: tuple[JsonFault, ...] = ()


def pointer_to(*parts: str | int) -> str:
    """Write a JSON pointer.

    >>> pointer_to(3, "expected_params", "a/b")
    '/3/expected_params/a~1b'
    """
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def parse_json(text: str) -> JsonText:
    """Read one JSON value strictly.

    Beyond the syntax, refuses what Python's parser lets pass: a key that stands twice, NaN and infinities, numbers
    beyond the range, half a surrogate pair, and nesting deeper than `MAX_DEPTH`.

    Args:
        text: The whole file.

    Returns:
        The value with its lines and faults. After `duplicate-key` and `not-a-number` the value is there all the
        same, so that a caller can look for further faults.
    """
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        return _unparsed(JsonFault(code="not-json", message=explain(text, error), line=line_of(text, error)))
    except RecursionError:
        return _unparsed(JsonFault(code="too-deep", message=_too_deep(), line=1, pointer=""))
    except ValueError:  # an integer with more digits than Python converts
        return _unparsed(JsonFault(code="not-a-number", message=tr("holds a number of thousands of digits"), line=1))
    walk = _Walk(text)
    walk.run()
    unusable = any(fault.code in {"half-character", "too-deep"} for fault in walk.faults)
    return JsonText(value=None if unusable else value, lines=walk.lines, faults=tuple(walk.faults))


def _unparsed(fault: JsonFault) -> JsonText:
    return JsonText(value=None, lines={}, faults=(fault,))


def _too_deep() -> str:
    return tr("brackets are nested deeper than {limit} levels; no such file needs that", limit=MAX_DEPTH)


@dataclass(slots=True)
class _Frame:
    """An object or array that is open: `part` is the key or index of the member under way."""

    pointer: str
    part: str | int | None
    keys: dict[str, int] = field(default_factory=dict)


class _Walk:
    """Follows a text that is known to parse, token by token, and notes lines and faults."""

    def __init__(self, text: str) -> None:
        self.lines: dict[str, int] = {}
        self.faults: list[JsonFault] = []
        self._text = text
        self._frames: list[_Frame] = []
        self._line = 1

    def run(self) -> None:
        end = 0
        for match in _TOKEN.finditer(self._text):
            self._line += self._text.count("\n", end, match.start())
            end = match.start()
            self._token(match[0])

    def _token(self, token: str) -> None:
        match token:
            case "{":
                self._open(None)
            case "[":
                self._open(0)
            case "}" | "]":
                self._frames.pop()
            case ",":
                self._next_member()
            case ":":
                pass
            case _ if token.startswith('"') and self._frames and self._frames[-1].part is None:
                self._key(self._text_of(token))
            case _:
                self._value()
                self._scalar(token)

    def _pointer(self) -> str:
        if not self._frames:
            return ""
        frame = self._frames[-1]
        return frame.pointer if frame.part is None else frame.pointer + pointer_to(frame.part)

    def _value(self) -> None:
        self.lines.setdefault(self._pointer(), self._line)

    def _open(self, first_part: int | None) -> None:
        self._value()
        if len(self._frames) == MAX_DEPTH:
            self._fault("too-deep", _too_deep())
        self._frames.append(_Frame(pointer=self._pointer(), part=first_part))

    def _next_member(self) -> None:
        frame = self._frames[-1]
        frame.part = frame.part + 1 if isinstance(frame.part, int) else None

    def _key(self, key: str) -> None:
        frame = self._frames[-1]
        frame.part = key
        if key in frame.keys:
            message = tr(
                "the key {key!r} stands twice in one object (first in line {first}); keep one",
                key=key,
                first=frame.keys[key],
            )
            self._fault("duplicate-key", message)
        frame.keys.setdefault(key, self._line)
        self._value()

    def _scalar(self, token: str) -> None:
        if token.startswith('"'):
            self._text_of(token)
        elif token not in {"true", "false", "null"} and not math.isfinite(float(token)):
            self._fault("not-a-number", tr("{token} is no number in JSON; write a finite one", token=token))

    def _text_of(self, token: str) -> str:
        if "\\" not in token:
            return token[1:-1]
        text = str(json.loads(token))
        if any("\ud800" <= char <= "\udfff" for char in text):
            self._fault(
                "half-character", tr("{token} holds half of a character; write the character itself", token=token[:40])
            )
        return text

    def _fault(self, code: str, message: str) -> None:
        self.faults.append(JsonFault(code=code, message=message, line=self._line, pointer=self._pointer()))
