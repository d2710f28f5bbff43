"""Puts outputs before a judge model: blind, shuffled, in both orders, among texts that must score low.

For graders that take votes it is asked three times about each run. All of it is planned by pure functions, so the
same inputs always give the same questions.
"""

from skill_evaluator.judging.asking import ask_panels
from skill_evaluator.judging.names import Hidden, hidden_names
from skill_evaluator.judging.panels import PanelPlan, plan_panels
from skill_evaluator.judging.texts import Output, baseline_outputs
from skill_evaluator.judging.votes import VotePlan, Votes, ask_votes, plan_votes

__all__ = [
    "Hidden",
    "Output",
    "PanelPlan",
    "VotePlan",
    "Votes",
    "ask_panels",
    "ask_votes",
    "baseline_outputs",
    "hidden_names",
    "plan_panels",
    "plan_votes",
]
