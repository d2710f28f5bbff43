"""Cases that were read, and what surrounds them -> `Case`s, and what every run of them would fail for.

Source: Suites recorded with Claude Code 2.1.332.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from skill_evaluator.formats.suite.build import build_case, make_setup
from skill_evaluator.formats.suite.case_fields import CaseFields
from skill_evaluator.formats.suite.case_files import PlacedFault
from skill_evaluator.formats.suite.case_graders import with_baseline
from skill_evaluator.formats.suite.case_reading import ReadCase
from skill_evaluator.formats.suite.discovery import EVAL_DIR, Place
from skill_evaluator.formats.suite.failing import Written, failing_faults
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.findings import Finder
from skill_evaluator.formats.suite.plugin import Plugin, find_root, read_plugin
from skill_evaluator.formats.suite.seen import SeenCase, SeenGrader
from skill_evaluator.formats.suite.surroundings import Surroundings, link_faults, read_surroundings
from skill_evaluator.graders.suite import Baseline
from skill_evaluator.model import Case


@dataclass(slots=True)
class Assembly:
    """What became of the cases of a suite.

    Attributes:
        cases: Those that load, in order, with their names for ids.
        seen: All of them as the rules look at them.
        plugins: Plugins under test, by their roots.
    """

    cases: list[Case] = field(default_factory=list)
    seen: tuple[SeenCase, ...] = ()
    plugins: dict[Path, Plugin] = field(default_factory=dict)

    def plugin_at(self, root: Path) -> Plugin:
        """Read a plugin, once."""
        if root not in self.plugins:
            self.plugins[root] = read_plugin(root)
        return self.plugins[root]

    @staticmethod
    def server_names(plugin: Plugin) -> Iterable[str]:
        """Give the servers of a plugin by their short names."""
        full = set(plugin.manifest.servers.values())
        return {name for name in plugin.manifest.servers if name not in full}


def assemble(place: Place, read: Sequence[ReadCase], finder: Finder) -> Assembly:
    """Make cases of what was read, and add what every run of them would fail for.

    Args:
        place: Where the suite lies.
        read: Its cases; those that turn out to name no plugin are refused, and their fields taken away.
        finder: Takes the findings.
    """
    whole = Assembly()
    if place.plugin:
        whole.plugins[place.plugin.root] = place.plugin
    for doubt in place.doubts:
        finder.add_warning(doubt)
    around = read_surroundings(place.eval_dir, root=place.readable)
    folders = [case.folder for case in read]
    whole.seen = tuple(_assembled(place, case, around, folders, whole, finder) for case in read)
    _add_shared(place, around, whole, finder)
    return whole


def _assembled(
    place: Place, read: ReadCase, around: Surroundings, folders: Sequence[Path], whole: Assembly, finder: Finder
) -> SeenCase:
    case, graders = None, read.graders
    if read.fields is not None:
        graders = tuple(
            replace(seen, grader=with_baseline(seen.grader, read.folder, place.readable)) for seen in graders
        )
        case = _case(place, read, read.fields, graders, around, folders, whole, finder)
        whole.cases.append(case)
    return SeenCase(
        place=finder.case_of(read.folder),
        case=case,
        graders=graders if case else (),
        texts=read.files.texts,
        names=read.files.names,
    )


def _case(  # noqa: PLR0913 - what a case is made of
    place: Place,
    read: ReadCase,
    fields: CaseFields,
    graders: tuple[SeenGrader, ...],
    around: Surroundings,
    folders: Sequence[Path],
    whole: Assembly,
    finder: Finder,
) -> Case:
    roots = _plugins(place, read.folder, fields)
    setup = make_setup(fields, read.folder, roots)
    checks = [seen.grader for seen in graders]
    written = Written(
        plugins=fields.plugins,
        baselines={grader.name: grader.check.baseline_file for grader in checks if isinstance(grader.check, Baseline)},
    )
    manifests = [whole.plugin_at(root).manifest for root in roots if root.is_dir()]
    failing = failing_faults(setup, around=around, written=written, manifests=manifests, cases=folders)
    finder.add_case_faults(read.folder, replace(read.files, odd_bytes={}), _placed(read, graders, failing.faults))
    return build_case(
        fields,
        tuple(checks),
        replace(setup, mocks=failing.mocks),
        read.files,
        place=Path(os.path.relpath(read.folder, place.root)).as_posix(),
        source=place.named(read.folder),
        root=place.readable,
    )


def _plugins(place: Place, folder: Path, fields: CaseFields) -> tuple[Path, ...]:
    """Give the roots of the plugins under test: those that a case names, else the nearest around it."""
    if fields.plugins:
        named = (Path(os.path.normpath(folder / written)) for written in fields.plugins)
        return tuple(dict.fromkeys(named))
    limit = place.plugin.root if place.plugin else place.root
    nearest = find_root(folder, EVAL_DIR)
    if nearest is not None and nearest.is_relative_to(limit):
        return (nearest,)
    return (place.plugin.root,) if place.plugin else ()


def _placed(
    read: ReadCase, graders: Sequence[SeenGrader], faults: Iterable[tuple[Path | None, SuiteFault]]
) -> Iterator[PlacedFault]:
    """Find the file in which the key of a fault stands."""
    by_name: Mapping[str, SeenGrader] = {seen.grader.name: seen for seen in graders}
    for path, fault in faults:
        if path is not None:
            yield os.path.relpath(path, read.folder).replace(os.sep, "/"), fault
            continue
        match fault.path:
            case ("graders", str(name), *rest):
                yield by_name[name].file, replace(fault, path=(*by_name[name].path, *rest))
            case _:
                file, inner = read.merged.place(fault.path)
                yield file or "", replace(fault, path=inner)


def _add_shared(place: Place, around: Surroundings, whole: Assembly, finder: Finder) -> None:
    for path, fault in around.faults:
        finder.add_shared_fault(path, fault)
    add_dirs = {case.setup.folder: case.setup.add_dirs for case in whole.cases if case.setup is not None}
    for path, fault in link_faults(around, add_dirs):
        finder.add_shared_fault(path, fault)
    for root, plugin in whole.plugins.items():
        path = plugin.manifest.path
        for fault in plugin.manifest.faults if path is not None else ():
            name = path.relative_to(root).as_posix() if path is not None else ""
            finder.add_shared_fault(None, replace(fault, message=f"{name} of plugin {root.name!r}: {fault.message}"))
