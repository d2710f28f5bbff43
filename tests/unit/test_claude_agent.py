"""`run --agent claude-code` without the program: a scripted child prints what the real one does."""

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest

from skill_evaluator.agents import AGENTS, AgentSetup
from skill_evaluator.agents.claude_code.agent import TIMEOUT_S, ClaudeCodeAgent, Offer
from skill_evaluator.agents.claude_code.program import Program
from skill_evaluator.agents.claude_code.transcript import transcript
from skill_evaluator.api.doctor import doctor
from skill_evaluator.errors import InputError
from skill_evaluator.model import Arm, Case, FailureKind, Needs, Run, Skill, Turn
from tests.unit.command_setup import case_of, left_behind, skill_at

CHILD = """#!{python}
import json, os, pathlib, sys, time, urllib.request
said, argv = sys.stdin.read(), sys.argv[1:]
if argv == ["--version"]:
    print("2.1.332 (Claude Code)"); sys.exit()
config = pathlib.Path(os.environ["CLAUDE_CONFIG_DIR"])
skills = sorted(path.name for path in (config / "skills").iterdir())
def emit(**event): print(json.dumps(event), flush=True)
def say(*blocks): emit(type="assistant", message={{"id": "m", "model": "m", "content": list(blocks)}})
def use(name, **arguments): say({{"type": "tool_use", "id": name, "name": name, "input": arguments}})
def tell(**facts): say({{"type": "text", "text": json.dumps(facts)}})
def end(**more):
    usual = {{"type": "result", "subtype": "success", "is_error": False, "num_turns": 1, "total_cost_usd": 0.25}}
    emit(**{{**usual, **more}})
if "start late" in said: time.sleep(30)
emit(type="system", subtype="init", skills=[] if "list none" in said else [*skills, "extra"], plugins=[])
if "fire" in said: use("Skill", skill=skills[0])
if "be refused" in said:
    end(is_error=True, api_error_status=401, result="no such key"); sys.exit(1)
if "be long" in said: end(is_error=True, subtype="error_max_turns", errors=["too many turns"]); sys.exit(1)
if "flood" in said:
    while True: print("x" * 1_000_000)
if "call" in said:
    servers = json.load(open([one for one in argv if one.startswith("--mcp-config=")][0].partition("=")[2]))
    for name in ("fetch_tides", "missing"):
        body = {{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{"name": name, "arguments": {{}}}}}}
        headers = {{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}}
        request = urllib.request.Request(servers["mcpServers"]["tools"]["url"], json.dumps(body).encode(), headers)
        answer = urllib.request.build_opener(urllib.request.ProxyHandler({{}})).open(request).read().decode()
        use("mcp__tools__" + name, answer=answer)
if "edit" in said: (config / "skills" / skills[0] / "SKILL.md").write_text("changed")
if "write" in said: pathlib.Path("made.txt").write_text("new")
resumed = argv[argv.index("--resume") + 1] if "--resume" in argv else None
files = {{str(path): path.read_text() for path in pathlib.Path().iterdir() if path.is_file()}}
tell(argv=argv, skills=skills, files=files, cwd=os.getcwd(), resumed=resumed and open(resumed).read())
end()
"""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    path = tmp_path / "claude"
    path.write_text(CHILD.format(python=sys.executable), "utf-8")
    path.chmod(0o755)
    return Program(path=path, version="2.1.332", source="PATH")


def sibling(folder: Path, name: str) -> Skill:
    path = folder / name / "SKILL.md"
    path.parent.mkdir()
    path.write_text(f"---\nname: {name}\ndescription: Does {name}.\n---\n", "utf-8")
    return skill_at(path)


def ask(program: Program, skill: Skill, prompt: str, arm: Arm = Arm.WITH, **options: object) -> Run:
    """Ask a case of options that start with `case_`, by an agent of the others."""
    of_case = {name.removeprefix("case_"): value for name, value in options.items() if name.startswith("case_")}
    others = {name: value for name, value in options.items() if not name.startswith("case_")}
    case: Case = case_of(prompt, **of_case)
    agent = ClaudeCodeAgent(program, Offer(skill=skill, model="some-model", **others), cases=[case])  # type: ignore[arg-type]
    return asyncio.run(agent.run(case, arm, 0))


def told(run: Run) -> dict[str, object]:
    facts = json.loads(run.output or "")
    assert isinstance(facts, dict)
    return facts


def test_the_skill_fires_beside_its_neighbours_and_the_cost_is_told(
    program: Program, skill_dir: Path, tmp_path: Path
) -> None:
    skill, near, probe = skill_at(skill_dir), sibling(tmp_path, "near"), sibling(tmp_path, "probe")

    run = ask(program, skill, "fire", neighbours=[near], probe=probe)

    assert (run.triggered, run.skills_invoked, run.failure) == (True, ("level-maker",), None)
    assert told(run)["skills"] == ["level-maker", "near", "probe"]
    assert run.usage is not None
    assert run.usage.cost_usd == pytest.approx(0.25)
    assert not str(told(run)["cwd"]).startswith(str(Path.cwd()))


def test_another_arm_has_everything_but_the_skill(program: Program, skill_dir: Path, tmp_path: Path) -> None:
    run = ask(program, skill_at(skill_dir), "hello", Arm.WITHOUT, neighbours=[sibling(tmp_path, "near")])

    assert told(run)["skills"] == ["near"]
    assert (run.triggered, run.failure) == (False, None)


def test_a_skill_that_is_not_listed_is_no_miss(program: Program, skill_dir: Path) -> None:
    run = ask(program, skill_at(skill_dir), "list none")

    assert run.triggered is None
    assert run.failure is not None
    assert run.failure.kind is FailureKind.SKILL_NOT_LISTED
    assert run.failure.message == "the program lists no skill, and 'level-maker' is not among them"


@pytest.mark.parametrize(
    ("prompt", "kind"),
    [("be refused", FailureKind.AUTH), ("start late", FailureKind.TIMEOUT), ("flood", FailureKind.CRASH)],
)
def test_a_broken_run_is_no_miss(program: Program, skill_dir: Path, prompt: str, kind: FailureKind) -> None:
    run = ask(program, skill_at(skill_dir), prompt, timeout_s=2.0 if prompt == "start late" else 60.0)

    assert run.failure is not None
    assert (run.failure.kind, run.triggered) == (kind, None)


def test_a_run_that_reaches_its_turns_still_says_whether_it_fired(program: Program, skill_dir: Path) -> None:
    run = ask(program, skill_at(skill_dir), "fire and be long")

    assert (run.triggered, run.cut_by, run.failure) == (True, "max_turns", None)


def test_files_of_a_case_stand_in_the_workspace(program: Program, skill_dir: Path) -> None:
    run = ask(program, skill_at(skill_dir), "hello", case_files={"notes.txt": "low water"})

    assert told(run)["files"] == {"notes.txt": "low water"}


def test_earlier_turns_are_a_transcript_to_go_on_with(program: Program, skill_dir: Path) -> None:
    turns = (Turn(role="user", text="When?"), Turn(role="assistant", text="At noon."))

    resumed = str(told(ask(program, skill_at(skill_dir), "hello", case_context=turns))["resumed"])

    first, second = (json.loads(line) for line in resumed.splitlines())
    assert (first["message"]["content"], first["parentUuid"]) == ("When?", None)
    assert second["message"]["content"] == [{"type": "text", "text": "At noon."}]
    assert second["parentUuid"] == first["uuid"]
    assert resumed.encode() == transcript(turns, model="some-model", version="2.1.332")


def test_only_a_case_whose_files_are_looked_at_may_write(program: Program, skill_dir: Path) -> None:
    def rules(needs: Needs) -> tuple[str, str]:
        run = ask(program, skill_at(skill_dir), "write", case_needs=needs)
        argv = told(run)["argv"]
        assert isinstance(argv, list)
        allowed, denied = (one for one in argv if one.startswith(("--allowed", "--disallowed")))
        return allowed, denied

    allowed, denied = rules(Needs())
    assert "Write(" not in allowed
    assert {"Write", "Edit", "Bash"} <= set(denied.split(","))
    allowed, denied = rules(Needs(created_files=True))
    assert "Write(" in allowed
    assert "Write" not in denied.split(",")
    assert "Bash" in denied.split(",")


def test_new_files_are_seen_and_a_changed_skill_is_told(program: Program, skill_dir: Path) -> None:
    run = ask(program, skill_at(skill_dir), "write and edit", case_needs=Needs(created_files=True, trace=True))

    assert run.created_files == ("made.txt",)
    assert run.skill_changes == ("SKILL.md",)
    assert run.trace


def test_expected_tools_stand_in_and_are_compared_without_their_prefix(program: Program, skill_dir: Path) -> None:
    run = ask(program, skill_at(skill_dir), "call", case_stand_ins=("Read", "fetch_tides", "Write"))

    assert run.tool_calls is not None
    assert [call.name for call in run.tool_calls] == ["fetch_tides", "missing"]
    answers = [json.loads(str((call.arguments or {})["answer"]))["result"] for call in run.tool_calls]
    assert [answer["content"][0]["text"] for answer in answers] == ["ok", "this server has no such tool"]


def test_nothing_of_a_run_is_left(
    program: Program, skill_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    ask(program, skill_at(skill_dir), "hello")

    assert left_behind(tmp_path, os.getpid()) == []


def setup_with(skill: Skill, **options: object) -> AgentSetup:
    return AgentSetup(skill=skill, cases=[case_of()], testset=[case_of()], seed=0, **options)  # type: ignore[arg-type]


def test_the_agent_is_made_of_options_and_environment(
    program: Program, skill_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(program.path.parent))
    skill = skill_at(skill_dir)

    info = AGENTS["claude-code"].factory(setup_with(skill, model="m", max_turns=3)).info
    assert (info.name, info.model) == ("claude-code", "m")
    assert info.settings["version"] == "2.1.332"
    assert (info.settings["max_turns"], info.settings["timeout_s"]) == (3, TIMEOUT_S)
    monkeypatch.setenv("ANTHROPIC_MODEL", "of-the-environment")
    assert AGENTS["claude-code"].factory(setup_with(skill)).info.model == "of-the-environment"


def test_what_is_missing_is_said(skill_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    skill = skill_at(skill_dir)
    (tmp_path / "other").mkdir()
    with pytest.raises(InputError) as raised:
        AGENTS["claude-code"].factory(setup_with(skill, neighbours=[sibling(tmp_path / "other", "level-maker")]))
    assert [finding.code for finding in raised.value.findings] == ["model-missing", "option"]

    monkeypatch.setattr("skill_evaluator.agents.claude_code.program._PACKAGE", "no_such_package")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="npm install"):
        AGENTS["claude-code"].factory(setup_with(skill, model="m"))


def test_doctor_says_whether_the_program_is_there(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(program.path.parent)

    def row(**environment: str) -> tuple[bool, bool, str]:
        (seen,) = [one for one in doctor(environment) if one.subject == "agent claude-code"]
        return seen.fine, seen.ready, seen.detail

    assert row(PATH=folder) == (True, True, f"2.1.332 at {program.path} (found by PATH)")
    where = f"2.1.332 at {program.path} (found by SKILL_EVALUATOR_CLAUDE)"
    assert row(SKILL_EVALUATOR_CLAUDE=str(program.path)) == (True, True, where)
    seen = row(PATH=folder, CLAUDE_CODE_OAUTH_TOKEN="of nobody")  # noqa: S106 - nobody's
    assert seen == (
        True,
        True,
        f"{where.replace('SKILL_EVALUATOR_CLAUDE', 'PATH')}; login from CLAUDE_CODE_OAUTH_TOKEN",
    )
    monkeypatch.setattr("skill_evaluator.agents.claude_code.program._PACKAGE", "no_such_package")
    fine, ready, detail = row(PATH=str(tmp_path / "nowhere"))
    assert (fine, ready) == (True, False)
    assert "npm install" in detail
