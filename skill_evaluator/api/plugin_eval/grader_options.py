"""Graders as `aggregate-result.json` tells of them: type and options, with the real program's defaults.

Source: Files written by Claude Code 2.1.332.
"""

import math

from skill_evaluator.graders.suite import (
    GRADER_TYPES,
    Baseline,
    CallOrder,
    FileExists,
    FileTarget,
    Llm,
    Regex,
    Selector,
    Target,
    ToolUsed,
)
from skill_evaluator.model import Grader, JsonObject
from skill_evaluator.results.suite_result import GraderOfCase


def grader_of_case(grader: Grader) -> GraderOfCase:
    """Tell of a grader as its case defines it."""
    arm = {} if grader.arm is None else {"arm": str(grader.arm)}
    check = grader.check
    options = _options(check)
    return GraderOfCase(
        name=grader.name,
        type=next(name for name, kind in GRADER_TYPES.items() if isinstance(check, kind)),
        weight=json_number(grader.weight),
        config={**options, **arm},
        markdown=check.criteria if isinstance(check, Llm | Baseline) else None,
    )


def json_number(number: float) -> float | None:
    """Give a number that JSON can hold, or None."""
    return number if math.isfinite(number) else None


def _options(check: object) -> JsonObject:
    match check:
        case Regex():
            return {
                "target": _target(check.target),
                "pattern": check.pattern,
                "flags": check.flags,
                "match": check.match,
            }
        case Llm():
            return {"criteria": check.criteria, "focus": _target(check.focus)}
        case Baseline():
            return {"baseline_file": check.baseline_file, "criteria": check.criteria}
        case ToolUsed():
            limits = {"min": check.min, "max": check.max}
            return _selector(check) | {name: value for name, value in limits.items() if value is not None}
        case CallOrder():
            return {"before": _selector(check.before), "after": _selector(check.after)}
        case FileExists():
            return {"path": check.path, "exists": check.exists}
        case _:
            raise ValueError(f"{type(check).__name__} is no grader of eval suites")


def _selector(one: Selector | ToolUsed) -> dict[str, object]:
    match_ = {} if one.input_match is None else {"input_match": one.input_match}
    return {"tool": one.tool, **match_}


def _target(target: Target) -> object:
    return {"source": "file", "path": target.path} if isinstance(target, FileTarget) else target
