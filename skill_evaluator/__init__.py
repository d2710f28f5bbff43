"""Tells the author of an Agent Skill whether it is good.

```python
from pathlib import Path
from skill_evaluator import Request, evaluate

report = evaluate(Request(skill=Path("my-skill"), testset=Path("testset.json")))
print(report.verdict, report.splits["acceptance"].metrics["f1"].value)
```
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skill_evaluator.api.doctor import doctor
    from skill_evaluator.api.evaluate import evaluate
    from skill_evaluator.api.regrade import regrade
    from skill_evaluator.api.request import RegradeRequest, Request
    from skill_evaluator.api.saved import compare_reports, load_report
    from skill_evaluator.api.trend import load_trend
    from skill_evaluator.errors import EvaluatorError, InputError
    from skill_evaluator.formats.import_files import import_files
    from skill_evaluator.formats.loader import check_paths
    from skill_evaluator.formats.skill_creator import import_triggers
    from skill_evaluator.formats.suite.suite import read_suite
    from skill_evaluator.grading import grade_suite_run, score_case, score_suite
    from skill_evaluator.metrics.suite_trigger import suite_trigger
    from skill_evaluator.report.render import render
    from skill_evaluator.results import Report

__version__ = "0.1.0"
__all__ = [
    "EvaluatorError",
    "InputError",
    "RegradeRequest",
    "Report",
    "Request",
    "check_paths",
    "compare_reports",
    "doctor",
    "evaluate",
    "grade_suite_run",
    "import_files",
    "import_triggers",
    "load_report",
    "load_trend",
    "read_suite",
    "regrade",
    "render",
    "score_case",
    "score_suite",
    "suite_trigger",
]

_HOMES = {
    "EvaluatorError": "errors",
    "InputError": "errors",
    "RegradeRequest": "api.request",
    "Report": "results",
    "Request": "api.request",
    "check_paths": "formats.loader",
    "compare_reports": "api.saved",
    "doctor": "api.doctor",
    "evaluate": "api.evaluate",
    "grade_suite_run": "grading",
    "import_files": "formats.import_files",
    "import_triggers": "formats.skill_creator",
    "load_report": "api.saved",
    "load_trend": "api.trend",
    "read_suite": "formats.suite.suite",
    "regrade": "api.regrade",
    "render": "report.render",
    "score_case": "grading",
    "score_suite": "grading",
    "suite_trigger": "metrics.suite_trigger",
}


def __getattr__(name: str) -> object:
    """Load a public name when it is first asked for, so that `--help` loads none."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
