"""The skill that the canary asks for: shipped with the program, with a made-up name that nobody asks for by chance."""

from pathlib import Path

from skill_evaluator.formats.skill_md import read_skill
from skill_evaluator.model import Skill

_FOLDER = Path(__file__).parent.parent / "probe" / "brindlewick-tide-word"


def probe_skill() -> Skill:
    """Read the probe skill; its files lie in the package, so that an agent can copy them like any skill's."""
    loaded = read_skill(_FOLDER)
    if loaded.skill is None:
        raise RuntimeError(f"the probe skill of this program cannot be read; install it again: {loaded.findings}")
    return loaded.skill
