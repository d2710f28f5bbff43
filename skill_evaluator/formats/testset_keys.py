"""The keys of a test set: what each one may hold, in the words of the messages."""

from types import MappingProxyType
from typing import Final

from skill_evaluator.model import Split
from skill_evaluator.texts import tr

# Values by spelling; the seed writes them in Chinese.
TYPES: Final = MappingProxyType(
    {"should_trigger": True, "should_not_trigger": False, "应触发": True, "不应触发": False}
)
SPLITS: Final = MappingProxyType(
    {"tuning": Split.TUNING, "acceptance": Split.ACCEPTANCE, "调优集": Split.TUNING, "验收集": Split.ACCEPTANCE}
)
MAX_TARGET: Final = 5
EXPECTED: Final = MappingProxyType(
    {
        "id": tr('a name of its own in double quotes, such as "case_001"'),
        "input": tr("the user's words in double quotes"),
        "type": tr('"should_trigger" (应触发) or "should_not_trigger" (不应触发)'),
        "expected_trigger": tr("true or false, without quotes"),
        "split": tr('"tuning" (调优集, feeds advice) or "acceptance" (验收集, gives the score)'),
        "expected_output_contains": tr('a list of texts that the output must hold, such as ["level_id"]'),
        "expected_output_not_contains": tr('a list of texts that the output must not hold, such as ["TODO"]'),
        "expected_output_regex": tr("a regular expression in double quotes, or a list of them"),
        "expected_params": tr('an object of fields and values, such as {{"level": 3}}'),
        "expected_tool_calls": tr(
            'a list of tool names in order, or {{"names": [...], "match": "subsequence" or "exact"}}'
        ),
        "context": tr('a list of earlier turns, each {{"role": "user" or "assistant", "text": "..."}}'),
        "files": tr('an object of relative paths and their texts, such as {{"notes/todo.txt": "buy milk"}}'),
        "expected_skill": tr('the name of the skill that should fire instead, such as "town-history"'),
        "rubric": tr('an object of items and whole numbers from 1 to 5, such as {{"clarity": 4}}'),
        "human_scores": tr('an object of rubric items and whole numbers from 1 to 5, such as {{"clarity": 3}}'),
        "graders": tr(
            'a list of graders in the words of eval suites, such as [{{"type": "file_exists", "path": "*.md"}}]'
        ),
        "tag": tr('a label in double quotes, or a list of labels, such as ["menu", "short"]'),
    }
)
EXPECTED_INSIDE: Final = MappingProxyType(
    {
        "context": tr('an object {{"role": "user" or "assistant", "text": "..."}}'),
        "rubric": tr("a whole number from 1 to 5"),
        "human_scores": tr("a whole number from 1 to 5"),
        "files": tr("the text of the file"),
        "graders": tr('an object such as {{"type": "tool_used", "tool": "Read"}}'),
    }
)  # else: text
TURN_EXPECTED: Final = MappingProxyType(
    {"role": tr('"user" or "assistant"'), "text": tr("the words of this turn in double quotes")}
)
TOOL_CALLS_EXPECTED: Final = MappingProxyType(
    {"names": tr('a list of tool names in order, such as ["read_file"]'), "match": tr('"subsequence" or "exact"')}
)
KEYS: Final = tuple(EXPECTED)
REQUIRED: Final = ("id", "input", "split")
# Looked at only when the skill fired, so they mean nothing on a case where it should not.
OUTPUT_KEYS: Final = (
    "expected_output_contains",
    "expected_output_not_contains",
    "expected_output_regex",
    "expected_params",
    "expected_tool_calls",
    "rubric",
    "human_scores",
    "graders",
)
