"""Reports as JSON text, there and back.

Equal reports give equal text, and what was written is read back equal. Two things are not kept: a tuple
among free JSON values comes back as a list, and half a surrogate pair as U+FFFD, since neither exists in a
JSON file.
"""

import gc
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pydantic import ValidationError

from skill_evaluator.errors import InputError
from skill_evaluator.report.consistency import contradictions
from skill_evaluator.report.faults import MAX_SIZE_MB, parse_report_json, schema_faults, size_fault, version_faults
from skill_evaluator.report.json_layout import entries, laid_out
from skill_evaluator.report.upgrades import upgraded
from skill_evaluator.report.wire import ReportFile, derived

if TYPE_CHECKING:
    from skill_evaluator.model import Finding
    from skill_evaluator.results import Comparison, Report

_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")  # an escape of a surrogate
_LONE_HALF = re.compile("[\ud800-\udfff]")


def report_to_json(report: "Report") -> str:
    """Lay a report out as the text of its JSON file.

    Returns:
        Two spaces of indent, keys in a fixed order, no ASCII escapes, a line end at the end. Numbers are
        never rounded.

    Raises:
        ValueError: If a number is not finite.
        TypeError: If a value is of no JSON type.
    """
    extra = derived(report)
    names = ReportFile.model_fields
    return _text((name, extra[name] if name in extra else getattr(report, name)) for name in names)


def comparison_to_json(comparison: "Comparison") -> str:
    """Lay a comparison out as JSON text, as it stands in a report."""
    return _text(entries(comparison))


def report_from_json(text: str, *, name: str) -> "Report":
    """Read a report back, trusting nothing: all that its cases decide is worked out again.

    Args:
        text: The text of the file, without a byte order mark.
        name: The file as the user named it, for the findings.

    Raises:
        InputError: With every fault of `parse_report`; else with the first contradictions between the cases and what
            the file says of them.
    """
    with _uncollected():
        content, report = _parsed(text, name)
        repeated = {key: (content[key], value) for key, value in derived(report).items()}
        _refuse(contradictions(report, repeated, name))
    return report


def parse_report(text: str, *, name: str) -> "Report":
    """Read a report's keys and types, believing its numbers.

    Raises:
        InputError: With every fault: no JSON, another kind of file, a version this program does not read, unknown or
            missing keys, or wrong types.
    """
    return _parsed(text, name)[1]


def _parsed(text: str, name: str) -> "tuple[Mapping[str, object], Report]":
    if len(text) > MAX_SIZE_MB * 2**20:
        raise InputError([size_fault(name)])
    content = parse_report_json(text, name)
    _refuse(version_faults(content, name))
    current = upgraded(content)
    if current is not content:
        content, text = current, json.dumps(current, ensure_ascii=False)
    try:
        file = ReportFile.model_validate_json(_for_pydantic(text, content))
    except ValidationError as error:
        raise InputError(schema_faults(error, name)) from error
    return content, file.report()


def _for_pydantic(text: str, content: Mapping[str, object]) -> str:
    """The same JSON, without the half pairs that pydantic refuses; one written as an escape has to be parsed first."""
    return _without_half_pairs(json.dumps(content, ensure_ascii=False) if _HALF_PAIR.search(text) else text)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Leave the collector of cycles off: it looks through all values again and again, and none of them has cycles."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _text(content: Iterable[tuple[str, object]]) -> str:
    return _without_half_pairs(laid_out(content)) + "\n"


def _refuse(faults: "tuple[Finding, ...]") -> None:
    if faults:
        raise InputError(faults)


def _without_half_pairs(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace") if _LONE_HALF.search(text) else text
