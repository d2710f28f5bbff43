"""What is said of a path that names nothing to check: what it is instead, and what to name."""

import os
from collections.abc import Sequence
from pathlib import Path

from skill_evaluator.formats.evalcase.case_files import CASES, DEV, LOCKED, SUFFIX
from skill_evaluator.formats.reasons import system_reason
from skill_evaluator.formats.skill_files import SKILL_FILE
from skill_evaluator.formats.suite.names import GRADERS, MOCKS
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import listed, tr


def part_of_suite(path: Path) -> Finding | None:
    """Say that a path is a grader or a mock, or a folder of such; None where it is neither."""
    try:
        here = Path(os.path.abspath(path))  # noqa: PTH100 - resolve would follow links and rename it
    except OSError:  # the working folder is gone
        return None
    if here.name == SKILL_FILE or not os.path.lexists(here):
        return None
    near = (here, *here.parents)[:3]
    for index, folder in enumerate(near):
        if folder.name in (GRADERS, MOCKS) and not (folder.name == GRADERS and index > 1):
            whole = Path(os.path.normpath(path / Path(*[".."] * (index + 1))))
            kind = "grader" if folder.name == GRADERS else "mock"
            what = _part(kind, is_file=here.is_file())
            owner = tr("its case") if kind == "grader" else tr("the case or the suite that it is for")
            return _finding(
                "not-a-suite",
                tr(
                    "is {what}, which is not checked alone; name {owner}, {name!r}",
                    what=what,
                    owner=owner,
                    name=str(whole),
                ),
                path,
            )
    return None


def _part(kind: str, *, is_file: bool) -> str:
    if kind == "grader":
        return tr("a grader") if is_file else tr("a folder of graders")
    return tr("a mock") if is_file else tr("a folder of mocks")


def why_none(folder: Path) -> Finding:
    """Say why a folder is nothing to check."""
    if not folder.is_absolute() and _is_cwd_gone():
        message = tr("the working folder does not exist any more; change to one that does")
        return _finding("not-found", message, folder)
    try:
        names = sorted(entry.name for entry in folder.iterdir())
    except OSError as error:
        return _finding("unreadable", tr("the folder cannot be read: {why}", why=system_reason(error)), folder)
    what = (
        tr("is empty")
        if not names
        else tr("holds no {skill_file}, and no plugin, eval suite or case either", skill_file=SKILL_FILE)
    )
    return _finding("not-found", tr("the folder {what}; {remedy}", what=what, remedy=_remedy(folder, names)), folder)


def _remedy(folder: Path, names: Sequence[str]) -> str:
    """Say what to name instead, or what to mend, by what lies in the folder."""
    odd_case = next((name for name in names if name.lower() == SKILL_FILE.lower()), None)
    if odd_case:
        return tr("rename {odd_case} to {skill_file}", odd_case=odd_case, skill_file=SKILL_FILE)
    inside = [name for name in names if os.path.isfile(folder / name / SKILL_FILE)]  # noqa: PTH113 - Path.is_file raises
    if inside:
        return tr("name one of the folders in it that do: {names}", names=listed(inside[:5]))
    if any(name.endswith(SUFFIX) for name in names) or {DEV, LOCKED} & set(names):
        return tr(
            "name one of its files of translation cases ({suffix}), or the folder that holds {cases}/{dev}/",
            suffix=SUFFIX,
            cases=CASES,
            dev=DEV,
        )
    if GRADERS in names:
        return tr("it holds graders, but no case without a prompt.md or a case.yaml: add one beside them")
    return tr(
        "name a skill's folder or its SKILL.md, a test set, a plugin (with "
        ".claude-plugin/plugin.json), an eval directory (such as evals/), the folder of a case (with "
        "a prompt.md or a case.yaml) or a folder of translation cases (with cases/dev/)"
    )


def _is_cwd_gone() -> bool:
    try:
        Path.cwd()
    except OSError:
        return True
    return False


def _finding(code: str, message: str, path: Path) -> Finding:
    return Finding(level=Level.FAIL, code=code, message=message, file=str(path))
