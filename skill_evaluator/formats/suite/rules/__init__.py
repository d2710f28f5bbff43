"""What loads and will mislead, as one table of small rules; none of them opens a file.

To add a rule: a function, a line in one of the tables, a row in docs/formats.md, a line in the table of its test.

Source:
    Suites recorded with Claude Code 2.1.332, and its manual, "Test plugins with evals".
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from skill_evaluator.formats.suite.rules import (
    counts,
    judged,
    patterns,
    plugins,
    served,
    skills,
    targets,
    tools,
    whole,
    written,
)
from skill_evaluator.formats.suite.rules.whole import Placed
from skill_evaluator.formats.suite.seen import Doubt, SeenCase, SeenSuite

CASE_RULES: Final[Mapping[str, Callable[[SeenCase, SeenSuite], Iterator[Doubt]]]] = MappingProxyType(
    {
        "pattern-does-not-compile": patterns.does_not_compile,
        "pattern-matches-anything": patterns.matches_anything,
        "files-for-contents": targets.files_for_contents,
        "quote-in-trace": targets.quote_in_trace,
        "target-leads-outside": targets.path_leads_outside,
        "path-never-matches": targets.path_never_matches,
        "count-never-met": counts.count_never_met,
        "count-always-met": counts.count_always_met,
        "count-of-one": patterns.count_of_one,
        "infinite-weight": counts.infinite_weight,
        "few-turns": counts.few_turns,
        "short-timeout": counts.short_timeout,
        "single-run": counts.few_runs,
        "tool-not-granted": tools.tool_not_granted,
        "tool-disallowed": tools.tool_disallowed,
        "tool-misnamed": tools.tool_misnamed,
        "tool-not-mocked": served.tool_not_mocked,
        "mocked-tool-misnamed": served.mocked_tool_misnamed,
        "skill-not-in-plugin": skills.skill_not_in_plugin,
        "only-judged": judged.only_judged,
        "criteria-without-conditions": judged.no_conditions,
        "baseline-not-read": judged.no_baseline,
        "no-mock-to-look-at": judged.no_mock_to_look_at,
        "unscored-must-not-fire": judged.unscored_must_not_fire,
        "key-ignored": written.key_ignored,
        "key-repeated": written.key_repeated,
        "block-ends-early": written.block_ends_early,
        "grader-skipped": written.grader_skipped,
        "file-not-read": written.file_not_read,
        "prompt-is-command": written.prompt_is_command,
        "still-to-write": written.still_to_write,
        "odd-tag": written.odd_tag,
        "grader-misplaced": written.grader_misplaced,
        "plugins-empty": plugins.plugins_empty,
        "plugin-bare": plugins.plugin_bare,
    }
)
# What these look at is one value or grader, so they hold of a refused case too; others would miss what is not there.
_OF_ONE_VALUE: Final = frozenset(
    {
        "few-turns",
        "short-timeout",
        "single-run",
        "tool-misnamed",
        "tool-not-mocked",
        "mocked-tool-misnamed",
        "baseline-not-read",
        "pattern-does-not-compile",
        "pattern-matches-anything",
        "quote-in-trace",
        "target-leads-outside",
        "path-never-matches",
        "count-never-met",
        "count-always-met",
        "count-of-one",
        "infinite-weight",
        "criteria-without-conditions",
    }
)
SUITE_RULES: Final[Mapping[str, Callable[[SeenSuite], Iterator[Placed]]]] = MappingProxyType(
    {
        "one-sided-suite": whole.one_sided,
        "name-used-twice": whole.name_used_twice,
        "server-not-mocked": whole.server_not_mocked,
        "servers-not-read": plugins.servers_not_read,
        "mock-misnamed": whole.mock_misnamed,
        "stray-file": whole.stray_file,
        "mock-not-read": whole.mock_not_read,
        "no-plugin": plugins.no_plugin,
        "plugin-misplaced": plugins.plugin_misplaced,
    }
)


def look_for_doubts(suite: SeenSuite) -> Iterator[tuple[str, SeenCase | None, Doubt]]:
    """Apply all rules.

    Args:
        suite: What the author wrote.

    Yields:
        The code of the rule, the case that is doubted (None for the suite), and the doubt.
    """
    loaded = replace(suite, cases=tuple(_as_loaded(case) for case in suite.cases))
    for code, look_at_suite in SUITE_RULES.items():
        for case, doubt in look_at_suite(loaded):
            yield code, case, doubt
    for case in suite.cases:
        for code, look_at_case in CASE_RULES.items():
            for doubt in look_at_case(case if code in _OF_ONE_VALUE else _as_loaded(case), loaded):
                yield code, case, doubt


def _as_loaded(case: SeenCase) -> SeenCase:
    """Leave the graders of a refused case out."""
    return replace(case, graders=()) if case.case is None and case.graders else case


def line_of(case: SeenCase | None, doubt: Doubt) -> int | None:
    """Give the 1-based line of a doubt, or of the nearest thing around it; None for a whole file."""
    text = case.texts.get(doubt.file) if case is not None and doubt.file is not None else None
    return text.line(doubt.path) if text is not None else None
