"""Graders on runs -> verdicts."""

from skill_evaluator.grading.runs import VotesOfRun, grade_run

__all__ = ["VotesOfRun", "grade_run"]
