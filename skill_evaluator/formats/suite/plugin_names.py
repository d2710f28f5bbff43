"""Names of folders that fail every run, for no rule about what may be read can name them.

Links are followed first: what counts is where a folder really lies, up to the root of the file system.

Source: Suites recorded with Claude Code 2.1.332.
"""

from collections.abc import Iterator
from pathlib import Path

from skill_evaluator.formats.suite.environment import NO_RULE_HOLDS, folder_name_problem, odd_characters
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.folders import list_folder
from skill_evaluator.formats.suite.mock_folders import PlacedFault
from skill_evaluator.formats.suite.paths import real_path
from skill_evaluator.texts import tr


def suite_name_faults(eval_dir: Path) -> Iterator[PlacedFault]:
    """Give what is wrong with the names of the suite's folder and of those above it."""
    if (problem := folder_name_problem(real_path(eval_dir))) is not None:
        yield eval_dir, _fault(problem)


def case_name_fault(case: Path, eval_dir: Path) -> SuiteFault | None:
    """Give what is wrong with the names of a case's folder and of those between it and the suite's."""
    real, suite = real_path(case), real_path(eval_dir)
    problem = folder_name_problem(real, below=suite if real.is_relative_to(suite) else None)
    return None if problem is None else _fault(problem)


def plugin_name_faults(plugin: Path, eval_dir: Path) -> Iterator[PlacedFault]:
    """Give what is wrong with the names of a plugin's folder, and with those of what stands beside the suite in it.

    Args:
        plugin: Root of a plugin that cases are run with.
        eval_dir: Folder of the suite; where it lies in the plugin, all that lies beside it is named to the agent.
    """
    real, suite = real_path(plugin), real_path(eval_dir)
    if not suite.is_relative_to(real):
        if (problem := folder_name_problem(real)) is not None:
            yield plugin, _fault(problem)
        return
    if eval_dir == plugin or not eval_dir.is_relative_to(plugin):
        return
    for level in eval_dir.parents[: len(eval_dir.relative_to(plugin).parts)]:
        entries = list_folder(level, root=plugin)
        for entry in () if isinstance(entries, SuiteFault) else entries:
            found = odd_characters(entry.name)
            if found and not eval_dir.is_relative_to(entry.path):
                words = tr(
                    "the name {name!r} holds {found}; rename it without any of {names}",
                    name=entry.name,
                    found=found,
                    names=" ".join(NO_RULE_HOLDS),
                )
                yield entry.path, _fault(words)


def _fault(message: str) -> SuiteFault:
    return SuiteFault(code="bad-folder-name", path=(), message=message, effect="fails")
