"""Tells the skill under test from its siblings."""

from typing import Final

from skill_evaluator.model import AgentInfo

SKILL_TOOL: Final = "Skill"  # the tool that starts skills


def plain_name(invoked: str) -> str:
    """Give the name of a skill without the plugin it came in.

    >>> plain_name("maps:town-history"), plain_name("town-history"), plain_name(":x")
    ('town-history', 'town-history', ':x')
    """
    plugin, _, name = invoked.partition(":")
    return name if plugin and name else invoked


def is_target(invoked: str, skill_name: str) -> bool:
    """Say whether an invoked skill is the one under test.

    Args:
        invoked: The name as the agent used it.
        skill_name: The skill's own name.

    Returns:
        True for exactly that name and for `plugin:name`, false for every longer, shorter or differently written one.
    """
    return skill_name in (invoked, plain_name(invoked))


def neighbour_names(agent: AgentInfo) -> tuple[str, ...] | None:
    """Name the skills that were installed beside the one under test; None where the agent's settings do not say."""
    listed = agent.settings.get("neighbours")
    if not isinstance(listed, list | tuple):
        return None
    return tuple(name.rpartition("@")[0] or name for name in listed if isinstance(name, str))


def scored_siblings(agent: AgentInfo) -> frozenset[str] | None:
    """Name the skills whose firing in place of the one under test can be seen.

    Returns:
        Names without their plugin; none for an estimate, which is about the skill under test alone; None where it is
        not known what was installed, so that any may have been.
    """
    if agent.estimate:
        return frozenset()
    names = neighbour_names(agent)
    return None if names is None else frozenset(map(plain_name, names))
