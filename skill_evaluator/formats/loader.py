"""Which reader a path is for, told by its content; `validate` in one call."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from skill_evaluator.formats.json_text import parse_json
from skill_evaluator.formats.no_target import part_of_suite, why_none
from skill_evaluator.formats.skill_files import SKILL_FILE, skill_file_of
from skill_evaluator.formats.skill_md import read_skill
from skill_evaluator.formats.targets import Target, find_targets
from skill_evaluator.formats.testset import find_testset, read_testset
from skill_evaluator.formats.text_file import read_text
from skill_evaluator.formats.visible import visible_findings
from skill_evaluator.model import Finding, Level, Skill
from skill_evaluator.texts import tr

if TYPE_CHECKING:
    from skill_evaluator.formats.evalcase.reading import CaseSource
    from skill_evaluator.formats.suite.checked import CheckedSuite

_READ_APART: Final = frozenset({"suite", "cases"})
Check = Callable[[Path, Skill | None], tuple[Finding, ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """What is said of the paths named.

    Attributes:
        findings: About skills and test sets, path by path.
        suites: Each suite once, in the order found.
        skills: How many skills were read.
        translations: How many translation cases were read, or None where nothing holds such.
    """

    findings: tuple[Finding, ...] = ()
    suites: "tuple[CheckedSuite, ...]" = ()
    skills: int = 0
    translations: int | None = None

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """Those about skills and test sets, then those of each suite."""
        return (*self.findings, *(finding for suite in self.suites for finding in suite.findings))


def check_paths(paths: Sequence[Path]) -> tuple[Finding, ...]:
    """Check several paths; test sets named with exactly one skill are compared with that skill.

    Args:
        paths: As for `check_path`.

    Returns:
        All findings, path by path, each once.
    """
    return check_targets(paths).all_findings


def check_targets(paths: Sequence[Path], *, eval_dir: str | None = None, since: Path | None = None) -> Checked:
    """Check several paths, and keep suites apart.

    Args:
        paths: As for `check_path`.
        eval_dir: As `--eval-dir`: where suites lie in their plugins.
        since: As `--since`: an earlier folder of translation cases.
    """
    skills = [skill for path in paths if (skill := _skill_at(path))] if len(paths) > 1 else []
    skill = skills[0] if len(skills) == 1 else None
    targets = [target for path in dict.fromkeys(paths) for target in find_targets(path, eval_dir=eval_dir)]
    apart = [
        finding for target in targets if target.kind not in _READ_APART for finding in _check_target(target, skill)
    ]
    sources = [_open(target, since) for target in targets if target.kind == "cases"]
    apart += (finding for source in sources for finding in source.findings)
    apart += _since_faults(since, len(sources))
    findings = tuple({str(finding): finding for finding in apart}.values())
    read = {target.path for target in targets if target.kind == "skill"}
    return Checked(
        findings=findings,
        suites=_check_suites(targets, eval_dir),
        skills=len(read),
        translations=sum(source.count for source in sources) if sources else None,
    )


def check_path(path: Path, *, skill: Skill | None = None) -> tuple[Finding, ...]:
    """Check a skill, a test set, a suite, translation cases or a plugin.

    Args:
        path: A SKILL.md, a folder that holds one, a test set, an eval suite or one case of it, a file or folder of
            translation cases, a plugin, or a folder of plugins or skills.
        skill: The skill that a test set is for; None to look for one beside it.

    Returns:
        Every fault and doubt; for a folder also those of the test set and the suite in it. Empty when there is none.
    """
    targets = find_targets(path)
    apart = [
        finding for target in targets if target.kind not in _READ_APART for finding in _check_target(target, skill)
    ]
    translations = [finding for target in targets if target.kind == "cases" for finding in _open(target).findings]
    suites = [finding for suite in _check_suites(targets, None) for finding in suite.findings]
    return (*apart, *translations, *suites)


def _open(target: Target, since: Path | None = None) -> "CaseSource":
    from skill_evaluator.formats.evalcase.reading import open_cases  # noqa: PLC0415 - loads all checks of translations

    return open_cases(target.path, since=since)


def _since_faults(since: Path | None, count: int) -> Iterator[Finding]:
    """Refuse `--since` where it is not clear what to compare with the earlier folder."""
    if since is not None and count != 1:
        found = (
            tr("none of the paths holds such")
            if not count
            else tr("the paths hold {count} of them; name one at a time", count=count)
        )
        message = tr("--since compares one folder of translation cases with an earlier one, but {found}", found=found)
        yield Finding(level=Level.FAIL, code="since-what", message=message)


def _check_suites(targets: Sequence[Target], eval_dir: str | None) -> "tuple[CheckedSuite, ...]":
    wanted = [target for target in targets if target.kind == "suite"]
    if not wanted:
        return ()
    from skill_evaluator.formats.suite.checked import check_suite, joined  # noqa: PLC0415 - the reader of suites is large

    return joined(check_suite(target.path, eval_dir=eval_dir, plugin=target.plugin) for target in wanted)


def _check_target(target: Target, skill: Skill | None) -> tuple[Finding, ...]:
    path = target.path
    if target.kind == "empty":
        message = tr("the folder is empty, so there is nothing to check in it")
        return visible_findings([Finding(level=Level.WARN, code="empty-folder", message=message, file=str(path))])
    if target.kind == "other" and (part := part_of_suite(path)) is not None:
        return visible_findings([part])
    if _is_folder(path) and skill_file_of(path) != path:
        return visible_findings(_check_folder(path))
    text = read_text(path)
    if isinstance(text, Finding):
        return (text,)
    kind = _kind(path, text)
    if kind is not None:
        return FORMATS[kind](path, skill)
    message = tr(
        "is neither a skill nor a test set: a SKILL.md opens with a line of `---`, a test set is a JSON list of cases"
    )
    return visible_findings([Finding(level=Level.FAIL, code="unknown-kind", message=message, file=str(path), line=1)])


def _kind(path: Path, text: str) -> str | None:
    """Tell by the first characters; where they are no help, by the name."""
    if text.startswith("---"):
        return "skill"
    suffix = path.suffix.lower()
    if suffix == ".json" or (text.lstrip()[:1] in {"[", "{"} and not parse_json(text).faults):
        return "testset"
    return "skill" if suffix == ".md" or text.lstrip().startswith("---") else None


def _check_skill(path: Path, _: Skill | None) -> tuple[Finding, ...]:
    return read_skill(path).findings


def _check_testset(path: Path, skill: Skill | None) -> tuple[Finding, ...]:
    return read_testset(path, skill=skill or _skill_beside(path)).findings


FORMATS: Mapping[str, Check] = MappingProxyType({"skill": _check_skill, "testset": _check_testset})


def _check_folder(folder: Path) -> tuple[Finding, ...]:
    if not os.path.lexists(folder / SKILL_FILE):
        return (why_none(folder),)
    loaded = read_skill(folder)
    testset = find_testset(folder)
    return loaded.findings + (read_testset(testset, skill=loaded.skill).findings if testset else ())


def _skill_at(path: Path) -> Skill | None:
    return read_skill(path).skill if _is_file(path / SKILL_FILE) or path.suffix.lower() == ".md" else None


def _skill_beside(testset: Path) -> Skill | None:
    """Find the skill whose test set this is: one in the same folder or in the one above, such as of `evals/`."""
    try:
        beside = testset.absolute().parent
    except OSError:  # the working folder is gone
        return None
    folder = next((folder for folder in (beside, beside.parent) if _is_file(folder / SKILL_FILE)), None)
    return read_skill(folder).skill if folder else None


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112 - Path.is_dir raises without leave to look


def _is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 - Path.is_file raises without leave to look
