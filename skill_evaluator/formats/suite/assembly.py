"""Cases that were read -> `Case`s, and what every run of them would fail for."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from skill_evaluator.formats.suite.build import build_case, make_setup
from skill_evaluator.formats.suite.case_files import PlacedFault
from skill_evaluator.formats.suite.case_graders import with_baseline
from skill_evaluator.formats.suite.case_reading import ReadCase
from skill_evaluator.formats.suite.discovery import Place
from skill_evaluator.formats.suite.failing import Failing, Written, find_failing
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.findings import Finder
from skill_evaluator.formats.suite.named_plugins import Roots
from skill_evaluator.formats.suite.plugin import is_bare
from skill_evaluator.formats.suite.seen import SeenCase, SeenGrader
from skill_evaluator.formats.suite.seen_plugins import SeenPlugins
from skill_evaluator.graders.suite import Baseline
from skill_evaluator.model import Case, Setup


@dataclass(frozen=True, kw_only=True, slots=True)
class _Loading:
    """A case before it is known what its runs would fail for."""

    read: ReadCase
    graders: tuple[SeenGrader, ...]
    setup: Setup


@dataclass(frozen=True, kw_only=True, slots=True)
class Assembled:
    """A suite as the rules look at it.

    Attributes:
        cases: All of them, refused ones among them, in their order.
        mocks_load: Whether no mock file has a fault; else it is not known what they stand in for.
        ignored_mocks: Files of the suite's `mocks/` that are read by nobody.
    """

    cases: tuple[SeenCase, ...]
    mocks_load: bool
    ignored_mocks: tuple[Path, ...]


def assemble(place: Place, read: Sequence[ReadCase], finder: Finder) -> Assembled:
    """Make cases of what was read, and add what every run of them would fail for.

    Args:
        place: Where the suite lies.
        read: Its cases, refused ones among them.
        finder: Takes the findings.
    """
    roots = Roots(place)
    loading = [_loading(place, case, roots) for case in read]
    sound = [one for one in loading if not one.read.faults]
    refused = [one for one in loading if one.read.faults]
    failing = find_failing(
        place.eval_dir,
        [(one.setup, _written(one)) for one in sound],
        root=place.readable,
        refused=[(one.setup, _written(one)) for one in refused],
    )
    for path, fault in failing.shared:
        finder.add_shared_fault(path, fault)
    plugins = SeenPlugins(place.plugin)
    by_folder: dict[Path, SeenCase] = {}
    for one, found in zip((*sound, *refused), (*failing.cases, *failing.refused), strict=True):
        finder.add_case_faults(one.read, _untold(one, _placed(one, found.faults)))
        seen = _seen(place, one, found, finder)
        by_folder[one.read.folder] = replace(seen, plugins=plugins.at(one.setup.plugins))
    return Assembled(
        cases=tuple(by_folder[case.folder] for case in read),
        mocks_load=failing.mocks_load,
        ignored_mocks=failing.ignored_mocks,
    )


def _loading(place: Place, read: ReadCase, roots: Roots) -> _Loading:
    graders = tuple(
        replace(seen, grader=with_baseline(seen.grader, read.folder, place.readable)) for seen in read.graders
    )
    setup = make_setup(read.values, read.folder, roots.of_case(read.folder, read.values, read.files.names))
    return _Loading(read=read, graders=graders, setup=setup)


def _written(one: _Loading) -> Written:
    graders = [seen.grader for seen in one.graders]
    return Written(
        plugins=one.read.values.plugins,
        baselines={grader.name: grader.check.baseline_file for grader in graders if isinstance(grader.check, Baseline)},
    )


def _case(place: Place, setup: Setup, one: _Loading) -> Case:
    return build_case(
        one.read.values,
        tuple(seen.grader for seen in one.graders),
        setup,
        one.read.files,
        folder=Path(os.path.relpath(one.read.folder, place.root)).as_posix(),
        source=place.named(one.read.folder),
        root=place.readable,
    )


def _seen(place: Place, one: _Loading, found: Failing, finder: Finder) -> SeenCase:
    read = one.read
    setup = replace(one.setup, mocks=found.mocks)
    return SeenCase(
        place=finder.case_of(read.folder),
        case=None if read.faults else _case(place, setup, one),
        graders=one.graders,
        texts=read.files.texts,
        names=read.files.names,
        misplaced=read.files.misplaced,
        ignored_mocks=tuple(path.relative_to(read.folder).as_posix() for path in found.ignored_mocks),
        bare_plugins=frozenset(plugin for plugin in one.setup.plugins if is_bare(plugin, place.readable)),
        setup=setup,
        limits=read.values.limits,
        served=found.served,
        blocked=found.blocked,
    )


def _untold(one: _Loading, faults: Iterable[PlacedFault]) -> Iterator[PlacedFault]:
    """Leave out what is said of a place for which the case is refused already."""
    told = {(file, fault.path) for file, fault in one.read.faults}
    yield from ((file, fault) for file, fault in faults if (file, fault.path) not in told)


def _placed(one: _Loading, faults: Iterable[tuple[Path | None, SuiteFault]]) -> Iterator[PlacedFault]:
    """Find the file in which the key of a fault stands."""
    by_name = {seen.grader.name: seen for seen in one.graders}
    for path, fault in faults:
        match fault.path:
            case _ if path is not None:
                yield os.path.relpath(path, one.read.folder).replace(os.sep, "/"), fault
            case ("graders", str(name), *rest) if name in by_name:
                yield by_name[name].file, replace(fault, path=(*by_name[name].path, *rest))
            case _:
                file, inner = one.read.merged.place(fault.path)
                yield file or "", replace(fault, path=inner)
