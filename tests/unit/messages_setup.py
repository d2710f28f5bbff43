"""What tests of the messages agent share: a scripted model that tells cases apart by their prompts, and a desk."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from skill_evaluator.cli import main
from tests.api_server import Answer, ApiServer, call, text
from tests.unit.conftest import POSITIVES, rows

HERE = str(Path(__file__).parents[2])
PROBE = "brindlewick-tide-word"
FIRE = "level-maker"
Body = Mapping[str, Any]
Script = Callable[[Body], Answer]


def prompt_of(asked: Body) -> str:
    """The question of a run: the last text of the last message that holds no result of a tool."""
    texts = [
        block["text"]
        for message in asked["messages"]
        if message["role"] == "user" and not any(block["type"] == "tool_result" for block in message["content"])
        for block in message["content"]
    ]
    return str(texts[-1])


def turn_of(asked: Body) -> int:
    """How many answers of the model the request already holds."""
    return sum(message["role"] == "assistant" for message in asked["messages"])


def model(answers: Mapping[str, Sequence[Answer]] | None = None) -> Script:
    """A model that passes the canary, fires for the positives of the test set, and for others says that it will not.

    Args:
        answers: By prompt: what it does instead, turn by turn; the last one is repeated.
    """

    def script(asked: Body) -> Answer:
        prompt = prompt_of(asked)
        if answers and prompt in answers:
            return answers[prompt][min(turn_of(asked), len(answers[prompt]) - 1)]
        if PROBE in prompt:
            return call("Skill", {"skill": PROBE})
        if prompt in POSITIVES and not turn_of(asked):
            return call("Skill", {"skill": FIRE})
        return text("That takes no skill.")

    return script


def serve(script: Script) -> ApiServer:
    """Serve what a script says."""
    return ApiServer(script)


def change_rows(skill_dir: Path, changes: Mapping[str, Mapping[str, object]]) -> None:
    """Add keys to cases of the test set, by id."""
    changed = [{**row, **changes.get(str(row["id"]), {})} for row in rows()]
    (skill_dir / "testset.json").write_text(json.dumps(changed), "utf-8")


def run(skill_dir: Path, *options: str) -> int:
    """Type the command."""
    return main(["run", str(skill_dir), "--agent", "messages", "--model", "some-model", "--yes", "--quiet", *options])


def started(folder: Path, environment: Mapping[str, str], *words: str) -> "subprocess.CompletedProcess[str]":
    """Start the program as installed, in a process of its own without a terminal."""
    return subprocess.run(
        [sys.executable, "-m", "skill_evaluator", *words],
        cwd=folder, env={**os.environ, "PYTHONPATH": HERE, **environment},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8",
        check=False,
    )  # fmt: skip


def at_a_terminal(
    folder: Path, environment: Mapping[str, str], typed: str, *words: str
) -> "subprocess.CompletedProcess[str]":
    """Start the program at a terminal, and type answers ahead; what it says there is given as standard error."""
    ours, theirs = os.openpty()
    os.write(ours, typed.encode())
    with (folder.parent / "page").open("w+b") as page:
        process = subprocess.Popen(
            [sys.executable, "-m", "skill_evaluator", *words],
            cwd=folder, env={**os.environ, "PYTHONPATH": HERE, **environment},
            stdin=theirs, stdout=page, stderr=theirs,
        )  # fmt: skip
        os.close(theirs)
        said = bytearray()
        with contextlib.suppress(OSError):  # how Linux tells the end of a terminal
            while piece := os.read(ours, 65_536):
                said += piece
        status = process.wait()
    os.close(ours)
    return subprocess.CompletedProcess(words, status, stderr=said.decode())


def case_in(report: Mapping[str, Any], id_: str) -> Mapping[str, Any]:
    """One case of a report."""
    (found,) = [case for case in report["cases"] if case["id"] == id_]
    case: Mapping[str, Any] = found
    return case
