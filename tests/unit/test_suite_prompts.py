"""Cases of an eval suite as rows of a test set: what they claim of the skill, what they grade, what is left out."""

import json
from collections.abc import Mapping
from pathlib import Path

from skill_evaluator.formats.suite.grader_options import read_grader
from skill_evaluator.formats.suite_claims import Claim, Target, claim_about
from skill_evaluator.formats.suite_prompts import suite_prompts
from skill_evaluator.formats.testset import read_testset_bytes
from skill_evaluator.formats.trigger_rows import make_rows
from skill_evaluator.model import Case, Grader, Metadata, MockServer, MockTool, Setup, Source, Split

FIRES = {"type": "tool_used", "tool": "Skill", "name": "fires"}
STAYS = {"type": "tool_used", "tool": "Skill", "name": "stays", "min": 0, "max": 0}


def case(name: str, *graders: Mapping[str, object], **more: object) -> Case:
    read = [read_grader(options, name="unnamed", body=None) for options in graders]
    made: dict[str, object] = {
        "id": f"evals/{name}",
        "prompt": f"request {name}",
        "split": Split.ACCEPTANCE,
        "expect_trigger": None,
        "sha256": "",
        "prompt_sha256": "",
        "source": Source(path="p"),
        "graders": tuple(one for one in read if isinstance(one, Grader)),
        "metadata": Metadata(name=name, folder=f"evals/{name}", written_as="prose"),
    }
    assert len(read) == len(made["graders"])  # type: ignore[arg-type]
    return Case(**{**made, **more})  # type: ignore[arg-type]


def expects(one: Case) -> Claim:
    return claim_about(one, Target(names=("any",)))


GRADERS = (
    {"type": "regex", "name": "r", "pattern": "a", "flags": "i", "target": {"source": "file", "path": "o/a.md"}},
    {"type": "regex", "name": "plain", "pattern": "a"},
    {"type": "tool_used", "name": "u", "tool": "Read", "max": 3},
    {"type": "tool_order", "name": "t", "before": "Read", "after": {"tool": "Write", "input_match": "x"}},
    {"type": "file_exists", "name": "f", "path": "*.md", "exists": False},
    {"type": "llm", "name": "l", "criteria": "PASS if good.", "focus": "trace"},
)


def test_graders_come_back_as_they_were_written() -> None:
    found = suite_prompts([case("a", FIRES, *GRADERS)], expects)

    (prompt,) = found.prompts
    assert (prompt.id, prompt.text, prompt.label) == ("a", "request a", True)
    assert prompt.carried == {"graders": list(GRADERS)}
    (note,) = found.notes
    assert note.startswith("graders of the tool Skill decided the type of 1 case")


def test_whatever_finds_no_place_is_named() -> None:
    mocks = {"type": "regex", "name": "m", "pattern": "a", "target": "mock_calls"}
    broken = {"type": "regex", "name": "b", "pattern": "("}
    setup = Setup(folder=Path(), env={"EVAL_A": "1"}, allowed_tools=("Bash",))
    cases = [
        case("silent", GRADERS[1]),
        case("pos", FIRES, mocks, broken, {**GRADERS[1], "weight": 2, "arm": "both"}, setup=setup),
        case("neg", STAYS, GRADERS[1], setup=setup),
    ]
    found = suite_prompts(cases, expects)
    said = "\n".join(found.notes)

    assert [(one.id, one.label) for one in found.prompts] == [("pos", True), ("neg", False)]
    assert found.prompts[0].carried == {"graders": [GRADERS[1]]}
    assert not found.prompts[1].carried
    for part in (
        "1 case left out, saying nothing of the skill: silent",
        "1 grader left out (m of pos): what stand-ins answered",
        "1 grader left out (b of pos): '(' is no JavaScript pattern",
        "1 grader left out, since the output of a case that should not trigger is not looked at: neg (plain)",
        '"weight" of 1 case',
        '"arm" of 1 case',
        '"env" of 2 cases',
        '"allowed_tools" of 2 cases',
        "graders of the tool Skill decided the type of 2 cases",
    ):
        assert part in said


def test_rows_are_a_sound_test_set() -> None:
    cases = [case(f"p{n}", FIRES, *GRADERS) for n in range(6)] + [case(f"n{n}", STAYS) for n in range(6)]
    rows = make_rows(suite_prompts(cases, expects).prompts, 0, [])
    loaded = read_testset_bytes(json.dumps(rows).encode(), "testset.json")

    assert loaded.suite is not None, loaded.findings
    assert [one.id for one in loaded.suite.cases] == [f"{kind}{n}" for kind in "pn" for n in range(6)]
    assert loaded.suite.cases[0].graders == cases[0].graders[1:]


def test_stand_ins_of_the_suite_are_named_once(tmp_path: Path) -> None:
    def server(name: str, folder: Path) -> MockServer:
        tool = MockTool(name="list", kind="fixed", body="[]", path=folder / "mocks" / name / "list.md")
        return MockServer(name=name, is_declared=True, tools=(tool,))

    shared = server("calendar", tmp_path)
    cases = [
        case("a", FIRES, setup=Setup(folder=tmp_path / "a", mocks=(shared,))),
        case("b", FIRES, setup=Setup(folder=tmp_path / "b", mocks=(shared, server("mail", tmp_path / "b")))),
    ]
    (*_, note) = suite_prompts(cases, expects).notes

    assert note.endswith('the stand-ins in "mocks" of the suite (calendar), the stand-ins in "mocks" of b (mail)')
