"""Graders on runs -> verdicts."""

from skill_evaluator.grading.runs import grade_run

__all__ = ["grade_run"]
