"""What a target means: the plugin, its eval directory, and the folders of cases to look at.

Paths are absolute here; `named` gives them back as the user would name them.

Source: Suites recorded with Claude Code 2.1.332.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skill_evaluator.formats.reasons import system_fault
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.form import described
from skill_evaluator.formats.suite.likely import likely_places
from skill_evaluator.formats.suite.names import CASE_FILES
from skill_evaluator.formats.suite.plugin import Plugin, find_root, read_plugin
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import listed, tr

EVAL_DIR: Final = ("evals",)
_COMPONENTS: Final = frozenset({"skills", "commands", "agents", "hooks"})
_SKIPPED: Final = frozenset({"results", "mocks", "node_modules"})
_PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]*")


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where a suite lies.

    Attributes:
        target: As the user named it.
        eval_dir: Folder of the suite.
        top: Where cases are searched: the eval directory or a folder in it.
        is_case: Whether `top` is the one case that is meant, named by one of its files.
        root: Paths in results start here: the root of the plugin, else the folder that was named.
        plugin: The plugin that holds the target, or None.
        is_given: Whether that plugin is under test whatever lies between it and a case.
        doubts: What of the plugin's manifest was not followed.
    """

    target: Path
    eval_dir: Path
    top: Path
    is_case: bool
    root: Path
    plugin: Plugin | None
    is_given: bool = False
    doubts: tuple[SuiteFault, ...] = ()

    @property
    def readable(self) -> Path:
        """Give the outermost folder that may be read."""
        return self.plugin.root if self.plugin else self.eval_dir

    def named(self, path: Path) -> Path:
        """Name a path as the user would."""
        return path if self.target.is_absolute() else Path(os.path.relpath(path))


def find_place(target: Path, eval_dir: str | None, plugin: Path | None = None) -> Place | Finding:
    """Say where the suite lies that a target means.

    Args:
        target: As the user named it.
        eval_dir: As `--eval-dir`, or None.
        plugin: Root of the plugin that is under test; None for the nearest around the target.

    Returns:
        The place, or the FAIL that says why there is none.
    """
    flag = None if eval_dir is None else folder_parts(eval_dir)
    if isinstance(flag, str):
        message = tr("--eval-dir is {found}; {flag}", found=described(eval_dir), flag=flag)
        return Finding(level=Level.FAIL, code="bad-eval-dir", message=message)
    try:
        here = Path(os.path.abspath(target))  # noqa: PTH100 - resolve would follow links and rename the suite
        return _place(target, here, flag, None if plugin is None else plugin.absolute())
    except (OSError, ValueError) as error:
        return _no_suite(
            target, "unreadable", tr("cannot be looked at: {why}; check the path", why=system_fault(error))
        )


def folder_parts(value: object) -> tuple[str, ...] | str:
    """Give the parts of the path of an eval directory, or say what it must be; of a list of texts the first counts."""
    match value:
        case [str(first), *others] if all(isinstance(other, str) for other in others):
            return folder_parts(first)
        case str():
            parts = tuple(part for part in os.path.normpath(value.strip().replace("\\", "/")).split("/") if part != ".")
            return _problem(value.strip(), parts) or parts
        case _:
            return tr('it must be text that names a folder of the plugin, such as "quality/evals"')


def _problem(written: str, parts: tuple[str, ...]) -> str | None:
    if written.startswith(("/", "\\")):
        return tr("it must be relative to the root of the plugin, such as quality/evals")
    if ".." in parts:
        return tr("it must not lead out of the plugin; write it without '..'")
    if not written or not parts:
        return tr("it must name a folder below the root of the plugin, such as evals")
    if parts[0] in _COMPONENTS:
        return tr(
            "it must not lie in {folder}/, which holds other parts of the plugin; name a folder of its own",
            folder=parts[0],
        )
    return next((problem for part in parts if (problem := _name_problem(part)) is not None), None)


def _name_problem(part: str) -> str | None:
    if part in _SKIPPED:
        return tr("no case is looked for in a folder called {part!r}; name another", part=part)
    if _PLAIN_NAME.fullmatch(part):
        return None
    return tr(
        "the name {part!r} in it must begin with a letter or digit and go on with letters, digits and . _ @ + -",
        part=part,
    )


def names_eval_dir(plugin: Plugin) -> bool:
    """Say whether the manifest of a plugin names an eval directory that is followed."""
    return plugin.sets_evals and not isinstance(folder_parts(plugin.evals), str)


def _place(target: Path, here: Path, flag: tuple[str, ...] | None, given: Path | None) -> Place | Finding:
    if not here.exists():
        return _no_suite(target, "not-found", tr("there is no such file or folder; check the path"))
    is_case = not here.is_dir()
    if is_case and here.name not in CASE_FILES:
        return _no_suite(
            target,
            "not-a-suite",
            tr("is no file of a suite; name one of {names} or a folder", names=listed(CASE_FILES)),
        )
    top = here.parent if is_case else here
    found = given or find_root(top, flag or EVAL_DIR)
    plugin = read_plugin(found) if found else None
    parts, doubts = eval_parts(flag, plugin)
    around = _around(top, parts, plugin)
    eval_dir = around or (top.parent if is_case else top.joinpath(*parts))
    if not eval_dir.is_dir():
        return _no_eval_dir(target, top, "/".join(parts), flag, plugin)
    root = plugin.root if plugin else top
    top = top if around or is_case else eval_dir
    return Place(
        target=target,
        eval_dir=eval_dir,
        top=top,
        is_case=is_case,
        root=root,
        plugin=plugin,
        is_given=given is not None,
        doubts=doubts,
    )


def _no_eval_dir(target: Path, top: Path, inside: str, flag: tuple[str, ...] | None, plugin: Plugin | None) -> Finding:
    """Say that there is no eval directory; a plugin that names none may do without."""
    named = flag is None and plugin is not None and names_eval_dir(plugin)
    ignored = flag is None and plugin is not None and plugin.top_evals
    says = tr(", which `experimental.evals` of its manifest names") if named else ""
    if ignored:
        says = tr('; `evals` at the top of its manifest is ignored, so write "experimental": {{"evals": "<folder>"}}')
    likely = likely_places(top)
    found = (
        tr("; cases lie in {names}, so name that", names=listed(map(repr, likely)))
        if likely
        else tr("; put them there, or name it")
    )
    message = tr(
        "holds no folder {inside!r} with cases{says}{found} by `experimental.evals` or by --eval-dir",
        inside=inside,
        says=says,
        found=found,
    )
    if not likely:
        message = tr("{message}; to begin a suite: skill-evaluator plugin-eval init", message=message)
    is_bare = plugin is not None and plugin.root == top and not os.path.lexists(top / inside)
    is_asked_for = flag is not None or named or ignored or not is_bare
    return _no_suite(target, "eval-dir-missing" if is_asked_for else "no-eval-dir", message)


def eval_parts(flag: tuple[str, ...] | None, plugin: Plugin | None) -> tuple[tuple[str, ...], tuple[SuiteFault, ...]]:
    """Choose the eval directory: the option wins over the manifest, that over the usual name."""
    if flag is None and plugin is not None and plugin.manifest.doubt is not None:
        message = tr(
            "plugin.json in the root of the plugin {problem}; until then 'evals' is used", problem=plugin.manifest.doubt
        )
        return EVAL_DIR, (SuiteFault(code="evals-not-used", path=(), message=message),)
    if flag is None and plugin is not None and plugin.top_evals:
        message = tr("`evals` at the top of the plugin's manifest is ignored; put it below `experimental`")
        return EVAL_DIR, (SuiteFault(code="evals-not-used", path=(), message=message),)
    if flag is not None or plugin is None or not plugin.sets_evals:
        return flag or EVAL_DIR, ()
    written = folder_parts(plugin.evals)
    if not isinstance(written, str):
        return written, ()
    message = tr(
        "'experimental.evals' in the plugin's manifest is {found}, so 'evals' is used; {written}",
        found=described(plugin.evals),
        written=written,
    )
    return EVAL_DIR, (SuiteFault(code="evals-not-used", path=(), message=message),)


def _around(top: Path, parts: tuple[str, ...], plugin: Plugin | None) -> Path | None:
    """Give the eval directory that a folder is or lies in, or None."""
    if plugin is not None:
        eval_dir = plugin.root.joinpath(*parts)
        if top.is_relative_to(eval_dir):
            return eval_dir
    limit = plugin.root if plugin else None
    above = [folder for folder in (top, *top.parents) if limit is None or folder.is_relative_to(limit)]
    return next((folder for folder in above if folder.parts[-len(parts) :] == parts and folder != limit), None)


def _no_suite(target: Path, code: str, message: str) -> Finding:
    return Finding(level=Level.FAIL, code=code, message=message, file=str(target))
