"""What a case can be known to fail for before any run: it loads, and every run of it ends in an error.

Source: Suites recorded with Claude Code 2.1.332.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from skill_evaluator.formats.suite.environment import env_faults, folder_name_problem
from skill_evaluator.formats.suite.faults import KeyPath, SuiteFault
from skill_evaluator.formats.suite.manifest import Manifest
from skill_evaluator.formats.suite.mocks import MOCKS, MockFolder, merge_mocks, offer_faults, read_mock_folder
from skill_evaluator.formats.suite.paths import (
    add_dirs_faults,
    baseline_problem,
    history_fault,
    plugin_problem,
    scaffold_fault,
)
from skill_evaluator.formats.suite.surroundings import Surroundings
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


def failing_faults(
    setup: Setup,
    *,
    around: Surroundings,
    written: Written,
    manifests: Sequence[Manifest],
    cases: Iterable[Path] = (),
) -> Failing:
    """Find what every run of a case would fail for, beside what fails all cases of the suite.

    Args:
        setup: What the runs of the case need; its `mocks` are not looked at.
        around: What all cases share; its faults are not given again.
        written: What of the case is needed as written.
        manifests: Those of the plugins under test.
        cases: Folders of all cases of the suite.
    """
    own = setup.folder / MOCKS
    folder = MockFolder() if own == around.eval_dir / MOCKS else read_mock_folder(own, root=around.root)
    declared = {name: full for manifest in manifests for name, full in manifest.servers.items()}
    mocks = merge_mocks(around.mocks, folder, declared=frozenset(declared))
    faults = [
        *((None, fault) for fault in _key_faults(setup, around, written, cases)),
        *folder.faults,
        *offer_faults(mocks, declared),
    ]
    return Failing(faults=tuple(faults), mocks=mocks)


def _key_faults(setup: Setup, around: Surroundings, written: Written, cases: Iterable[Path]) -> Iterator[SuiteFault]:
    case = setup.folder
    if (problem := folder_name_problem(case, below=around.root)) is not None:
        yield _fault("bad-folder-name", (), problem)
    yield from env_faults(setup.env)
    yield from add_dirs_faults(case, setup.add_dirs, written.baselines.values())
    for fault in (
        history_fault(case, setup.history_file, root=around.root),
        scaffold_fault(case, setup.scaffold_script),
    ):
        if fault is not None:
            yield fault
    for name, file in written.baselines.items():
        if (problem := baseline_problem(case, file, root=around.root)) is not None:
            yield _fault("bad-baseline-file", ("graders", name, "baseline_file"), f"`baseline_file` {file!r} {problem}")
    for index, entry in enumerate(written.plugins):
        if (problem := plugin_problem(case / entry, case, cases=cases)) is not None:
            yield _fault("bad-plugins", ("plugins", index), f"`plugins` names {entry!r}, which {problem}")


def _fault(code: str, path: KeyPath, message: str) -> SuiteFault:
    return SuiteFault(code=code, path=path, message=message, effect="fails")
