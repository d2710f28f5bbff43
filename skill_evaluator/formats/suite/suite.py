"""A folder, plugin or file -> the cases of its suite, or findings about all of it."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from skill_evaluator.formats.suite.assembly import Assembled, assemble
from skill_evaluator.formats.suite.blocked import Blocked
from skill_evaluator.formats.suite.case_files import CaseFiles, FoundCases, find_cases, read_case_files
from skill_evaluator.formats.suite.case_reading import ReadCase, read_case
from skill_evaluator.formats.suite.discovery import Place, find_place
from skill_evaluator.formats.suite.expected import trigger_of
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.findings import Finder
from skill_evaluator.formats.suite.folders import list_folder
from skill_evaluator.formats.suite.named_plugins import with_plugins_checked
from skill_evaluator.formats.suite.rules import line_of, look_for_doubts
from skill_evaluator.formats.suite.seen import SeenCase, SeenPlugin, SeenSuite
from skill_evaluator.formats.suite.seen_plugins import seen_plugin
from skill_evaluator.formats.testset_cases import hash_of_hashes
from skill_evaluator.formats.visible import visible_findings
from skill_evaluator.model import Case, Finding, Suite

FORMAT = "claude-plugin-eval"


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
        top: The folder that was looked at: the eval directory or one in it, absolute.
        root: The folder at which `Metadata.folder` of the cases starts, absolute.
        plugin_name: Name of the plugin, or None where none was found.
        skills: The names of each skill of the plugin; see `Plugin.own_skills`.
        commands: Names of its commands, which the tool `Skill` calls as well.
        blocked: Id of each case -> why its runs cannot be started; nothing for most.
        served: Id of each case -> the MCP servers of its plugins: folder in `mocks/` -> name in names of tools.
        plugins: The plugins that cases are run with, each once, in the order of the cases.
    """

    suite: Suite
    refused: tuple[Path, ...]
    eval_dir: Path
    plugin: Path | None
    findings: tuple[Finding, ...]
    root: Path
    top: Path
    plugin_name: str | None = None
    skills: tuple[tuple[str, ...], ...] = ()
    commands: tuple[str, ...] = ()
    blocked: Mapping[str, Blocked] = field(default_factory=dict)
    served: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    plugins: tuple[SeenPlugin, ...] = ()


def no_suite(target: Path) -> LoadedSuite:
    """Give what a target holds that means no suite: nothing."""
    return LoadedSuite(
        suite=Suite(name=target.name, format=FORMAT, cases=(), sha256=hash_of_hashes(())),
        refused=(),
        eval_dir=target,
        plugin=None,
        findings=(),
        root=target.absolute(),
        top=target.absolute(),
    )


def read_suite(
    target: Path,
    *,
    eval_dir: str | None = None,
    plugin: Path | None = None,
    case_globs: Sequence[str] = (),
    tags: Sequence[str] = (),
) -> LoadedSuite | Finding:
    """Read the suite that a target means.

    Args:
        target: A plugin's root, its eval directory, a folder of a case, a prompt.md or a case.yaml.
        eval_dir: As `--eval-dir`: relative to the plugin, in place of `evals` and of what the manifest says.
        plugin: Root of the plugin that is under test; None for the nearest around the target.
        case_globs: Keep cases whose name matches one of them.
        tags: Keep cases that have one of them.

    Returns:
        What it holds, or the one FAIL that says why the target means no suite.
    """
    place = find_place(target, eval_dir, plugin)
    if isinstance(place, Finding):
        return visible_findings([place])[0]
    finder = Finder(place)
    found = _found(place)
    files = _all_files(place, found, finder)
    read = [
        with_plugins_checked(case, place)
        for one in files
        if (case := read_case(one, globs=case_globs, tags=tags)) is not None
    ]
    for case in read:
        finder.add_case_faults(case, case.faults)
        finder.add_odd_bytes(case)
    if not read and not finder.findings:
        finder.add_no_case(is_filtered=bool(files))
    for doubt in place.doubts:
        finder.add_warning(doubt)
    seen = assemble(place, read, finder)
    is_all = not place.is_case and len(read) == len(files)
    is_whole = is_all and place.top == place.eval_dir
    _add_doubts(place, seen, finder, strays=found.strays if is_all else (), is_whole=is_whole)
    return _loaded(place, read, seen.cases, finder)


def expected_trigger(case: Case) -> bool | None:
    """Say what a case claims about the skills of its plugin, whichever they are.

    True where a `Skill` grader asks for a call (min >= 1), False where there are some and all have max 0.
    """
    return trigger_of(case.graders)


def _found(place: Place) -> FoundCases:
    if place.is_case:
        return FoundCases(folders=((place.top, list_folder(place.top, root=place.readable)),))
    return find_cases(place.top, root=place.readable)


def _all_files(place: Place, found: FoundCases, finder: Finder) -> list[CaseFiles]:
    root = place.readable
    files = []
    for folder, entries in found.folders:
        if isinstance(entries, SuiteFault):
            finder.add_search_fault(folder, entries)
        else:
            files.append(read_case_files(folder, entries, root=root))
    return files


def _add_doubts(place: Place, assembled: Assembled, finder: Finder, *, strays: Iterable[Path], is_whole: bool) -> None:
    plugin = place.plugin
    seen = None if plugin is None else seen_plugin(plugin)
    suite = SeenSuite(
        cases=assembled.cases,
        plugin=seen,
        strays=_names(place, strays),
        ignored_mocks=_names(place, assembled.ignored_mocks),
        is_whole=is_whole,
        mocks_load=assembled.mocks_load,
    )
    for code, case, doubt in look_for_doubts(suite):
        finder.add_doubt(code, case, doubt, line_of(case, doubt))


def _names(place: Place, paths: Iterable[Path]) -> tuple[str, ...]:
    return tuple(Path(os.path.relpath(path, place.eval_dir)).as_posix() for path in paths)


def _loaded(place: Place, read: Iterable[ReadCase], seen: Iterable[SeenCase], finder: Finder) -> LoadedSuite:
    loading = [one for one in seen if one.case is not None]
    cases = tuple(_with_ids([one.case for one in loading if one.case is not None]))
    by_id = {case.id: one for case, one in zip(cases, loading, strict=True)}
    plugin = place.plugin
    suite = Suite(
        name=plugin.name if plugin else place.eval_dir.name,
        format=FORMAT,
        cases=cases,
        sha256=hash_of_hashes(case.sha256 for case in cases),
    )
    return LoadedSuite(
        suite=suite,
        refused=tuple(case.folder for case in read if case.fields is None),
        eval_dir=place.named(place.eval_dir),
        plugin=place.named(plugin.root) if plugin else None,
        findings=visible_findings(finder.findings),
        root=place.root,
        top=place.top,
        plugin_name=plugin.name if plugin else None,
        skills=plugin.own_skills if plugin else (),
        commands=plugin.commands if plugin else (),
        blocked={id_: one.blocked for id_, one in by_id.items()},
        served={id_: one.served for id_, one in by_id.items()},
        plugins=tuple({plugin.root: plugin for one in loading for plugin in one.plugins}.values()),
    )


def _with_ids(cases: Sequence[Case]) -> Iterable[Case]:
    """Tell cases of one name apart by their folders."""
    times = Counter(case.id for case in cases)
    for case in cases:
        folder = case.metadata.folder if case.metadata else ""
        yield replace(case, id=f"{case.id} ({folder})") if times[case.id] > 1 else case
