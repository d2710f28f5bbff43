"""What is granted and taken away; expected values are what `claude plugin eval`, 2.1.332, did with the same entries."""

import pytest

from skill_evaluator.agents.claude_code.grants import Grants, not_granted, read_disallowed, read_grants
from skill_evaluator.agents.claude_code.tool_names import GATED, real_name


@pytest.mark.parametrize(
    ("value", "entries"),
    [
        ("Write", ("Write",)),
        (" Write ", ("Write",)),
        ("Edit\n", ("Edit",)),
        ("Write()", ("Write()",)),
        ("bash", ("bash",)),
        ("Nope", ("Nope",)),
        ("-x", ("-x",)),
        ("Edit(*.md)", ("Edit(*.md)",)),
        ("Bash(a,b)", ("Bash(a,b)",)),
        ("Bash(ls *) Write", ("Bash(ls *)", "Write")),
        ("Read(a b) , Write", ("Read(a b)", "Write")),
        ("Read,Write", ("Read", "Write")),
        ("Write(a),", ("Write(a)",)),
        ("Write(a)(b)", ("Write(a)(b)",)),
        ("Write((a))", ("Write((a))",)),
        ("Write(a))", ("Write(a))",)),
        ("Write(a\nb)", ("Write(a\nb)",)),
        ("mcp__a", ("mcp__a",)),
        ("mcp__a__*", ("mcp__a__*",)),
        ("mcp__a__b*", ("mcp__a__b*",)),
        ("", ()),
    ],
)
def test_an_entry_is_taken(value: str, entries: tuple[str, ...]) -> None:
    assert read_grants([value]) == Grants(entries=entries)


@pytest.mark.parametrize(
    "value",
    [
        *("Write(", "Write(a", "Writea)", "Write (a)", "Bash (ls)", "Write( bash", "Bash(a)b", "(a)"),
        *("*", "W*", "mcp__*", "mcp__a*", "mcp__*__x", "mcp__a__b(c)", "mcp__a__*(x)"),
        *("Monitor", "Monitor(x)", "EnterWorktree", "ExitWorktree"),
    ],
)
def test_a_malformed_entry_is_refused_and_the_others_are_taken(value: str) -> None:
    grants = read_grants([value, "Write"])

    assert grants.entries == ("Write",)
    ((refused, why),) = grants.refused
    assert refused == value
    assert why


@pytest.mark.parametrize(
    ("asked", "granted", "missing"),
    [
        (["Read", "Skill", "Write"], [], ["Write"]),
        (["Edit", "NotebookEdit"], ["Write"], ["Edit", "NotebookEdit"]),
        (["Write", "NotebookEdit"], ["Edit"], ["Write", "NotebookEdit"]),
        (["Bash(ls)"], ["Bash"], []),
        (["Bash"], ["Bash(ls *)"], []),
        (["Write(x)"], ["Write(y)"], ["Write(x)"]),
        (["WebFetch"], ["WebFetch(domain:a.com)"], []),
        (["bash"], ["Bash"], ["bash"]),
        (["Task", "Agent(x)", "Skill(copy)", "Read(x/**)"], [], []),
        (["Read(//etc/**)", "Read(~/x)", "Read(../x)", "Glob(/a)", "Read(a/../../b)"], [], None),
        (["TaskOutput", "TaskStop", "TaskList", "TaskGet", "TaskUpdate"], ["PowerShell"], ["TaskOutput"]),
        (["mcp__a__b"], ["mcp__a__*"], []),
        (["mcp__a__b"], ["mcp__a"], []),
        (["mcp__a__*"], ["mcp__a__b"], ["mcp__a__*"]),
        (["Nope", "ToolSearch", "Write("], ["Nope("], ["Nope", "ToolSearch", "Write("]),
    ],
)
def test_what_a_case_asks_for_and_does_not_get(asked: list[str], granted: list[str], missing: list[str] | None) -> None:
    assert not_granted(asked, read_grants(granted)) == tuple(asked if missing is None else missing)


def test_a_tool_of_a_stand_in_needs_no_grant() -> None:
    assert not_granted(["mcp__a__t", "mcp__a__u"], Grants(), ["mcp__a__t"]) == ("mcp__a__u",)


@pytest.mark.parametrize(
    ("value", "names", "unknown"),
    [
        (["Agent", "Glob"], ("Agent", "Glob"), ()),
        (["Agent,Glob"], ("Agent", "Glob"), ()),
        (["Task"], ("Agent",), ()),
        (["Bash", "Bash", ""], ("Bash",), ()),
        (["Nope", "agent"], (), ("Nope", "agent")),
        (["Write(", "mcp__x", "Edit(*.md)", "Bash(x)"], (), ("Write(", "mcp__x", "Edit(*.md)", "Bash(x)")),
        (["NotebookRead", "TodoWrite", "KillShell", "LSP", "AskUserQuestion"], None, ()),
        (["TaskOutput", "LS", "MultiEdit", "Config"], (), ("TaskOutput", "LS", "MultiEdit", "Config")),
        (GATED, GATED, ()),
    ],
)
def test_only_tools_of_the_program_itself_are_taken_away(
    value: list[str], names: tuple[str, ...] | None, unknown: tuple[str, ...]
) -> None:
    wanted = tuple(real_name(one) for one in value) if names is None else names

    assert read_disallowed(value) == (wanted, unknown)


def test_a_grant_can_be_taken_away_again() -> None:
    grants = read_grants(["Bash(ls)", "Task", "Write"])

    assert grants.has_shell
    assert grants.without(["Bash", "Agent"]) == Grants(entries=("Write",))
    assert not grants.without(["Bash"]).has_shell


def test_domains_are_those_of_the_grants() -> None:
    granted = [
        "WebFetch(domain:a.example)",
        "WebFetch(domain:*.b.example)",
        "WebFetch",
        "WebFetch(domain:)",
        "Read(domain:c)",
    ]

    assert read_grants(granted).domains == ("a.example", "*.b.example")
