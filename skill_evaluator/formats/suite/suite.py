"""A folder, plugin or file -> the cases of its suite, or findings about all of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from skill_evaluator.model import Case, Finding, Suite


@dataclass(frozen=True, kw_only=True, slots=True)
class LoadedSuite:
    """What a suite holds; what the real program would run even beside refused cases.

    Attributes:
        suite: The cases that load, in the order in which they run. Unlike elsewhere it is there even if some case was
            refused: the real program runs the others and ends with status 1.
        refused: Folders of cases that do not load, absolute, each once, in order.
        eval_dir: The folder of the suite as the user would name it.
        plugin: Root of the plugin, or None where none was found.
        findings: All of them, FAIL and WARN.
    """

    suite: Suite
    refused: tuple[Path, ...]
    eval_dir: Path
    plugin: Path | None
    findings: tuple[Finding, ...]


def read_suite(
    target: Path,
    *,
    eval_dir: str | None = None,
    case_globs: Sequence[str] = (),
    tags: Sequence[str] = (),
) -> LoadedSuite | Finding:
    """Read the suite that a target means.

    Args:
        target: A plugin's root, its eval directory, a folder of a case, a prompt.md or a case.yaml.
        eval_dir: As `--eval-dir`: relative to the plugin, in place of `evals` and of what the manifest says.
        case_globs: Keep cases whose name matches one of them.
        tags: Keep cases that have one of them.

    Returns:
        What it holds, or the one FAIL that says why the target means no suite.
    """
    raise NotImplementedError


def expected_trigger(case: Case) -> bool | None:
    """Say what a case claims about the skill: True with a `Skill` grader of min >= 1, False with one of max 0."""
    raise NotImplementedError
