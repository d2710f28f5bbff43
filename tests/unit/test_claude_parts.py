"""What a run of Claude Code is made of, part by part: variables, folders, figures, answers of stand-ins."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from skill_evaluator.agents.claude_code.environment import run_environment
from skill_evaluator.agents.claude_code.figures import Figures
from skill_evaluator.agents.claude_code.integrity import altered_tool
from skill_evaluator.agents.claude_code.layout import WORKSPACE, Layout, furnish
from skill_evaluator.agents.claude_code.output import SessionOutput, TooLongError
from skill_evaluator.agents.claude_code.plugin_watch import PluginWatch
from skill_evaluator.agents.messages.price_file import read_prices
from skill_evaluator.agents.messages.prices import Prices
from skill_evaluator.model import MockCall, ToolCall
from skill_evaluator.model.stand_ins import StandInServer, StandInTool, StandInUse
from skill_evaluator.sandbox import open_sandbox

TOOL = "mcp__plugin_harbour_tides__get"


def environment(outside: dict[str, str]) -> dict[str, str]:
    with open_sandbox(workspace_place=WORKSPACE) as folder:
        return run_environment(folder, Layout.below(folder.root), case_env={}, outside=outside)


def test_variables_that_are_neither_needed_nor_chosen_stay_outside() -> None:
    kept = {"ANTHROPIC_BASE_URL": "x", "CLAUDE_CODE_USE_BEDROCK": "1", "AWS_REGION": "r", "DISABLE_AUTOUPDATER": "1"}
    left = {"SSH_AUTH_SOCK": "x", "EDITOR": "x", "PYTHONPATH": "x", "CLAUDECODE": "1", "SECRET": "x", "GIT_DIR": "x"}
    seen = environment({**kept, **left})

    assert kept.items() <= seen.items()
    assert not left.keys() & seen.keys()


def test_stand_ins_are_reached_without_the_proxy() -> None:
    assert "NO_PROXY" not in environment({})
    assert environment({"HTTPS_PROXY": "http://p"})["NO_PROXY"] == "127.0.0.1,localhost"
    assert environment({"http_proxy": "http://p", "no_proxy": "a.example"})["no_proxy"] == (
        "a.example,127.0.0.1,localhost"
    )


def test_git_takes_the_settings_that_start_nothing(tmp_path: Path) -> None:
    with open_sandbox(workspace_place=WORKSPACE) as folder:
        layout = Layout.below(folder.root)
        furnish(layout)
        hostile = tmp_path / "ran"
        with (layout.home / ".git" / "config").open("a", encoding="utf-8") as config:
            config.write(f"\tfsmonitor = touch {hostile}\n[user]\n\tname = Somebody\n")
        variables = run_environment(folder, layout, case_env={})

        def git(*words: str) -> str:
            return subprocess.run(
                ["git", *words], cwd=layout.cwd, env=variables, capture_output=True, text=True, check=True
            ).stdout

        assert git("status", "--short") == "?? ../.gitconfig\n"
        assert git("config", "core.hooksPath") == "/dev/null\n"
        assert git("symbolic-ref", "--short", "HEAD") == "main\n"
        assert not hostile.exists()


def lines_of(*events: object) -> bytes:
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


INIT = {"type": "system", "subtype": "init", "skills": ["harbour:tide-table"], "plugins": [{"name": "harbour"}]}


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_the_size_of_chunks_does_not_matter(size: int) -> None:
    said = {"type": "assistant", "message": {"id": "m", "content": [{"type": "text", "text": "潮\u2028汐"}]}}
    printed = lines_of(INIT, said) + b"no JSON\n\n[1]\n\xff\xfe\n" + lines_of({"type": "result"}).rstrip()
    output = SessionOutput()
    for place in range(0, len(printed), size):
        output.feed(printed[place : place + size])
    output.close()

    assert output.session.output == "潮\u2028汐"
    assert [json.loads(line)["type"] for line in output.trace] == ["system", "assistant", "result"]
    assert output.figures.plugins == ("harbour",)


def test_what_goes_beyond_the_bound_ends_the_session() -> None:
    output = SessionOutput(max_bytes=10)
    output.feed(b"1234567890")
    with pytest.raises(TooLongError):
        output.feed(b"1")


def test_a_killed_session_costs_what_its_answers_began_with() -> None:
    def said(key: str, model: object, usage: object) -> dict[str, object]:
        return {"type": "assistant", "message": {"id": key, "model": model, "usage": usage, "content": []}}

    cached = {"input_tokens": 100, "output_tokens": 1, "cache_read_input_tokens": 1000}
    figures = Figures()
    for event in (
        said("m1", "claude-opus-5-5", cached),
        said("m1", "claude-opus-5-5", cached),
        said("m2", "nobody-knows-it", cached),
        said("m3", "<synthetic>", cached),
        said("m4", "claude-opus-5-5", "odd"),
        said("m5", None, cached),
    ):
        figures.take(event)

    assert figures.turns == 3
    # Twice 100 read at 4 dollars a million, 1,000 out of the cache at 0.2, 1 written at 20: a model without a price
    # counts as the program counts it.
    assert figures.cost_usd(read_prices()) == pytest.approx(0.00124)
    assert figures.cost_usd(Prices(as_of="", source="", models={})) == 0


def use_of(responder: str) -> StandInUse:
    tool = StandInTool(tool="get", responder=responder)  # type: ignore[arg-type]
    return StandInUse(servers=(StandInServer(server="tides", kind="shadow", tools=(tool,)),))


@pytest.mark.parametrize(
    ("given", "told", "responder", "is_altered"),
    [
        (["a", "b"], ["b", "a"], "agent", False),
        (["a"], ["changed"], "agent", True),
        (["a"], ["changed"], "fixed", False),
        (["a", "a"], ["a", "b"], "agent", True),
        (["a"], ["not allowed", "a"], "agent", False),
        (["a"], ["not allowed", "b"], "agent", True),
        (["a"], [None], "agent", False),
        ([], ["not allowed"], "agent", False),
    ],
)
def test_only_answers_of_models_are_held_against_the_session(
    given: Sequence[str], told: Sequence[str | None], responder: str, is_altered: bool
) -> None:
    calls = [MockCall(tool=TOOL, arguments={}, output=text) for text in given]
    session = [ToolCall(name=TOOL, result=text) for text in told]

    assert altered_tool(session, calls, use_of(responder)) == (TOOL if is_altered else None)


def test_answers_are_not_looked_at_where_nobody_knows_who_gave_them() -> None:
    call = MockCall(tool=TOOL, arguments={}, output="a")

    assert altered_tool([ToolCall(name=TOOL, result="b")], [call], None) is None


def test_changes_of_a_plugin_are_told_once(tmp_path: Path) -> None:
    (tmp_path / "evals" / "results").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "kept.md").write_text("x", "utf-8")
    (tmp_path / "gone.md").write_text("x", "utf-8")
    watch = PluginWatch([tmp_path / "out"])
    watch.remember([tmp_path])
    assert watch.changes([tmp_path]) == ()

    for name in ("evals/results/r.json", ".git/x", "out/x", "new.md", "kept.md"):
        (tmp_path / name).write_text("longer", "utf-8")
    (tmp_path / "gone.md").unlink()
    (tmp_path / "link").symlink_to("/")

    assert [note.rpartition(": ")[2] for note in watch.changes([tmp_path])] == ["gone.md, kept.md, link, new.md"]
    assert watch.changes([tmp_path]) == ()
    assert watch.changes([tmp_path / "evals"]) == ()


def test_a_plugin_with_very_many_files_is_no_longer_watched(tmp_path: Path) -> None:
    watch = PluginWatch(most=3)
    watch.remember([tmp_path])
    for number in range(4):
        (tmp_path / str(number)).write_text("", "utf-8")

    assert "nobody looks any more" in watch.changes([tmp_path])[0]
    assert watch.changes([tmp_path]) == ()


def test_many_changes_are_not_all_named(tmp_path: Path) -> None:
    watch = PluginWatch()
    watch.remember([tmp_path])
    for number in range(25):
        (tmp_path / f"{number:02}").write_text("", "utf-8")

    assert watch.changes([tmp_path])[0].endswith("18, 19 and 5 more")
