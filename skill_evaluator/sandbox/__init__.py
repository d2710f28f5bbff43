"""Where an agent's program runs: a folder of its own, few variables, and an end that nothing outlives.

A run folder is made for one call and removed after it. Its name carries its owner, so that what a killed evaluator left
behind is found and cleared by the next one.
"""

from skill_evaluator.sandbox.child import Call, Ended, run_child
from skill_evaluator.sandbox.environment import child_environment
from skill_evaluator.sandbox.folder import RunFolder, is_confined, run_folder
from skill_evaluator.sandbox.sweep import sweep

__all__ = [
    "Call",
    "Ended",
    "RunFolder",
    "child_environment",
    "is_confined",
    "run_child",
    "run_folder",
    "sweep",
]
