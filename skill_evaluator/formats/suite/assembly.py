"""Cases that were read -> `Case`s, and what every run of them would fail for."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from skill_evaluator.formats.suite.build import build_case, make_setup
from skill_evaluator.formats.suite.case_fields import CaseFields
from skill_evaluator.formats.suite.case_files import PlacedFault
from skill_evaluator.formats.suite.case_graders import with_baseline
from skill_evaluator.formats.suite.case_reading import ReadCase
from skill_evaluator.formats.suite.discovery import Place
from skill_evaluator.formats.suite.failing import Written, find_failing
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.findings import Finder
from skill_evaluator.formats.suite.named_plugins import Roots
from skill_evaluator.formats.suite.seen import SeenCase, SeenGrader
from skill_evaluator.graders.suite import Baseline
from skill_evaluator.model import Case, Setup


@dataclass(frozen=True, kw_only=True, slots=True)
class _Loading:
    """A case that loads, before it is known what its runs would fail for."""

    read: ReadCase
    fields: CaseFields
    graders: tuple[SeenGrader, ...]
    setup: Setup


def assemble(place: Place, read: Sequence[ReadCase], finder: Finder) -> tuple[SeenCase, ...]:
    """Make cases of what was read, and add what every run of them would fail for.

    Args:
        place: Where the suite lies.
        read: Its cases, refused ones among them.
        finder: Takes the findings.

    Returns:
        All of them as the rules look at them, in the same order.
    """
    roots = Roots(place)
    loading = [_loading(place, case, case.fields, roots) for case in read if case.fields is not None]
    failing = find_failing(place.eval_dir, [(one.setup, _written(one)) for one in loading], root=place.readable)
    for path, fault in failing.shared:
        finder.add_shared_fault(path, fault)
    cases: dict[Path, tuple[_Loading, Case]] = {}
    for one, found in zip(loading, failing.cases, strict=True):
        finder.add_case_faults(one.read, _placed(one, found.faults))
        cases[one.read.folder] = one, _case(place, replace(one.setup, mocks=found.mocks), one)
    return tuple(_seen(case, cases.get(case.folder), finder) for case in read)


def _loading(place: Place, read: ReadCase, fields: CaseFields, roots: Roots) -> _Loading:
    graders = tuple(
        replace(seen, grader=with_baseline(seen.grader, read.folder, place.readable)) for seen in read.graders
    )
    setup = make_setup(fields, read.folder, roots.of_case(read.folder, fields))
    return _Loading(read=read, fields=fields, graders=graders, setup=setup)


def _written(one: _Loading) -> Written:
    graders = [seen.grader for seen in one.graders]
    return Written(
        plugins=one.fields.plugins,
        baselines={grader.name: grader.check.baseline_file for grader in graders if isinstance(grader.check, Baseline)},
    )


def _case(place: Place, setup: Setup, one: _Loading) -> Case:
    return build_case(
        one.fields,
        tuple(seen.grader for seen in one.graders),
        setup,
        one.read.files,
        folder=Path(os.path.relpath(one.read.folder, place.root)).as_posix(),
        source=place.named(one.read.folder),
        root=place.readable,
    )


def _seen(read: ReadCase, made: tuple[_Loading, Case] | None, finder: Finder) -> SeenCase:
    return SeenCase(
        place=finder.case_of(read.folder),
        case=made[1] if made else None,
        graders=made[0].graders if made else read.graders,
        texts=read.files.texts,
        names=read.files.names,
    )


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
