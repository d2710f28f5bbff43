"""`validate` on suites, plugins and folders of them, as somebody types it."""

import json
import sys
from pathlib import Path

import pytest

from skill_evaluator.cli import main
from tests.suite_files import GRADER, MANIFEST, PROMPT, SKILL, SOUND, Files, lay_out

Capture = pytest.CaptureFixture[str]
BAD_PROMPT = "---\nmax_turns: 0\n---\n\nWhen?\n"
HARBOUR = Path(__file__).resolve().parents[2] / "testsets" / "harbour-plugin"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def at(folder: str, files: Files) -> Files:
    return {f"{folder}/{name}": content for name, content in files.items()}


def lines(capsys: Capture, *arguments: str) -> list[str]:
    main(["validate", *arguments])
    return capsys.readouterr().out.splitlines()


def test_the_example_plugin_has_no_finding(capsys: Capture) -> None:
    assert main(["validate", str(HARBOUR)]) == 0

    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.endswith("4 cases load: 3 should fire, 1 should stay quiet, 0 say nothing of the skill\n")


@pytest.mark.parametrize("named", [".", "evals", "evals/high-water", "evals/high-water/prompt.md"])
def test_a_plugin_its_suite_a_case_and_its_file_are_named_alike(root: Path, capsys: Capture, named: str) -> None:
    lay_out(root, {**SOUND, "evals/high-water/prompt.md": BAD_PROMPT})
    (line,) = [line for line in lines(capsys, named) if line.startswith("FAIL")]

    assert line.startswith("FAIL high-water/prompt.md: line 2: ")


def test_the_last_line_counts_what_loads(root: Path, capsys: Capture) -> None:
    lay_out(root, {**SOUND, "evals/odd/prompt.md": BAD_PROMPT, "evals/plain/prompt.md": PROMPT})
    lay_out(root, {"evals/plain/graders/a.md": "---\ntype: regex\n---\nhigh\n"})

    assert main(["validate", "."]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == (
        "2 FAIL, 0 WARN in .; 3 cases load, 1 does not: 1 should fire, 1 should stay quiet, 1 say nothing of the skill"
    )


def test_cases_of_several_suites_have_their_eval_directory_before_them(root: Path, capsys: Capture) -> None:
    lay_out(root, {**at("a", SOUND), **at("b", SOUND), "b/evals/high-water/prompt.md": BAD_PROMPT})

    assert [line.split(": ")[0] for line in lines(capsys, ".")] == ["FAIL b/evals/high-water/prompt.md"]
    assert [line.split(": ")[0] for line in lines(capsys, "b")] == ["FAIL high-water/prompt.md"]
    main(["validate", "a", "b", "--json"])
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["case"], found["file"], found["line"]) == ("b/evals/high-water", "prompt.md", 2)


def test_the_skills_of_a_plugin_are_checked_as_ever(root: Path, capsys: Capture) -> None:
    lay_out(root, {**SOUND, "skills/other/SKILL.md": "no block\n"})
    (line,) = lines(capsys, ".")

    assert line.startswith("FAIL skills/other/SKILL.md:1: the file does not open with")
    assert lines(capsys, "skills/other") == [line]


def test_a_skill_with_a_suite_in_evals_has_both_checked(root: Path, capsys: Capture) -> None:
    suite = {name: text for name, text in SOUND.items() if name.startswith("evals/")}
    lay_out(root, {**suite, "SKILL.md": "no block\n", "evals/high-water/prompt.md": BAD_PROMPT})

    assert [line.split(" ")[:2] for line in lines(capsys, ".") if "FAIL" in line] == [
        ["FAIL", "SKILL.md:1:"],
        ["FAIL", "high-water/prompt.md:"],
    ]


def test_each_skill_of_a_folder_of_skills_is_checked(root: Path, capsys: Capture) -> None:
    lay_out(root, {"s/a/SKILL.md": SKILL, "s/b/SKILL.md": "no block\n", "s/c/SKILL.md": "no block\n"})

    assert [line.split(":")[0] for line in lines(capsys, "s")] == ["FAIL s/b/SKILL.md", "FAIL s/c/SKILL.md"]


def test_the_eval_directory_of_the_manifest_and_of_the_option(root: Path, capsys: Capture) -> None:
    manifest = MANIFEST.replace("}", ', "experimental": {"evals": "qa"}}')
    lay_out(root, {**SOUND, ".claude-plugin/plugin.json": manifest, "qa/x/prompt.md": BAD_PROMPT})
    lay_out(root, {"more/deep/y/prompt.md": BAD_PROMPT})

    assert {line.split(": ")[0] for line in lines(capsys, ".")} == {"FAIL x/prompt.md"}
    assert {line.split(": ")[0] for line in lines(capsys, ".", "--eval-dir", "more/deep")} == {"FAIL y/prompt.md"}


def test_nothing_but_findings_goes_to_standard_output(root: Path, capsys: Capture) -> None:
    lay_out(root, SOUND)

    assert main(["validate", ".", "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out) == []
    assert printed.err.startswith("0 FAIL, 0 WARN in .; 2 cases load: ")


def test_a_plugin_without_a_suite_is_no_fault_of_its_skills(root: Path, capsys: Capture) -> None:
    lay_out(root, {"a/plugin.json": MANIFEST, "a/skills/s/SKILL.md": SKILL})

    assert main(["validate", "a"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("WARN a: holds no folder 'evals'")


def test_an_eval_directory_without_a_case_fails(root: Path, capsys: Capture) -> None:
    lay_out(root, {"plugin.json": MANIFEST, "evals/x/README.md": "x"})

    assert main(["validate", "."]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("FAIL evals: ")


def test_a_refused_case_has_the_faults_of_its_graders_told_in_the_same_go(root: Path, capsys: Capture) -> None:
    broken = {
        "evals/high-water/prompt.md": BAD_PROMPT,
        "evals/high-water/graders/a.md": "---\ntype: regex\n---\n(?i)high\n",
        "evals/high-water/graders/b.md": "---\ntype: tool_used\ntool: Skill\nmax: 0\n---\n",
    }
    lay_out(root, {**SOUND, **broken})
    found = [line.partition(": ")[0] for line in lines(capsys, ".") if "high-water" in line]

    assert found == ["FAIL high-water/graders/a.md", "WARN high-water/graders/b.md", "FAIL high-water/prompt.md"]


def test_an_unknown_key_names_the_one_that_was_meant_or_all(root: Path, capsys: Capture) -> None:
    lay_out(root, {**SOUND, "evals/high-water/prompt.md": "---\ntimeout: 3\nzzz: 1\n---\n\nWhen?\n"})
    meant, none = (line for line in lines(capsys, ".") if "unknown key" in line)

    assert meant.endswith("unknown key 'timeout'; did you mean timeout_seconds?")
    assert "unknown key 'zzz'; known are schema_version, name, " in none


def test_a_refused_case_has_all_else_told_that_could_be_read(root: Path, capsys: Capture) -> None:
    keys = (
        "---\nmax_turns: 1\ntimeout_seconds: 3\nruns: 1\nenv: {HOME: x, EVAL_A: 5}\n"
        "plugins: [gone, ../../evals/high-water]\ntags: x\n---\n\nWhen?\n"
    )
    context = "context: {add_dirs: [nope], history_file: gone.txt, scaffold_script: ../x}"
    yaml = f'schema_version: "1.1"\nname: high\n{context}\n'
    lay_out(root, {**SOUND, "evals/high-water/prompt.md": keys, "evals/high-water/case.yaml": yaml})
    found = [line for line in lines(capsys, ".") if "high-water" in line]

    assert [(line.split(": ")[0], line.split(": ")[1], "once the case loads" in line) for line in found] == [
        ("FAIL high-water/case.yaml", "line 3", True),
        ("FAIL high-water/case.yaml", "line 3", True),
        ("WARN high-water/case.yaml", "line 3", False),
        ("WARN high-water/prompt.md", "line 2", False),
        ("WARN high-water/prompt.md", "line 3", False),
        ("WARN high-water/prompt.md", "line 4", False),
        ("FAIL high-water/prompt.md", "line 5", True),
        ("FAIL high-water/prompt.md", "line 5", False),
        ("FAIL high-water/prompt.md", "line 6", False),
        ("FAIL high-water/prompt.md", "line 7", False),
    ]


def test_a_plugin_in_a_folder_called_mocks_has_its_own_mocks_looked_at(root: Path, capsys: Capture) -> None:
    manifest = '{"name": "harbour", "mcpServers": {"tides": {"command": "true"}, "winds": {"command": "true"}}}'
    files = {**SOUND, ".claude-plugin/plugin.json": manifest, "evals/mocks/tides/next.md": "x\n"}
    wrong = "---\ntype: tool_used\ntool: mcp__plugin_harbour_tides__previous\n---\n"
    lay_out(root / "mocks" / "p", {**files, "evals/high-water/graders/call.md": wrong})
    found = lines(capsys, "mocks/p")

    assert any("'winds' has no mock" in line for line in found)
    assert any("no mock answers" in line for line in found)


def test_the_cause_of_a_listing_that_is_not_offered_is_told_once(root: Path, capsys: Capture) -> None:
    listing = '{"tools": [{"name": "next", "inputSchema": {"required": [5]}}]}'
    lay_out(root, {**SOUND, "evals/mocks/alone/_tools.json": listing, "evals/mocks/alone/next.md": "x\n"})
    (line,) = lines(capsys, ".")

    assert line.endswith('for \'next\' whose required is no list of texts; write "required": ["name"]')


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("pattern: a: b", "the value of 'pattern' holds ': ' without quotes ("),
        ('pattern: "\\d+"', "put the value in single quotes"),
        ("\tpattern: x", "indent with blanks"),
    ],
)
def test_a_fault_of_yaml_is_told_with_its_remedy(root: Path, capsys: Capture, line: str, told: str) -> None:
    lay_out(root, {**SOUND, "evals/high-water/graders/a.md": f"---\ntype: regex\n{line}\n---\n"})
    (found,) = lines(capsys, ".")

    assert told in found


def test_a_key_of_another_level_is_told_where_it_belongs(root: Path, capsys: Capture) -> None:
    yaml = 'schema_version: "1.1"\nname: x\ntimeout: 3\nmax_turns: 5\nmodle: y\nexecution: {tag: [a]}\n'
    lay_out(root, {**SOUND, "evals/high-water/case.yaml": yaml})
    found = [line.partition(" in case.yaml; ")[2] for line in lines(capsys, ".")]

    assert found == [
        "was 'timeout_seconds' below `execution` meant?",
        "put it below `execution`",
        "was 'model' below `execution` meant?",
        "was 'tags' at the top meant?",
    ]


MANIFEST_OF = '{{"name": "harbour", {}}}'


@pytest.mark.parametrize(
    ("manifest", "status", "told"),
    [
        (
            '"experimental": {"evals": "tests"}',
            1,
            ", which `experimental.evals` of its manifest names; cases lie in 'qa'",
        ),
        ('"evals": "qa"', 1, "; `evals` at the top of its manifest is ignored, so write"),
        ('"version": "1"', 0, "; cases lie in 'qa', so name that by"),
    ],
)
def test_a_suite_that_is_not_found(root: Path, capsys: Capture, manifest: str, status: int, told: str) -> None:
    cases = {name.replace("evals/", "qa/"): text for name, text in SOUND.items()}
    lay_out(root, {**cases, ".claude-plugin/plugin.json": MANIFEST_OF.format(manifest)})

    assert main(["validate", "."]) == status
    (line,) = capsys.readouterr().out.splitlines()
    assert told in line


def test_evals_at_the_top_of_a_manifest_are_told_of_beside_a_suite_too(root: Path, capsys: Capture) -> None:
    lay_out(root, {**SOUND, ".claude-plugin/plugin.json": MANIFEST_OF.format('"evals": "qa"')})

    assert [line for line in lines(capsys, ".") if line.startswith("WARN evals: `evals` at the top")]


def test_suites_deeper_in_a_plugin_are_checked_with_it(root: Path, capsys: Capture) -> None:
    deeper = {name.replace("evals/", "skills/tide-table/evals/"): text for name, text in SOUND.items()}
    calls = "---\ntype: tool_used\ntool: Skill\ninput_match: harbour:tide-table\n---\n"
    lay_out(root, {**deeper, "skills/tide-table/evals/high-water/graders/fired.md": calls})

    assert main(["validate", "."]) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "; 2 cases load: " in printed.err


@pytest.mark.parametrize("named", [".claude-plugin", ".claude-plugin/plugin.json"])
def test_a_manifest_stands_for_its_plugin(root: Path, capsys: Capture, named: str) -> None:
    lay_out(root, SOUND)

    assert main(["validate", named]) == 0
    assert "; 2 cases load: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("named", "told"),
    [
        (
            "evals/high-water/graders/answer.md",
            "is a grader, which is not checked alone; name its case, 'evals/high-water'",
        ),
        ("evals/high-water/graders", "is a folder of graders, which is not checked alone; name its case"),
        (
            "evals/mocks/tides/next.md",
            "is a mock, which is not checked alone; name the case or the suite that it is for",
        ),
        ("evals/mocks/tides", "is a folder of mocks"),
        ("evals/mocks", "is a folder of mocks"),
        ("void", "the folder is empty; name a skill's folder or its SKILL.md, a test set, a plugin"),
        ("loose", "it holds graders, but no case"),
    ],
)
def test_what_is_part_of_a_suite_or_nothing(root: Path, capsys: Capture, named: str, told: str) -> None:
    lay_out(root, {**SOUND, "evals/mocks/tides/next.md": "x\n", "loose/graders/a.md": "x"})
    (root / "void").mkdir()
    (line,) = lines(capsys, named)

    assert line.startswith(f"FAIL {named}: ")
    assert told in line


def test_one_case_is_not_held_against_what_a_suite_should_have(root: Path, capsys: Capture) -> None:
    lay_out(root, SOUND)

    assert lines(capsys, "evals/sailing-song") == []
    assert lines(capsys, "evals/high-water") == []


def test_several_suites_are_told_apart(root: Path, capsys: Capture) -> None:
    mocks = {"evals/mocks/tides/next.md": "---\ntype: x\n---\n"}
    lay_out(root, {**at("a", {**SOUND, **mocks}), **at("b", SOUND)})
    (root / "c").mkdir()

    assert main(["validate", "."]) == 1
    printed = capsys.readouterr()
    places = [line.split(": ")[0] for line in printed.out.splitlines()]
    assert places == ["WARN c", "FAIL a/evals/mocks/tides/next.md"]
    assert [line.split(": ")[0] for line in printed.err.splitlines()][:2] == ["a/evals", "b/evals"]


def test_how_many_skills_were_read_is_told(root: Path, capsys: Capture) -> None:
    lay_out(root, {"a/SKILL.md": SKILL.replace("tide-table", "a"), "b/SKILL.md": SKILL.replace("tide-table", "b")})

    main(["validate", "."])
    assert capsys.readouterr().err.endswith("in .; 2 skills read\n")


# What the real program does with a plugin.json in the root: it takes the eval directory from it, and nothing else.
@pytest.mark.parametrize(
    "manifest",
    ['{"version": 1}', '{"name": "a b"}', '{"name": "x", "skills": "skills"}', '{"name": "x", "mcpServers": {"t": 5}}'],
)
def test_a_manifest_in_the_root_fails_no_run(root: Path, capsys: Capture, manifest: str) -> None:
    lay_out(root / "p", {**SOUND, ".claude-plugin/plugin.json": None, "plugin.json": manifest})

    assert lines(capsys, "p") == []


@pytest.mark.parametrize("manifest", ['{"name"', "[]"])
def test_a_manifest_in_the_root_that_cannot_be_read_is_a_doubt(root: Path, capsys: Capture, manifest: str) -> None:
    lay_out(root / "p", {**SOUND, ".claude-plugin/plugin.json": None, "plugin.json": manifest})
    (line,) = lines(capsys, "p")

    assert line.startswith("WARN p/evals: plugin.json in the root of the plugin ")


@pytest.mark.parametrize(
    ("named", "found"),
    [
        (["evals/high-water", "evals/sailing-song"], ["high-water", "sailing-song"]),
        (["evals/sailing-song", "evals/high-water"], ["high-water", "sailing-song"]),
        (["evals/high-water", ".", "evals/sailing-song"], ["high-water", "sailing-song"]),
        (["evals", "HERE"], ["high-water", "sailing-song"]),
        (["evals/high-water", "evals/high-water/prompt.md"], ["high-water"]),
    ],
)
def test_each_suite_is_told_once_and_all_that_was_named_of_it(
    root: Path, capsys: Capture, named: list[str], found: list[str]
) -> None:
    lay_out(root, {**SOUND, "evals/high-water/prompt.md": BAD_PROMPT, "evals/sailing-song/prompt.md": BAD_PROMPT})

    assert main(["validate", *(str(root) if name == "HERE" else name for name in named)]) == 1
    printed = capsys.readouterr()
    assert [line.split("/")[0].removeprefix("FAIL ") for line in printed.out.splitlines()] == found
    assert printed.err.endswith(f"0 cases load, {len(found)} do{'es' * (len(found) == 1)} not: {NONE}\n")


NONE = "0 should fire, 0 should stay quiet, 0 say nothing of the skill"


def test_every_fault_of_a_file_that_cases_share_is_told(root: Path, capsys: Capture) -> None:
    mock = "---\ntype: fixed\nexpects: {}\nanswer: 1\n---\n"
    lay_out(root, {**SOUND, "evals/mocks/tides/next.md": mock})

    assert len([line for line in lines(capsys, ".") if "unknown key of a mock file" in line]) == 2


def test_a_folder_in_place_of_a_prompt_is_a_fault_beside_a_case_yaml_too(root: Path, capsys: Capture) -> None:
    yaml = 'schema_version: "1.1"\nname: x\nexecution: {prompt: Hi}\n'
    lay_out(root, {**SOUND, "evals/c/case.yaml": yaml, "evals/c/prompt.md/x": "", "evals/c/graders/a.md": GRADER})
    (line,) = (line for line in lines(capsys, ".") if line.startswith("FAIL"))

    assert line.startswith("FAIL c/prompt.md: the case does not load: is a folder")


# Which eval directory the real program takes for a value of experimental.evals; None where it goes on with evals/.
@pytest.mark.parametrize(
    ("value", "taken"),
    [
        ('"qa"', "qa"),
        ('["qa"]', "qa"),
        ('["qa", "gone"]', "qa"),
        ("[]", None),
        ('"skills"', None),
        ('"commands"', None),
        ('"agents"', None),
        ('"hooks"', None),
        ('"mocks"', None),
        ('"results"', None),
        ('"skills/tide-table/evals"', None),
    ],
)
def test_the_eval_directory_that_a_manifest_names(root: Path, capsys: Capture, value: str, taken: str | None) -> None:
    folder = value.split('"')[1] if '"' in value else "qa"
    lay_out(root, {**SOUND, ".claude-plugin/plugin.json": MANIFEST_OF.format(f'"experimental": {{"evals": {value}}}')})
    lay_out(root, {f"{folder}/there/prompt.md": BAD_PROMPT})
    found = lines(capsys, ".")

    if taken:
        assert {line.split("/")[0] for line in found} == {"FAIL there"}
    else:
        assert any("so 'evals' is used" in line for line in found), found


@pytest.mark.parametrize("named", ["other", "other/c"])
def test_cases_that_the_real_program_does_not_find_are_a_fault(root: Path, capsys: Capture, named: str) -> None:
    lay_out(root, {**SOUND, "other/c/prompt.md": PROMPT, "other/c/graders/a.md": GRADER})

    assert main(["validate", named]) == 1
    assert capsys.readouterr().out.startswith(f"FAIL {named}: ")


def test_a_file_in_place_of_the_eval_directory_is_a_fault(root: Path, capsys: Capture) -> None:
    lay_out(root, {".claude-plugin/plugin.json": MANIFEST, "evals": "x"})

    assert main(["validate", "."]) == 1
    assert capsys.readouterr().out.startswith("FAIL .: ")


def test_the_summary_is_one_line_whatever_was_named(capsys: Capture) -> None:
    main(["validate", "a\nb\x1b[31m"])

    assert capsys.readouterr().err == "1 FAIL, 0 WARN in a\\nb\\x1b[31m\n"


@pytest.mark.parametrize("graders", ["null", "text"])
def test_a_list_of_graders_that_is_none_is_one_fault(root: Path, capsys: Capture, graders: str) -> None:
    yaml = f'schema_version: "1.1"\nname: x\nexecution: {{prompt: Hi}}\ngraders: {graders}\n'
    lay_out(root, {**SOUND, "evals/c/case.yaml": yaml})

    assert len([line for line in lines(capsys, ".") if line.startswith("FAIL")]) == 1


@pytest.mark.parametrize("to", ["/", "gone"])
def test_a_link_in_place_of_mocks_is_one_fault(root: Path, capsys: Capture, to: str) -> None:
    lay_out(root, SOUND)
    (root / "evals" / "high-water" / "mocks").symlink_to(to)
    (line,) = lines(capsys, ".")

    assert line.startswith("FAIL high-water/mocks: every run fails: is a link ")


@pytest.mark.skipif(sys.platform == "win32", reason="a working folder cannot be removed")
def test_a_working_folder_that_is_gone(root: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "gone").mkdir()
    monkeypatch.chdir(root / "gone")
    (root / "gone").rmdir()

    assert lines(capsys, ".") == ["FAIL .: the working folder does not exist any more; change to one that does"]
