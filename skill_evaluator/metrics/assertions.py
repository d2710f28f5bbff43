"""What each kind of assertion found over the cases that are judged by their output alone."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from skill_evaluator.metrics.aspects import all_passed, is_valid, majority
from skill_evaluator.metrics.output import share_of_cases
from skill_evaluator.model import Severity, Verdict
from skill_evaluator.results import AssertionTally, CaseResult

# A case that has an assertion twice tells its graders apart by such an end.
_REPEATED: Final = re.compile(r" [1-9][0-9]*\Z")

_Kind = tuple[str, Severity]


def assertion_tallies(cases: Iterable[CaseResult]) -> tuple[AssertionTally, ...]:
    """Count the cases in which each kind of assertion passed, hard ones first, then by name.

    Args:
        cases: Of one split; those that say whether the skill should fire are left out.
    """
    found: dict[_Kind, list[tuple[bool | None, frozenset[str]]]] = defaultdict(list)
    for case in cases:
        if case.expect_trigger is None:
            for kind, runs in _by_kind(case).items():
                found[kind].append((_passed(runs), _codes(runs)))
    return tuple(_tally(kind, found[kind]) for kind in sorted(found, key=_place))


def failed_report_only(case: CaseResult) -> tuple[str, ...]:
    """Name the assertions of a case that are only shown and failed in most of its valid runs, sorted."""
    if case.expect_trigger is not None:
        return ()
    kinds = _by_kind(case).items()
    return tuple(
        sorted(name for (name, severity), runs in kinds if severity is Severity.REPORT and _passed(runs) is False)
    )


def assertion_name(grader: str) -> str:
    """The name of the assertion that a grader stands for.

    >>> assertion_name("required_tokens"), assertion_name("required_tokens 2")
    ('required_tokens', 'required_tokens')
    """
    return _REPEATED.sub("", grader)


def _by_kind(case: CaseResult) -> Mapping[_Kind, list[list[Verdict]]]:
    """The verdicts of each kind, valid run by valid run; no entry for a run that has none of the kind."""
    found: dict[_Kind, list[list[Verdict]]] = defaultdict(list)
    for run in case.runs:
        of_run: dict[_Kind, list[Verdict]] = defaultdict(list)
        for verdict in run.verdicts if is_valid(run.state, expected=None) else ():
            of_run[assertion_name(verdict.grader), verdict.severity].append(verdict)
        for kind, verdicts in of_run.items():
            found[kind].append(verdicts)
    return found


def _passed(runs: Sequence[Sequence[Verdict]]) -> bool | None:
    """What most runs say; a tie is a failure, and None where what is undecided could turn it."""
    said = [all_passed([verdict.outcome.passed for verdict in verdicts]) for verdicts in runs]
    return majority([one for one in said if one is not None], said.count(None))


def _codes(runs: Sequence[Sequence[Verdict]]) -> frozenset[str]:
    """The codes of its failures, in whichever runs."""
    return frozenset(one.outcome.code for verdicts in runs for one in verdicts if one.outcome.passed is False)


def _tally(kind: _Kind, cases: Sequence[tuple[bool | None, frozenset[str]]]) -> AssertionTally:
    name, severity = kind
    passed = [answer for answer, _ in cases]
    return AssertionTally(
        assertion=name,
        severity=severity,
        pass_rate=share_of_cases("assertion_pass_rate", [answer for answer in passed if answer is not None]),
        undecided=passed.count(None),
        codes=dict(Counter(code for _, codes in cases for code in codes)),
    )


def _place(kind: _Kind) -> tuple[bool, str]:
    name, severity = kind
    return severity is not Severity.HARD, name
