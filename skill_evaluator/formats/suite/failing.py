"""What a case can be known to fail for before any run: it loads, and every run of it ends in an error.

Source: Suites recorded with Claude Code 2.1.332.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from skill_evaluator.formats.suite.case_servers import CaseServers
from skill_evaluator.formats.suite.environment import env_faults, folder_name_problem
from skill_evaluator.formats.suite.faults import KeyPath, SuiteFault
from skill_evaluator.formats.suite.manifest import read_manifest
from skill_evaluator.formats.suite.mock_folders import MOCKS, MockFolder, PlacedFault, read_mock_folder
from skill_evaluator.formats.suite.paths import (
    add_dirs_faults,
    baseline_problem,
    history_fault,
    plugin_problem,
    real_path,
    scaffold_fault,
)
from skill_evaluator.formats.suite.surroundings import Surroundings, link_faults, read_surroundings
from skill_evaluator.model import MockServer, Setup


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """What of a case is needed as its author wrote it.

    Attributes:
        plugins: Entries of `plugins`.
        baselines: Name of each `baseline` grader -> its file.
    """

    plugins: Sequence[str] = ()
    baselines: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Failing:
    """What keeps the runs of one case from ever being graded.

    Attributes:
        faults: File or None, and fault. None stands for the file in which the key stands: the path begins with `env`,
            `add_dirs`, `history_file`, `scaffold_script`, `plugins`, or `graders` and the name of a grader; an empty
            path stands for the folder of the case.
        mocks: The stand-ins of the case; of no use where there are faults.
    """

    faults: tuple[tuple[Path | None, SuiteFault], ...]
    mocks: tuple[MockServer, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteFailing:
    """What keeps runs of a suite from ever being graded.

    Attributes:
        shared: Faults of files that several cases share; all cases fail by them, or those that a plugin is given to.
        cases: What fails single cases, in the order of the cases; shared faults are not given again.
    """

    shared: tuple[PlacedFault, ...]
    cases: tuple[Failing, ...]


def find_failing(eval_dir: Path, cases: Sequence[tuple[Setup, Written]], *, root: Path) -> SuiteFailing:
    """Find what every run of a case would fail for, for all cases of a suite.

    Args:
        eval_dir: Folder of the suite.
        cases: What the runs of each case need, and the same as written; the `mocks` of a setup are not looked at.
        root: The outermost folder that may be read: the plugin, or the suite where there is none.
    """
    around = read_surroundings(eval_dir, root=root)
    plugins = sorted({plugin for setup, _ in cases for plugin in setup.plugins})
    manifests = {plugin: read_manifest(plugin, root=root) for plugin in plugins}
    names_plugins = any(written.plugins for _, written in cases)
    folders = frozenset(real_path(setup.folder) for setup, _ in cases) if names_plugins else frozenset()
    servers = CaseServers(suite=around.mocks, manifests=manifests)
    found = tuple(_failing(setup, written, around, servers, folders) for setup, written in cases)
    return SuiteFailing(
        shared=(
            *around.faults,
            *link_faults(around, {setup.folder: setup.add_dirs for setup, _ in cases}),
            *((manifest.path or plugin, fault) for plugin, manifest in manifests.items() for fault in manifest.faults),
            *servers.shared_faults(),
        ),
        cases=found,
    )


def _failing(
    setup: Setup, written: Written, around: Surroundings, servers: CaseServers, case_folders: frozenset[Path]
) -> Failing:
    own = setup.folder / MOCKS
    folder = MockFolder() if own == around.eval_dir / MOCKS else read_mock_folder(own, root=around.root)
    mocks, faults = servers.of_case(folder, setup.plugins)
    keys = _key_faults(setup, around.root, written, case_folders)
    return Failing(faults=(*((None, fault) for fault in keys), *folder.faults, *faults), mocks=mocks)


def _key_faults(setup: Setup, root: Path, written: Written, case_folders: frozenset[Path]) -> Iterator[SuiteFault]:
    case = setup.folder
    if (problem := folder_name_problem(case, below=root)) is not None:
        yield _fault("bad-folder-name", (), problem)
    yield from env_faults(setup.env)
    yield from add_dirs_faults(case, setup.add_dirs, written.baselines.values())
    for fault in (history_fault(case, setup.history_file, root=root), scaffold_fault(case, setup.scaffold_script)):
        if fault is not None:
            yield fault
    for name, file in written.baselines.items():
        if (problem := baseline_problem(case, file, root=root)) is not None:
            message = f"`baseline_file` names {file!r}, which {problem}"
            yield _fault("bad-baseline-file", ("graders", name, "baseline_file"), message)
    for index, entry in enumerate(written.plugins):
        if (problem := plugin_problem(case / entry, case, case_folders=case_folders)) is not None:
            yield _fault("bad-plugins", ("plugins", index), f"`plugins` names {entry!r}, which {problem}")


def _fault(code: str, path: KeyPath, message: str) -> SuiteFault:
    return SuiteFault(code=code, path=path, message=message, effect="fails")
