"""What a judge sees of a run: text, shortened where it is a long session, or a picture; or why there is nothing to see.

Source: Suites recorded with Claude Code 2.1.332.
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from skill_evaluator.graders.suite.targets import FileTarget, Target
from skill_evaluator.graders.suite.views import file_content, view
from skill_evaluator.model import Image, Outcome, Run, one_line

_EACH_END: Final = 12  # lines of a session that are shown from its start, and from its end
_PICTURES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}
_NONE = {
    "files": "(the run changed no file)",
    "mock_calls": "(no tool of a stand-in was called)",
}  # nothing would puzzle
_OTHER_KINDS = {b"%PDF-": "a PDF", b"PK\x03\x04": "a ZIP archive"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """What is shown of a run.

    Attributes:
        text: The text; empty beside a picture.
        image: The picture in place of a text, or None.
    """

    text: str
    image: Image | None = None


def focus_words(focus: Target) -> str:
    """Name a focus as suites do: `last_message`, `file out/a.txt`."""
    return f"file {one_line(focus.path)}" if isinstance(focus, FileTarget) else focus


def seen_by_judge(run: Run, focus: Target) -> Seen | Outcome:
    """Give what a judge is shown of a run, or the outcome where nobody need be asked."""
    if isinstance(focus, FileTarget):
        content = file_content(run, focus.path)
        return content if isinstance(content, Outcome) else _file(content, focus)
    text = view(run, focus)
    if isinstance(text, Outcome):
        return text
    return Seen(text=elided(text.split("\n")) if focus == "trace" else text or _NONE.get(focus, ""))


def elided(lines: Sequence[str]) -> str:
    """Join the messages of a session, without those between the first twelve and the last twelve."""
    left_out = len(lines) - 2 * _EACH_END
    if left_out <= 0:
        return "\n".join(lines)
    return "\n".join([*lines[:_EACH_END], f"[... {left_out} messages left out ...]", *lines[-_EACH_END:]])


def _file(content: bytes, focus: FileTarget) -> Seen | Outcome:
    if media_type := _picture(content):
        image = Image(media_type=media_type, base64=base64.b64encode(content).decode())
        return Seen(text="", image=image)
    kind = next((kind for magic, kind in _OTHER_KINDS.items() if content.startswith(magic)), None)
    if kind is None and b"\0" not in content:
        return Seen(text=content.decode(errors="replace"))
    found = kind or "binary"
    return Outcome(
        passed=False,
        code="file_not_text",
        message=f"The file {focus.path!r} is {found}; a judge can be shown text and PNG, JPEG, GIF and WebP pictures.",
        evidence={"file": one_line(focus.path), "found": found},
    )


def _picture(content: bytes) -> str | None:
    """The kind of a picture by its first bytes, whatever its name says."""
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for magic, kind in _PICTURES.items() if content.startswith(magic)), None)
