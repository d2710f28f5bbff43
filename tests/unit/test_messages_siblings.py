"""A model that chooses among several skills, over HTTP: the matrix worked out by hand, and what it was shown."""

from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.cli import main
from tests.api_server import Answer, call, text
from tests.unit.messages_setup import PROBE, Body, prompt_of, serve
from tests.unit.report_files import written

ROOT = Path(__file__).resolve().parents[2]
TARGET, WRITER, TESTER = "skill-evaluator", "skill-writer", "level-tester"
FIRES = {
    "Good. Does it still fire for the cases in evals/testset.json?": TARGET,
    "Run the 30 prepared prompts against the recipe skill and tell me its precision and recall": TARGET,
    "按题集测一遍，看它平均一次要多少钱": TESTER,  # a miss
    "And now? Better or worse than before?": TARGET,
    "给周报技能打个分，题目都放在 evals 里了": TARGET,
    "Turn the way I sort my mail into a skill that other people can use": WRITER,
    "把我整理会议纪要的步骤写成一个新技能": TARGET,  # a false trigger
    "Walk through levels/castle.json and tell me where a player gets stuck": WRITER,  # the wrong sibling
    "Then write newsletters into its description": WRITER,
    "帮我试玩一下新地图，看看哪里过不去": TESTER,
}


def script(asked: Body) -> Answer:
    """Fire once, then end; what is not in the table takes no skill."""
    if any(block["type"] == "tool_result" for block in asked["messages"][-1]["content"]):
        return text("Done.")
    prompt = prompt_of(asked)
    skill = PROBE if PROBE in prompt else FIRES.get(prompt)
    return call("Skill", {"skill": skill}) if skill else text("That takes no skill.")


def measured(
    monkeypatch: pytest.MonkeyPatch, folder: Path, *options: str
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    folder.mkdir()
    monkeypatch.chdir(folder)
    with serve(script) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        suite = ("--testset", str(ROOT / "testsets" / "siblings.json"))
        asked = ("--agent", "messages", "--model", "some-model", "--yes", "--quiet")
        main(["run", str(ROOT), *suite, *asked, *options])
    return written(), server.requests


def fired(report: dict[str, Any], split: str) -> list[tuple[str | None, str | None, int]]:
    return [(row["expected"], row["fired"], row["runs"]) for row in report["splits"][split]["fired"]]


@pytest.mark.parametrize("workers", ["1", "32"])
def test_a_scripted_model_gives_the_matrix_worked_out_by_hand(
    workers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    neighbours = str(ROOT / "testsets" / "neighbours")
    options = ("--neighbours", neighbours, "--concurrency", workers)
    report, requests = measured(monkeypatch, tmp_path / "work", *options)

    assert fired(report, "acceptance") == [
        (TESTER, WRITER, 3),
        (TARGET, TESTER, 3),
        (TARGET, TARGET, 6),
        (WRITER, TARGET, 3),
        (WRITER, WRITER, 3),
        (None, None, 3),
    ]
    assert fired(report, "tuning") == [(TESTER, TESTER, 3), (TARGET, TARGET, 6), (WRITER, WRITER, 3), (None, None, 3)]
    rates = [report["splits"][split]["metrics"]["expected_skill_rate"] for split in ("acceptance", "tuning")]
    assert [(rate["numerator"], rate["denominator"]) for rate in rates] == [(1, 3), (2, 2)]
    assert [(one["id"], one["sort"]) for one in report["failed_cases"]] == [
        ("zh-cost", "missed"),
        ("zh-new-skill", "false_trigger"),
        ("zh-new-skill", "wrong_skill"),
        ("try-the-level", "wrong_skill"),
    ]
    assert {len(body["messages"]) for body in requests if prompt_of(body).startswith("Then write")} == {3, 5}


def test_the_conversation_comes_before_the_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = ("--case", "rescore-after-talk", "--case", "zh-weather", "--draft", "--runs", "1", "--no-canary")
    _, requests = measured(monkeypatch, tmp_path / "work", *options)
    (asked,) = [body for body in requests if prompt_of(body).startswith("Good.")]
    said = [(message["role"], message["content"][-1]["text"]) for message in asked["messages"]]

    assert said == [
        ("user", "Please make the description of skills/invoice/SKILL.md shorter."),
        ("assistant", "Done: it has 40 words now instead of 90."),
        ("user", "Good. Does it still fire for the cases in evals/testset.json?"),
    ]


def test_without_neighbours_no_sibling_is_scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report, _ = measured(monkeypatch, tmp_path / "work")

    assert report["metrics"]["expected_skill_rate"] is None
    assert [note["values"] for note in report["notes"] if note["code"] == "siblings_not_installed"] == [
        {
            "cases": ["wants-new-skill", "reword-after-score", "zh-new-skill", "try-the-level", "zh-try-the-level"],
            "skills": [TESTER, WRITER],
        }
    ]


@pytest.mark.parametrize("name", [TARGET, WRITER])
def test_two_skills_of_one_name_are_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    twin = tmp_path / "twin"
    twin.mkdir()
    (twin / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Does the same.\n---\n\nx\n", "utf-8")
    beside = ("--neighbours", str(ROOT / "testsets" / "neighbours"), "--neighbours", str(twin))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    suite = ("--testset", str(ROOT / "testsets" / "siblings.json"), "--model", "some-model")
    status = main(["run", str(ROOT), *suite, "--agent", "messages", "--yes", *beside])

    assert status == 1
    assert f"the skill {name!r} of" in capsys.readouterr().err
