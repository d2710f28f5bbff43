"""How `translation check` words results and what they come to."""

import pytest

from skill_evaluator.api.translation.counts import AssertionCounts, CheckSummary, Tally
from skill_evaluator.cli.translation_words import result_words, summary_words
from skill_evaluator.model import Finding, JsonObject, Level, Severity
from skill_evaluator.results.assertions import AssertionResult

HARD, REPORT = Severity.HARD, Severity.REPORT


def result(passed: bool | None, severity: Severity = HARD, evidence: JsonObject | None = None) -> AssertionResult:
    return AssertionResult(
        case_id="a.001",
        assertion="max_chars",
        passed=passed,
        severity=severity,
        code="too_long",
        message="It is too long.",
        evidence=evidence or {},
    )


def summary(pairs: int = 1, lacking: tuple[int, int] = (0, 0), hard: AssertionCounts | None = None) -> CheckSummary:
    counts = {} if hard is None else {("max_chars", HARD): hard}
    return CheckSummary(pairs=pairs, without_candidate=lacking[0], without_case=lacking[1], assertions=counts)


@pytest.mark.parametrize(
    ("passed", "severity", "mark"),
    [(False, HARD, "FAIL"), (False, REPORT, "NOTE"), (None, HARD, "OPEN"), (None, REPORT, "OPEN")],
)
def test_a_line_begins_with_how_grave_it_is(passed: bool | None, severity: Severity, mark: str) -> None:
    assert result_words(result(passed, severity)) == f"{mark} a.001 max_chars too_long: It is too long."


def test_evidence_is_shown_on_the_line_and_cut_where_it_is_long() -> None:
    assert result_words(result(passed=False, evidence={"count": 3, "text": "画\n"})).endswith(
        ' {"count": 3, "text": "画\\n"}'
    )
    long = result_words(result(passed=False, evidence={"text": "x" * 5_000}))
    assert len(long) < 400
    assert "see --json" in long


@pytest.mark.parametrize(
    ("found", "is_right", "last"),
    [
        (summary(hard=AssertionCounts(passed=2)), True, "PASS: 2 hard assertions passed, none failed"),
        (
            summary(hard=AssertionCounts(passed=9, undecided=1)),
            True,
            "PASS: 9 hard assertions passed, none failed; 1 could not be decided",
        ),
        (
            summary(hard=AssertionCounts(passed=8, undecided=1)),
            True,
            "no verdict: of 9 hard assertions 1 could not be decided, more than 10%; 8 passed, none failed",
        ),
        (summary(hard=AssertionCounts(passed=9, failed=1)), False, "FAIL: 1 hard assertion failed"),
        (
            summary(lacking=(1, 2), hard=AssertionCounts(passed=1)),
            False,
            "FAIL: 1 case without candidate; 2 candidates without case",
        ),
        (
            summary(hard=AssertionCounts(undecided=2)),
            True,
            "no verdict: of 2 hard assertions none could be decided",
        ),
        (
            summary(),
            True,
            "no hard assertion in any case: nothing could fail, so this says nothing of the translations",
        ),
        (summary(pairs=0), False, "FAIL: nothing was checked, since there is no pair of a case and a candidate"),
    ],
)
def test_the_last_line_says_what_decided_and_nought_of_nought_is_no_pass(
    found: CheckSummary, is_right: bool, last: str
) -> None:
    assert found.is_right is is_right
    assert list(summary_words(found))[-1] == last


def test_counts_add_up_by_assertion_and_severity() -> None:
    tally = Tally()
    tally.add((result(passed=True), result(passed=None), result(passed=False, severity=REPORT)))
    tally.add((result(passed=True),))
    tally.add(Finding(level=Level.FAIL, code="no-case", message="x"))

    found = tally.summary()

    assert (found.pairs, found.without_candidate, found.without_case) == (2, 0, 1)
    assert found.of(HARD) == AssertionCounts(passed=2, undecided=1)
    assert found.of(REPORT) == AssertionCounts(failed=1)
    assert list(summary_words(found))[:5] == [
        "2 pairs checked, 4 assertions",
        "  hard: 2 passed, 0 failed, 1 undecided",
        "    max_chars: 2 passed, 0 failed, 1 undecided",
        "  report: 0 passed, 1 failed, 0 undecided",
        "    max_chars: 0 passed, 1 failed, 0 undecided",
    ]
