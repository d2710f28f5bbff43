"""Where an agent's program runs: a folder of its own, few variables, and an end that nothing outlives.

A sandbox is made for one call and removed after it. Its name carries its owner, so that what a killed evaluator left
behind is found and cleared by the next one.
"""

from skill_evaluator.sandbox.child import Call, Ended, run_child
from skill_evaluator.sandbox.environment import child_environment
from skill_evaluator.sandbox.folder import Sandbox, is_confined, open_sandbox
from skill_evaluator.sandbox.sweep import sweep

__all__ = [
    "Call",
    "Ended",
    "Sandbox",
    "child_environment",
    "is_confined",
    "open_sandbox",
    "run_child",
    "sweep",
]
