"""The six grader types of eval suites, by the name that suites use; their fields are the options of the format."""

from collections.abc import Mapping
from types import MappingProxyType

from skill_evaluator.graders.suite.baseline import Baseline
from skill_evaluator.graders.suite.call_order import CallOrder, Selector
from skill_evaluator.graders.suite.file_exists import FileExists
from skill_evaluator.graders.suite.llm import Llm
from skill_evaluator.graders.suite.needs import EvidenceNeeded, evidence_needed, needs_of
from skill_evaluator.graders.suite.regex import Regex
from skill_evaluator.graders.suite.targets import FileTarget, Place, Target
from skill_evaluator.graders.suite.tool_used import ToolUsed
from skill_evaluator.model import Check, JudgedCheck

GRADER_TYPES: Mapping[str, type[Check | JudgedCheck]] = MappingProxyType(
    {
        "regex": Regex,
        "tool_used": ToolUsed,
        "tool_order": CallOrder,
        "file_exists": FileExists,
        "llm": Llm,
        "baseline": Baseline,
    }
)

__all__ = [
    "GRADER_TYPES",
    "Baseline",
    "CallOrder",
    "EvidenceNeeded",
    "FileExists",
    "FileTarget",
    "Llm",
    "Place",
    "Regex",
    "Selector",
    "Target",
    "ToolUsed",
    "evidence_needed",
    "needs_of",
]
