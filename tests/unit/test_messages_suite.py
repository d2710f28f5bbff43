"""Agent messages on eval suites: what a model is told, what it can read, what ends a run, which cases are refused."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.api.plugin_eval.messages_agent import make_suite_agent
from skill_evaluator.api.plugin_eval.options import SuiteOptions
from skill_evaluator.errors import InputError
from skill_evaluator.formats.suite.suite import LoadedSuite, read_suite
from skill_evaluator.grading import grade_suite_run
from skill_evaluator.model import Arm, AskedRun, FailureKind, Finding
from tests.api_answers import Answer, call, delayed, fault, many, text
from tests.api_server import ApiServer
from tests.suite_files import MANIFEST, SKILL, Files, lay_out

Body = Mapping[str, Any]
TOLD = "harbour:tide-table"
PROMPT = "---\nmax_turns: 6\n{more}---\n\nWhen is high water at Kehl?\n"
USED = "---\ntype: tool_used\ntool: Skill\ninput_match: tide-table\n---\n"
PLUGIN: Files = {
    ".claude-plugin/plugin.json": MANIFEST,
    "skills/tide-table/SKILL.md": SKILL.replace("Look it up.", "Look it up in [the table](references/table.md)."),
    "skills/tide-table/references/table.md": "Kehl 09:40\n",
    "evals/c/prompt.md": PROMPT.format(more=""),
    "evals/c/graders/fired.md": USED,
}
OTHER: Files = {"evals/d/prompt.md": PROMPT.format(more=""), "evals/d/graders/fired.md": USED}
KEYS: Mapping[str, str] = {"ANTHROPIC_API_KEY": "k"}


def suite(root: Path, files: Files | None = None) -> LoadedSuite:
    loaded = read_suite(lay_out(root, {**PLUGIN, **(files or {})}))
    assert isinstance(loaded, LoadedSuite), loaded
    return loaded


def options(loaded: LoadedSuite, **changed: object) -> SuiteOptions:
    usual = SuiteOptions(suite=loaded, output_dir=Path("out"), agent="messages", model="m")
    return replace(usual, **changed)  # type: ignore[arg-type]


@dataclass
class Asked:
    """What came of one run, and what the server was asked."""

    run: AskedRun
    requests: list[Body] = field(default_factory=list)
    loaded: LoadedSuite | None = None

    @property
    def result(self) -> str:
        """What the first call of a tool gave."""
        calls = self.run.run.tool_calls or ()
        return calls[0].result or ""

    @property
    def verdicts(self) -> list[bool]:
        assert self.loaded is not None
        graded = grade_suite_run(self.loaded.suite.cases[0], self.run.run, has_two_arms=False)
        return [verdict.passed for verdict in graded.verdicts]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Asked]:
    """Run the one case of a plugin once, with a server that gives the answers one after the other."""

    def asked(*answers: Answer, files: Files | None = None, arm: Arm = Arm.WITH, **changed: object) -> Asked:
        loaded = suite(tmp_path / "harbour", files)
        left = list(answers)
        with ApiServer(lambda _: left.pop(0) if len(left) > 1 else left[0]) as server:
            for name, value in server.environment().items():
                monkeypatch.setenv(name, value)
            agent = make_suite_agent(options(loaded, **changed), loaded.suite.cases)

            async def once() -> AskedRun:
                async with agent:
                    return await agent.ask(loaded.suite.cases[0], arm, 0)

            return Asked(run=asyncio.run(once()), requests=list(server.requests), loaded=loaded)

    return asked


def system_of(request: Body) -> str:
    return "\n".join(block["text"] for block in request["system"])


def test_the_plugins_skills_are_offered_in_one_arm_alone(ask: Callable[..., Asked]) -> None:
    listed = f"- {TOLD}: Gives tides. Use when the user asks for a tide."
    asked = ask(text("ok"))
    assert listed in system_of(asked.requests[0])
    assert [tool["name"] for tool in asked.requests[0]["tools"]] == ["Skill", "Read", "Glob", "Grep"]
    bare = ask(text("ok"), arm=Arm.WITHOUT)
    assert "tide-table" not in json.dumps(bare.requests[0])
    assert [tool["name"] for tool in bare.requests[0]["tools"]] == ["Skill", "Read", "Glob", "Grep"]


@pytest.mark.parametrize("name", [TOLD, "tide-table"])
def test_a_skill_that_is_called_gives_its_body_and_its_folder(ask: Callable[..., Asked], name: str) -> None:
    asked = ask(call("Skill", {"skill": name, "args": "Kehl"}), text("at ten"))
    sent = json.dumps(asked.requests[1]["messages"])
    assert "Look it up in" in sent
    assert "harbour/skills/tide-table" in sent
    assert "ARGUMENTS: Kehl" in sent
    assert asked.run.run.skills_invoked == (name,)
    assert (asked.run.turns, asked.run.run.output, asked.run.error, asked.verdicts) == (2, "at ten", None, [True])


@pytest.mark.parametrize("given", [{"skill": "harbour:tide-tabel"}, {"skill": "other:tide-table"}, {"skill": 3}])
def test_a_skill_that_is_not_there_is_an_error_of_the_tool(ask: Callable[..., Asked], given: Body) -> None:
    asked = ask(call("Skill", given), text("never mind"))
    assert asked.run.run.skills_invoked == ()
    assert asked.requests[1]["messages"][-1]["content"][0]["is_error"] is True


def test_without_the_plugin_its_skills_cannot_be_started(ask: Callable[..., Asked]) -> None:
    assert "there is no skill" in ask(call("Skill", {"skill": TOLD}), text("ok"), arm=Arm.WITHOUT).result


SECRET: Files = {
    "evals/c/case.yaml": 'schema_version: "1.1"\nname: c\ncontext: {add_dirs: [res]}\n',
    "evals/c/res/f.txt": "RES\n",
}


@pytest.mark.parametrize(
    ("tool", "given", "seen"),
    [
        ("Read", {"file_path": "{root}/skills/tide-table/references/table.md"}, "1\tKehl 09:40"),
        ("Read", {"file_path": "{root}/evals/c/res/f.txt"}, "1\tRES"),
        ("Read", {"file_path": "{root}/evals/c/prompt.md"}, "there is no file"),
        ("Read", {"file_path": "{root}/evals/c/graders/fired.md"}, "there is no file"),
        ("Read", {"file_path": "/etc/passwd"}, "there is no file"),
        ("Read", {"file_path": "{root}/skills/../evals/c/prompt.md"}, "there is no file"),
        ("Read", {"file_path": "notes.md"}, "there is no file"),
        ("Read", {}, "file_path"),
        ("Glob", {"pattern": "**/*"}, "no file matches"),
        ("Glob", {"pattern": "**/*.md", "path": "{root}"}, "/skills/tide-table/references/table.md"),
        ("Glob", {"pattern": "{root}/skills/**/*.md"}, "/skills/tide-table/SKILL.md"),
        ("Glob", {"pattern": 3}, "takes a pattern"),
        ("Grep", {"pattern": "Kehl", "path": "{root}/skills"}, "/references/table.md:1:Kehl 09:40"),
        ("Grep", {"pattern": "Kehl"}, "no line matches"),
        ("Grep", {"pattern": "Kehl", "path": "/etc"}, "there is no file or folder"),
        ("Grep", {"pattern": "(", "path": "{root}"}, "no regular expression"),
        ("Grep", {"pattern": "x", "path": 3}, "takes a pattern"),
        ("Bash", {"command": "id"}, "there is no tool 'Bash'"),
    ],
)
def test_what_can_be_read(ask: Callable[..., Asked], tmp_path: Path, tool: str, given: Body, seen: str) -> None:
    root = (tmp_path / "harbour").resolve().as_posix()
    placed = {key: value.replace("{root}", root) if isinstance(value, str) else value for key, value in given.items()}
    result = ask(call(tool, placed), text("ok"), files=SECRET).result
    assert seen in result
    assert "high water at Kehl" not in result


def test_paths_of_a_search_are_those_that_can_be_read(ask: Callable[..., Asked], tmp_path: Path) -> None:
    root = (tmp_path / "harbour").as_posix()
    found = ask(call("Glob", {"pattern": "**/table.md", "path": root}), text("ok")).result
    assert found == f"{root}/skills/tide-table/references/table.md"


def test_without_the_plugin_its_files_cannot_be_read_and_added_folders_can(
    ask: Callable[..., Asked], tmp_path: Path
) -> None:
    root = (tmp_path / "harbour").as_posix()
    both = many(
        call("Read", {"file_path": f"{root}/skills/tide-table/SKILL.md"}),
        call("Read", {"file_path": f"{root}/evals/c/res/f.txt"}),
    )
    asked = ask(both, text("ok"), files=SECRET, arm=Arm.WITHOUT)
    results = [one.result or "" for one in asked.run.run.tool_calls or ()]
    assert ["there is no file" in result for result in results] == [True, False]
    assert f"You may also read: {root}/evals/c/res" in system_of(asked.requests[0])


def test_what_a_link_in_an_added_folder_leads_out_to_is_not_there(ask: Callable[..., Asked], tmp_path: Path) -> None:
    (tmp_path / "private.txt").write_text("PRIVATE\n")
    files: Files = {**SECRET, "evals/c/res/out.txt": f"->{tmp_path / 'private.txt'}"}
    root = (tmp_path / "harbour").as_posix()
    asked = ask(call("Read", {"file_path": f"{root}/evals/c/res/out.txt"}), text("ok"), files=files)
    assert "there is no file" in asked.result


def test_a_tool_that_the_case_takes_away_is_not_offered(ask: Callable[..., Asked]) -> None:
    files: Files = {"evals/c/prompt.md": PROMPT.format(more="disallowed_tools: [Grep]\n")}
    asked = ask(call("Grep", {"pattern": "x"}), text("ok"), files=files, disallow_tools=("Glob",))
    assert [tool["name"] for tool in asked.requests[0]["tools"]] == ["Skill", "Read"]
    assert "is taken away" in asked.result


def test_the_case_adds_to_the_system_prompt(ask: Callable[..., Asked]) -> None:
    files: Files = {"evals/c/prompt.md": PROMPT.format(more="append_system_prompt: Answer in rhyme.\n")}
    assert ask(text("ok"), files=files).requests[0]["system"][-1]["text"] == "Answer in rhyme."


HISTORY = "\n".join(
    map(
        json.dumps,
        [
            {"type": "summary", "summary": "none of it"},
            {"type": "assistant", "message": {"content": [{"type": "text", "text": "before any question"}]}},
            {"type": "user", "message": {"content": "Which harbour?"}},
            {"type": "user", "isSidechain": True, "message": {"content": "aside"}},
            {
                "type": "assistant",
                "message": {
                    "content": [
                        {"type": "thinking", "thinking": "hm"},
                        {"type": "text", "text": "Kehl."},
                        {"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": "a"}},
                    ]
                },
            },
            {"type": "user", "message": {"content": [{"type": "tool_result", "content": "gone"}, {"type": "image"}]}},
            {
                "type": "user",
                "message": {"content": [{"type": "tool_result", "content": [{"type": "text", "text": "both"}]}]},
            },
        ],
    )
)
WITH_HISTORY: Files = {
    "evals/c/case.yaml": 'schema_version: "1.1"\nname: c\ncontext: {history_file: h.jsonl}\n',
    "evals/c/h.jsonl": f"{HISTORY}\nno JSON\n{'[' * 3000}\n",
}


def test_a_transcript_comes_before_the_prompt(ask: Callable[..., Asked]) -> None:
    asked = ask(text("ok"), files=WITH_HISTORY)
    told = [
        (message["role"], [block["text"] for block in message["content"]]) for message in asked.requests[0]["messages"]
    ]
    assert told == [
        ("user", ["Which harbour?"]),
        ("assistant", ['Kehl.\n[called Read with {"file_path": "a"}]']),
        ("user", ["[the tool gave: gone]", "[the tool gave: both]", "When is high water at Kehl?"]),
    ]


@pytest.mark.parametrize(
    ("answers", "limits", "error", "output"),
    [
        ([call("Glob", {"pattern": "x"}, "again")], "max_turns: 2\n", "was not done after max_turns (2)", "again"),
        ([text("half a", stop_reason="max_tokens")], "", "stopped before its end (max_tokens)", "half a"),
        ([text("no", stop_reason="refusal")], "", "refused to answer", ""),
        ([delayed(text("late"), 20)], "timeout_seconds: 1\n", "not done after 1 s", ""),
    ],
)
def test_a_run_that_is_cut_off_is_an_error_and_is_graded(
    ask: Callable[..., Asked], answers: Sequence[Answer], limits: str, error: str, output: str
) -> None:
    files: Files = {
        "evals/c/prompt.md": f"---\n{limits}---\n\nWhen?\n",
        "evals/c/graders/t.md": "---\ntype: regex\n---\n.\n",
    }
    asked = ask(*answers, files=files)
    assert error in (asked.run.error or "")
    assert asked.run.run.output == output
    assert asked.verdicts == [False, bool(output)]


def test_turns_are_answers_of_the_model(ask: Callable[..., Asked]) -> None:
    files: Files = {"evals/c/prompt.md": "---\nmax_turns: 2\n---\n\nWhen?\n"}
    asked = ask(call("Glob", {"pattern": "x"}), files=files)
    assert (asked.run.turns, len(asked.requests)) == (2, 2)


def test_a_pause_of_the_model_is_no_end(ask: Callable[..., Asked]) -> None:
    asked = ask(text("wait", stop_reason="pause_turn"), text("done"))
    assert (asked.run.run.output, asked.run.error, asked.run.turns) == ("done", None, 2)


@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, FailureKind.AUTH), (403, FailureKind.AUTH), (400, FailureKind.API), (413, FailureKind.API)],
)
def test_an_error_of_the_service_leaves_nothing_to_grade(
    ask: Callable[..., Asked], status: int, kind: FailureKind
) -> None:
    asked = ask(fault(status))
    failure = asked.run.run.failure
    assert failure is not None
    assert failure.kind is kind
    assert asked.run.error == failure.message
    assert (asked.verdicts, asked.run.turns, asked.run.run.trace) == ([], 0, None)


def test_the_trace_is_what_claude_code_would_print(ask: Callable[..., Asked]) -> None:
    asked = ask(call("Skill", {"skill": TOLD}, "I look."), text("at ten"))
    lines = [json.loads(line) for line in asked.run.run.trace or ()]
    assert [line["type"] for line in lines] == [
        "system",
        "assistant",
        "assistant",
        "user",
        "user",
        "assistant",
        "result",
    ]
    assert lines[-1]["result"] == "at ten"
    assert lines[-1]["num_turns"] == 2


def test_a_model_without_a_price_costs_what_it_does_in_the_real_program(ask: Callable[..., Asked]) -> None:
    """The answer has 10 tokens read and 5 written; prices are those of the shipped table for the opus of 2026-11."""
    assert ask(text("ok")).run.cost_usd == pytest.approx(10 * 4e-6 + 5 * 20e-6)


MCP = '{"name": "harbour", "version": "0.1.0", "mcpServers": {"tides": {"command": "true"}}}\n'


@pytest.mark.parametrize(
    ("files", "changed", "why"),
    [
        ({"evals/c/case.yaml": 'schema_version: "1"\nname: c\ncontext: {scaffold_script: s.sh}\n', "evals/c/s.sh": ""},
         {"scaffold": True}, "runs a scaffold script"),
        ({"evals/mocks/tides/next.md": "nine\n", ".claude-plugin/plugin.json": MCP}, {}, "has mocks of MCP servers"),
        ({".claude-plugin/plugin.json": MCP}, {}, "has a plugin with MCP servers"),
        ({"hooks/hooks.json": "{}"}, {}, "has a plugin with hooks"),
        ({"agents/a.md": "x", "commands/b.md": "x"}, {}, "has a plugin with agents, commands"),
        ({"evals/c/prompt.md": "/tide-table"}, {}, "calls a command by its prompt"),
        ({"evals/c/prompt.md": PROMPT.format(more="allowed_tools: [Bash]\n")}, {"allow_tools": ("Bash(ls *)",)},
         "uses Bash"),
        ({"evals/c/prompt.md": PROMPT.format(more="allowed_tools: [TodoWrite]\n")}, {}, "uses TodoWrite"),
        ({"evals/c/graders/a.md": "---\ntype: tool_used\ntool: Agent\n---\n"}, {}, "uses Agent"),
        ({"evals/c/graders/a.md": "---\ntype: tool_order\nbefore: Agent\nafter: Read\n---\n"}, {}, "uses Agent"),
        ({}, {"disallow_tools": ("Read(/x)",)}, "takes a part of a tool away"),
        ({**WITH_HISTORY, "evals/c/h.jsonl": '{"type": "system"}\n'}, {}, "has no text"),
    ],
)  # fmt: skip
def test_a_case_that_needs_the_program_is_refused_before_anything_runs(
    tmp_path: Path, files: Files, changed: Mapping[str, Any], why: str
) -> None:
    loaded = suite(tmp_path / "harbour", {**files, **OTHER})
    (finding, *more) = _refused(loaded, **changed)
    assert why in finding.message
    assert "--agent claude-code" in finding.message
    assert finding.case == "c"
    assert [one.case for one in more] in ([], ["d"])


def test_what_only_may_be_missing_is_no_reason_to_refuse(tmp_path: Path) -> None:
    """Without the flags no scaffold is run and Bash is not there, in the real program too."""
    scaffold = 'schema_version: "1"\nname: c\ncontext: {scaffold_script: s.sh}\n'
    files: Files = {
        "evals/c/case.yaml": scaffold,
        "evals/c/s.sh": "",
        "evals/c/prompt.md": PROMPT.format(more="allowed_tools: [Bash, Read]\n"),
        "evals/c/graders/a.md": "---\ntype: tool_used\ntool: Agent\nmin: 0\nmax: 0\n---\n",
        "agents/.keep/": None,
    }
    loaded = suite(tmp_path / "harbour", files)
    agent = make_suite_agent(options(loaded), loaded.suite.cases, KEYS)
    assert (agent.info.name, agent.info.model) == ("messages", "m")


def test_a_model_and_a_key_must_be_named(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "harbour", {**OTHER, "evals/d/prompt.md": PROMPT.format(more="model: opus\n")})
    found = _refused(loaded, model=None, environ={})
    assert [(one.code, one.case) for one in found] == [("credential-missing", None), ("model-missing", "c")]


def test_that_no_model_is_named_is_said_once_for_all_cases(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "harbour", {**OTHER, "evals/d/prompt.md": PROMPT.format(more="")})
    (found,) = _refused(loaded, model=None)
    assert (found.code, found.case) == ("model-missing", None)
    assert found.message.startswith("no model is named for 2 cases: --model NAME")


def test_the_model_is_the_one_of_the_command_line_else_of_the_case_else_of_the_environment(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "harbour", {**OTHER, "evals/d/prompt.md": PROMPT.format(more="model: opus\n")})
    environ = {**KEYS, "ANTHROPIC_MODEL": "of-environment", "ANTHROPIC_DEFAULT_OPUS_MODEL": "of-case"}
    named = make_suite_agent(options(loaded), loaded.suite.cases, environ)
    others = make_suite_agent(options(loaded, model=None), loaded.suite.cases, environ)
    assert (named.info.model, others.info.model) == ("m", "of-environment, of-case")


def _refused(loaded: LoadedSuite, *, environ: Mapping[str, str] = KEYS, **changed: object) -> Sequence[Finding]:
    with pytest.raises(InputError) as refused:
        make_suite_agent(options(loaded, **changed), loaded.suite.cases, environ)
    return refused.value.findings
