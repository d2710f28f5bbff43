"""A server that is not ours: llama.cpp serves a model file on `/v1/messages`, and the whole path runs against it.

Asked for by `SKILL_EVALUATOR_GGUF=FILE.gguf` with the package `xllamacpp` installed. What a small model answers is its
own affair, so only the shape of what comes out is looked at.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from skill_evaluator.api.saved import load_report

MODEL_FILE = os.environ.get("SKILL_EVALUATOR_GGUF", "")
SERVE = """
import sys
import xllamacpp

params = xllamacpp.CommonParams()
params.model.path, params.n_ctx, params.n_parallel, params.port = sys.argv[1], 16384, 2, 0
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""
SKILL_MD = """\
---
name: tide-table
description: Looks up the times of high and low water. Use when the user asks about tides.
---

# Tide table

Answer with the time of high water.
"""

pytestmark = [
    pytest.mark.skipif(not MODEL_FILE, reason="SKILL_EVALUATOR_GGUF names no model file to serve"),
    pytest.mark.skipif(find_spec("xllamacpp") is None, reason="xllamacpp is not installed; it serves the model file"),
]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The model on a loopback address."""
    command = (sys.executable, "-c", SERVE, MODEL_FILE)
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        yield next(line.strip() for line in process.stdout if line.startswith("http"))
        process.communicate("")


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    """A skill with ten cases: one has its output checked, one is judged."""
    rows: list[dict[str, object]] = [
        {
            "id": f"{label}{number}",
            "type": label,
            "split": "acceptance" if number % 2 else "tuning",
            "input": f"{words} in harbour number {number}?",
        }
        for label, words in (("should_trigger", "When is high water"), ("should_not_trigger", "Who sells fish"))
        for number in range(5)
    ]
    rows[0] |= {"expected_output_contains": ["high water"]}
    rows[1] |= {"rubric": {"clarity": 3}}
    folder = tmp_path / "tide-table"
    folder.mkdir()
    (folder / "SKILL.md").write_text(SKILL_MD, "utf-8")
    (folder / "testset.json").write_text(json.dumps(rows), "utf-8")
    return folder


@pytest.mark.parametrize("more", [(), ("--no-canary", "--draft", "--runs", "1", "--judge-model", "local")])
def test_a_foreign_server_is_measured_from_end_to_end(
    server: str, skill: Path, tmp_path: Path, more: tuple[str, ...]
) -> None:
    report_file = tmp_path / "report.json"
    command = (
        *(sys.executable, "-m", "skill_evaluator", "run", str(skill), "--agent", "messages", "--model", "local"),
        *("--max-turns", "2", "--concurrency", "2", "--json", str(report_file), "--yes", *more),
    )
    environment = {**os.environ, "ANTHROPIC_BASE_URL": server}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    report = load_report(report_file)
    runs = [run for case in report.cases for run in case.runs]
    assert done.returncode in {0, 1, 2}, done.stderr
    assert report.agent.settings["base_url"] == server
    assert {run.failure.kind for run in runs if run.failure} <= {"api"}, done.stderr
    if more:
        assert report.judge is not None
        assert len(runs) == 10
        assert sum(run.failure is None for run in runs) > 5
    else:
        assert report.canary.state in {"passed", "failed"}
