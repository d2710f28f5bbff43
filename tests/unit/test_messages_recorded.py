"""Recorded suites that take skills and reading alone get the same verdicts from agent messages.

They are chosen by what they hold. Left out beside those that need the program are suites whose scripted server refuses
with HTTP 400, which Claude Code asks again with fewer features of its own and agent messages does not.
"""

import json
import os
import re
from pathlib import Path

import pytest

from skill_evaluator.cli import main
from tests.conformance.stand_in import serving
from tests.recorded_suites import RecordedSuite, recorded_suites

_READING = {"Read", "Glob", "Grep", "Skill"}
_NEEDS_MORE = re.compile(
    r"scaffold|mcpServers|\bmcp__"
    r"|(?:allowed_tools|tool|before|after): [^\\]*\b"
    r"(?:Bash|Write|Edit|Web\w+|Agent|ToolSearch|TodoWrite|NotebookEdit)\b"
)
_PARTS = re.compile(r"(?:hooks|agents|commands)/|(?:.*/)?mocks/|\.mcp\.json")
_FLAGS = {"--allow-tools", "--disallow-tools", "--mocks", "--allow-real-servers", "--scaffold"}
_FOLDER = os.environ.get("SKILL_EVALUATOR_CONFORMANCE")


def _fits(suite: RecordedSuite) -> bool:
    script = json.dumps(suite.script or {})
    called = set(re.findall(r'"name": "(\w+)", "input"', script))
    texts = json.dumps(suite.row["files"])
    return (
        not _NEEDS_MORE.search(texts)
        and not any(_PARTS.match(name) for name in suite.files)
        and not _FLAGS & set(suite.args)
        and called <= _READING
        and '"status": 400' not in script
        and "signal" not in suite.row
        and bool(suite.cases)
    )


_SUITES = [suite for suite in recorded_suites(Path(_FOLDER), "run") if _fits(suite)] if _FOLDER else []


def _verdicts(cases: object) -> object:
    """Keep scores and verdicts of all runs, by case and arm."""
    assert isinstance(cases, list)
    return [
        (
            case["name"] if "name" in case else case["dir"],
            {
                arm: [
                    (
                        pytest.approx(run["score"]),
                        run["passed"],
                        bool(run.get("error")),
                        [(grader["name"], grader["passed"], grader["scored"]) for grader in run["graders"]],
                    )
                    for run in runs
                ]
                for arm, runs in case["arms"].items()
            },
        )
        for case in cases
    ]


@pytest.mark.usefixtures("conformance")
def test_so_many_recorded_suites_take_reading_alone() -> None:
    assert len(_SUITES) >= 80


@pytest.mark.parametrize("suite", _SUITES, ids=lambda suite: suite.name)
def test_verdicts_are_the_recorded_ones(
    suite: RecordedSuite, conformance: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "plugin"
    placed = suite.placed_in(tmp_path)
    placed.lay_out(folder)
    monkeypatch.chdir(folder)
    with serving(conformance, placed.script or {}) as server:
        for name, value in {**server.variables(), **placed.row.get("env", {}), "ANTHROPIC_MODEL": "some-model"}.items():
            monkeypatch.setenv(name, value)
        words = [word for word in placed.args[2:] if word != "--json"]
        status = main(["plugin-eval", *words, "--agent", "messages", "--output-dir", str(tmp_path / "out")])
    result = json.loads((tmp_path / "out/aggregate-result.json").read_text("utf-8"))
    expected = [{"name": name, **case} for name, cases in suite.cases.items() for case in cases]
    assert status == suite.expected["rc"]
    assert _verdicts(result["cases"]) == _verdicts(expected)
