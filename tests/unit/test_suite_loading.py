"""Reading suites: which file wins, which plugin and folder are meant, and what is said of the rest.

Loaded or refused, and as what: tried out with Claude Code 2.1.332.
"""

from pathlib import Path

import pytest

from skill_evaluator.formats.suite.discovery import folder_parts
from skill_evaluator.formats.suite.filters import matches_glob
from skill_evaluator.formats.suite.suite import LoadedSuite, expected_trigger, read_suite
from skill_evaluator.model import Finding, Level
from tests.suite_files import SOUND, lay_out

GRADER = "---\ntype: regex\n---\nok\n"
YAML = 'schema_version: "1.1"\nname: c\n'
MANIFEST = {".claude-plugin/plugin.json": '{"name": "demo"}'}


def case(
    root: Path, prompt: str | None = "Hi", case_yaml: str | None = None, grader: str | None = GRADER
) -> LoadedSuite:
    """Read a plugin with one case, evals/c."""
    written = {"prompt.md": prompt, "case.yaml": case_yaml, "graders/g.md": grader}
    lay_out(root, MANIFEST | {f"evals/c/{name}": text for name, text in written.items() if text is not None})
    loaded = read_suite(root)
    assert isinstance(loaded, LoadedSuite), loaded
    return loaded


def fails(loaded: LoadedSuite) -> list[tuple[str | None, str | None, str, int | None]]:
    return [(one.case, one.file, one.code, one.line) for one in loaded.findings if one.level is Level.FAIL]


@pytest.mark.parametrize(
    "case_yaml",
    [
        "",
        "# nothing\n",
        "null\n",
        YAML + "execution:\n",
        YAML + "execution: [a]\n",
        YAML + "execution: {prompt: 5}\n",
        YAML + "context: {}\n",
        YAML + "graders:\n",
        YAML + "graders: {a: 1}\n",
        YAML + "unknown: 1\ncontext: {foo: 1}\n",
        "---\n" + YAML,
    ],
)
def test_a_case_yaml_beside_a_prompt_md_loads(tmp_path: Path, case_yaml: str) -> None:
    loaded = case(tmp_path, case_yaml=case_yaml)

    assert fails(loaded) == []
    assert [one.prompt for one in loaded.suite.cases] == ["Hi"]


@pytest.mark.parametrize(
    ("case_yaml", "code", "line"),
    [
        ("{}\n", "missing-schema-version", None),
        ("name: c\n", "missing-schema-version", None),
        ('schema_version: "1.1"\n', "missing-name", None),
        (YAML + "---\na: 1\n", "not-a-mapping", 1),
        ("false\n", "not-a-mapping", 1),
        (YAML + "context:\n", "wrong-value", 3),
        (YAML + "context: [a]\n", "wrong-value", 3),
        (YAML + "context: {add_dirs: }\n", "wrong-value", 3),
        (YAML + "runs: x\n", "wrong-value", 3),
        (YAML + "tags:\n", "wrong-value", 3),
        (YAML + "execution:\n  max_turns: 0\n", "wrong-value", 4),
        (YAML + "execution: {growthbook_overrides: {a: [1]}}\n", "wrong-value", 3),
        (YAML + "graders: [{name: g, type: regex, pattern: a}]\n", "duplicate-grader", None),
        (YAML + "graders: [null]\n", "wrong-value", 3),
    ],
)
def test_a_bad_case_yaml_is_refused_with_its_line(tmp_path: Path, case_yaml: str, code: str, line: int | None) -> None:
    loaded = case(tmp_path, case_yaml=case_yaml)

    file = "graders/g.md" if code == "duplicate-grader" else "case.yaml"
    extra = [("c", "case.yaml", "missing-name", None)] if case_yaml == "{}\n" else []
    assert fails(loaded) == [("c", file, code, line), *extra]
    assert loaded.refused == (tmp_path / "evals/c",)


def test_what_prompt_md_overrides_may_be_wrong(tmp_path: Path) -> None:
    loaded = case(
        tmp_path,
        prompt="---\nname: md\nruns: 2\n---\n",
        case_yaml='schema_version: "1.1"\nname: 5\nruns: x\nexecution: {prompt: " from yaml ", max_turns: 9}\n',
    )

    (only,) = loaded.suite.cases
    assert fails(loaded) == []
    assert only.limits is not None
    assert (only.id, only.prompt, only.limits.runs, only.limits.max_turns) == ("md", "from yaml", 2, 9)


@pytest.mark.parametrize("version", ["1", "0.9", "1.", " 1.1", "01.1", "1.x", "-1", "1.9"])
def test_versions_are_read_as_javascript_reads_numbers(tmp_path: Path, version: str) -> None:
    assert fails(case(tmp_path, prompt=f'---\nschema_version: "{version}"\n---\nHi')) == []


@pytest.mark.parametrize(
    ("version", "code"),
    [
        ('"2.0"', "newer-schema-version"),
        ('"0002"', "newer-schema-version"),
        ('"10"', "newer-schema-version"),
        ('"v1.1"', "bad-schema-version"),
        ('".1"', "bad-schema-version"),
        ('""', "bad-schema-version"),
        ("1", "bad-schema-version"),
        ("", "bad-schema-version"),
    ],
)
def test_versions_that_are_refused(tmp_path: Path, version: str, code: str) -> None:
    assert fails(case(tmp_path, prompt=f"---\nschema_version: {version}\n---\nHi")) == [("c", "prompt.md", code, 2)]


def test_all_faults_of_a_case_come_at_once(tmp_path: Path) -> None:
    loaded = case(tmp_path, prompt="---\nruns: 0\ntimeout: 5\n---\n", grader="---\ntype: bogus\nweight: 0\n---\n")

    assert fails(loaded) == [
        ("c", "prompt.md", "unknown-key", 3),
        ("c", "prompt.md", "no-prompt", None),
        ("c", "prompt.md", "wrong-value", 2),
        ("c", "graders/g.md", "grader-type", 2),
        ("c", "graders/g.md", "wrong-value", 3),
    ]


def test_faults_say_whether_the_case_loads(tmp_path: Path) -> None:
    refused = case(tmp_path / "a", prompt="---\nruns: 0\n---\nHi")
    failing = case(tmp_path / "b", prompt="---\nenv: {PATH: x}\n---\nHi")

    assert [str(one.message).split(":")[0] for one in refused.findings if one.level is Level.FAIL] == [
        "the case does not load"
    ]
    assert [str(one.message).split(":")[0] for one in failing.findings if one.level is Level.FAIL] == [
        "the case loads, but every run of it fails"
    ]
    assert [len(one.suite.cases) for one in (refused, failing)] == [0, 1]


CASE = {"prompt.md": "Hi", "graders/g.md": GRADER}


@pytest.mark.parametrize(
    ("files", "target", "folders"),
    [
        (["evals/g/a", "evals/b"], "evals/g", ["evals/g/a"]),
        (["evals/g/results/a", "evals/g/mocks/b", "evals/.git/d", "evals/node_modules/e", "evals/c"], ".", ["evals/c"]),
        (["evals/a/x", "evals/a-b", "evals/a.c", "evals/a0"], ".", ["evals/a-b", "evals/a.c", "evals/a/x", "evals/a0"]),
        (["evals/c", "evals/c/inner"], ".", ["evals/c"]),
        (["evals/c", "evals/c/inner"], "evals/c/inner", ["evals/c/inner"]),
        (["x"], "x/prompt.md", ["x"]),
        (["sub/evals/y"], "sub", ["sub/evals/y"]),
        (["evals"], "evals", ["evals"]),
    ],
)
def test_a_target_means_these_cases(tmp_path: Path, files: list[str], target: str, folders: list[str]) -> None:
    lay_out(tmp_path, MANIFEST | {f"{folder}/{name}": text for folder in files for name, text in CASE.items()})

    loaded = read_suite(tmp_path / target)

    assert isinstance(loaded, LoadedSuite)
    assert [one.metadata.folder for one in loaded.suite.cases if one.metadata] == folders
    assert loaded.plugin == tmp_path


@pytest.mark.parametrize("target", ["qa", "skills", "x", "nope", "evals/c/graders/g.md"])
def test_a_target_that_means_no_suite_is_one_finding(tmp_path: Path, target: str) -> None:
    lay_out(
        tmp_path,
        MANIFEST | {f"{folder}/{name}": text for folder in ("qa/a", "x", "evals/c") for name, text in CASE.items()},
    )
    (tmp_path / "skills").mkdir()

    assert isinstance(read_suite(tmp_path / target), Finding)


def test_a_skill_of_its_own_is_a_plugin(tmp_path: Path) -> None:
    skill = tmp_path / ".claude/skills/foo"
    lay_out(skill, {"SKILL.md": "---\nname: bar\n---\n"} | {f"evals/c/{name}": text for name, text in CASE.items()})
    lay_out(tmp_path, MANIFEST)

    loaded = read_suite(skill)

    assert isinstance(loaded, LoadedSuite)
    assert (loaded.plugin, loaded.plugin_name) == (skill, "foo")
    assert [one.metadata.folder for one in loaded.suite.cases if one.metadata] == ["evals/c"]


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        ("evals", ("evals",)),
        ("./qa", ("qa",)),
        ("qa/", ("qa",)),
        (" qa ", ("qa",)),
        ("qa/../qa", ("qa",)),
        ("a/b", ("a", "b")),
        ("", None),
        (".", None),
        ("..", None),
        ("qa/..", None),
        ("../x", None),
        ("/abs", None),
        ("~/x", None),
        (".x", None),
        ("a b", None),
        (5, None),
        (None, None),
    ],
)
def test_an_eval_directory_is_a_plain_path_below_the_plugin(written: object, parts: tuple[str, ...] | None) -> None:
    read = folder_parts(written)

    assert (None if isinstance(read, str) else read) == parts


def test_a_manifest_names_the_eval_directory_unless_it_cannot(tmp_path: Path) -> None:
    files = {f"{folder}/{name}": text for folder in ("qa/q", "evals/c") for name, text in CASE.items()}
    named = {}
    for value in ("qa", "../x"):
        root = tmp_path / value.replace("/", "_")
        manifest = {".claude-plugin/plugin.json": f'{{"name": "demo", "experimental": {{"evals": "{value}"}}}}'}
        loaded = read_suite(lay_out(root, files | manifest))
        assert isinstance(loaded, LoadedSuite)
        named[value] = (loaded.eval_dir, [one.code for one in loaded.findings if one.code == "evals-not-used"])

    assert named == {
        "qa": (tmp_path / "qa/qa", []),
        "../x": (tmp_path / ".._x/evals", ["evals-not-used"]),
    }


@pytest.mark.parametrize(
    ("glob", "matches"),
    [("a-b", True), ("a-?", True), ("*b", True), ("**", True), ("[a]-b", False), ("{a-b,z}", False), ("A-B", False)],
)
def test_globs_know_stars_and_question_marks_alone(glob: str, *, matches: bool) -> None:
    assert matches_glob("a-b", [glob]) is matches


def test_cases_that_are_not_meant_are_refused_only_for_what_is_seen_first(tmp_path: Path) -> None:
    prompts = {
        "bad": "---\nruns: 0\n---\nHi",
        "key": "---\nfoo: 1\n---\nHi",
        "name": "---\nname: 5\n---\nHi",
        "tags": "---\ntags: a\n---\nHi",
        "version": '---\nschema_version: "2"\n---\nHi',
        "c": "Hi",
    }
    files = {f"evals/{name}/prompt.md": text for name, text in prompts.items()}
    files |= {f"evals/{name}/graders/g.md": GRADER for name in prompts}
    loaded = read_suite(lay_out(tmp_path, MANIFEST | files), case_globs=["c"])

    assert isinstance(loaded, LoadedSuite)
    assert [folder.name for folder in loaded.refused] == ["key", "name", "tags"]
    assert [one.id for one in loaded.suite.cases] == ["c"]


@pytest.mark.parametrize(
    ("options", "claim"),
    [
        ("tool: Skill", True),
        ("tool: Skill\nmin: 2\nmax: 3", True),
        ("tool: Skill\nmin: 0\nmax: 0", False),
        ("tool: Skill\nmax: 0", False),
        ("tool: Skill\nmin: 0", None),
        ("tool: skill", None),
        ("tool: Read", None),
    ],
)
def test_a_case_claims_what_its_graders_of_the_skill_tool_ask(
    tmp_path: Path, options: str, *, claim: bool | None
) -> None:
    (only,) = case(tmp_path, grader=f"---\ntype: tool_used\n{options}\n---\n").suite.cases

    assert only.expect_trigger is claim
    assert expected_trigger(only) is claim


def test_cases_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    files = {f"evals/{folder}/a/{name}": text for folder in ("g1", "g2") for name, text in CASE.items()}
    loaded = read_suite(lay_out(tmp_path, MANIFEST | files))

    assert isinstance(loaded, LoadedSuite)
    assert [one.id for one in loaded.suite.cases] == ["a (evals/g1/a)", "a (evals/g2/a)"]


def test_the_hash_of_the_prompt_stays_when_a_grader_changes(tmp_path: Path) -> None:
    first = case(tmp_path / "a").suite.cases[0]
    again = case(tmp_path / "b").suite.cases[0]
    other = case(tmp_path / "d", grader="---\ntype: regex\nweight: 2\n---\nok\n").suite.cases[0]

    assert (first.sha256, first.prompt_sha256) == (again.sha256, again.prompt_sha256)
    assert first.prompt_sha256 == other.prompt_sha256
    assert first.sha256 != other.sha256


def test_bytes_that_are_no_utf8_are_read_and_doubted(tmp_path: Path) -> None:
    lay_out(tmp_path, MANIFEST | {"evals/c/graders/g.md": GRADER})
    (tmp_path / "evals/c/prompt.md").write_bytes(b"Hi\n\xff there")
    loaded = read_suite(tmp_path)

    assert isinstance(loaded, LoadedSuite)
    assert fails(loaded) == []
    assert [one.prompt for one in loaded.suite.cases] == ["Hi\n\ufffd there"]
    assert [(one.code, one.line) for one in loaded.findings if one.code == "not-utf8"] == [("not-utf8", 2)]


def test_the_hash_of_a_case_holds_what_its_author_wrote_and_none_of_our_words(tmp_path: Path) -> None:
    grader = "---\ntype: baseline\nbaseline_file: kept.jsonl\n---\nPASS if so. FAIL if not.\n"
    hashes = []
    for name, kept in (("a", None), ("b", "too-large"), ("c", "{}\n"), ("d", "{} \n")):
        lay_out(tmp_path / name, {**SOUND, "evals/high-water/graders/b.md": grader})
        if kept is not None:
            file = tmp_path / name / "evals/high-water/kept.jsonl"
            file.write_text("x" * (17 * 1024 * 1024) if kept == "too-large" else kept)
        loaded = read_suite(tmp_path / name)
        assert not isinstance(loaded, Finding)
        hashes.append(loaded.suite.cases[0].sha256)

    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 3


# As the real program does: one mark is taken off, and a second one is text.
@pytest.mark.parametrize(
    ("name", "refused"),
    [
        ("prompt.md", []),
        ("case.yaml", ["missing-schema-version"]),
        ("graders/g.md", ["no-grader"]),
    ],
)
def test_two_byte_order_marks_are_one_too_many(tmp_path: Path, name: str, refused: list[str]) -> None:
    files = {"prompt.md": "---\nmax_turns: 3\n---\nHi\n", "case.yaml": YAML, "graders/g.md": GRADER}
    for marks in (1, 2):
        marked = {**files, name: "\ufeff" * marks + files[name]}
        lay_out(tmp_path, {f"{marks}/evals/c/{file}": text for file, text in marked.items()})
    once, twice = read_suite(tmp_path / "1"), read_suite(tmp_path / "2")

    assert isinstance(once, LoadedSuite)
    assert isinstance(twice, LoadedSuite)
    assert fails(once) == []
    assert [code for _, _, code, _ in fails(twice)] == refused
