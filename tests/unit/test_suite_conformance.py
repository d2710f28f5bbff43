"""Which cases of all recorded suites load, and as what: the answers of the real program, version 2.1.332."""

from pathlib import Path

import pytest

from skill_evaluator.formats.suite.suite import LoadedSuite, read_suite
from skill_evaluator.graders.suite import GRADER_TYPES
from skill_evaluator.model import Case, Finding
from tests.recorded_suites import RecordedSuite, suites_by_name

TYPE_NAMES = {check: name for name, check in GRADER_TYPES.items()}
FACTS = ("dir", "source", "promptMarkdown", "runsPerCase", "timeoutSeconds", "maxTurns", "model", "graders")
NAMES = [name for name, suite in suites_by_name().items() if suite.reads_a_suite]


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which a recorded suite is laid out, with the plugin's for working folder."""
    (tmp_path / "plugin").mkdir()
    monkeypatch.chdir(tmp_path / "plugin")
    return tmp_path


def read(suite: RecordedSuite) -> LoadedSuite | Finding:
    return read_suite(
        Path(suite.target),
        eval_dir=next(iter(suite.options("--eval-dir")), None),
        case_globs=suite.options("--case"),
        tags=suite.options("--tag"),
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


def recorded_facts(suite: RecordedSuite) -> dict[str, list[dict[str, object]]]:
    return {name: [{key: case[key] for key in FACTS} for case in cases] for name, cases in suite.cases.items()}


@pytest.mark.usefixtures("conformance")
@pytest.mark.parametrize("name", NAMES or ["none"])
def test_the_same_cases_load_and_are_refused(name: str, work: Path) -> None:
    suite = suites_by_name()[name].placed_in(work)
    suite.lay_out(work / "plugin")
    loaded = read(suite)

    if isinstance(loaded, Finding):
        missing = [str(work / "plugin" / str(loaded.file))] if loaded.code == "not-found" else []
        assert missing == suite.refused
        assert "cases" not in suite.expected
        return
    assert [str(folder) for folder in loaded.refused] == suite.refused
    told = {finding.case for finding in loaded.findings if finding.message.startswith("the case does not load: ")}
    assert told == {folder.relative_to(Path("evals").absolute()).as_posix() for folder in loaded.refused}
    if "cases" in suite.expected:
        ours: dict[str, list[dict[str, object]]] = {}
        for case in loaded.suite.cases:
            assert case.metadata is not None
            ours.setdefault(case.metadata.name, []).append(facts(case))
        wanted = recorded_facts(suite)
        is_partial = suite.expected["partial"]
        assert {name: cases for name, cases in ours.items() if name in wanted or not is_partial} == wanted
