"""Plugins with small eval suites, laid out for tests."""

from collections.abc import Mapping
from pathlib import Path

MANIFEST = '{"name": "harbour", "version": "0.1.0"}\n'
SKILL = "---\nname: tide-table\ndescription: Gives tides. Use when the user asks for a tide.\n---\n\nLook it up.\n"
PROMPT = "---\nmax_turns: 6\n---\n\nWhen is high water at Kehl?\n"
GRADER = "---\ntype: regex\n---\nhigh water\n"
FIRES = "---\ntype: tool_used\ntool: Skill\ninput_match: tide-table\n---\n"
QUIET = "---\ntype: tool_used\ntool: Skill\nmin: 0\nmax: 0\narm: both\n---\n"
CASE_YAML = 'schema_version: "1.1"\nname: high-water\n'

Files = Mapping[str, str | bytes | None]

# A suite about which nothing is to be said: one case that must fire, one that must not.
SOUND: Files = {
    ".claude-plugin/plugin.json": MANIFEST,
    "skills/tide-table/SKILL.md": SKILL,
    "evals/high-water/prompt.md": PROMPT,
    "evals/high-water/graders/answer.md": GRADER,
    "evals/high-water/graders/fired.md": FIRES,
    "evals/sailing-song/prompt.md": "---\nmax_turns: 4\n---\n\nWrite two lines of a sailing song.\n",
    "evals/sailing-song/graders/answer.md": "---\ntype: regex\nflags: i\n---\nsail\n",
    "evals/sailing-song/graders/quiet.md": QUIET,
}


def lay_out(root: Path, files: Files) -> Path:
    """Write files below a folder.

    Args:
        root: The folder; it is made.
        files: By path: text or bytes, `->` and the goal of a link, or None to leave out what an earlier mapping had. A
            path that ends in `/` is a folder.
    """
    root.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        if content is not None:
            _write(root / name, content, is_folder=name.endswith("/"))
    return root


def _write(path: Path, content: str | bytes, *, is_folder: bool) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    match content:
        case _ if is_folder:
            path.mkdir(exist_ok=True)
        case bytes():
            path.write_bytes(content)
        case str() if content.startswith("->"):
            path.symlink_to(content.removeprefix("->"))
        case str():
            path.write_bytes(content.encode())


def sound_but(root: Path, changed: Files, *, below: str = "evals/high-water/") -> Path:
    """Lay out the sound suite with changed files of its first case."""
    return lay_out(root, {**SOUND, **{below + name: content for name, content in changed.items()}})
