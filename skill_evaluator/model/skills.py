"""A skill as read."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Skill:
    """A SKILL.md as read; nothing here is ever written back.

    Attributes:
        name: `name` of the frontmatter.
        description: `description`, with YAML folding already undone.
        body: The text below the frontmatter.
        path: The SKILL.md itself.
        sha256: Hash over the names and bytes of `files`, 64 hex digits.
        files: Skill files relative to the folder of SKILL.md, POSIX style, sorted.
        when_to_use: Further trigger text of the frontmatter, or None.
        version: `version` or `metadata.version` of the frontmatter, or None.
        triggers: Phrases the skill says it fires for, from quotes and lists; may be empty.
        non_triggers: Phrases or sentences it says it stays quiet for; may be empty.
        allowed_tools: Tool names of `allowed-tools`, or None where the key is absent.
        identities: Values of the frontmatter that tell whose skill it is (author, owner, vendor, links), as written.
    """

    name: str
    description: str
    body: str
    path: Path
    sha256: str
    files: tuple[str, ...]
    when_to_use: str | None = None
    version: str | None = None
    triggers: tuple[str, ...] = ()
    non_triggers: tuple[str, ...] = ()
    allowed_tools: tuple[str, ...] | None = None
    identities: tuple[str, ...] = ()

    @property
    def version_label(self) -> str:
        """How reports name this version: the frontmatter's version, else the start of the hash."""
        return self.version or self.sha256[:12]


@dataclass(frozen=True, kw_only=True, slots=True)
class PluginSkill:
    """One skill of a plugin.

    Attributes:
        skill: As read; its name is the one that calls of it have: the plugin, a colon, and the name of its folder.
        title: The name that it gives itself, where that is another than its folder's; else None.
        is_listed: Whether a model is told of it: it has a description and does not turn calls by models off.
    """

    skill: Skill
    title: str | None = None
    is_listed: bool = True

    @property
    def plain_name(self) -> str:
        """Its name without the plugin's."""
        return self.skill.path.parent.name
