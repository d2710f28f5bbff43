"""What the interview of `plugin-eval init` makes of answers, and skills whose text is odd."""

import io
from pathlib import Path

import pytest

from skill_evaluator.api.plugin_eval.plugin_skills import plugin_skills
from skill_evaluator.api.plugin_eval.starter_files import Proposal
from skill_evaluator.cli.asking import agrees
from skill_evaluator.cli.plugin_eval_interview import choose, shown
from skill_evaluator.formats.suite.plugin import read_plugin
from skill_evaluator.model import PluginSkill
from tests.suite_files import MANIFEST, lay_out

ONE = Proposal(kind="fires", skill="tide", prompt="one", criteria="PASS if it is one.")
TWO = Proposal(kind="quiet", skill="tide", prompt="two")
THREE = Proposal(kind="quiet", skill="tide", prompt="three", sibling="ebb")


@pytest.mark.parametrize(
    ("typed", "prompts"),
    [
        ("t\nd\nt\n", ["one", "three"]),
        ("d\na\n", ["two", "three"]),
        ("t\nT \nq\n", []),
        ("t\n", []),
        ("?\n\nd\nd\nd\n", []),
        ("d\nc\nother words\nt\nd\n", ["other words"]),
        ("d\nc\n\nt\nd\n", ["two"]),
        ("d\nc\nother words\nd\nt\n", ["three"]),
        ("d\nc\nfirst\nc\nsecond\na\n", ["second", "three"]),
        ("c\n\nPASS if it is won.\nt\nd\nd\n", ["one"]),
    ],
)
def test_each_case_is_taken_changed_or_dropped(typed: str, prompts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert [one.prompt for one in choose([ONE, TWO, THREE])] == prompts


def test_criteria_are_changed_where_there_is_a_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("c\n\nPASS if it is won.\nt\n"))
    assert [one.criteria for one in choose([ONE])] == ["PASS if it is won."]


def test_a_changed_case_is_shown_again_before_it_is_taken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("c\nnew words\n\nt\n"))
    (one,) = choose([ONE])
    assert (one.prompt, one.source) == ("new words", "user")
    before, after = capsys.readouterr().err.split("2 of 2, what the judge looks for")
    assert "user: one" in before
    assert "user: new words" in after
    assert "judge: PASS if it is one." in after


def test_a_letter_of_the_choices_is_no_text_of_a_case(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("c\n\nt\nt\n"))
    assert choose([ONE]) == [ONE]
    assert "'t' is one of the choices" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "is_yes"), [("y\n", True), ("YES\n", True), ("\n", False), ("no\n", False), ("", False)]
)
def test_only_a_yes_is_one(typed: str, monkeypatch: pytest.MonkeyPatch, *, is_yes: bool) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert agrees("Well?") is is_yes


def test_what_is_shown_cannot_steer_the_terminal() -> None:
    hostile = Proposal(kind="quiet", skill="a\x1b[2J", prompt="b\x1b]0;x\x07\nc\u202ed", sibling="e\rf")
    assert shown(hostile) == ("a\\x1b[2J should not start, e\\rf should\n  user: b\\x1b]0;x\\x07\n  user: c\\u202ed")


def _skills(root: Path, texts: dict[str, str]) -> dict[str, PluginSkill]:
    files = {f"skills/{name}/SKILL.md": text for name, text in texts.items()}
    plugin = read_plugin(lay_out(root, {".claude-plugin/plugin.json": MANIFEST, **files}))
    return {one.plain_name: one for one in plugin_skills(plugin)}


def test_skills_are_read_as_leniently_as_the_program_reads_them(tmp_path: Path) -> None:
    skills = _skills(
        tmp_path,
        {
            "broken": "---\nname: broken\ndescription: Tides: and ebbs [\n---\n\nBody.\n",
            "titled": "---\nname: Tide Table\ndescription: Gives tides.\nwhen_to_use: At sea.\n---\nx\n",
            "off": "---\nname: off\ndescription: d\ndisable-model-invocation: true\n---\nx\n",
            "nothing": "no frontmatter at all\n",
            "open": "---\nname: open\n",
        },
    )
    assert {name: (one.skill.name, one.title, one.is_listed) for name, one in skills.items()} == {
        "broken": ("harbour:broken", None, True),
        "titled": ("harbour:titled", "Tide Table", True),
        "off": ("harbour:off", None, False),
        "nothing": ("harbour:nothing", None, False),
        "open": ("harbour:open", None, False),
    }
    assert (skills["broken"].skill.description, skills["broken"].skill.body) == ("Tides: and ebbs [", "Body.")
