"""Rules about calls of skills: patterns that fit no skill of the plugins of a case, skills named as tools.

Source: Suites recorded with Claude Code 2.1.332.
"""

import functools
import json
import re
from collections.abc import Iterable, Iterator
from typing import Final

from skill_evaluator.formats.suite.rules.tested import calls_of, doubt_at, is_skill_count
from skill_evaluator.formats.suite.seen import Doubt, SeenCase, SeenPlugin, SeenSuite
from skill_evaluator.graders.javascript import has_match, pattern_fault
from skill_evaluator.skill_names import SKILL_TOOL
from skill_evaluator.texts import listed, tr

# What may make a pattern fit a text by itself that does not fit it between others.
_SEES_AROUND: Final = re.compile(r"(?<!\[)\^|\$|\(\?<?!")


def skill_not_in_plugin(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """A pattern for the name of a skill that fits none of the plugins' counts no call."""
    for seen in case.graders if case.plugins else ():
        for calls in calls_of(seen) if is_skill_count(seen) else ():
            pattern = calls.selector.input_match
            if pattern is None or fits_a_skill(pattern, case.plugins):
                continue
            skills = [skill for plugin in case.plugins for skill in plugin.skills]
            verdict = tr("passes") if calls.least == 0 else tr("fails")
            message = tr(
                "`input_match` {pattern!r} names no skill of the plugin, so the grader {verdict} whatever fires; "
                "its skills and commands: {names}",
                pattern=pattern,
                verdict=verdict,
                names=listed(skills[:5]) or tr("none at all"),
            )
            yield doubt_at(seen, ("input_match",), message, skills=skills)


def skill_as_tool(case: SeenCase) -> Iterator[Doubt]:
    """Skills are called through one tool, so none of them is a tool of its own."""
    skills = {name: skill for plugin in case.plugins for skill in plugin.skills for name in _forms(skill, plugin.name)}
    for seen in case.graders if skills else ():
        for calls in calls_of(seen):
            name = calls.selector.tool
            if name in skills:
                message = tr(
                    "{name!r} is a skill, not a tool, so no call is ever counted; skills are called through "
                    "`{tool}`: write `tool: {tool}` and `input_match: {skill}`",
                    name=name,
                    tool=SKILL_TOOL,
                    skill=skills[name],
                )
                yield doubt_at(seen, calls.path, message, tool=name, nearest=SKILL_TOOL)


@functools.lru_cache(maxsize=1024)  # many cases of a suite ask for the same few skills
def fits_a_skill(pattern: str, plugins: tuple[SeenPlugin, ...]) -> bool:
    """Say whether a pattern may be found in a call of a skill or command; True for one that does not compile.

    It is tried on plain calls; where it asks for more, such as arguments, the name in it is enough.
    """
    plain = re.sub(r"\\(.)", r"\1", pattern)
    if any(skill in plain and _is_spelled(plain, skill, plugin.name) for plugin in plugins for skill in plugin.skills):
        return True
    if pattern_fault(pattern, "") is not None:
        return True
    inputs = _inputs(plugins)
    if not _SEES_AROUND.search(pattern) and has_match(pattern, "", inputs) is False:
        return False  # one look instead of one for each
    return any(has_match(pattern, "", text) is True for text in inputs.split("\n"))


def _is_spelled(plain: str, skill: str, plugin: str) -> bool:
    name, own = re.escape(skill), re.escape(plugin)
    return re.search(rf"(?:(?<![\w-])(?<!\w:)|(?<![\w-]){own}:){name}(?![\w-])", plain) is not None


@functools.lru_cache(maxsize=16)
def _inputs(plugins: tuple[SeenPlugin, ...]) -> str:
    """Give plain calls of all skills, one in a line."""
    names = [name for plugin in plugins for skill in plugin.skills for name in _forms(skill, plugin.name)]
    return "\n".join(
        f'{{"skill":{json.dumps(name, ensure_ascii=False)}{more}}}' for name in names for more in ("", ',"args":"x"')
    )


def _forms(skill: str, plugin: str) -> Iterable[str]:
    return skill, f"{plugin}:{skill}"
