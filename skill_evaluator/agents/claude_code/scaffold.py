"""Fills the workspace of a run by the script of its case.

Source: what `claude plugin eval`, 2.1.332, gives its scripts.
"""

import os
import shutil
from pathlib import Path
from typing import Final

from skill_evaluator.agents.claude_code.layout import WORKSPACE, Layout
from skill_evaluator.sandbox import Call, Ended, Sandbox, run_child
from skill_evaluator.sandbox.environment import MARKER
from skill_evaluator.texts import tr

LIMIT_S: Final = 120.0
_SHOWN: Final = 500  # characters of the script's last words


async def run_scaffold(layout: Layout, script: Path, *, limit_s: float = LIMIT_S) -> str | None:
    """Run the script in the workspace; nothing that it started is alive afterwards.

    Args:
        layout: The folders of the run.
        script: A script for bash. It runs as the user, outside of any sandbox, but sees few variables and no secret.
        limit_s: Seconds it may take.

    Returns:
        Why the run cannot go on, or None.
    """
    path = os.environ.get("PATH", os.defpath)
    bash = shutil.which("bash", path=path)
    if bash is None:
        return tr("scaffold failed: no bash was found on PATH to run scripts of cases with; install it")
    folder = Sandbox(root=layout.root, skills=layout.root / "skills", workspace_place=WORKSPACE)
    call = Call(
        argv=[bash, str(script)],
        environment=_environment(layout, folder, path),
        folder=folder,
        timeout_s=limit_s,
    )
    try:
        ended = await run_child(call, feed=lambda _: None, has_started=lambda: True)
    except (OSError, ValueError) as error:
        return f"scaffold failed: {script.name} cannot be started: {error}"
    return _fault(script, ended, limit_s)


def _environment(layout: Layout, folder: Sandbox, path: str) -> dict[str, str]:
    return {
        "PATH": path,
        **dict.fromkeys(("HOME", "USERPROFILE"), str(layout.home)),
        **dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(layout.tmp)),
        "PWD": str(layout.cwd),
        "TERM": "dumb",
        "GIT_CONFIG_NOSYSTEM": "1",
        MARKER: folder.marker,
    }


def _fault(script: Path, ended: Ended, limit_s: float) -> str | None:
    if ended.timed_out:
        return f"scaffold failed: {script.name} was not done within {limit_s:g} s and was ended"
    if ended.status == 0:
        return None
    said = " ".join(ended.stderr.split())[-_SHOWN:]
    return f"scaffold failed: {script.name} ended with status {ended.status}" + (f": {said}" if said else "")
