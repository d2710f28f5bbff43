"""Tells the skill under test from its siblings."""


def is_target(invoked: str, skill_name: str) -> bool:
    """Say whether an invoked skill is the one under test.

    Args:
        invoked: The name as the agent used it.
        skill_name: The skill's own name.

    Returns:
        True for exactly that name and for `plugin:name`, false for every longer, shorter or differently written one.
    """
    plugin, _, name = invoked.partition(":")
    return invoked == skill_name or (bool(plugin) and name == skill_name)
