"""Where `init` writes: the eval directory of the plugin in the working folder."""

from dataclasses import dataclass
from pathlib import Path

from skill_evaluator.errors import InputError
from skill_evaluator.formats.suite.discovery import eval_parts, folder_parts
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.folders import list_folder
from skill_evaluator.formats.suite.plugin import Plugin, is_bare, read_plugin
from skill_evaluator.formats.visible import visible_findings
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import tr


@dataclass(frozen=True, kw_only=True, slots=True)
class StarterPlace:
    """Where cases are written.

    Attributes:
        plugin: What stands in the working folder.
        eval_dir: The folder of the suite, absolute; it need not be there.
        named: The same as the user would name it.
        taken: Names in its folder, in small letters.
        warnings: What of the plugin's manifest is not followed.
    """

    plugin: Plugin
    eval_dir: Path
    named: Path
    taken: frozenset[str]
    warnings: tuple[Finding, ...] = ()


def find_starter_place(folder: Path, eval_dir: str | None) -> StarterPlace:
    """Find the place to write to; nothing is made.

    Args:
        folder: The working folder, which must be the root of a plugin or of a skill unless `eval_dir` is given.
        eval_dir: As `--eval-dir`, relative to it; None for what the manifest says, else `evals`.

    Raises:
        InputError: If the folder is none of a plugin, or the eval directory leads out of it or is none.
    """
    root = folder.absolute()
    flag = None if eval_dir is None else folder_parts(eval_dir)
    if isinstance(flag, str):
        raise _refusal("bad-eval-dir", tr("--eval-dir is {eval_dir!r}; {flag}", eval_dir=eval_dir, flag=flag))
    if flag is None and not _is_plugin(root):
        message = tr(
            "is not the folder of a plugin or skill; go to its root, which holds .claude-plugin/, skills/ or SKILL.md, "
            "or name a folder with --eval-dir to write here all the same"
        )
        raise _refusal("no-plugin", message, folder)
    plugin = read_plugin(root)
    parts, doubts = eval_parts(flag, plugin)
    found = root.joinpath(*parts)
    return StarterPlace(
        plugin=plugin,
        eval_dir=found,
        named=Path(*parts),
        taken=_taken(found, root),
        warnings=tuple(_warning(doubt, plugin) for doubt in doubts),
    )


def _is_plugin(root: Path) -> bool:
    return not is_bare(root, root) or (root / "evals").is_dir()


def _taken(eval_dir: Path, root: Path) -> frozenset[str]:
    """Name what lies in the eval directory; it must lie in the plugin, whatever links lead to it."""
    real = eval_dir.resolve()
    if not real.is_relative_to(root.resolve()):
        raise _refusal("leads-outside", tr("leads out of the plugin by a link; name another with --eval-dir"), eval_dir)
    if not real.exists():
        return frozenset()
    entries = list_folder(real, root=root.resolve())
    if isinstance(entries, SuiteFault):
        raise _refusal(
            entries.code, tr("cannot be used as a folder of cases: {message}", message=entries.message), eval_dir
        )
    return frozenset(entry.name.casefold() for entry in entries)


def _warning(doubt: SuiteFault, plugin: Plugin) -> Finding:
    file = str(plugin.manifest.path or plugin.root)
    return visible_findings([Finding(level=Level.WARN, code=doubt.code, message=doubt.message, file=file)])[0]


def _refusal(code: str, message: str, file: Path | None = None) -> InputError:
    found = Finding(level=Level.FAIL, code=code, message=message, file=None if file is None else str(file))
    return InputError(visible_findings([found]))
