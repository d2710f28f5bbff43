"""A JSON file: read, parsed, and its faults as findings."""

from collections.abc import Iterator
from pathlib import Path

from skill_evaluator.formats.json_text import JsonText, parse_json, pointer_to
from skill_evaluator.formats.text_file import decode_text, read_bytes
from skill_evaluator.model import Finding, Level


def read_json(path: Path) -> JsonText | Finding:
    """Read a file as JSON; see `parse_json`.

    Returns:
        The parsed text with its faults, or the FAIL that says why the file cannot be read at all.
    """
    content = read_bytes(path)
    return content if isinstance(content, Finding) else decode_json(content, str(path))


def decode_json(content: bytes, name: str) -> JsonText | Finding:
    """Take the bytes of a file as JSON; see `read_json`."""
    text = decode_text(content, name)
    return text if isinstance(text, Finding) else parse_json(text)


def json_findings(document: JsonText, file: str) -> Iterator[Finding]:
    """Give the faults of the text as FAILs."""
    for fault in document.faults:
        yield Finding(
            level=Level.FAIL,
            code=fault.code,
            message=fault.message,
            file=file,
            pointer=fault.pointer or None,
            line=fault.line,
        )


def line_of(document: JsonText, *parts: str | int) -> int | None:
    """Give the 1-based line of a place, or of the nearest one around it."""
    while parts and pointer_to(*parts) not in document.lines:
        parts = parts[:-1]
    return document.lines.get(pointer_to(*parts))


def is_unusable(document: JsonText) -> bool:
    """Say whether the text gave no value at all, so that looking further would only mislead."""
    return document.value is None and bool(document.faults)
