"""The `---` block a SKILL.md opens with: cut out, parsed, and each fault said with its remedy."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from skill_evaluator.formats.yaml12 import YamlEntry, YamlError, read_yaml
from skill_evaluator.formats.yaml_remedies import last_key, remedy_of
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import tr

_FENCE: Final = re.compile(r"---[ \t]*")


@dataclass(frozen=True, kw_only=True, slots=True)
class Frontmatter:
    """The block and the text below it.

    Attributes:
        yaml: What stands between the two `---` lines, LF line ends, below one blank line, so that lines count as in
            the file.
        body: The text below, without the blank lines around it.
    """

    yaml: str
    body: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Fields:
    """The block's values.

    Attributes:
        values: By key; only text keys are kept.
        entries: How each value was written, by key path.
    """

    values: Mapping[str, object]
    entries: Mapping[tuple[object, ...], YamlEntry]

    def line(self, key: str) -> int | None:
        """Give the 1-based line of a key in the file, None without it."""
        entry = self.entries.get((key,))
        return entry.line if entry else None

    def scalar(self, *path: str) -> str | None:
        """Give a value as it was written, so that 1.10 stays 1.10; None where it is absent, empty or no scalar."""
        entry = self.entries.get(path)
        if entry is None or entry.written is None or (entry.plain and entry.written in {"~", "null"}):
            return None
        return entry.written.strip() or None


def cut_frontmatter(text: str, file: str) -> Frontmatter | Finding:
    """Part a SKILL.md into its opening block and its body.

    Args:
        text: The whole file; line ends of any kind.
        file: Its name for a finding.

    Returns:
        The parts, or a FAIL: the file does not open with `---`, or the block is never closed.
    """
    lines = re.split(r"\r\n|\r|\n", text)
    if not _FENCE.fullmatch(lines[0]):
        return _unopened(lines, file)
    for number, line in enumerate(lines[1:], 1):
        if _FENCE.fullmatch(line):
            return Frontmatter(yaml="\n".join(["", *lines[1:number]]), body="\n".join(lines[number + 1 :]).strip("\n"))
    message = tr("the block opened by `---` in line 1 is never closed; write a line of `---` below its last key")
    return Finding(level=Level.FAIL, code="skill-frontmatter-open", message=message, file=file, line=1)


def _unopened(lines: list[str], file: str) -> Finding:
    first = next((number for number, line in enumerate(lines, 1) if line.strip()), None)
    if first is None:
        message = tr("the file is empty; a SKILL.md opens with a `---` block that holds name and description")
    elif _FENCE.fullmatch(lines[first - 1]):
        message = tr(
            "the `---` stands in line {first}; it must be the very first line, so remove what is above it", first=first
        )
    else:
        message = tr(
            "the file does not open with a `---` block; write these lines at the top: ---, name: "
            "..., description: ..., ---"
        )
    return Finding(level=Level.FAIL, code="skill-frontmatter-missing", message=message, file=file, line=1)


def parse_frontmatter(yaml: str, file: str, *, parser: str | None = None) -> Fields | Finding:
    """Read the block as YAML 1.2.

    Args:
        yaml: The block as `cut_frontmatter` gives it.
        file: Its name for a finding.
        parser: As in `read_yaml`.

    Returns:
        The values, or a FAIL that names the line and the remedy.
    """
    try:
        parsed = read_yaml(yaml, parser=parser)
    except YamlError as error:
        return _not_yaml(yaml, error, file)
    if not isinstance(parsed.value, dict):
        message = tr("the `---` block holds no keys; write `name: ...` and `description: ...` in it")
        return Finding(level=Level.FAIL, code="skill-frontmatter-empty", message=message, file=file, line=1)
    values = {key: value for key, value in parsed.value.items() if isinstance(key, str)}
    return Fields(values=values, entries=parsed.entries)


def _not_yaml(yaml: str, error: YamlError, file: str) -> Finding:
    if (remedy := remedy_of(yaml, error)) is not None:
        at_fault, what, do = remedy
        message = tr(
            "the value of {at_fault!r} {what}, so strict readers drop the whole skill; {do}",
            at_fault=at_fault,
            what=what,
            do=do,
        )
    else:
        message = tr(
            "the `---` block is no valid YAML, so strict readers drop the whole skill: {message}", message=error.message
        )
    values = {"key": last_key(yaml, error), "problem": error.message}
    return Finding(
        level=Level.FAIL, code="skill-frontmatter-yaml", message=message, file=file, line=error.line, values=values
    )
