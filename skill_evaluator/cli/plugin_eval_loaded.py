"""What is said of a suite before it is run: cases that are refused, and doubts about all of it."""

import os
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from skill_evaluator.api.plugin_eval.installed import installed_ids
from skill_evaluator.api.plugin_eval.targets import Target, may_be_name
from skill_evaluator.cli.console import say
from skill_evaluator.cli.language import spoken
from skill_evaluator.formats.skill_files import SKILL_FILE
from skill_evaluator.formats.skill_md import read_skill
from skill_evaluator.formats.suite.manifest import read_manifest
from skill_evaluator.formats.suite.plugin import read_plugin
from skill_evaluator.formats.suite.suite import LoadedSuite
from skill_evaluator.model import Finding, Level, one_line
from skill_evaluator.texts import Text, joined, ntr, tr

_NO_SUCH = frozenset({"not-found", "not-a-suite", "unreadable"})
_MOST_NAMED = 3
_ABOUT_ALL = frozenset({"evals-not-used", "no-cases"})


def tell_no_suite(finding: Finding, target: Target) -> None:
    """Say why a target means no suite."""
    if finding.code in _NO_SUCH:
        say(one_line(joined("", ["✗ ", _absolute(target.path), ": ", finding.message, _installed(target)])))
    else:
        say(finding.worded(spoken()))


def tell_loaded(loaded: LoadedSuite, target: Target, *, is_quiet: bool) -> None:
    """Say which cases are refused and why, what is doubtful about all of them, and which plugin is tested."""
    for line in _refused(loaded):
        say(line)
    is_empty = not loaded.suite.cases and not loaded.refused  # then whatever failed is why
    for finding in loaded.findings:
        if finding.case is None and (finding.code in _ABOUT_ALL or (is_empty and finding.level is Level.FAIL)):
            say(finding.worded(spoken()))
    if not is_quiet and loaded.suite.cases:
        for line in _tested(loaded, target):
            say(one_line(line))


def _tested(loaded: LoadedSuite, target: Target) -> Iterator[str]:
    """Say which plugin is tested, and how to learn what is doubtful about its suite."""
    if loaded.plugin is not None:
        version = read_manifest(loaded.plugin, root=loaded.plugin).values.get("version")
        named = f"{loaded.plugin_name} {version}" if isinstance(version, str) else str(loaded.plugin_name)
        label = tr(" (installed as {label})", label=target.label) if target.label else ""
        yield tr(
            "Plugin under test: {named} in {plugin}{label}", named=named, plugin=_absolute(loaded.plugin), label=label
        )
    yield from _broken_skills(loaded, target)
    doubts = sum(finding.level is Level.WARN and finding.code not in _ABOUT_ALL for finding in loaded.findings)
    if doubts:
        path = shlex.quote(str(target.path))
        yield ntr(
            "{n} warning about this suite: skill-evaluator validate {path}",
            "{n} warnings about this suite: skill-evaluator validate {path}",
            doubts,
            path=path,
        )


def _broken_skills(loaded: LoadedSuite, target: Target) -> Iterator[str]:
    """Say what `validate` calls a FAIL of a skill; the program may load it all the same, so nothing is stopped."""
    if loaded.plugin is None:
        return
    root = loaded.plugin.resolve()
    folders = [one for one in read_plugin(root).skill_folders if (one / SKILL_FILE).resolve().is_relative_to(root)]
    faults = [one for folder in folders for one in read_skill(folder).findings if one.level is Level.FAIL]
    for fault in faults[:_MOST_NAMED]:
        yield replace(fault, level=Level.WARN).worded(spoken())
    if faults:
        yield tr(
            "Mend this before money is spent on it: skill-evaluator validate {path}", path=shlex.quote(str(target.path))
        )


def _installed(target: Target) -> str:
    """Say which plugins are installed, where a target might have meant one."""
    if target.is_named or not may_be_name(str(target.path)):
        return ""
    installed = installed_ids()
    known = (
        tr("installed plugins: {installed}", installed=", ".join(installed))
        if installed
        else tr("no plugin is installed")
    )
    return tr(", and no plugin is installed under that name ({known})", known=known)


def _refused(loaded: LoadedSuite) -> list[str]:
    """A line for each case that is refused, with all reasons."""
    eval_dir = _absolute(loaded.eval_dir)
    lines = []
    for folder in loaded.refused:
        relative = os.path.relpath(folder, eval_dir)
        case = folder.name if relative == "." else Path(relative).as_posix()
        reasons = [_reason(one) for one in loaded.findings if one.case == case and one.level is Level.FAIL]
        file = "/case.yaml" if os.path.lexists(folder / "case.yaml") else ""
        lines.append(
            one_line(joined("", [f"✗ {folder}{file}: ", joined(tr("; "), reasons) if reasons else tr("does not load")]))
        )
    return lines


def _reason(finding: Finding) -> str:
    place = ":".join(str(part) for part in (finding.file, finding.line) if part is not None)
    message = _without_start(finding.message)
    return joined(": ", [place, message]) if place else message


def _without_start(message: str) -> str:
    """Leave out what the line says of every case in it; the reason of a `Text` can still be said in Chinese."""
    why = message.values.get("why") if isinstance(message, Text) else None
    rest = message.removeprefix("the case does not load: ")
    return why if isinstance(why, Text) and why == rest else message if rest == message else rest


def _absolute(path: Path) -> str:
    return os.path.abspath(path)  # noqa: PTH100 - resolve would follow links and rename the suite
