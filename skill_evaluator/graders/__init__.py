"""The deterministic checks, by the name that the formats use."""

from collections.abc import Mapping
from types import MappingProxyType

from skill_evaluator.graders.params import Params
from skill_evaluator.graders.text import Contains, Matches, NotContains
from skill_evaluator.graders.trace import ToolOrder
from skill_evaluator.model import Check

CHECKS: Mapping[str, type[Check]] = MappingProxyType(
    {
        "contains": Contains,
        "not_contains": NotContains,
        "regex": Matches,
        "params": Params,
        "tool_order": ToolOrder,
    }
)

__all__ = ["CHECKS", "Contains", "Matches", "NotContains", "Params", "ToolOrder"]
