"""Scores of an eval suite: runs -> case -> suite.

Source: Suites recorded with Claude Code 2.1.332.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from skill_evaluator.grading.suites import GradedRun, ended_on_api_error, plain_sum


@dataclass(frozen=True, kw_only=True, slots=True)
class ArmScore:
    """One arm of a case.

    Attributes:
        score: Mean over its runs, 0..1; 0.0 without any, None where a run has none.
        pass_rate: Share of its runs that passed; 0.0 without any.
    """

    score: float | None
    pass_rate: float


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseScore:
    """A case over its runs.

    Attributes:
        with_plugin: The arm with the plugin.
        without_plugin: The arm without it, or None where no such run was started.
        is_comparable: Whether the arms can be held against each other: both ran, no run ended on an API error, and in
            none the cost ceiling kept the judge from being asked.
    """

    with_plugin: ArmScore
    without_plugin: ArmScore | None
    is_comparable: bool

    @property
    def delta(self) -> float | None:
        """What the plugin adds to the score; None where the arms cannot be compared or a score is missing."""
        if not self.is_comparable or self.without_plugin is None:
            return None
        return _difference(self.with_plugin.score, self.without_plugin.score)

    def reaches(self, threshold: float) -> bool:
        """Whether the score with the plugin is at least that."""
        return self.with_plugin.score is not None and self.with_plugin.score >= threshold


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteScore:
    """All cases of a suite that were loaded.

    Attributes:
        cases: How many.
        passed: How many reach the threshold.
        score: Mean of their scores with the plugin; 0.0 without cases, None where one has none.
        pass_rate: Mean of their pass rates with the plugin; 0.0 without cases.
        compared: How many have two arms that can be compared.
        mean_delta: Mean of what the plugin adds over those, or None without any or where one is unknown.
    """

    cases: int
    passed: int
    score: float | None
    pass_rate: float
    compared: int
    mean_delta: float | None


def score_case(with_runs: Sequence[GradedRun], without_runs: Sequence[GradedRun] = ()) -> CaseScore:
    """Put the runs of one case together.

    Args:
        with_runs: Its finished runs with the plugin.
        without_runs: Those without it; empty in a suite of one arm.
    """
    spoilt = any(one.has_skipped_judges or ended_on_api_error(one.run) for one in (*with_runs, *without_runs))
    return CaseScore(
        with_plugin=_arm(with_runs),
        without_plugin=_arm(without_runs) if without_runs else None,
        is_comparable=bool(without_runs) and not spoilt,
    )


def score_suite(cases: Sequence[CaseScore], *, threshold: float) -> SuiteScore:
    """Put the cases of a suite together.

    Args:
        cases: Those that were loaded; refused ones are not counted.
        threshold: Score from which a case passes.
    """
    comparable = [case for case in cases if case.is_comparable]
    return SuiteScore(
        cases=len(cases),
        passed=sum(case.reaches(threshold) for case in cases),
        score=_mean([case.with_plugin.score for case in cases]) if cases else 0.0,
        pass_rate=plain_sum(case.with_plugin.pass_rate for case in cases) / max(1, len(cases)),
        compared=len(comparable),
        mean_delta=_mean([case.delta for case in comparable]),
    )


def _arm(runs: Sequence[GradedRun]) -> ArmScore:
    if not runs:
        return ArmScore(score=0.0, pass_rate=0.0)
    return ArmScore(
        score=_mean([graded.score for graded in runs]), pass_rate=sum(graded.passed for graded in runs) / len(runs)
    )


def _mean(values: Sequence[float | None]) -> float | None:
    """The mean, or None where one is unknown or there is none."""
    known = [value for value in values if value is not None]
    return plain_sum(known) / len(known) if known and len(known) == len(values) else None


def _difference(with_score: float | None, without_score: float | None) -> float | None:
    return None if with_score is None or without_score is None else with_score - without_score
