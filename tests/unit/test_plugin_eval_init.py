"""`plugin-eval init`: blank cases and the interview, as somebody types it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from skill_evaluator.api.plugin_eval.plugin_skills import plugin_skills
from skill_evaluator.api.plugin_eval.starter_names import free_name, name_problem
from skill_evaluator.api.plugin_eval.starter_requests import asked
from skill_evaluator.api.plugin_eval.starter_templates import propose, purpose
from skill_evaluator.cli import main
from skill_evaluator.formats.suite.plugin import read_plugin
from skill_evaluator.formats.suite.suite import LoadedSuite, expected_trigger, read_suite
from skill_evaluator.model import Level
from tests.api_answers import Answer, call, fault, text
from tests.api_server import ApiServer
from tests.suite_files import MANIFEST, SKILL, Files, lay_out

PLUGIN: Files = {".claude-plugin/plugin.json": MANIFEST, "skills/tide-table/SKILL.md": SKILL}
EBB = (
    '---\nname: ebb-log\ndescription: Keeps a log of ebbs. Use when the user says "log this ebb". Do not use for '
    "forecasts of storms.\n---\n\nLog it.\n"
)
TWO: Files = {**PLUGIN, "skills/ebb-log/SKILL.md": EBB}
CHINESE = "---\nname: chao-xi\ndescription: 查询潮汐时间。用户说“查潮汐”时使用。不用于天气预报。\n---\n\n查表。\n"


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A plugin in the working folder, and no model to ask."""
    for name in ("ANTHROPIC_MODEL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    root = lay_out(tmp_path / "harbour", PLUGIN)
    monkeypatch.chdir(root)
    return root


def init(*words: str) -> int:
    return main(["plugin-eval", "init", *words])


def files_of(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()} - set(TWO)


def loaded(root: Path) -> LoadedSuite:
    suite = read_suite(root)
    assert isinstance(suite, LoadedSuite)
    assert not [finding for finding in suite.findings if finding.level is Level.FAIL]
    assert not suite.refused
    return suite


def test_init_bare_writes_a_blank_case_that_loads(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert init("--bare", "first-case") == 0
    written = ["prompt.md", "graders/criteria.md", "graders/skill-fired.md"]
    assert files_of(plugin) == {f"evals/first-case/{file}" for file in written}
    assert capsys.readouterr().out.splitlines() == [f"wrote evals/first-case/{file}" for file in written]
    (case,) = loaded(plugin).suite.cases
    assert expected_trigger(case) is True
    unwritten = [finding.file for finding in loaded(plugin).findings if finding.code == "still-to-write"]
    assert sorted(filter(None, unwritten)) == ["graders/criteria.md", "prompt.md"]


def test_a_blank_case_of_a_plugin_without_skills_has_no_skill_to_start(plugin: Path) -> None:
    shutil.rmtree(plugin / "skills")
    assert init("--bare", "first-case") == 0
    assert files_of(plugin) == {"evals/first-case/prompt.md", "evals/first-case/graders/criteria.md"}


def test_a_name_alone_makes_a_blank_case_too(plugin: Path) -> None:
    assert init("first-case") == 0
    assert (plugin / "evals/first-case/prompt.md").exists()


# As the real program takes them; but that it makes cases called results and mocks, which no run finds.
@pytest.mark.parametrize(
    ("name", "is_fine"),
    [
        *((name, True) for name in ("a", "x.y", "UP", "a_b", "x..y", "0", "a-", "com10")),
        *((name, False) for name in ("../x", "a/b", "", "A b", ".hid", "日本", "..", ".", "x.", "a.b.", "_x", "a\n")),
        *((name, False) for name in ("CON", "nul", "com1.txt", "results", "mocks", "a" * 300)),
    ],
)
def test_names(plugin: Path, name: str, is_fine: bool, capsys: pytest.CaptureFixture[str]) -> None:
    assert init("--bare", name) == int(not is_fine)
    assert bool(files_of(plugin)) is is_fine
    assert is_fine or repr(name) in capsys.readouterr().err


@pytest.mark.parametrize("taken", ["evals/Case/prompt.md", "evals/case/notes.md", "evals/case"])
def test_nothing_is_written_over(plugin: Path, taken: str) -> None:
    lay_out(plugin, {taken: "mine"})
    assert init("--bare", "case") == 1
    assert files_of(plugin) == {taken}
    assert (plugin / taken).read_text() == "mine"


@pytest.mark.parametrize(
    ("files", "words", "where"),
    [
        ({".claude-plugin/plugin.json": '{"name": "h", "experimental": {"evals": "./tests/ev"}}'}, [], "tests/ev"),
        ({}, ["--eval-dir", "zz/yy"], "zz/yy"),
        ({".claude-plugin/plugin.json": '{"name": "h", "experimental": {"evals": "../x"}}'}, [], "evals"),
        ({".claude-plugin/plugin.json": '{"name": "h"'}, [], "evals"),
    ],
)
def test_the_eval_directory_is_the_one_that_runs_read(plugin: Path, files: Files, words: list[str], where: str) -> None:
    lay_out(plugin, files)
    assert init("--bare", "q", *words) == 0
    assert (plugin / where / "q/prompt.md").exists()


def test_an_eval_directory_that_is_not_followed_is_told(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out(plugin, {".claude-plugin/plugin.json": '{"name": "h", "experimental": {"evals": "../x"}}'})
    assert init("--bare", "q") == 0
    assert capsys.readouterr().err.startswith("WARN ")


@pytest.mark.parametrize("folder", ["../zz", "/zz", "skills", "results"])
def test_an_eval_directory_elsewhere_is_refused(plugin: Path, folder: str) -> None:
    assert init("--bare", "q", "--eval-dir", folder) == 1
    assert not files_of(plugin)


def test_an_eval_directory_that_a_link_leads_out_of_the_plugin_is_refused(plugin: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (plugin / "evals").symlink_to(tmp_path / "elsewhere")
    assert init("--bare", "q") == 1
    assert not list((tmp_path / "elsewhere").iterdir())


def test_outside_a_plugin_the_folder_must_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert init("--bare", "q") == 1
    assert init("--bare", "q", "--eval-dir", "evals") == 0
    assert (tmp_path / "evals/q/prompt.md").exists()


def test_a_file_in_place_of_the_eval_directory_is_told(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out(plugin, {"evals": "a file"})
    assert init("--bare", "q") == 1
    assert "cannot be used as a folder of cases" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--bare"], ["-i", "name"], ["-i", "--bare"]])
def test_words_that_do_not_go_together(plugin: Path, words: list[str]) -> None:
    assert init(*words) == 1
    assert not files_of(plugin)


@pytest.mark.parametrize("words", [[], ["-i"]])
def test_without_a_terminal_one_line_says_what_to_do(
    plugin: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert init(*words) == 1
    said = capsys.readouterr()
    assert "init --bare NAME" in said.err
    assert (len(said.err.splitlines()), said.out) == (1, "")
    assert not files_of(plugin)


def test_yes_writes_all_that_is_proposed_as_drafts(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out(plugin, TWO)
    assert init("--yes") == 0
    said = capsys.readouterr().err
    assert f"plugin harbour in {plugin}: 2 skills (ebb-log, tide-table); proposed: 9 cases by templates\n" in said
    assert "To have a model write them: --model NAME, with ANTHROPIC_API_KEY set." in said
    cases = loaded(plugin).suite.cases
    assert {(case.id.removesuffix("-2").removesuffix("-3"), case.tags) for case in cases} == {
        (f"{skill}-{kind}", (tag, "draft"))
        for skill in ("ebb-log", "tide-table")
        for kind, tag in (("fires", "should-fire"), ("quiet", "should-not-fire"))
    }


def test_a_near_miss_is_what_is_excluded_or_what_a_neighbour_is_for(plugin: Path) -> None:
    lay_out(plugin, TWO)
    skills = plugin_skills(read_plugin(plugin))
    ebb, tide = skills
    quiet = [(one.prompt, one.sibling) for one in propose(ebb, [tide]) if one.kind == "quiet"]
    assert quiet == [
        ("can you help me with forecasts of storms?", None),
        ("can you give tides?", "tide-table"),
    ]
    fires = [one.prompt for one in propose(ebb, [tide]) if one.kind == "fires"]
    assert fires[0] == "log this ebb"
    assert len(fires) == 3


def test_a_skill_alone_that_excludes_nothing_gets_questions_about_other_things(plugin: Path) -> None:
    (only,) = plugin_skills(read_plugin(plugin))
    assert next(one.prompt for one in propose(only, []) if one.kind == "quiet") == "What is 17 times 23?"


def test_the_graders_of_a_quiet_case_count_in_both_arms_and_mean_this_skill_alone(plugin: Path) -> None:
    assert init("--yes") == 0
    quiet = (plugin / "evals/tide-table-quiet/graders/skill-quiet.md").read_text()
    assert quiet == (
        '---\ntype: tool_used\ntool: Skill\ninput_match: "\\"skill\\":\\"(harbour:)?tide-table\\""\n'
        "min: 0\nmax: 0\narm: both\n---\n"
    )
    expected = {case.id: expected_trigger(case) for case in loaded(plugin).suite.cases}
    assert expected["tide-table-quiet"] is False
    assert expected["tide-table-fires"] is True


def test_near_misses_count_as_such_though_a_neighbour_should_start(
    plugin: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_out(plugin, {"skills/ebb-log/SKILL.md": EBB.replace(" Do not use for forecasts of storms.", "")})
    assert init("--yes") == 0
    capsys.readouterr()
    assert main(["validate", "."]) == 0
    said = capsys.readouterr()
    assert "no case asks that a skill stays quiet" not in said.out
    assert "8 cases load: 6 should fire, 2 should stay quiet, 0 say nothing" in said.err


def test_a_chinese_description_gives_chinese_prompts(plugin: Path) -> None:
    lay_out(plugin, {"skills/tide-table/SKILL.md": CHINESE})
    (only,) = plugin_skills(read_plugin(plugin))
    proposals = propose(only, [])
    assert [one.prompt for one in proposals] == [
        "查潮汐",
        "帮我查询潮汐时间",
        "今天要查询潮汐时间，麻烦了",
        "能帮我弄一下天气预报吗？",
    ]
    assert all("PASS：" in (one.criteria or "PASS：") for one in proposals)


RECIPES = (
    "Scales the quantities of a recipe to another number of servings: how many people eat. Use when the user says "
    '"scale-recipe", "/scale", "make this recipe for eight" or "how many eggs do I need?". Not for writing recipes.'
)


def test_templates_ask_as_users_do(plugin: Path) -> None:
    """In few words, by what the skill does and what it says users say; never by its name or whole sentences of it."""
    lay_out(plugin, {"skills/scale-recipe/SKILL.md": f"---\nname: s\ndescription: >-\n  {RECIPES}\n---\nx\n"})
    scale = next(one for one in plugin_skills(read_plugin(plugin)) if one.plain_name == "scale-recipe")
    assert [(one.kind, one.prompt) for one in propose(scale, [])] == [
        ("fires", "make this recipe for eight"),
        ("fires", "quick question: how many eggs do I need?"),
        ("fires", "can you scale the quantities of a recipe to another number of servings?"),
        ("quiet", "can you help me with writing recipes?"),
    ]


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        ("Analyzes and fixes logs. More.", "can you analyze and fixes logs?"),
        ("Looks up high water and lays it out.", "can you look up high water?"),
        (
            "Authorized, non-destructive review of apps, and more",
            "can you help me with authorized, non-destructive review of apps?",
        ),
        ("Write a novel", "can you write a novel?"),
        (
            "PDF forms with fields, filled in for the people of the town hall by",
            "can you help me with PDF forms with fields?",
        ),
        ("This is for tides", "can you help me with this is for tides?"),
        ("한국어 글", "한국어 글"),
        ("新建或编写 skill", "能帮我弄一下新建或编写 skill吗？"),
    ],
)
def test_a_request_is_made_of_a_few_words(text: str, request_: str) -> None:
    assert asked(text, 0) == request_


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("This skill should be used when the user asks for a tide. More.", "a tide."),
        ("Use when mapping controls.", "mapping controls."),
        ("Writes. Not for reading.", "Writes."),
        ("用户要求查潮汐时使用。", "查潮汐时使用。"),
    ],
)
def test_what_a_skill_is_for(plugin: Path, description: str, expected: str) -> None:
    lay_out(plugin, {"skills/tide-table/SKILL.md": f"---\nname: t\ndescription: {description}\n---\nx\n"})
    assert purpose(plugin_skills(read_plugin(plugin))[0]) == expected


def test_a_long_purpose_is_cut_between_its_parts(plugin: Path) -> None:
    lay_out(plugin, {"skills/tide-table/SKILL.md": f"---\ndescription: {'tides, ' * 60}\n---\nx\n"})
    text = purpose(plugin_skills(read_plugin(plugin))[0])
    assert len(text) <= 162
    assert text.endswith("tides …")


def test_a_skill_that_no_model_is_told_of_gets_no_cases(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hidden = SKILL.replace("name:", "disable-model-invocation: true\nname:")
    lay_out(plugin, {"skills/tide-table/SKILL.md": hidden})
    assert init("--yes") == 1
    assert "holds no skill with a description" in capsys.readouterr().err


def test_names_are_never_those_that_are_there(plugin: Path) -> None:
    lay_out(plugin, {"evals/tide-table-fires/notes.md": "mine"})
    assert init("--yes") == 0
    assert (plugin / "evals/tide-table-fires-2/prompt.md").exists()
    assert files_of(plugin / "evals/tide-table-fires") == {"notes.md"}


@pytest.mark.parametrize("text", ["潮汐", "../x", "", "con", "a" * 300, "x."])
def test_any_text_becomes_a_name_that_can_be_used(text: str) -> None:
    assert name_problem(free_name(text, set())) is None
    assert name_problem(free_name(text, {free_name(text, set()).casefold()})) is None


def _proposing(cases: list[dict[str, object]]) -> Answer:
    return call("propose_cases", {"cases": cases})


FIRES = {"kind": "fires", "request": "When is high water in Kehl on Monday?", "criteria": "PASS if a time is given."}
STAYS_QUIET = {"kind": "quiet", "request": "Log that the ebb began at nine.", "other_skill": "ebb-log"}


def _asking(server: ApiServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in server.environment().items():
        monkeypatch.setenv(name, value)


def test_a_model_that_is_named_is_asked_and_what_it_says_is_checked(
    plugin: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_out(plugin, TWO)
    odd: list[dict[str, object]] = [{"kind": "maybe", "request": "x"}, {"kind": "fires", "request": " "}, dict(FIRES)]
    answer = _proposing(
        [dict(FIRES), dict(STAYS_QUIET), {**STAYS_QUIET, "request": "/log it", "other_skill": "?"}, *odd]
    )
    with ApiServer(lambda _: answer) as server:
        _asking(server, monkeypatch)
        assert init("--yes", "--model", "some-model") == 0
        asked = [json.dumps(body) for body in server.requests]
    said = capsys.readouterr().err
    assert "proposed: 6 cases by the model\n" in said
    assert "To have a model write them" not in said
    assert len(asked) == 2
    assert "Gives tides" in asked[0]
    ids = [case.id for case in loaded(plugin).suite.cases if case.id.startswith("tide-table")]
    assert sorted(ids) == ["tide-table-fires", "tide-table-quiet", "tide-table-quiet-2"]
    assert "PASS if a time is given." in (plugin / "evals/tide-table-fires/graders/answer.md").read_text()
    assert "ebb-log" in (plugin / "evals/tide-table-quiet/graders/other-skill-fired.md").read_text()
    assert (plugin / "evals/tide-table-quiet-2/prompt.md").read_text().endswith("\nPlease: /log it\n")


@pytest.mark.parametrize("answer", [fault(400), call("propose_cases", {"cases": "none"}), _proposing([dict(FIRES)])])
def test_a_model_that_gives_nothing_usable_leaves_it_to_the_templates(
    plugin: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answer: Answer
) -> None:
    with ApiServer(lambda _: answer) as server:
        _asking(server, monkeypatch)
        assert init("--yes", "--model", "some-model") == 0
    said = capsys.readouterr().err
    assert "its cases come from templates" in said
    assert "cases by templates" in said
    assert "by the model" not in said
    assert loaded(plugin).suite.cases


@pytest.mark.usefixtures("plugin")
def test_a_model_without_a_key_is_refused_and_one_of_the_environment_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert init("--yes", "--model", "some-model") == 1
    assert "--model needs a key" in capsys.readouterr().err
    monkeypatch.setenv("ANTHROPIC_MODEL", "some-model")
    assert init("--yes") == 0
    assert "by templates" in capsys.readouterr().err


pseudo_terminal = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo terminals")
NO_MODEL: Mapping[str, str] = {"ANTHROPIC_MODEL": "", "ANTHROPIC_BASE_URL": "", "ANTHROPIC_API_KEY": ""}


@pseudo_terminal
def test_init_is_an_interview_that_takes_changes_and_drops(plugin: Path) -> None:
    from tests.unit.terminal import Terminal  # noqa: PLC0415 - not everywhere

    terminal = Terminal(plugin, ["plugin-eval", "init"], NO_MODEL)
    for keys in ("x\n", "t\n"):
        terminal.wait_for("[q]uit:")
        terminal.type(keys)
    terminal.wait_for("[q]uit:")
    terminal.type("c\n")
    terminal.wait_for("what the user says")
    terminal.type("High water at Kehl, please\n")
    terminal.wait_for("what the judge looks for")
    terminal.type("\n")
    terminal.wait_for("user: High water at Kehl, please")
    terminal.wait_for("[q]uit:")
    terminal.type("t\n")
    terminal.wait_for("[q]uit:")
    terminal.type("d\n")
    terminal.wait_for("[q]uit:")
    terminal.type("a\n")
    terminal.wait_for("Write 4 cases to evals? [y/N]")
    terminal.type("y\n")
    assert terminal.end() == 0
    prompts = [case.prompt for case in loaded(plugin).suite.cases]
    assert len(prompts) == 4
    assert "High water at Kehl, please" in prompts
    drafts = {case.prompt for case in loaded(plugin).suite.cases if "draft" in case.tags}
    assert drafts == {*prompts} - {"High water at Kehl, please"}


@pseudo_terminal
@pytest.mark.parametrize(
    ("keys", "status"), [(["t\n", "\x03"], 130), (["t\n", "q\n"], 1), (["t\n", "\x04"], 1), (["a\n", "n\n"], 1)]
)
def test_whoever_leaves_the_interview_has_written_nothing(plugin: Path, keys: list[str], status: int) -> None:
    from tests.unit.terminal import Terminal  # noqa: PLC0415 - not everywhere

    terminal = Terminal(plugin, ["plugin-eval", "init"], NO_MODEL)
    terminal.wait_for("[q]uit:")
    terminal.type(keys[0])
    terminal.wait_for("[y/N]" if keys[0] == "a\n" else "[q]uit:")
    terminal.type(keys[1])
    assert terminal.end() == status
    assert not (plugin / "evals").exists()


@pseudo_terminal
def test_a_model_that_only_the_environment_names_is_asked_once_somebody_agrees(plugin: Path) -> None:
    from tests.unit.terminal import Terminal  # noqa: PLC0415 - not everywhere

    with ApiServer(lambda _: _proposing([dict(FIRES), dict(STAYS_QUIET)])) as server:
        named = {**server.environment(), "ANTHROPIC_MODEL": "some-model"}
        for answer, source in (("n\n", "by templates"), ("y\n", "by the model")):
            terminal = Terminal(plugin, ["plugin-eval", "init"], named)
            terminal.wait_for("Ask the model some-model for cases?")
            terminal.type(answer)
            terminal.wait_for(source)
            terminal.wait_for("[q]uit:")
            terminal.type("q\n")
            assert terminal.end() == 1
        assert len(server.requests) == 1


def test_every_real_skill_as_a_plugin_gets_a_suite_that_loads(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_MODEL", raising=False)
    skills = sorted(path.parent for path in corpus.rglob("SKILL.md"))
    assert skills
    for number, skill in enumerate(skills):
        root = lay_out(tmp_path / str(number), {".claude-plugin/plugin.json": MANIFEST})
        shutil.copytree(skill, root / "skills" / skill.name)
        monkeypatch.chdir(root)
        assert init("--yes") == 0, skill
        claims = {expected_trigger(case) for case in loaded(root).suite.cases}
        assert claims == {True, False}, skill


def test_the_real_program_loads_all_that_is_written(plugin: Path, claude_program: Path, tmp_path: Path) -> None:
    """It reads every case, whichever it runs; a case that it refuses makes its status 1."""
    lay_out(plugin, {**TWO, "skills/chao-xi/SKILL.md": CHINESE})
    assert init("--yes") == 0
    assert init("--bare", "first-case") == 0
    words = [
        "plugin",
        "eval",
        ".",
        "--trust-plugin",
        "--no-publish",
        "--runs",
        "1",
        "--ablation",
        "none",
        "--threshold",
        "0",
    ]
    with ApiServer(lambda _: text("PASS")) as server:
        ended = subprocess.run(
            [claude_program, *words, "--case", "first-case", "--output-dir", tmp_path / "out"],
            cwd=plugin, stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8",
            timeout=120, check=False,
            env={
                "PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8", "DISABLE_AUTOUPDATER": "1",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", **server.environment(),
            },
        )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert "first-case" in ended.stdout
