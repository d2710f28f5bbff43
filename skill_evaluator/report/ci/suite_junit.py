"""The result of an eval suite as JUnit XML: a suite for the verdict, and one for the cases."""

import json
import math
from collections import Counter
from collections.abc import Iterator
from datetime import UTC

from skill_evaluator.report.ci.junit_file import TestCase, TestSuite, Trouble, junit_text
from skill_evaluator.report.ci.suite_state import case_words, failed, is_unmeasured, run_lines, suite_state
from skill_evaluator.report.phrases import Phrases, phrases
from skill_evaluator.report.suite.content import whole_seconds
from skill_evaluator.report.suite.overview import suite_name
from skill_evaluator.report.words import Lang
from skill_evaluator.results.suite_result import CaseOfSuite, SuiteResult


def suite_result_to_junit(result: SuiteResult, lang: Lang) -> str:
    """Lay a result out for programs that show tests; a failure or an error stands in it where the suite did not pass.

    Args:
        result: Any result.
        lang: The language of messages; names and types are the same in every language.
    """
    say, name = phrases(lang, "plain"), suite_name(result)
    verdict = TestCase(name="verdict", trouble=_trouble(result, say))
    suites = [
        TestSuite(name=f"{name}.verdict", cases=[verdict], properties=[*_facts(result)]),
        TestSuite(name=f"{name}.cases", cases=[*_cases(result, say)]),
    ]
    return junit_text(suites, started=f"{result.started_at.astimezone(UTC):%Y-%m-%dT%H:%M:%S}")


def _trouble(result: SuiteResult, say: Phrases) -> Trouble | None:
    found = suite_state(result, say)
    if found.state == "pass":
        return None
    return Trouble(
        kind="error" if found.state == "partial" else "failure",
        type=result.partial_reason or "fail",
        message=found.words,
        text="\n".join(found.reasons),
    )


def _facts(result: SuiteResult) -> Iterator[tuple[str, str]]:
    yield "threshold", json.dumps(result.settings.threshold)
    yield "score", json.dumps(result.numbers.score)
    yield "delta", json.dumps(result.numbers.mean_delta)
    yield "cases_passed", str(result.numbers.cases_passed)
    yield "cases_total", str(result.numbers.cases_total)


def _cases(result: SuiteResult, say: Phrases) -> Iterator[TestCase]:
    """Give the cases under their names; those that share one stand under their folders."""
    named = Counter(case.name for case in result.cases)
    below = {id(case) for case in failed(result)}
    for case in result.cases:
        yield TestCase(
            name=case.name if named[case.name] == 1 else case.folder,
            time_s=_time(case),
            trouble=_trouble_of_case(case, result, say) if id(case) in below else None,
        )


def _time(case: CaseOfSuite) -> float:
    return math.fsum(whole_seconds(run) or 0 for run in (*case.with_plugin, *(case.without_plugin or ())))


def _trouble_of_case(case: CaseOfSuite, result: SuiteResult, say: Phrases) -> Trouble:
    lines = [say("ci.input", input=case.prompt), *run_lines(case, say)]
    return Trouble(
        kind="error" if is_unmeasured(case) else "failure",
        type="unmeasured" if is_unmeasured(case) else "score",
        message=case_words(case, result, say),
        text="\n".join(lines),
    )
