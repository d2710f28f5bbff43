"""Which cases of all recorded suites load, and as what: the answers of the real program, version 2.1.332."""

import base64
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from skill_evaluator.formats.suite.suite import LoadedSuite, read_suite
from skill_evaluator.graders.suite import GRADER_TYPES
from skill_evaluator.model import Case, Finding, Level

KINDS = ("static", "run", "cli")
TYPE_NAMES = {check: name for name, check in GRADER_TYPES.items()}


@dataclass(frozen=True)
class Recorded:
    """A suite, how it was named, and what the real program answered."""

    files: Mapping[str, Mapping[str, str]]
    folders: Sequence[str]
    args: Sequence[str]
    expected: Mapping[str, object]

    def options(self, name: str) -> list[str]:
        return [value for option, value in zip(self.args, self.args[1:], strict=False) if option == name]


def _lines() -> Iterator[tuple[str, str]]:
    folder = os.environ.get("SKILL_EVALUATOR_CONFORMANCE")
    for kind in KINDS if folder else ():
        for line in (Path(folder or "") / f"{kind}.jsonl").read_text(encoding="utf-8").splitlines():
            name = json.loads(line)["name"]
            if not name.startswith("cli/init"):  # makes a suite instead of reading one
                yield name, line


LINES = dict(_lines())


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which a recorded suite is laid out, with the plugin's for working folder."""
    (tmp_path / "plugin").mkdir()
    monkeypatch.chdir(tmp_path / "plugin")
    return tmp_path


def lay_out(name: str, work: Path) -> Recorded:
    """Write the files of a recorded suite."""
    line = json.loads(LINES[name].replace("<WORK>", str(work)))
    recorded = Recorded(line["files"], line.get("mkdirs", []), line["args"][2:], line["expected"])
    for folder in recorded.folders:
        Path(folder).mkdir(parents=True)
    for file, written in recorded.files.items():
        path = Path(file)
        path.parent.mkdir(parents=True, exist_ok=True)
        if "dir" in written:
            path.mkdir(exist_ok=True)
        elif "symlink" in written:
            path.symlink_to(written["symlink"])
        else:
            path.write_bytes(written["text"].encode() if "text" in written else base64.b64decode(written["base64"]))
    return recorded


def read(recorded: Recorded) -> LoadedSuite | Finding:
    target = recorded.args[0] if recorded.args and not recorded.args[0].startswith("-") else "."
    return read_suite(
        Path(target),
        eval_dir=next(iter(recorded.options("--eval-dir")), None),
        case_globs=recorded.options("--case"),
        tags=recorded.options("--tag"),
    )


def facts(case: Case) -> dict[str, object]:
    """Give what the real program writes about a case."""
    assert case.metadata is not None
    assert case.limits is not None
    assert case.setup is not None
    return {
        "dir": case.metadata.folder,
        "source": case.metadata.written_as,
        "promptMarkdown": case.prompt,
        "runsPerCase": case.limits.runs,
        "timeoutSeconds": case.limits.timeout_s,
        "maxTurns": case.limits.max_turns,
        "model": case.setup.model,
        "graders": [
            {
                "name": grader.name,
                "type": TYPE_NAMES[type(grader.check)],
                "weight": grader.weight if grader.weight != float("inf") else None,
            }
            for grader in case.graders
        ],
    }


def recorded_cases(recorded: Recorded) -> dict[str, list[dict[str, object]]]:
    cases = recorded.expected.get("cases", {})
    assert isinstance(cases, dict)
    return {name: [{key: case[key] for key in ONE} for case in listed] for name, listed in cases.items()}


ONE = ("dir", "source", "promptMarkdown", "runsPerCase", "timeoutSeconds", "maxTurns", "model", "graders")


@pytest.mark.usefixtures("conformance")
@pytest.mark.parametrize("name", LINES or ["none"])
def test_the_same_cases_load_and_are_refused(name: str, work: Path) -> None:
    recorded = lay_out(name, work)
    loaded = read(recorded)

    if isinstance(loaded, Finding):
        missing = [str(work / "plugin" / str(loaded.file))] if loaded.code == "not-found" else []
        assert missing == recorded.expected["refused"]
        assert "cases" not in recorded.expected
        return
    assert [str(folder) for folder in loaded.refused] == recorded.expected["refused"]
    told = {finding.case for finding in loaded.findings if finding.message.startswith("the case does not load: ")}
    assert told == {folder.relative_to(Path("evals").absolute()).as_posix() for folder in loaded.refused}
    if "cases" in recorded.expected:
        ours: dict[str, list[dict[str, object]]] = {}
        for case in loaded.suite.cases:
            assert case.metadata is not None
            ours.setdefault(case.metadata.name, []).append(facts(case))
        wanted = recorded_cases(recorded)
        is_partial = recorded.expected["partial"]
        assert {name: cases for name, cases in ours.items() if name in wanted or not is_partial} == wanted


@pytest.mark.usefixtures("conformance")
@pytest.mark.parametrize("name", [name for name in LINES if name.startswith("static/")] or ["none"])
def test_what_fails_before_a_run_is_told_for_those_cases_alone(name: str, work: Path) -> None:
    recorded = lay_out(name, work)
    loaded = read(recorded)

    if isinstance(loaded, Finding) or "cases" not in recorded.expected or "off" in recorded.options("--mocks"):
        return
    cases = recorded.expected["cases"]
    assert isinstance(cases, dict)
    ends_in_error = any(run["error"] for listed in cases.values() for case in listed for run in case["arms"]["with"])
    levels = (Level.FAIL, Level.WARN) if "--scaffold" in recorded.args else (Level.FAIL,)
    told = [str(finding) for finding in loaded.findings if finding.level in levels and "every run" in str(finding)]
    told = [message for message in told if "the grader fails every run" not in message]
    assert bool(told) == ends_in_error, told
