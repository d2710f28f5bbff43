"""What differs from one recording to the next, or names a machine -> what stays the same."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.conformance.json_values import Json

_FOLDER = re.compile(r"/tmp/claude-eval-\w{6}")  # noqa: S108 - the program under observation makes it, not this
_FLAT_FOLDER = re.compile(r"claude-eval-\w{6}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
_DURATION = re.compile(r'((?:\w_ms|\w_seconds|_time)\\*"?: ?)\d+(?:\.\d+)?')
_SOCKET = re.compile(r"/\d+\.sock")
_IDS = (
    (re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"), "00000000-0000-0000-0000-{:012d}"),
    (re.compile(r"\btoolu_[0-9a-f]{20}\b"), "toolu_{:020d}"),
    (re.compile(r"\bmsg_[0-9a-f]{20}\b"), "msg_{:020d}"),
    (re.compile(r"\ba[0-9a-f]{16}\b"), "a{:016d}"),  # a subagent
    (re.compile(r"\b0m[0-9a-z]{7}-[0-9a-f]{8}\b"), "0m0000000-{:08d}"),  # its task
)


@dataclass(kw_only=True, slots=True)
class Masks:
    """Puts the same words in place of paths, moments and ids, all through one suite.

    Attributes:
        work: The folder that holds the plugin.
    """

    work: str
    _seen: dict[str, str] = field(default_factory=dict)

    def hide(self, value: Json) -> Json:
        """Mask all strings in a JSON value."""
        match value:
            case str():
                return self._text(value)
            case Mapping():
                return {str(self.hide(key)): self.hide(item) for key, item in value.items()}
            case Sequence():
                return [self.hide(item) for item in value]
            case _:
                return value

    def _text(self, text: str) -> str:
        text = _FOLDER.sub("<TMP>", text.replace(self.work, "<WORK>"))
        text = _MOMENT.sub("2026-01-01T00:00:00.000Z", _FLAT_FOLDER.sub("<TMP>", text))
        text = _SOCKET.sub("/0.sock", _DURATION.sub(r"\g<1>0", text))
        for pattern, form in _IDS:
            text = pattern.sub(lambda found, form=form: self._numbered(found[0], form), text)  # type: ignore[misc]
        return text

    def _numbered(self, found: str, form: str) -> str:
        return self._seen.setdefault(found, form.format(len(self._seen) + 1))


def line_of(value: Json) -> str:
    """One line of JSON, as all files of recordings have it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
