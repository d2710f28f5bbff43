"""Puts outputs before a judge model: blind, shuffled, in both orders, among texts that must score low.

Panels are planned by pure functions, so the same inputs always give the same questions.
"""

from skill_evaluator.judging.asking import NOT_ASKED, ask_panels
from skill_evaluator.judging.names import Hidden, hidden_names
from skill_evaluator.judging.panels import PanelPlan, plan_panels
from skill_evaluator.judging.texts import Output, baseline_outputs, sendable

__all__ = [
    "NOT_ASKED",
    "Hidden",
    "Output",
    "PanelPlan",
    "ask_panels",
    "baseline_outputs",
    "hidden_names",
    "plan_panels",
    "sendable",
]
