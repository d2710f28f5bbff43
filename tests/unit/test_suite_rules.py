"""Every rule about suites that mislead: files about which it speaks, and files close by about which it does not."""

import json
import time
from pathlib import Path

import pytest

from skill_evaluator.formats.loader import check_targets
from skill_evaluator.formats.suite.checked import check_suite
from skill_evaluator.formats.suite.rules import CASE_RULES, SUITE_RULES
from tests.suite_files import CASE_YAML, GRADER, PROMPT, SKILL, SOUND, Files, lay_out

CASE = "evals/high-water/"
MCP = '{"name": "harbour", "version": "0.1.0", "mcpServers": {"tides": {"command": "true"}}}\n'


def grader(options: str, body: str = "") -> Files:
    """A further grader of the first case."""
    return {f"{CASE}graders/more.md": f"---\n{options}\n---\n{body}\n"}


def prompt(keys: str, text: str = "When is high water at Kehl?") -> Files:
    """Another prompt.md of the first case."""
    return {f"{CASE}prompt.md": f"---\n{keys}\n---\n\n{text}\n"}


def case_yaml(more: str) -> Files:
    """A case.yaml beside the prompt.md of the first case."""
    return {f"{CASE}case.yaml": CASE_YAML + more}


def judged(criteria: str, options: str = "type: llm") -> Files:
    return grader(options, criteria)


BASH = "type: tool_used\ntool: Bash"
MOCK = {"evals/mocks/tides/next.md": "high water at 9\n", ".claude-plugin/plugin.json": MCP}
TOOLS = '{"tools": [{"name": "next"}]}'
# A case that names another plugin than the one around it.
OTHER: Files = {
    **prompt("plugins: ['./sub']\nmax_turns: 6"),
    f"{CASE}sub/.claude-plugin/plugin.json": '{"name": "inner"}',
    f"{CASE}sub/skills/ebb/SKILL.md": SKILL.replace("tide-table", "ebb"),
}
NO_EVALS: Files = {name: None for name in SOUND if name.startswith("evals/")}
# code: (fires, stays quiet)
TABLE: dict[str, tuple[list[Files], list[Files]]] = {
    "pattern-does-not-compile": (
        [
            grader("type: regex", "(?i)high"),
            grader("type: regex", "(?P<hour>[0-9]+)"),
            grader("type: regex\nflags: uv", "high"),
            grader("type: tool_used\ntool: Skill\ninput_match: '('"),
            grader("type: tool_used\ntool: Skill\ninput_match: '('\nmin: 0\nmax: 2"),
            grader("type: tool_order\nbefore: {tool: Read, input_match: '['}\nafter: Skill"),
        ],
        [grader("type: regex\nflags: i", "(?<hour>[0-9]+)"), grader("type: regex", "(?i:high)")],
    ),
    "pattern-matches-anything": (
        [
            grader("type: regex", ".*"),
            grader("type: regex\npattern: ''"),
            grader("type: regex\nmatch: not_contains", "x*"),
            grader("type: regex\nflags: s", "^.*"),
            grader("type: regex", "$"),
        ],
        [
            grader("type: regex", "^$"),
            grader("type: regex\nmatch: 'count:3'", "x*"),
            grader("type: regex", ".+ water"),
            grader("type: regex", "^(?!.*\\bhigh\\b)"),
            grader("type: regex", "^((?!high)[\\s\\S])*$"),
            grader("type: regex", "^[^a-z]*$"),
            grader("type: regex", "^[^`#*]*$"),
            grader("type: regex", "^[\\x00-\\x7f]*$"),
            grader("type: regex", "^[^\\u4e00-\\u9fff]*$"),
            grader("type: regex", "^[\\s\\S]{0,2000}$"),
            grader("type: regex", "\\B"),
        ],
    ),
    "files-for-contents": (
        [
            grader("type: regex\ntarget: files", "high water at 9"),
            grader("type: regex\ntarget: files", 'def main\\(name="x"\\)'),
            judged("PASS if all tides are right. FAIL if not.", "type: llm\nfocus: files"),
        ],
        [
            grader("type: regex\ntarget: files", "^tides\\.csv$"),
            grader("type: regex\ntarget: files", "out/high water\\.txt"),
            grader("type: regex\ntarget: files", "(?<=tides)"),
            grader("type: regex\ntarget: {source: file, path: a.txt}", "high water at 9"),
            judged("PASS if a file for each month was made. FAIL if not.", "type: llm\nfocus: files"),
        ],
    ),
    "quote-in-trace": (
        [
            grader("type: regex\ntarget: trace", 'says "high'),
            grader("type: regex\ntarget: trace", '"name": "Read"'),
            grader("type: regex\ntarget: trace", '"max": 5'),
            grader("type: regex\ntarget: trace", '{ "name":"Read"'),
            grader("type: regex\ntarget: trace", '"id":"a", "name":"Read"'),
        ],
        [
            grader("type: regex\ntarget: trace", '"name": *"Read"'),
            grader("type: regex\ntarget: trace", '\\\\": 5'),
            grader("type: regex\ntarget: trace", '": 5'),
            grader("type: regex", '"name": "Read"'),
            grader("type: regex\ntarget: trace", '"name":"Read"'),
            grader("type: regex\ntarget: trace", 'says \\\\"high'),
            grader("type: regex\ntarget: trace", 'says "high|"name":"Read"'),
            grader("type: regex", 'says "high'),
        ],
    ),
    "target-leads-outside": (
        [
            grader("type: regex\ntarget: {source: file, path: /etc/x}", "high"),
            grader("type: regex\ntarget: {source: file, path: a/../../x}", "high"),
            judged("PASS if good. FAIL if not.", "type: llm\nfocus: {source: file, path: ../x}"),
            *(
                grader(f'type: regex\ntarget: {{source: file, path: "{path}"}}', "high")
                for path in ("", ".", "./", "a/..", "a\\0b")
            ),
        ],
        [
            grader("type: regex\ntarget: {source: file, path: a/../x}", "high"),
            grader('type: regex\ntarget: {source: file, path: " "}', "high"),
        ],
    ),
    "path-never-matches": (
        [
            grader(f"type: file_exists\npath: '{path}'")
            for path in ("", "/tides.txt", "./tides.txt", "../tides.txt", "a/", "{a,b}.txt", "[ab].txt", "a\\b.txt")
        ],
        [
            grader(f"type: file_exists\npath: '{path}'")
            for path in ("tides.txt", "**/tides.txt", "a/*.??", "a..txt", ".env")
        ],
    ),
    "count-never-met": (
        [grader("type: tool_used\ntool: Read\nmax: 0"), grader("type: tool_used\ntool: Read\nmin: 3\nmax: 2")],
        [grader("type: tool_used\ntool: Read\nmin: 0\nmax: 0"), grader("type: tool_used\ntool: Read\nmax: 1")],
    ),
    "count-always-met": (
        [grader("type: tool_used\ntool: Read\nmin: 0")],
        [grader("type: tool_used\ntool: Read\nmin: 0\nmax: 1"), grader("type: tool_used\ntool: Read")],
    ),
    "infinite-weight": ([grader("type: regex\nweight: .inf", "high")], [grader("type: regex\nweight: 1e9", "high")]),
    "few-turns": (
        [prompt("max_turns: 1"), {**prompt("max_turns: 2"), **grader("type: tool_order\nbefore: Read\nafter: Skill")}],
        [prompt("max_turns: 2"), {**prompt("max_turns: 3"), **grader("type: tool_order\nbefore: Read\nafter: Skill")}],
    ),
    "short-timeout": ([prompt("timeout_seconds: 14")], [prompt("timeout_seconds: 15")]),
    "single-run": ([prompt("runs: 1"), case_yaml("runs: 1\n")], [prompt("runs: 2"), prompt("name: x")]),
    "tool-not-granted": (
        [
            grader(BASH),
            grader("type: tool_order\nbefore: Read\nafter: Write"),
            grader("type: tool_used\ntool: TodoWrite"),
        ],
        [
            {**grader(BASH), **prompt("allowed_tools: ['Bash(npm test *)']")},
            grader(f"{BASH}\nmin: 0\nmax: 0"),
            grader("type: tool_used\ntool: Glob"),
            {**grader("type: tool_used\ntool: TodoWrite"), **prompt("allowed_tools: [TodoWrite]")},
        ],
    ),
    "tool-disallowed": (
        [{**grader("type: tool_used\ntool: Read"), **prompt("disallowed_tools: [Read]")}],
        [
            {**grader("type: tool_used\ntool: Read"), **prompt("disallowed_tools: [Grep, 'Read(secret/**)']")},
            {**grader("type: tool_used\ntool: Read\nmin: 0\nmax: 0"), **prompt("disallowed_tools: [Read]")},
        ],
    ),
    "tool-misnamed": (
        [
            grader("type: tool_used\ntool: read"),
            grader("type: tool_order\nbefore: Task\nafter: Read"),
            grader("type: tool_used\ntool: Bash(git log:*)"),
            grader("type: tool_order\nbefore: Read\nafter: mine(x)"),
            grader("type: tool_used\ntool: tide-table"),
            grader("type: tool_used\ntool: harbour:tide-table"),
            {**OTHER, **grader("type: tool_used\ntool: inner:ebb")},
        ],
        [grader("type: tool_used\ntool: Read"), grader("type: tool_used\ntool: my_own_tool")],
    ),
    "tool-not-mocked": (
        [
            {".claude-plugin/plugin.json": MCP, **grader("type: tool_used\ntool: mcp__plugin_harbour_tides__next")},
            {**MOCK, **grader("type: tool_used\ntool: mcp__plugin_harbour_tides__previous")},
        ],
        [
            {**MOCK, **grader("type: tool_used\ntool: mcp__plugin_harbour_tides__next")},
            {**MOCK, **grader("type: tool_used\ntool: mcp__other__next")},
        ],
    ),
    "mocked-tool-misnamed": (
        [
            {**MOCK, **grader(f"type: tool_used\ntool: {name}")}
            for name in (
                "mcp__tides__next",
                "mcp__tide__nxet",
                "mcp__foo__bar",
                "next",
                "tides.next",
                "mcp__plugin_tides__next",
            )
        ]
        + [
            {**MOCK, **grader("type: tool_order\nbefore: Read\nafter: mcp__tides__next")},
            {**MOCK, **grader("type: tool_used\ntool: next\nmin: 0\nmax: 0")},
            {"evals/mocks/alone/next.md": "x\n", **grader("type: tool_used\ntool: mcp__plugin_harbour_alone__next")},
            {".claude-plugin/plugin.json": MCP, **grader("type: tool_used\ntool: mcp__tides__next")},
            grader("type: tool_used\ntool: mcp__foo__bar"),
        ],
        [
            {**MOCK, **grader("type: tool_used\ntool: mcp__plugin_harbour_tides__next")},
            {"evals/mocks/alone/a-b.md": "x\n", **grader("type: tool_used\ntool: mcp__alone__a-b")},
            {"evals/mocks/alone/read.md": "x\n", **grader("type: tool_used\ntool: Read")},
            {f"{CASE}mocks/alone/next.md": "x\n", **grader("type: tool_used\ntool: mcp__alone__next")},
            {".claude-plugin/plugin.json": MCP, **grader("type: tool_used\ntool: mcp__plugin_harbour_tides__next")},
        ],
    ),
    "skill-not-in-plugin": (
        [
            grader("type: tool_used\ntool: Skill\ninput_match: tide-tables"),
            {**OTHER, **grader("type: tool_used\ntool: Skill\ninput_match: tide-table")},
            grader("type: tool_used\ntool: Skill\ninput_match: '^tide-t.ble'"),
            grader('type: tool_used\ntool: Skill\ninput_match: \'"skill":"other:tide-table"\''),
            grader("type: tool_used\ntool: Skill\ninput_match: song\nmin: 0\nmax: 0\narm: both"),
        ],
        [
            grader("type: tool_used\ntool: Skill\ninput_match: 'tide-table.*Kehl'"),
            grader('type: tool_used\ntool: Skill\ninput_match: \'"skill"\\s*:\\s*"(?:[\\w-]+:)?tide-table"\''),
            grader("type: tool_used\ntool: Skill\ninput_match: harbour:tide"),
            grader("type: tool_used\ntool: Read\ninput_match: song"),
            {"commands/anchor.md": "Weigh it.\n", **grader("type: tool_used\ntool: Skill\ninput_match: anchor")},
            {
                **OTHER,
                **grader("type: tool_used\ntool: Skill\ninput_match: inner:ebb"),
                f"{CASE}graders/fired.md": None,
            },
            grader("type: tool_used\ntool: Skill\ninput_match: '^.{10}tide-ta...\"'"),
            grader("type: tool_used\ntool: Skill\ninput_match: '^..skill...(?!x)t[^x]+?e\"}$'"),
        ],
    ),
    "only-judged": (
        [
            {
                f"{CASE}graders/answer.md": "---\ntype: llm\n---\nPASS if good. FAIL if bad.\n",
                f"{CASE}graders/fired.md": None,
            }
        ],
        [judged("PASS if good. FAIL if bad.")],
    ),
    "criteria-without-conditions": (
        [judged("The answer is good."), judged("Is it nice?", "type: baseline\nbaseline_file: b.jsonl")],
        [judged("It passes when a time is named."), judged("时间正确则通过。")],
    ),
    "baseline-not-read": (
        [judged("PASS if so. FAIL if not.", "type: baseline\nbaseline_file: gone.jsonl")],
        [
            {
                **judged("PASS if so. FAIL if not.", "type: baseline\nbaseline_file: kept.jsonl"),
                f"{CASE}kept.jsonl": '{"type":"assistant"}\n',
            }
        ],
    ),
    "no-mock-to-look-at": (
        [
            grader("type: regex\ntarget: mock_calls", "high"),
            judged("PASS if so. FAIL if not.", "type: llm\nfocus: mock_calls"),
        ],
        [{**MOCK, **grader("type: regex\ntarget: mock_calls", "high")}],
    ),
    "unscored-must-not-fire": (
        [grader("type: tool_used\ntool: Skill\ninput_match: tide\nmin: 0\nmax: 0")],
        [
            grader("type: tool_used\ntool: Skill\ninput_match: tide\nmin: 0\nmax: 0\narm: both"),
            grader("type: tool_used\ntool: Skill\ninput_match: tide\nmin: 0\nmax: 0\narm: with-only"),
            grader("type: tool_used\ntool: Read\nmin: 0\nmax: 0"),
            {
                f"{CASE}graders/answer.md": None,
                f"{CASE}graders/fired.md": None,
                **grader("type: tool_used\ntool: Skill\nmin: 0\nmax: 0"),
            },
        ],
    ),
    "key-ignored": (
        [
            case_yaml("max_turns: 3\n"),
            case_yaml("execution: {runs: 2}\n"),
            case_yaml("context: {add_dir: [x]}\n"),
            case_yaml("tag: [x]\n"),
        ],
        [case_yaml("runs: 2\nexecution: {max_turns: 3}\ncontext: {}\n")],
    ),
    "key-repeated": (
        [
            prompt("max_turns: 3\nmax_turns: 6"),
            case_yaml("tags: [a]\ntags: [b]\n"),
            grader("type: regex\nweight: 1\nweight: 2", "a"),
        ],
        [prompt("max_turns: 3\nruns: 3")],
    ),
    "block-ends-early": (
        [prompt("max_turns: 6 # --- turns"), grader("type: regex\nname: a --- b", "a")],
        [prompt("max_turns: 6", "one --- two\n---\nthree"), prompt("max_turns: 6 # -- turns")],
    ),
    "grader-skipped": (
        [{f"{CASE}graders/README.md": "# Notes\n"}, {f"{CASE}graders/more.md": "\n---\ntype: regex\n---\nx\n"}],
        [{f"{CASE}README.md": "# Notes\n"}],
    ),
    "file-not-read": (
        [
            {f"{CASE}graders/more.MD": GRADER},
            {f"{CASE}graders/more.txt": GRADER},
            {f"{CASE}graders/deep/more.md": GRADER},
            {f"{CASE}case.yml": CASE_YAML},
            {f"{CASE}grader/more.md": GRADER},
        ],
        [{f"{CASE}notes.md": "x", f"{CASE}graders/data.json": "{}", f"{CASE}fixtures/case.yml": "x: 1"}],
    ),
    "still-to-write": (
        [
            prompt("max_turns: 6", "TODO: what a user would ask"),
            {**case_yaml("execution: {prompt: 'TODO: ask'}\n"), f"{CASE}prompt.md": None},
            judged("TODO: PASS if it is good, FAIL if not"),
        ],
        [prompt("max_turns: 6", "List every TODO of this file."), judged("PASS if no TODO is left, FAIL if one is")],
    ),
    "prompt-is-command": ([prompt("max_turns: 6", "/tide-table Kehl")], [prompt("max_turns: 6", "a/b means what?")]),
    "odd-tag": ([prompt("tags: ['smoke, slow']"), prompt("tags: ['']")], [prompt("tags: [smoke, 'slow one']")]),
    "grader-misplaced": (
        [{f"{CASE}polite.md": GRADER}],
        [{f"{CASE}notes.md": "---\ntype: note\n---\nx", f"{CASE}fixtures/a.md": GRADER, f"{CASE}x.md": "type: regex"}],
    ),
    "plugins-empty": ([prompt("plugins: []")], [prompt("plugins: ['../..']"), prompt("tags: []")]),
    "plugin-bare": ([prompt("plugins: ['..']")], [prompt("plugins: ['../../skills/tide-table']"), prompt("runs: 3")]),
    "count-of-one": (
        [
            grader("type: regex\nmatch: 'count:2'", "^- "),
            grader("type: regex\nmatch: 'count:3'", "^[|-] "),
            grader("type: regex\nmatch: 'count:2'", "done\\.$"),
        ],
        [
            grader("type: regex\nmatch: 'count:2'\nflags: m", "^- "),
            grader("type: regex\nmatch: 'count:1'", "^- "),
            grader("type: regex\nmatch: 'count:0'", "^- "),
            grader("type: regex\nmatch: 'count:2'", "^- |x"),
            grader("type: regex\nmatch: 'count:2'", "x*$"),
            grader("type: regex\nmatch: 'count:2'", "x*\\b$"),
            grader("type: regex\nmatch: 'count:2'", "x*(?<=x)$"),
            grader("type: regex\nmatch: 'count:2'", "5 \\$"),
            grader("type: regex\nmatch: 'count:2'\nflags: m", "x$"),
            grader("type: regex", "^- "),
        ],
    ),
    "mock-not-read": (
        [
            {"evals/mocks/next.md": "x\n"},
            {"evals/mocks/alone/next.json": "{}"},
            {f"{CASE}mocks/next.md": "x\n"},
            {f"{CASE}mocks/alone/next.MD": "x\n"},
        ],
        [
            {
                "evals/mocks/README.md": "x\n",
                "evals/mocks/alone/next.md": "x\n",
                "evals/mocks/alone/_tools.json": TOOLS,
            },
            {"evals/mocks/alone/next.md": "x\n", "evals/mocks/alone/fixtures/a.json": "{}"},
        ],
    ),
    "no-plugin": (
        [{".claude-plugin/plugin.json": None, "skills/tide-table/SKILL.md": None}],
        [{".claude-plugin/plugin.json": None, "SKILL.md": SKILL, "skills/tide-table/SKILL.md": None}],
    ),
    "plugin-misplaced": (
        [
            {
                **{f".claude-plugin/{name}": text for name, text in SOUND.items() if name.startswith("evals")},
                **NO_EVALS,
            }
        ],
        [{}],
    ),
    "one-sided-suite": (
        [
            {"evals/sailing-song/graders/quiet.md": None},
            {f"{CASE}graders/fired.md": None},
            {f"{CASE}graders/fired.md": None, "evals/sailing-song/graders/quiet.md": None},
        ],
        [
            {
                f"{CASE}graders/fired.md": None,
                "evals/sailing-song/graders/quiet.md": None,
                "skills/tide-table/SKILL.md": None,
            }
        ],
    ),
    "name-used-twice": ([prompt("name: sailing-song")], [prompt("name: other")]),
    "server-not-mocked": ([{".claude-plugin/plugin.json": MCP}], [MOCK]),
    "servers-not-read": (
        [{".mcp.json": text} for text in ("", "{", "[]", "5", '{"mcpServers": []}')],
        [{".mcp.json": text, **MOCK} for text in ("{}", '{"mcpServers": {}}', '{"tides": {"command": "true"}}')],
    ),
    "mock-misnamed": (
        [{".claude-plugin/plugin.json": MCP, "evals/mocks/tide/next.md": "x\n"}],
        [{".claude-plugin/plugin.json": MCP, "evals/mocks/weather/next.md": "x\n"}, MOCK],
    ),
    "stray-file": (
        [
            {"evals/low-water/case.yml": CASE_YAML},
            {"evals/low-water/PROMPT.md": PROMPT},
            {"evals/low-water/promt.md": PROMPT},
            {"evals/low-water/graders/a.md": GRADER},
        ],
        [
            {"evals/notes/README.md": "x"},
            {
                "evals/fixtures/prompt-1.md": "x",
                "evals/fixtures/showcase.yaml": "x",
                f"{CASE}fixtures/graders/a.md": "x",
            },
        ],
    ),
}


def codes(root: Path, files: Files) -> set[str]:
    checked = check_targets([lay_out(root, {**SOUND, **files})])
    assert not any(suite.refused for suite in checked.suites), checked.suites
    return {finding.code for suite in checked.suites for finding in suite.findings}


def test_a_sound_suite_gets_no_finding(tmp_path: Path) -> None:
    suite = check_suite(lay_out(tmp_path, SOUND))

    assert not suite.findings
    assert (suite.fires, suite.quiet, suite.silent, suite.refused) == (1, 1, 0, 0)


def test_every_rule_has_its_table() -> None:
    assert set(TABLE) == {*CASE_RULES, *SUITE_RULES}
    assert all(fires and quiet for fires, quiet in TABLE.values())


@pytest.mark.parametrize(("code", "files"), [(code, files) for code, (fires, _) in TABLE.items() for files in fires])
def test_it_speaks(tmp_path: Path, code: str, files: Files) -> None:
    assert code in codes(tmp_path, files)


@pytest.mark.parametrize(("code", "files"), [(code, files) for code, (_, quiet) in TABLE.items() for files in quiet])
def test_it_stays_quiet(tmp_path: Path, code: str, files: Files) -> None:
    assert code not in codes(tmp_path, files)


# Names that the real program gave the tool `next` of a plugin's server, by the names of plugin and server.
@pytest.mark.parametrize(
    ("plugin", "server", "folder", "name"),
    [
        ("my-plug", "cal", "cal", "mcp__plugin_my-plug_cal__next"),
        ("my.plug", "cal", "cal", "mcp__plugin_my_plug_cal__next"),
        ("my_Plug", "my cal-x", "my_cal-x", "mcp__plugin_my_Plug_my_cal-x__next"),
        ("m\u00fc@p", "cal", "cal", "mcp__plugin_m__p_cal__next"),
    ],
)
def test_the_right_name_of_a_mocked_tool_is_told(
    tmp_path: Path, plugin: str, server: str, folder: str, name: str
) -> None:
    manifest = json.dumps({"name": plugin, "mcpServers": {server: {"command": "true"}}})
    files = {".claude-plugin/plugin.json": manifest, f"evals/mocks/{folder}/next.md": "x\n"}
    right = check_suite(lay_out(tmp_path / "a", {**SOUND, **files, **grader(f"type: tool_used\ntool: {name}")}))
    wrong = check_suite(lay_out(tmp_path / "b", {**SOUND, **files, **grader("type: tool_used\ntool: next")}))

    assert not right.findings
    (finding,) = wrong.findings
    assert finding.message.endswith(f"answers to {name!r}, so write that")


@pytest.mark.parametrize(
    ("files", "code", "line"),
    [
        (grader("type: regex", "\n(?i)high"), "pattern-does-not-compile", 5),
        (grader("type: regex\npattern: (?i)high"), "pattern-does-not-compile", 3),
        (judged("\nThe answer is good."), "criteria-without-conditions", 5),
        (judged("", "type: llm\ncriteria: Nice?"), "criteria-without-conditions", 3),
        (prompt("max_turns: 6", "/tide-table Kehl"), "prompt-is-command", 5),
        ({f"{CASE}prompt.md": "/tide-table"}, "prompt-is-command", 1),
        (
            {f"{CASE}prompt.md": None, **case_yaml("execution:\n  max_turns: 6\n  prompt: /tide-table\n")},
            "prompt-is-command",
            5,
        ),
        (prompt("description: a\nb"), "not-yaml", 3),
    ],
)
def test_the_line_is_that_of_what_is_meant(tmp_path: Path, files: Files, code: str, line: int) -> None:
    findings = check_suite(lay_out(tmp_path, {**SOUND, **files})).findings

    assert [finding.line for finding in findings if finding.code == code] == [line]


@pytest.mark.parametrize(
    ("files", "level"),
    [
        (grader("type: regex\ntarget: mock_calls\nmatch: not_contains", "high"), "FAIL"),
        (grader('type: regex\ntarget: {source: file, path: "."}', "high"), "FAIL"),
        (grader("type: regex\ntarget: trace", '"name": "Read"'), "WARN"),
    ],
)
def test_what_fails_every_run_is_no_mere_doubt(tmp_path: Path, files: Files, level: str) -> None:
    (finding,) = check_suite(lay_out(tmp_path, {**SOUND, **files})).findings

    assert finding.level.name == level


def test_the_cause_of_a_pattern_that_the_trace_never_has(tmp_path: Path) -> None:
    spaced = grader("type: regex\ntarget: trace", '"name": "Read"')
    (finding,) = check_suite(lay_out(tmp_path, {**SOUND, **spaced})).findings

    assert finding.message.endswith("""JSON without blanks between keys and values; write '"name":"Read"'""")


def test_many_skills_and_graders_are_compared_in_no_time(tmp_path: Path) -> None:
    skills = {f"skills/skill-{index}/SKILL.md": SKILL.replace("tide-table", f"skill-{index}") for index in range(200)}
    listed = "".join(
        f"  - {{name: g{index}, type: tool_used, tool: Skill, input_match: 'skull-{index}.'}}\n" for index in range(500)
    )
    lay_out(tmp_path, {**SOUND, **skills, **case_yaml(f"graders:\n{listed}")})
    started = time.process_time()
    found = [finding.code for finding in check_suite(tmp_path).findings]

    assert found.count("skill-not-in-plugin") == 500
    assert time.process_time() - started < 20
