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
        mocks_load: Whether the case's own mock files load, and fit to those for all cases.
        ignored_mocks: Files of its own `mocks/` that are read by nobody.
        served: MCP servers of the plugins it is run with: folder in `mocks/` -> name in names of tools.
    """

    faults: tuple[tuple[Path | None, SuiteFault], ...]
    mocks: tuple[MockServer, ...]
    mocks_load: bool = True
    ignored_mocks: tuple[Path, ...] = ()
    served: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteFailing:
    """What keeps runs of a suite from ever being graded.

    Attributes:
        shared: Faults of files that several cases share; all cases fail by them, or those that a plugin is given to.
        cases: What fails single cases, in the order of the cases; shared faults are not given again.
        refused: What would fail the refused ones if they loaded, in their order.
        mocks_load: Whether no mock file has a fault; else it is not known what they stand in for.
        ignored_mocks: Files of the suite's `mocks/` that are read by nobody.
    """

    shared: tuple[PlacedFault, ...]
    cases: tuple[Failing, ...]
    refused: tuple[Failing, ...] = ()
    mocks_load: bool = True
    ignored_mocks: tuple[Path, ...] = ()


def find_failing(
    eval_dir: Path,
    cases: Sequence[tuple[Setup, Written]],
    *,
    root: Path,
    refused: Sequence[tuple[Setup, Written]] = (),
) -> SuiteFailing:
    """Find what every run of a case would fail for, for all cases of a suite.

    Args:
        eval_dir: Folder of the suite.
        cases: What the runs of each case need, and the same as written; the `mocks` of a setup are not looked at.
        root: The outermost folder that may be read: the plugin, or the suite where there is none.
        refused: The same of cases that do not load, as far as it could be read.
    """
    around = read_surroundings(eval_dir, root=root)
    everyone = (*cases, *refused)
    plugins = sorted({plugin for setup, _ in everyone for plugin in setup.plugins})
    manifests = {plugin: read_manifest(plugin, root=root) for plugin in plugins}
    names_plugins = any(written.plugins for _, written in everyone)
    folders = frozenset(real_path(setup.folder) for setup, _ in everyone) if names_plugins else frozenset()
    servers = CaseServers(suite=around.mocks, manifests=manifests)
    found = tuple(_failing(setup, written, around, servers, folders) for setup, written in everyone)
    of_shared_mocks = tuple(servers.shared_faults())
    return SuiteFailing(
        ignored_mocks=around.mocks.ignored,
        mocks_load=not (around.mocks.faults or of_shared_mocks) and all(one.mocks_load for one in found),
        shared=(
            *around.faults,
            *link_faults(around, {setup.folder: setup.add_dirs for setup, _ in cases}),
            *((manifest.path or plugin, fault) for plugin, manifest in manifests.items() for fault in manifest.faults),
            *of_shared_mocks,
        ),
        cases=found[: len(cases)],
        refused=found[len(cases) :],
    )


def _failing(
    setup: Setup, written: Written, around: Surroundings, servers: CaseServers, case_folders: frozenset[Path]
) -> Failing:
    own = setup.folder / MOCKS
    folder = MockFolder() if own == around.eval_dir / MOCKS else read_mock_folder(own, root=around.root)
    mocks, faults = servers.of_case(folder, setup.plugins)
    keys = _key_faults(setup, around.root, written, case_folders)
    placed = (*((None, fault) for fault in keys), *folder.faults, *faults)
    mocks_load = not (folder.faults or faults)
    return Failing(
        faults=placed,
        mocks=mocks,
        mocks_load=mocks_load,
        ignored_mocks=folder.ignored,
        served=servers.served(setup.plugins),
    )


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
