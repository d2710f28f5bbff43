"""What `translation check` says: a line for what did not pass, and what all of it comes to."""

import json
from collections.abc import Iterator

from skill_evaluator.api.translation.counts import AssertionCounts, CheckSummary
from skill_evaluator.metrics.limits import above_a_tenth
from skill_evaluator.model import Severity, one_line
from skill_evaluator.results.assertions import AssertionResult

_EVIDENCE = 200  # characters


def result_words(result: AssertionResult) -> str:
    """Give the line of an assertion that did not pass: how grave, which case, which assertion, code, message, evidence.

    `FAIL` decides, `NOTE` is only shown, `OPEN` could not be decided.
    """
    failed = "FAIL" if result.severity is Severity.HARD else "NOTE"
    mark = "OPEN" if result.passed is None else failed
    text = f"{mark} {result.case_id} {result.assertion} {result.code}: {result.message}{_evidence(result)}"
    return one_line(text)


def _evidence(result: AssertionResult) -> str:
    if not result.evidence:
        return ""
    text = json.dumps(result.evidence, ensure_ascii=False)
    left_out = len(text) - _EVIDENCE
    return f" {text[:_EVIDENCE]}... ({left_out:,} more characters, see --json)" if left_out > 0 else f" {text}"


def summary_words(summary: CheckSummary) -> Iterator[str]:
    """Give the lines that end a check; the last one says what decided."""
    total = sum((summary.of(severity) for severity in Severity), AssertionCounts()).total
    yield f"{_counted(summary.pairs, 'pair')} checked, {_counted(total, 'assertion')}"
    for severity in Severity:
        yield f"  {severity}: {_numbers(summary.of(severity))}"
        for (name, one), counts in summary.assertions.items():
            if one is severity:
                yield f"    {name}: {_numbers(counts)}"
    yield one_line(_verdict(summary))


def _verdict(summary: CheckSummary) -> str:
    hard = summary.of(Severity.HARD)
    faults = [
        f"{_counted(hard.failed, 'hard assertion')} failed" if hard.failed else "",
        f"{_counted(summary.without_candidate, 'case')} without candidate" if summary.without_candidate else "",
        f"{_counted(summary.without_case, 'candidate')} without case" if summary.without_case else "",
        "nothing was checked, since there is no pair of a case and a candidate" if not summary.pairs else "",
    ]
    if any(faults):
        return f"FAIL: {'; '.join(filter(None, faults))}"
    if not hard.total:
        return "no hard assertion in any case: nothing could fail, so this says nothing of the translations"
    if not hard.passed:
        return f"no verdict: of {_counted(hard.total, 'hard assertion')} none could be decided"
    if above_a_tenth(hard.undecided, hard.total):
        total, undecided = _counted(hard.total, "hard assertion"), f"{hard.undecided:,} could not be decided"
        return f"no verdict: of {total} {undecided}, more than 10%; {hard.passed:,} passed, none failed"
    undecided = f"; {hard.undecided:,} could not be decided" if hard.undecided else ""
    return f"PASS: {_counted(hard.passed, 'hard assertion')} passed, none failed{undecided}"


def _numbers(counts: AssertionCounts) -> str:
    return f"{counts.passed} passed, {counts.failed} failed, {counts.undecided} undecided"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
