"""Text from files made safe to show: nothing in a finding may move a cursor, turn the line around or fail to encode."""

from collections.abc import Iterable
from dataclasses import replace

from skill_evaluator.model import Finding
from skill_evaluator.texts import changed


def visible(text: str) -> str:
    r"""Write out control, format and half characters as Python's `repr` does; all else stays.

    >>> visible("a\nb\u202e 画")
    'a\\nb\\u202e 画'
    """
    return text if text.isprintable() else "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def encodable(text: str) -> str:
    """Write out only what no UTF-8 text can hold: bytes of a file name that are no UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode()


def visible_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Make everything in findings visible: messages, places and values."""
    return tuple(
        replace(
            finding,
            message=changed(finding.message, visible),
            file=_or_none(finding.file),
            case=_or_none(finding.case),
            pointer=_or_none(finding.pointer),
            values={visible(key): _value(value) for key, value in finding.values.items()},
        )
        for finding in findings
    )


def _or_none(text: str | None) -> str | None:
    return None if text is None else visible(text)


def _value(value: object) -> object:
    return visible(value) if isinstance(value, str) else value
