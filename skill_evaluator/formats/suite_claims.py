"""What a case of an eval suite claims about one skill of its plugin, told by its graders of the tool `Skill`.

A suite speaks of a plugin, a test set of one skill: a grader speaks of the skill whose call its `input_match` matches,
and of every skill without one. Arguments of a call are up to the model, so a pattern that asks for them speaks of none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from skill_evaluator.formats.suite.expected import asks_for_call, forbids_calls
from skill_evaluator.graders.javascript import NoAnswer, has_match
from skill_evaluator.graders.javascript_json import stringify
from skill_evaluator.graders.suite import ToolUsed
from skill_evaluator.model import Case
from skill_evaluator.skill_names import SKILL_TOOL
from skill_evaluator.texts import tr

_NO_SKILL: Final = "0"  # in place of a skill's name
_SILENT: Final = tr("saying nothing of the skill")
_OTHERS: Final = tr("saying nothing of the skill, but of others that the plugin does not have")
_BOTH: Final = tr("asking for the skill and forbidding it")
_NO_PATTERN: Final = tr("with an `input_match` that cannot be used")


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """The skill under test among all that its plugin has.

    Attributes:
        names: Its names: the one it gives itself and that of its folder.
        plugin: Name of the plugin, or None where none was found.
        others: The names of each other skill, its own first.
        commands: Names of commands, which the tool `Skill` calls as well.
    """

    names: tuple[str, ...]
    plugin: str | None = None
    others: tuple[tuple[str, ...], ...] = ()
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """What a case says of the skill under test.

    Attributes:
        fires: Whether it should fire; None where the case does not say it.
        instead: The one other skill that should fire in its place, or None.
        why: Why the case does not say it, as words that go on with "a case"; empty where it does.
    """

    fires: bool | None
    instead: str | None = None
    why: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedSkill:
    """A skill of a plugin under test: the plugin's name, and its own names, that of its folder last."""

    plugin: str
    names: tuple[str, ...]

    @property
    def label(self) -> str:
        """How it is called, without its plugin."""
        return self.names[-1]

    def is_called_by(self, name: str) -> bool:
        """Whether a call of `Skill` with this name is one of it."""
        return any(name in (own, f"{self.plugin}:{own}") for own in self.names)


def skills_meant(pattern: str | None, skills: Sequence[NamedSkill]) -> tuple[NamedSkill, ...]:
    """Give the skills whose call a pattern matches, all of them without one; none where it cannot be used."""
    check = ToolUsed(tool=SKILL_TOOL, input_match=pattern)
    found: list[NamedSkill] = []
    for plugin in dict.fromkeys(skill.plugin for skill in skills):
        own = [skill for skill in skills if skill.plugin == plugin]
        try:
            meant = _names_meant(check, Target(names=tuple(name for one in own for name in one.names), plugin=plugin))
        except _UnusablePatternError:
            return ()
        found += [skill for skill in own if meant & frozenset(skill.names)]
    return tuple(found)


class _UnusablePatternError(Exception):
    """A pattern that does not compile or takes too long."""


def claim_about(case: Case, target: Target) -> Claim:
    """Say what a case claims about a skill.

    It should fire where a grader that speaks of it asks for a call and none forbids one. It should not where one
    forbids it, or where all that ask for a call speak of other skills of the plugin.
    """
    checks = list(skill_checks(case))
    asking = [check for check in checks if asks_for_call(check)]
    forbidding = [check for check in checks if forbids_calls(check)]
    try:
        return _claim(asking, forbidding, target)
    except _UnusablePatternError:
        return Claim(fires=None, why=_NO_PATTERN)


def skill_checks(case: Case) -> Iterator[ToolUsed]:
    """Give the graders of a case that count calls of the tool `Skill`."""
    checks = (grader.check for grader in case.graders)
    return (check for check in checks if isinstance(check, ToolUsed) and check.tool == SKILL_TOOL)


def _claim(asking: Sequence[ToolUsed], forbidding: Sequence[ToolUsed], target: Target) -> Claim:
    own = frozenset(target.names)
    meant = [(check, _names_meant(check, target)) for check in asking]
    is_forbidden = any(own & _names_meant(check, target) for check in forbidding)
    if is_forbidden and any(check.input_match is not None and own & names for check, names in meant):
        return Claim(fires=None, why=_BOTH)
    elsewhere = [names for _, names in meant if not own & names]
    if not is_forbidden and len(elsewhere) < len(meant):
        return Claim(fires=True)
    if is_forbidden or (elsewhere and all(elsewhere)):
        return Claim(fires=False, instead=_only_skill(elsewhere, target))
    return Claim(fires=None, why=_OTHERS if elsewhere else _SILENT)


def _only_skill(meant: Sequence[frozenset[str]], target: Target) -> str | None:
    """Give the one skill that graders ask for, or None where it is none, one of several, or a command."""
    names = frozenset[str]().union(*meant)
    found = [skill[0] for skill in target.others if names & frozenset(skill)]
    return found[0] if len(found) == 1 and not names & frozenset(target.commands) else None


def _names_meant(check: ToolUsed, target: Target) -> frozenset[str]:
    """Give the names in the plugin whose call a grader counts.

    Where a pattern matches the plugin's name alone (`notes` in a plugin `meeting-notes`), every call with that name
    before the skill's would match; then the plain name decides, if it matches any.
    """
    known = [*target.names, *(name for names in target.others for name in names), *target.commands]
    if check.input_match is None:
        return frozenset(known)
    plain = frozenset(name for name in known if _matches(check.input_match, name))
    if target.plugin is None or (plain and _matches(check.input_match, f"{target.plugin}:{_NO_SKILL}")):
        return plain
    return plain.union(name for name in known if _matches(check.input_match, f"{target.plugin}:{name}"))


def _matches(pattern: str, skill: str) -> bool:
    found = has_match(pattern, "", stringify({"skill": skill}))
    if isinstance(found, NoAnswer):
        raise _UnusablePatternError
    return found
