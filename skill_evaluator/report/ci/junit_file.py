"""Test suites as JUnit XML.

What is written fits both schemas that are in use: Apache Ant's, as windyroad/JUnit-Schema states it, and that of
Jenkins, `junit-10.xsd` of jenkinsci/xunit-plugin. So the root has no attributes, a case has one child at most, and
nothing is left out that either of them asks for.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from skill_evaluator.report.ci.clean import clean, clean_lines

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

LONGEST_TEXT = 20_000  # characters of what is told of one case
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
START = f'{_DECLARATION}<testsuites>\n  <testsuite name="'  # of every file, by which an earlier one is known
_HOST = "localhost"  # as the schema wants it where no host is told, so that equal reports give equal files
_NO_MOMENT = "1970-01-01T00:00:00"


@dataclass(frozen=True, kw_only=True, slots=True)
class Trouble:
    """Why a test case did not pass.

    Attributes:
        kind: `failure` and `error` are counted against a build, `skipped` is not.
        type: A stable name of what happened.
        message: One line.
        text: All there is to say, in several lines.
    """

    kind: Literal["failure", "error", "skipped"]
    type: str
    message: str
    text: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class TestCase:
    """One test case; `time_s` is None where no time is known."""

    __test__ = False  # pytest collects classes by this name

    name: str
    time_s: float | None = None
    trouble: Trouble | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class TestSuite:
    """Cases under one name, which is the class name of each; `properties` are facts about all of them."""

    __test__ = False  # pytest collects classes by this name

    name: str
    cases: Sequence[TestCase]
    properties: Sequence[tuple[str, str]] = ()


def junit_text(suites: Iterable[TestSuite], *, started: str | None) -> str:
    """Write suites out.

    Args:
        suites: In their order.
        started: When they were run, ISO 8601 to the second without a zone; None where that is not known.

    Source:
        https://github.com/windyroad/JUnit-Schema (JUnit.xsd) and https://github.com/jenkinsci/xunit-plugin
        (junit-10.xsd).
    """
    from xml.etree import ElementTree as ET  # noqa: PLC0415 - rarely needed; nothing is parsed

    root = ET.Element("testsuites")
    for place, suite in enumerate(suites):
        _add_suite(ET.SubElement(root, "testsuite", _attributes(suite, place, started)), suite)
    ET.indent(root)
    text: str = ET.tostring(root, encoding="unicode")
    return f"{_DECLARATION}{text}\n"


def _attributes(suite: TestSuite, place: int, started: str | None) -> dict[str, str]:
    kinds = [case.trouble.kind for case in suite.cases if case.trouble is not None]
    return {
        "name": clean(suite.name),
        "package": clean(suite.name),
        "id": str(place),
        "hostname": _HOST,
        "timestamp": started or _NO_MOMENT,
        "tests": str(len(suite.cases)),
        "failures": str(kinds.count("failure")),
        "errors": str(kinds.count("error")),
        "skipped": str(kinds.count("skipped")),
        "time": _seconds(round(math.fsum(case.time_s or 0.0 for case in suite.cases), 3)),  # Jenkins reads no finer
    }


def _add_suite(element: "Element", suite: TestSuite) -> None:
    from xml.etree.ElementTree import SubElement  # noqa: PLC0415 - as above

    properties = SubElement(element, "properties")
    for name, value in suite.properties:
        SubElement(properties, "property", {"name": clean(name), "value": clean(value)})
    for case in suite.cases:
        attributes = {"classname": clean(suite.name), "name": clean(case.name), "time": _seconds(case.time_s or 0.0)}
        added = SubElement(element, "testcase", attributes)
        if case.trouble is not None:
            told = {"type": case.trouble.type, "message": clean(case.trouble.message)}
            SubElement(added, case.trouble.kind, told).text = clean_lines(case.trouble.text, limit=LONGEST_TEXT)
    for stream in ("system-out", "system-err"):  # Ant's schema asks for both
        SubElement(element, stream)


def _seconds(value: float) -> str:
    """Write seconds exactly, and never with an exponent, which no reader expects.

    >>> _seconds(1e-05), _seconds(0.1), _seconds(0.0)
    ('0.00001', '0.1', '0.0')
    """
    return f"{Decimal(repr(value)):f}"
