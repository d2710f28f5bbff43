"""The rules of a run: what its model may call, read and write.

Expected rules are those on the command lines of the children of `claude plugin eval`, 2.1.332.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from skill_evaluator.agents.claude_code.grants import read_grants
from skill_evaluator.agents.claude_code.layout import Layout
from skill_evaluator.agents.claude_code.program import open_program
from skill_evaluator.agents.claude_code.rules import Rules, child_rules
from skill_evaluator.agents.claude_code.suite_agent import ClaudeCodeSuiteAgent
from skill_evaluator.agents.claude_code.tool_names import GATED
from skill_evaluator.model import Arm, AskedRun, Case
from tests.api_server import ApiServer
from tests.suite_files import lay_out
from tests.unit.claude_server import doing, serving, tools_shown
from tests.unit.claude_setup import ask, case_for, harbour

LAYOUT = Layout.below(Path("/r"))
READ_OWN = tuple(f"{tool}(//r/{place}/**)" for place in ("home", "tmp") for tool in ("Read", "Glob", "Grep"))
WRITE_OWN = (*(f"{tool}(//r/home/cwd/**)" for tool in ("Edit", "Write")), "Edit(//r/tmp/**)", "Write(//r/tmp/**)")


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    return harbour(tmp_path)


def rules_of(case: Case, *granted: str, disallow: tuple[str, ...] = (), stand_ins: tuple[str, ...] = ()) -> Rules:
    return child_rules(LAYOUT, case, read_grants(granted), disallow, stand_ins)


def outside_of(plugin: Path, rules: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(rule for rule in rules if str(plugin) not in rule)


@pytest.mark.parametrize(
    ("asked", "granted", "allowed"),
    [
        ([], [], ()),
        (["NotebookRead"], [], ("NotebookRead",)),
        (["Skill", "Glob"], [], ("Skill", *READ_OWN)),
        (["Task", "Bash", "Nope"], [], ("Task",)),
        (["Read(x/**)", "Skill(copy)"], [], ("Read(//r/home/cwd/x/**)", "Skill(copy)")),
        (["Read(//etc/**)", "Read(../x)", "Glob(~/a)"], [], ()),
        ([], ["Read", "Agent"], ("Agent", *READ_OWN)),
        ([], ["Write"], WRITE_OWN),
        ([], ["Write(*)"], WRITE_OWN),
        ([], ["Edit"], ("Edit(//r/home/cwd/**)", "Edit(//r/tmp/**)")),
        ([], ["Bash(ls *)", "WebFetch(domain:a.example)"], ("Bash(ls *)", "WebFetch(domain:a.example)")),
        (
            [],
            ["Edit(/abs/*.md)", "Edit(sub/**)", "Edit(./a.txt)", "Edit(~/x)", "Edit(//etc/x)", "Edit(../x)"],
            (
                *("Edit(/abs/*.md)", "Edit(//r/home/cwd/sub/**)", "Edit(//r/home/cwd/**/a.txt)"),
                *("Edit(~/x)", "Edit(//etc/x)", "Edit(../x)"),
            ),
        ),
        ([], ["Write(sub/)", "Edit(**/*.py)"], ("Write(//r/home/cwd/**/sub/)", "Edit(//r/home/cwd/**/*.py)")),
    ],
)
def test_a_run_may_call_what_its_case_asks_for_and_the_user_grants(
    plugin: Path, asked: list[str], granted: list[str], allowed: tuple[str, ...]
) -> None:
    rules = rules_of(case_for(plugin, allowed_tools=tuple(asked)), *granted)

    assert outside_of(plugin, rules.allowed) == allowed


def test_tools_of_stand_ins_need_no_grant(plugin: Path) -> None:
    assert rules_of(case_for(plugin), stand_ins=("mcp__a__t",)).allowed == ("mcp__a__t",)


@pytest.mark.parametrize(
    ("granted", "shown"),
    [
        ([], set()),
        (["Write(x)"], {"Edit", "Write", "NotebookEdit"}),
        (["Bash(ls)"], {"Bash", "GetTask"}),
        (["PowerShell"], {"PowerShell", "GetTask"}),
        (["WebFetch(domain:a.example)"], {"WebFetch"}),
        (["mcp__a__b"], set()),
    ],
)
def test_all_that_is_gated_and_not_granted_is_named(plugin: Path, granted: list[str], shown: set[str]) -> None:
    assert set(GATED) - set(rules_of(case_for(plugin), *granted).disallowed) == shown


def test_disallow_tools_takes_away_what_is_granted(plugin: Path) -> None:
    case = case_for(plugin, allowed_tools=("Agent", "Skill"), disallowed_tools=("Skill",))

    rules = rules_of(case, "Bash", disallow=("Task", "Bash"))

    assert rules.allowed == ()
    assert {"Agent", "Skill", "Bash"} <= set(rules.disallowed)


def test_the_plugins_own_parts_are_read_and_never_the_suite(plugin: Path) -> None:
    lay_out(plugin, {"README.md": "", "docs/a.md": "", ".git/config": "", ".mcp.json": "{}"})

    rules = rules_of(case_for(plugin, allowed_tools=("Read",)))

    read = {rule for rule in rules.allowed if rule.startswith("Read") and str(plugin) in rule}
    at = f"Read(/{plugin}"
    wanted = {f"{at}/{part}" for part in ("README.md)", ".mcp.json)", "docs/**)", "skills/**)", ".claude-plugin/**)")}
    assert wanted <= read
    assert not any("evals" in rule or ".git/" in rule for rule in read)
    evals = f"(/{plugin}/evals"
    assert {f"Read{evals})", f"Read{evals}/**)", f"Edit{evals})", f"Edit{evals}/**)"} <= set(rules.disallowed)
    assert {f"Edit(/{plugin}/**)", "Read(//r/config/**)", "Read(//r/out/**)", "Read(//proc/**)"} <= set(
        rules.disallowed
    )


def test_without_the_plugin_nothing_of_it_is_read_but_folders_of_the_case(plugin: Path) -> None:
    case = case_for(plugin, allowed_tools=("Read",), add_dirs=("res",))
    lay_out(case.setup.folder, {"res/f.txt": ""})  # type: ignore[union-attr]

    rules = child_rules(LAYOUT, case, read_grants([]), (), (), arm=Arm.WITHOUT)

    assert {rule for rule in rules.allowed if str(plugin) in rule} == {
        f"{tool}(/{plugin}/evals/high-water/res/**)" for tool in ("Read", "Glob", "Grep")
    }
    assert {f"Edit(/{plugin}/**)", f"Read(/{plugin}/evals/high-water/prompt.md)"} <= set(rules.disallowed)


def test_a_suite_deeper_in_the_plugin_hides_nothing_beside_it(plugin: Path) -> None:
    lay_out(plugin, {"quality/notes.md": "", "quality/evals/c/prompt.md": ""})
    case = case_for(plugin, allowed_tools=("Read",), folder=plugin / "quality" / "evals" / "c")

    rules = child_rules(LAYOUT, case, read_grants([]), (), (), eval_dir=plugin / "quality" / "evals")

    assert f"Read(/{plugin}/quality/notes.md)" in rules.allowed
    assert f"Read(/{plugin}/quality/evals)" in rules.disallowed


def test_a_suite_that_is_not_run_is_read_no_more_than_the_one_that_is(plugin: Path) -> None:
    """As the real command does it, where a manifest or an option names another folder than the usual one."""
    lay_out(plugin, {"quality/suite/c/prompt.md": ""})
    case = case_for(plugin, allowed_tools=("Read",), folder=plugin / "quality" / "suite" / "c")

    rules = child_rules(LAYOUT, case, read_grants([]), (), (), eval_dir=plugin / "quality" / "suite")

    at = f"Read(/{plugin}"
    assert {f"{at}/evals)", f"{at}/evals/**)", f"{at}/quality/suite)"} <= set(rules.disallowed)
    assert not any(f"{plugin}/evals" in rule or f"{plugin}/quality" in rule for rule in rules.allowed)


def test_a_suite_that_is_one_case_hides_those_beside_it(plugin: Path) -> None:
    case = case_for(plugin, allowed_tools=("Read",))
    assert case.setup is not None

    rules = child_rules(LAYOUT, case, read_grants([]), (), (), eval_dir=case.setup.folder)

    assert f"Read(/{plugin}/evals)" in rules.disallowed


def test_add_dirs_are_read_and_the_rest_of_their_case_is_not(plugin: Path) -> None:
    case = case_for(plugin, allowed_tools=("Read",), add_dirs=("res", "deep/er"))
    lay_out(case.setup.folder, {"res/f.txt": "", "deep/er/f.txt": "", "deep/x.txt": ""})  # type: ignore[union-attr]
    lay_out(plugin / "evals", {"other/prompt.md": ""})
    at = f"/{plugin}/evals"

    rules = rules_of(case)

    assert {f"Read({at}/high-water/res/**)", f"Read({at}/high-water/deep/er/**)"} <= set(rules.allowed)
    denied = {rule for rule in rules.disallowed if rule.startswith(f"Read({at}") and "/**" not in rule}
    assert {f"Read({at}/other)", f"Read({at}/high-water/deep/x.txt)", f"Read({at}/high-water/prompt.md)"} <= denied
    assert not any(rule.endswith(("/res)", "/er)", "/f.txt)")) for rule in denied)
    assert f"Edit({at}/high-water/res/**)" in rules.disallowed


def test_folders_that_a_case_adds_are_read_though_it_asks_for_no_tool(plugin: Path) -> None:
    """As the command line of the real command's child has it."""
    rules = rules_of(case_for(plugin, add_dirs=("res",)))

    at = f"(/{plugin}/evals/high-water/res/**)"
    assert rules.allowed == (f"Read{at}", f"Glob{at}", f"Grep{at}")


@pytest.mark.parametrize("place", ["{plugin}/out", "{tmp}/elsewhere", "{plugin}/docs/report.html"])
def test_results_are_never_read_wherever_they_are(plugin: Path, tmp_path: Path, place: str) -> None:
    results = Path(place.format(plugin=plugin, tmp=tmp_path))
    lay_out(plugin, {"docs/a.md": "", "out/aggregate-result.json": "{}"})
    case = case_for(plugin, allowed_tools=("Read",))

    rules = child_rules(LAYOUT, case, read_grants([]), (), (), results=[results])

    assert {f"{tool}(/{results}{below})" for tool in ("Read", "Edit") for below in ("", "/**")} <= set(rules.disallowed)
    assert not any(str(results) in rule for rule in rules.allowed)
    assert f"Read(/{plugin}/skills/**)" in rules.allowed


@pytest.mark.parametrize("place", ["{plugin}", "{tmp}", "/"])
def test_results_beside_what_may_be_read_are_kept_off_by_their_names(plugin: Path, tmp_path: Path, place: str) -> None:
    results = Path(place.format(plugin=plugin, tmp=tmp_path))
    case = case_for(plugin, allowed_tools=("Read",))

    rules = child_rules(LAYOUT, case, read_grants([]), (), (), results=[results])

    denied = set(rules.disallowed)
    names = ("aggregate-result.json", "report.html", "traces", "mock-recordings")
    assert {f"Read(/{results / name})" for name in names} <= denied
    assert not {f"Read(/{results})", f"Read(/{results}/**)"} & denied
    assert f"Read(/{plugin}/skills/**)" in rules.allowed


def test_results_are_found_behind_a_link_too(plugin: Path, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "linked").symlink_to(tmp_path / "real")

    rules = child_rules(LAYOUT, case_for(plugin), read_grants([]), (), (), results=[tmp_path / "linked"])

    assert {f"Read(/{tmp_path}/linked/**)", f"Read(/{tmp_path}/real/**)"} <= set(rules.disallowed)


def test_signs_that_mean_something_in_a_rule_match_any_sign(tmp_path: Path) -> None:
    plugin = harbour(lay_out(tmp_path / "a (b) [c]", {}))

    rules = rules_of(case_for(plugin, allowed_tools=("Read",)))

    assert f"Read(/{tmp_path}/a ?b? ?c?/harbour/evals/**)" in rules.disallowed


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ApiServer]:
    with serving(tmp_path, monkeypatch) as server:
        yield server


def asked(program: Path, case: Case, *granted: str, disallow: tuple[str, ...] = (), arm: Arm = Arm.WITH) -> AskedRun:
    found = open_program(program)
    agent = ClaudeCodeSuiteAgent(
        program=found.path, version=found.version, grants=read_grants(granted), disallow=disallow
    )
    return ask(agent, case, arm)


def test_the_real_program_shows_its_model_no_gated_tool(claude_program: Path, server: ApiServer, plugin: Path) -> None:
    asked(claude_program, case_for(plugin))

    assert tools_shown(server)[0] == {
        *("Agent", "Glob", "Grep", "Read", "Skill", "DeferredToolPlaceholder", "ToolSearch")
    }


def test_the_real_program_shows_what_is_granted_and_not_what_is_taken_away(
    claude_program: Path, server: ApiServer, plugin: Path
) -> None:
    asked(claude_program, case_for(plugin), "Write", disallow=("Agent", "Glob"))

    assert tools_shown(server)[0] == {
        *("Edit", "Grep", "Read", "Skill", "DeferredToolPlaceholder", "ToolSearch", "Write")
    }


@pytest.mark.parametrize(
    ("place", "is_read"),
    [
        ("{plugin}/skills/tide-table/SKILL.md", True),
        ("{plugin}/evals/high-water/res/f.txt", True),
        ("{plugin}/evals/high-water/prompt.md", False),
        ("/etc/hostname", False),
    ],
)
def test_the_real_program_reads_what_the_rules_say(
    claude_program: Path, server: ApiServer, plugin: Path, place: str, *, is_read: bool
) -> None:
    del server
    target = place.format(plugin=plugin)
    case = case_for(plugin, doing("Read", file_path=target), allowed_tools=("Read",), add_dirs=("res",))
    lay_out(plugin / "evals" / "high-water", {"res/f.txt": "tide"})

    (called,) = asked(claude_program, case).run.tool_calls or ()

    assert ("denied" not in str(called.result)) is is_read


def test_the_real_program_reads_an_added_folder_and_no_results(
    claude_program: Path, server: ApiServer, plugin: Path
) -> None:
    del server
    lay_out(plugin, {"evals/high-water/res/f.txt": "brindlewick", "out/traces/t.jsonl": "brindlewick"})
    found = open_program(claude_program)
    agent = ClaudeCodeSuiteAgent(program=found.path, version=found.version, results=[plugin / "out"])
    case = case_for(
        plugin, doing("Read", file_path=f"{plugin}/out/traces/t.jsonl"), add_dirs=("res",), allowed_tools=("Read",)
    )
    added = case_for(plugin, doing("Read", file_path=f"{plugin}/evals/high-water/res/f.txt"), add_dirs=("res",))

    assert "brindlewick" not in str(ask(agent, case).run.tool_calls)
    assert "brindlewick" in str(ask(agent, added).run.tool_calls)


def test_the_real_program_reads_nothing_of_a_plugin_that_is_not_loaded(
    claude_program: Path, server: ApiServer, plugin: Path
) -> None:
    del server
    case = case_for(plugin, doing("Read", file_path=f"{plugin}/skills/tide-table/SKILL.md"), allowed_tools=("Read",))

    (called,) = asked(claude_program, case, arm=Arm.WITHOUT).run.tool_calls or ()

    assert "denied" in str(called.result)


@pytest.mark.parametrize(
    ("place", "is_written"), [("<cwd>/a.txt", True), ("{plugin}/evals/high-water/res/f.txt", False)]
)
def test_the_real_program_writes_in_the_workspace_alone(
    claude_program: Path, server: ApiServer, plugin: Path, place: str, *, is_written: bool
) -> None:
    del server
    prompt = doing("Write", file_path=place.format(plugin=plugin), content="new")
    case = case_for(plugin, prompt, add_dirs=("res",))

    ended = asked(claude_program, case, "Write")

    assert (ended.run.created_files == ("a.txt",)) is is_written
    assert not (plugin / "evals/high-water/res/f.txt").exists()
