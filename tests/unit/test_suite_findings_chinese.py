"""Whatever `validate` finds in suites and plugins is said in whole Chinese sentences, and English stays as it is."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from skill_evaluator.cli import main
from skill_evaluator.formats.json_text import parse_json
from skill_evaluator.formats.loader import check_targets
from skill_evaluator.formats.visible import visible_findings
from skill_evaluator.formats.yaml12 import PARSERS, STRICT, SUITE, Dialect, YamlError, read_yaml
from skill_evaluator.locales import catalogue
from skill_evaluator.locales.update import templates
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import localized, tr
from tests.chinese import english_left
from tests.recorded_suites import suites_by_name
from tests.suite_files import SOUND, Files, lay_out, sound_but
from tests.unit.test_suite_rules import TABLE

Changed = dict[str, str | bytes | None]
Capture = pytest.CaptureFixture[str]
RECORDED = [name for name in suites_by_name() if name.startswith("static/")][::6]


def grader(options: str, body: str = "") -> Changed:
    return {"graders/more.md": f"---\n{options}\n---\n{body}\n"}


def prompt(keys: str) -> Changed:
    return {"prompt.md": f"---\n{keys}\n---\n\nWhen is high water?\n"}


def mock(text: str, name: str = "tides/next.md") -> Changed:
    return {f"mocks/{name}": text}


def manifest(**values: object) -> Changed:
    return {"../../.claude-plugin/plugin.json": json.dumps({"name": "harbour", **values})}


_MONITOR = {"name": "a", "command": "a", "description": "b"}
# Changes to the first case of a sound suite, one or more for each kind of fault.
FAULTY: Sequence[Files] = (
    {"prompt.md": "---\nmax_turns: 3\n\nWhen?\n"},
    {"prompt.md": "---\nmax_turns: 3\n---\n"},
    {"prompt.md": "---\n- a\n---\nWhen?\n"},
    {"prompt.md": "---\na: 1 --- b\n---\nWhen?\n"},
    {"prompt.md": b"---\nmax_turns: 3\n---\nWhen \xff?\n"},
    {"prompt.md": None},
    {"prompt.md": None, "prompt.md/": ""},
    prompt("runs: 51\nmax_turns: null\ntags: [1, b]\nenv: {EVAL_A: 5}\nname: ''\ncolour: red\nmax_turn: 3"),
    prompt("env: {HOME: x}\nplugins: [gone, /etc, ../sailing-song]\nschema_version: '2.0'\nartifact_publish: maybe"),
    prompt("schema_version: abc\ngrowthbook_overrides: {a: [1]}\ntimeout_seconds: {}"),
    prompt("env:\n  EVAL_A: " + "x" * 140_000),
    prompt("description: a: b"),
    prompt("description: [a\nname: x"),
    prompt("description:\n\t- a"),
    prompt('description: "a\\q"'),
    prompt("tags: *nope"),
    prompt("description: @a"),
    prompt("? [a]\n: b"),
    prompt("name: " + "[" * 210),
    {"case.yaml": "name: x\ncontext: 5\ngraders: text\n"},
    {"case.yaml": "- a\n"},
    {"case.yaml": "name: high\ncolour: 1\nexecution: {runs: 2, tag: a}\ncontext: {add_dir: a}\n"},
    {"case.yaml": 'schema_version: "1.1"\nname: high\ngraders: [5, {type: regex}, {name: a, type: Regex}]\n'},
    {"case.yaml": 'schema_version: "1.1"\nname: h\ncontext: {add_dirs: [nope, ., /etc, prompt.md, graders]}\n'},
    {"case.yaml": 'schema_version: "1.1"\nname: h\ncontext: {history_file: gone.txt, scaffold_script: /x}\n'},
    {"case.yaml": 'schema_version: "1.1"\nname: h\ncontext: {history_file: h.jsonl}\n', "h.jsonl": "{}\n"},
    {"graders/answer.md": None, "graders/fired.md": None, "graders/notes.md": "just words\n"},
    {"graders/deep/": "", "graders/a.txt": "a", "grader/": "", "case.yml": "a: b\n"},
    {f"graders/g{index}.md": "---\ntype: regex\n---\nx\n" for index in range(260)},
    grader("weight: 0\narm: without\ntype: regexp"),
    grader("type: regex\nflags: I\nmatch: exact\ntarget: stdout\ncolour: 1"),
    grader("type: tool_order\nbefore: [a]"),
    grader("type: tool_used\ntool: a\nmin: -1\nmax: 1.5"),
    grader("type: file_exists\npath: 5\nexists: 'no'"),
    grader("type: baseline\nbaseline_file: ../../../x", "PASS if it does"),
    grader("type: baseline\nbaseline_file: b.jsonl", "PASS if it does") | {"b.jsonl": "{} x\n"},
    grader("type: regex", "(") | mock("---\ntype: fixed\nerror: 1\n---\na\n"),
    grader("type: regex\nname: answer", "a"),
    mock("---\ntype: agent\nerror: true\n---\n"),
    mock("---\nabort_when: never\ntools: [a]\ncolour: 1\n---\na\n"),
    mock("---\nabort_when: never\n---\na\n"),
    mock("---\nexpect: {a: /(x)/, b: /x|y/, c: /a^b/, d: '/\\1/', e: [], f: [{}], g: null, h: /x/g, i: /(/}\n---\na\n"),
    mock("---\nexpect: {a: '/x{1,100000}/'}\n---\na\n"),
    mock("---\nexpect: {" + ", ".join(f"k{index}: string" for index in range(40)) + "}\n---\na\n"),
    mock("---\ntype: fixed\n---\na\n", "tides/_server.md"),
    mock("---\ntype: agent\n---\na\n", "tides/_server.md"),
    mock("---\ntype: agent\ntools: [a, b__c]\n---\na\n", "tides/_server.md"),
    mock("---\ntype: agent\ntools: [a, b]\nexpect: {a: string}\n---\na\n", "tides/_server.md"),
    mock("a", "odd name/next.md") | mock("a", "tides/odd name.md") | mock("a", "next.md"),
    mock("{", "tides/_tools.json"),
    mock("[NaN]", "tides/_tools.json"),
    mock("{}", "tides/_tools.json"),
    mock('{"tools": [{}]}', "tides/_tools.json"),
    mock('{"tools": [{"name": "a", "description": 5}]}', "tides/_tools.json"),
    mock('{"tools": [{"name": "next", "inputSchema": {"type": "array"}}]}', "tides/_tools.json") | mock("a"),
    mock("a", f"tides/{'x' * 130}.md"),
    {"mocks": "->nowhere"},
    {"lost": "->nowhere", "loop": "->loop", "away": "->/etc"},
    {"../a#b/prompt.md": "When?\n"},
    {"../../.claude-plugin/plugin.json": "{"},
    {"../../.claude-plugin/plugin.json": "[]"},
    {"../../.claude-plugin/plugin.json": "[" * 20_000},
    {"../../.claude-plugin/plugin.json": "{}"},
    manifest(version=1, skills="x", commands={"a": {}}, hooks={"PreToolUse": [{}]}, mcpServers="./a.mcpb"),
    manifest(lspServers={"a": {"command": "a b"}}, userConfig={"1": {}}, monitors=[{"name": "a"}], agents=["x"]),
    manifest(mcpServers={"a": {"type": "x"}, "b": {}}, dependencies=[5], channels=[{}], defaultEnabled=1),
    manifest(experimental={"evals": 5}, hooks={"hooks": {"PreToolUse": [{"hooks": [{"type": "x"}]}]}}),
    manifest(experimental={"evals": "tests"}),
    manifest(evals="tests"),
    manifest(version=True, lspServers={"a": {"command": "a", "extensionToLanguage": {}, "transport": "x"}}),
    manifest(lspServers={"a": {"command": "a", "extensionToLanguage": {"py": "x"}, "maxRestarts": -1}}),
    manifest(userConfig={"a": {"type": "x", "title": "a", "description": "b"}}, monitors=[_MONITOR, _MONITOR]),
    manifest(monitors=[{"name": "a", "command": "a", "description": "b", "when": "x"}], hooks="./a"),
    manifest(mcpServers={"a": {"command": "a", "timeout": 0}}, dependencies=[{"name": "!"}], hooks={"hooks": 5}),
    manifest(mcpServers={"a": {"type": "http", "url": "a", "oauth": {"callbackPort": 0}}}, userConfig=[]),
    manifest(hooks={"PreToolUse": [{"hooks": [{"type": "http", "url": "a"}]}]}, experimental={"monitors": 5}),
    manifest(hooks={"PreToolUse": [{"hooks": [{}]}]}),
    {"case.yaml": "name: high\n", "prompt.md": "---\nenv: {EVAL_A: true}\ngrowthbook_overrides: x\n---\nWhen?\n"},
    {"case.yaml": 'schema_version: "1.1"\n'},
    {"case.yaml": 'schema_version: "1.1"\nname: h\ngraders: [{name: a}]\n'},
    {"case.yaml": 'schema_version: "1.1"\nname: h\ngraders: 5\n', "graders/answer.md": None, "graders/fired.md": None},
    {"case.yaml": "5\n", "prompt.md": "---\na: [b --- c\n---\nWhen?\n"},
    {"case.yaml": 'schema_version: "1.1"\nname: h\ncontext: {history_file: h.txt, add_dirs: [.git/x, "a#b"]}\n'}
    | {"h.txt": "{}\n", ".git/x/a": "", "a#b/c": ""},
    {"case.yaml": 'schema_version: "1.1"\nname: h\ncontext: {history_file: /etc/passwd, add_dirs: 5}\n'},
    {"case.yaml": 'schema_version: "1.1"\nname: h\ncontext: {history_file: h}\n', "h/": ""},
    {"case.yaml": 'schema_version: "1.1"\nname: h\ncontext: {history_file: h, add_dirs: [h]}\n', "h": "->h"},
    {"case.yaml": 'schema_version: "1.1"\nname: h\ncontext: {history_file: h.jsonl}\n', "h.jsonl": "->/etc/passwd"},
    prompt("plugins: [prompt.md]\nenv: 5"),
    prompt('env: {EVAL_A: "\\0"}\nplugins: [.]'),
    prompt("plugins: ['\\0']"),
    {".claude-plugin/plugin.json": '{"name": "inner"}'},
    {"graders/answer.md": None, "graders/fired.md": None, "graders": "words"},
    {"graders/answer.md": "->/etc/passwd"},
    {"graders/answer.md": "->answer.md"},
    {"graders/answer.md": None, "graders/answer.md/": ""},
    {"case.yaml": "#" * 1_100_000},
    grader("type: baseline\nbaseline_file: b", "PASS if it does") | {"b/": ""},
    grader("type: baseline\nbaseline_file: gone", "PASS if it does"),
    *(
        grader("type: regex", text)
        for text in ("(?i)x", "[", "*", "(?P<a>x)", "a{2,1}", "(?<a>x)(?<a>y)", "[z-a]", "x)")
    ),
    *(grader("type: regex\nflags: gu", text) for text in ("\\p{Foo}", "\\1", "(?<a", "{1}")),
    mock("---\nexpect: 5\n---\na\n"),
    mock("---\ntype: fixed\ntools: [a]\n---\na\n"),
    {f"mocks/tides/g{index}.md": "a" for index in range(260)},
    mock("\ufeff{}", "tides/_tools.json"),
    mock('{"tools": [{"name": "next", "inputSchema": 5}]}', "tides/_tools.json"),
    mock('{"tools": [{"name": "next", "inputSchema": {"properties": 5}}]}', "tides/_tools.json") | mock("a"),
    mock('{"tools": [{"name": "next", "inputSchema": {"required": 5}}]}', "tides/_tools.json") | mock("a"),
    {"mocks/tides/a.md": "->nowhere", "mocks/lost": "->nowhere"},
    manifest(mcpServers={"tides": {"command": "a"}})
    | {"mocks/tides/next.md": "a", "mocks/plugin_harbour_tides/next.md": "a"},
    {"../" + "/".join("abcdefghijklmnopqrs") + "/x": "a", "../../x#y": "a"},
)
# What is named to be checked, and the files around it.
TARGETS: Sequence[tuple[str, Files]] = (
    (".", {"a.txt": "words"}),
    (".", {}),
    ("gone", {}),
    ("gone/prompt.md", {}),
    ("f", {"f/": ""}),
    ("SKIL.md", SOUND),
    ("evals/high-water/graders", SOUND),
    ("evals/high-water/graders/answer.md", SOUND),
    ("evals/mocks/t", {**SOUND, "evals/mocks/t/n.md": "a"}),
    ("x.bin", {"x.bin": b"\xff"}),
    ("x.txt", {"x.txt": "words"}),
    ("loose", {"loose/graders/a.md": "a"}),
    ("loose", {"loose/skill.md": "a"}),
    ("link", {"link": "->nowhere"}),
    ("link", {"link": "->link"}),
    (".", {".claude-plugin/plugin.json": '{"name": "a"}', "evals": "words"}),
    (".", {"a/SKILL.md": SOUND["skills/tide-table/SKILL.md"], "b/": ""}),
    ("a\0b", {}),
    ("x" * 300, {}),
)


JSON_TEXTS = (
    *(
        '["a\n"]',
        '["\\q"]',
        "[1 2]",
        '{"a" 1}',
        "{a: 1}",
        "[1,]",
        "",
        '["a',
        "[1",
        "{}{}",
        "[] x",
        "[True]",
        '["a"，1]',
    ),
    *("[1,,2]", "['a']", "// x", "hello", "[1e999]", "[" + "9" * 5000 + "]", "[" * 70 + "]" * 70, '{"a":1,"a":2}'),
    *('["\\ud800"]', "[" * 100_000),
)
YAML_TEXTS = (
    *("a: b: c", "a: [b", "a: {b", "a: &x 1\nb: &x 2", "a: *x", "a: &x [*x]", "[a]: b", "a: 1\na: 2", "a: !!int b"),
    *(
        "- a\nb: c",
        "a:\n- b\n c",
        '"a',
        "a: |x\n b",
        "a: '\\ud83d\\n",
        "--- a\n--- b",
        "%YAML 3.0\n--- a",
        "%FOO\n--- a",
    ),
    *(
        "a: b\n\tc: d",
        "a: >\n\t b",
        'a: "\\q"',
        'a: "\\UFFFFFFFF"',
        'a: "\\uD83D"',
        "a: \x01",
        "a: @b",
        "a: `b",
        "a: - b",
    ),
    *("? a: b: c", "!a!b c", "a: !<", "&", "*", "a: 'b' c", "<<: [*x]", "a:\n  b\n c: d", "[" * 60, "[" * 210),
    *(
        "x" * 300_000,
        "[a, " * 5 + "[b]",
        "- a\n" * 30_000,
        "--- |9\n",
        "a: |0\n b",
        "%TAG ! a\n%TAG ! b\n--- a",
        "... a",
    ),
)
EVAL_DIRS = ("/etc", "..", ".", "", "skills/x", "mocks", "a b", "tests")


def worded(path: Path) -> list[str]:
    return [finding.worded("zh") for finding in check_targets([path]).all_findings]


@pytest.mark.parametrize("files", FAULTY)
def test_faults_of_a_suite_are_said_in_chinese(tmp_path: Path, files: Files) -> None:
    said = worded(sound_but(tmp_path / "plugin", files))

    assert said
    assert english_left(said) == {}


@pytest.mark.parametrize("code", TABLE)
def test_doubts_about_a_suite_are_said_in_chinese(tmp_path: Path, code: str) -> None:
    for index, files in enumerate(TABLE[code][0]):
        root = lay_out(tmp_path / str(index), {**SOUND, **files})
        findings = check_targets([root]).all_findings

        assert code in {finding.code for finding in findings}
        assert english_left([finding.worded("zh") for finding in findings]) == {}


@pytest.mark.parametrize(("target", "files"), TARGETS)
def test_what_is_no_suite_is_said_in_chinese(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str, files: Files
) -> None:
    monkeypatch.chdir(lay_out(tmp_path / "here", files))
    said = worded(Path(target))

    assert said
    assert english_left(said) == {}


@pytest.mark.parametrize("name", EVAL_DIRS)
def test_where_no_suite_can_lie_is_said_in_chinese(tmp_path: Path, name: str) -> None:
    findings = check_targets([lay_out(tmp_path, SOUND)], eval_dir=name).all_findings

    assert findings
    assert english_left([finding.worded("zh") for finding in findings]) == {}


@pytest.mark.parametrize("text", JSON_TEXTS)
def test_faults_of_json_are_said_in_chinese(text: str) -> None:
    faults = parse_json(text).faults

    assert faults
    assert english_left([localized(fault.message, "zh") for fault in faults]) == {}


@pytest.mark.parametrize("dialect", [STRICT, SUITE], ids=["strict", "suite"])
@pytest.mark.parametrize("parser", PARSERS)
def test_faults_of_yaml_are_said_in_chinese(parser: str, dialect: Dialect) -> None:
    said = [localized(message, "zh") for text in YAML_TEXTS if (message := yaml_fault(text, dialect, parser))]

    assert len(said) > 15
    assert english_left(said) == {}


def yaml_fault(text: str, dialect: Dialect, parser: str) -> str | None:
    try:
        read_yaml(text, dialect=dialect, parser=parser)
    except YamlError as error:
        return error.message
    return None


@pytest.mark.parametrize("since", ["one", "."])
def test_what_cannot_be_compared_is_said_in_chinese(tmp_path: Path, since: str) -> None:
    findings = check_targets([lay_out(tmp_path, SOUND)], since=tmp_path / since).all_findings

    assert english_left([finding.worded("zh") for finding in findings]) == {}
    assert [finding.code for finding in findings] == ["since-what"]


@pytest.mark.usefixtures("conformance")
@pytest.mark.parametrize("name", RECORDED or ["none"])
def test_findings_about_recorded_suites_are_said_in_chinese(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = suites_by_name()[name].placed_in(tmp_path)
    monkeypatch.chdir(suite.lay_out(tmp_path / "plugin"))
    eval_dir = next(iter(suite.options("--eval-dir")), None)
    findings = check_targets([Path(suite.target)], eval_dir=eval_dir).all_findings

    assert english_left([finding.worded("zh") for finding in findings]) == {}


def test_the_words_themselves_hold_no_english() -> None:
    known = catalogue("zh")
    keys = [key if isinstance(key, str) else key[0] for key in templates()["formats"]]

    assert english_left([known[key] for key in keys]) == {}


def test_validate_speaks_chinese_and_its_json_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(sound_but(tmp_path, prompt("max_turns: 0")))

    assert main(["validate", ".", "--lang", "zh"]) == 1
    printed = capsys.readouterr()
    assert printed.out == (
        "错误 high-water/prompt.md：第 2 行：题目无法加载：'max_turns' 是 0（数字）；应为：1 到 200 的整数\n"
    )
    assert printed.err == (
        ".：1 个错误、0 个警告；1 道题目可以加载，1 道无法加载：0 道应触发，1 道不应触发，0 道没有提到技能\n"
    )
    main(["validate", ".", "--lang", "zh", "--json"])
    (found,) = json.loads(capsys.readouterr().out)
    assert found["message"] == (
        "line 2: the case does not load: 'max_turns' is 0 (a number); expected a whole number, 1 to 200"
    )


def test_several_suites_and_skills_are_counted_in_chinese(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    skill = SOUND["skills/tide-table/SKILL.md"]
    suites = {f"{one}/{name}": content for one in "ab" for name, content in SOUND.items()}
    monkeypatch.chdir(lay_out(tmp_path, {**suites, "only/x/SKILL.md": skill, "only/y/SKILL.md": skill}))

    main(["validate", "a", "b", "--lang", "zh"])
    assert capsys.readouterr().err.splitlines()[0] == (
        "a/evals：2 道题目可以加载：1 道应触发，1 道不应触发，0 道没有提到技能"
    )
    main(["validate", "only", "--lang", "zh"])
    assert capsys.readouterr().err.endswith("；读了 2 个技能\n")


@pytest.mark.parametrize("name", ["a\x1b[2J", "a\u202eb", "a\nFAIL forged", "it's \\ \x00"])
def test_names_of_others_are_escaped_once_in_both_languages(name: str) -> None:
    message = tr("unknown {what} {key!r}; {remedy}", what=tr("key"), key=name, remedy="")
    (finding,) = visible_findings([Finding(level=Level.FAIL, code="unknown-key", message=message)])

    assert finding.worded("en") == f"FAIL: unknown key {name!r}; "
    assert finding.worded("zh") == f"错误：未知的键 {name!r}；"


@pytest.mark.parametrize(("language", "loads"), [("en", "False"), ("zh", "True")])
def test_catalogues_are_read_for_chinese_alone(tmp_path: Path, language: str, loads: str) -> None:
    sound_but(tmp_path, prompt("max_turns: 0"))
    code = (
        "import sys; from skill_evaluator.cli import main; "
        f"main(['validate', {str(tmp_path)!r}, '--lang', {language!r}]); print('babel' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ), encoding="utf-8"
    )

    assert ran.stdout.splitlines()[-1] == loads
