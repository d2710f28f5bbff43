"""Whether something can be written, and may be, without writing anything that stays."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from skill_evaluator.api.plugin_eval.options import SuiteOptions
from skill_evaluator.api.plugin_eval.traces import FOLDER as TRACES
from skill_evaluator.reasons import reason_of
from skill_evaluator.report.suite.files import REPORT_FILE, RESULT_FILE
from skill_evaluator.texts import tr
from skill_evaluator.unlinked import in_the_way, links_on

_RECORDINGS: Final = "mock-recordings"  # `stand_ins.recordings` has it too, and would load a server


def problem_of_folder(folder: Path) -> str | None:
    """Say why files cannot be made in a folder that may not exist yet, or None where they can.

    A file is made and removed in the nearest folder that exists, since rights alone do not tell, as for root or in a
    file system that is mounted read-only.
    """
    existing = next((one for one in (folder, *folder.absolute().parents) if os.path.lexists(one)), folder)
    try:
        if not existing.is_dir():
            return tr("{existing} is no folder", existing=existing)
        with tempfile.TemporaryFile(dir=existing):
            return None
    except OSError as error:
        return reason_of(error)


def problem_of_file(file: Path) -> str | None:
    """Say why a file cannot be written, or None where it can."""
    return tr("{file} is a folder", file=file) if file.is_dir() else problem_of_folder(file.parent)


def in_the_way_of(options: SuiteOptions) -> Iterator[str]:
    """Say why nothing may be written where results go: others may have made that folder, with links to files elsewhere.

    A plugin, too, is made by others; links on the way to the folder are followed outside of it alone.
    """
    loaded = options.suite
    files = [file for file in (options.report, options.json_file, *options.side_files.values()) if file is not None]
    for root in dict.fromkeys((loaded.plugin or loaded.root, loaded.root)):
        for path in (options.output_dir, *files):
            yield from links_on(path, root)
    yield from in_the_way(options.output_dir / name for name in (RESULT_FILE, REPORT_FILE, TRACES, _RECORDINGS))
