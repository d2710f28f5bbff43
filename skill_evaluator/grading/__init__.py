"""Graders on runs -> verdicts, and for eval suites their scores."""

from skill_evaluator.grading.runs import VotesOfRun, grade_run
from skill_evaluator.grading.suite_scores import ArmScore, CaseScore, SuiteScore, score_case, score_suite
from skill_evaluator.grading.suites import GradedRun, SuiteVerdict, grade_suite_run, left_out

__all__ = [
    "ArmScore",
    "CaseScore",
    "GradedRun",
    "SuiteScore",
    "SuiteVerdict",
    "VotesOfRun",
    "grade_run",
    "grade_suite_run",
    "left_out",
    "score_case",
    "score_suite",
]
