"""What `translation check` says: a line for what did not pass, and what all of it comes to."""

import json
from collections.abc import Iterator, Mapping

from skill_evaluator.api.translation.counts import AssertionCounts, CheckSummary
from skill_evaluator.metrics.limits import above_a_tenth
from skill_evaluator.model import Severity, one_line
from skill_evaluator.results.assertions import AssertionResult
from skill_evaluator.texts import changed, joined, ntr, tr

_EVIDENCE = 200  # characters
_MARKS: Mapping[str, str] = {"FAIL": tr("FAIL"), "NOTE": tr("NOTE"), "OPEN": tr("OPEN")}


def result_words(result: AssertionResult) -> str:
    """Give the line of an assertion that did not pass: how grave, which case, which assertion, code, message, evidence.

    `FAIL` decides, `NOTE` is only shown, `OPEN` could not be decided.
    """
    failed = "FAIL" if result.severity is Severity.HARD else "NOTE"
    mark = _MARKS["OPEN" if result.passed is None else failed]
    head = joined(" ", [mark, result.case_id, result.assertion, result.code])
    text = joined(": ", [head, joined(" ", [result.message, *_evidence(result)])])
    return changed(text, one_line)


def _evidence(result: AssertionResult) -> Iterator[str]:
    if not result.evidence:
        return
    text = json.dumps(result.evidence, ensure_ascii=False)
    left_out = len(text) - _EVIDENCE
    yield (
        tr("{text}... ({left_out:,} more characters, see --json)", text=text[:_EVIDENCE], left_out=left_out)
        if left_out > 0
        else text
    )


def summary_words(summary: CheckSummary) -> Iterator[str]:
    """Give the lines that end a check; the last one says what decided."""
    total = sum((summary.of(severity) for severity in Severity), AssertionCounts()).total
    pairs = ntr("{n:,} pair", "{n:,} pairs", summary.pairs)
    yield tr("{pairs} checked, {total}", pairs=pairs, total=ntr("{n:,} assertion", "{n:,} assertions", total))
    for severity in Severity:
        yield joined(": ", [f"  {severity}", _numbers(summary.of(severity))])
        for (name, one), counts in summary.assertions.items():
            if one is severity:
                yield joined(": ", [f"    {name}", _numbers(counts)])
    yield changed(_verdict(summary), one_line)


def _verdict(summary: CheckSummary) -> str:
    hard = summary.of(Severity.HARD)
    if faults := tuple(_faults(summary)):
        return tr("FAIL: {faults}", faults=joined(tr("; "), faults))
    if not hard.total:
        return tr("no hard assertion in any case: nothing could fail, so this says nothing of the translations")
    if not hard.passed:
        return tr("no verdict: of {total} none could be decided", total=_hard(hard.total))
    if above_a_tenth(hard.undecided, hard.total):
        return tr(
            "no verdict: of {total} {undecided:,} could not be decided, more than 10%; {passed:,} passed, none failed",
            total=_hard(hard.total),
            undecided=hard.undecided,
            passed=hard.passed,
        )
    passed = tr("PASS: {passed} passed, none failed", passed=_hard(hard.passed))
    undecided = tr("{undecided:,} could not be decided", undecided=hard.undecided)
    return joined(tr("; "), [passed, undecided]) if hard.undecided else passed


def _faults(summary: CheckSummary) -> Iterator[str]:
    hard = summary.of(Severity.HARD)
    if hard.failed:
        yield tr("{failed} failed", failed=_hard(hard.failed))
    if summary.without_candidate:
        yield ntr("{n:,} case without candidate", "{n:,} cases without candidate", summary.without_candidate)
    if summary.without_case:
        yield ntr("{n:,} candidate without case", "{n:,} candidates without case", summary.without_case)
    if not summary.pairs:
        yield tr("nothing was checked, since there is no pair of a case and a candidate")


def _numbers(counts: AssertionCounts) -> str:
    return tr(
        "{passed} passed, {failed} failed, {undecided} undecided",
        passed=counts.passed,
        failed=counts.failed,
        undecided=counts.undecided,
    )


def _hard(number: int) -> str:
    return ntr("{n:,} hard assertion", "{n:,} hard assertions", number)
