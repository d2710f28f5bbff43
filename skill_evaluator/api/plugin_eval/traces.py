"""Where the traces of runs are kept, without credentials."""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from skill_evaluator.model import Case, Run
from skill_evaluator.redaction import blacken_run
from skill_evaluator.unlinked import write_unlinked

FOLDER: Final = "traces"
_ODD: Final = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST: Final = 80


def keep_trace(run: Run, case: Case, output_dir: Path, secrets: Sequence[str]) -> str:
    """Write the trace of a run to a file of its own.

    Args:
        run: The run.
        case: Its case.
        output_dir: Where the answer goes.
        secrets: What must not stand in it.

    Returns:
        The file, or "" where the run has no trace.

    Raises:
        OSError: If it cannot be written.
    """
    lines = blacken_run(run, secrets).trace
    if lines is None:
        return ""
    name = f"{_name(case)}-{run.arm}-{run.index + 1}.jsonl"
    content = (f"{line}\n".encode(errors="surrogatepass") for line in lines)
    return str(write_unlinked(output_dir.absolute(), (FOLDER, name), content))


def _name(case: Case) -> str:
    """Name a case by letters that all file systems take; the hash keeps cases apart that would be called the same."""
    plain = _ODD.sub("-", case.id)[:_LONGEST].strip("-.")
    if plain == case.id:
        return plain
    exact = case.id.encode(errors="surrogatepass")  # names of folders hold surrogates where the locale is ASCII
    return f"{plain}-{hashlib.sha256(exact).hexdigest()[:8]}".lstrip("-")
