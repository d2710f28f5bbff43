import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from skill_evaluator.formats.suite.failing import SuiteFailing, Written, find_failing
from skill_evaluator.formats.suite.manifest import read_manifest
from skill_evaluator.formats.suite.plugin import is_root, read_plugin
from skill_evaluator.formats.suite.suite import LoadedSuite, read_suite
from skill_evaluator.model import Finding, Level, Setup
from tests.recorded_suites import ALL_KINDS, ONLY_KNOWN_BY_RUNNING, recorded_suites
from tests.suite_files import lay_out

MANIFEST = '{"name": "harbour"}'
TALK = '{"type": "user", "message": {"role": "user", "content": "Hi"}}\n'
GRADER = "---\ntype: regex\n---\nok\n"
PRETTY = json.dumps(json.loads(TALK), indent=1)

# Below: the files of case c, and whether every run of it failed in the real program, which was asked for each row.


def hook(values: Mapping[str, object]) -> Mapping[str, object]:
    return {"PreToolUse": [{"hooks": [values]}]}


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    return lay_out(
        tmp_path / "plugin",
        {".claude-plugin/plugin.json": MANIFEST, "evals/c/prompt.md": "Say ok", "evals/d/prompt.md": "Say ok"},
    )


def case_of(plugin: Path, name: str = "c") -> Setup:
    return Setup(folder=plugin / "evals" / name, plugins=(plugin,))


def found(plugin: Path, setup: Setup, written: Written = Written()) -> SuiteFailing:  # noqa: B008 - it is frozen
    return find_failing(plugin / "evals", [(setup, written), (case_of(plugin, "d"), Written())], root=plugin)


def codes(failing: SuiteFailing) -> list[str]:
    assert all(fault.message.isprintable() for case in failing.cases for _, fault in case.faults)
    return [fault.code for _, fault in (*failing.shared, *failing.cases[0].faults)]


@pytest.mark.parametrize(
    ("env", "count"),
    [
        ({"EVAL_": "", "EVAL_A1_": "x"}, 0),
        ({"EVAL_foo": "x"}, 1),
        ({"FOO": "x", "BAR": "y"}, 2),
        ({"": "x"}, 1),
        ({"EVAL_A\n": "x"}, 1),
        ({"EVAL_Ä": "x"}, 1),
        ({"EVAL_A": "a\0b"}, 1),
        ({"__proto__": "x"}, 0),
        ({"EVAL_A": "x" * 131_064}, 0),
        ({"EVAL_A": "x" * 131_065}, 1),
        ({"EVAL_A": "é" * 65_600}, 1),
    ],
)
def test_variables_that_a_case_cannot_set(plugin: Path, env: Mapping[str, str], count: int) -> None:
    assert len(codes(found(plugin, replace(case_of(plugin), env=env)))) == count


@pytest.mark.parametrize(
    ("written", "files", "fails"),
    [
        ("r", {"r/x": ""}, False),
        ("./r//", {"r/x": ""}, False),
        ("r/../r", {"r/x": ""}, False),
        (".r", {".r/x": ""}, False),
        ("r[1]", {"r[1]/x": ""}, True),
        ("r 1", {"r 1/x": ""}, False),
        ("r\t1", {"r\t1/x": ""}, False),
        ("r", {"r/a[1]/x": ""}, False),
        ("r", {"r/prompt.md": ""}, False),
        ("r", {"r/s.sh": ""}, False),
        ("nope", {}, True),
        ("f.txt", {"f.txt": ""}, True),
        (".", {}, True),
        ("", {}, True),
        ("..", {}, True),
        ("../d", {}, True),
        ("/usr", {}, True),
        ("graders", {"graders/x": ""}, True),
        ("graders/x", {"graders/x/y": ""}, True),
        ("mocks", {"mocks/t/": ""}, True),
        ("l", {"l": "->/usr"}, True),
        ("l", {"l": "->../d"}, True),
        ("l", {"l": "->l"}, True),
        (".git", {".git/x": ""}, True),
        (".svn/a", {".svn/a/x": ""}, True),
        ("d/.hg", {"d/.hg/x": ""}, True),
        ("d/.git/refs", {"d/.git/refs/x": ""}, True),
        ("CVS", {"CVS/x": ""}, True),
        (".GIT", {".GIT/x": ""}, False),
        (".github", {".github/x": ""}, False),
        ("r", {"r/.git/x": ""}, False),
        ("nul\0", {}, True),
    ],
)
def test_folders_that_an_agent_may_read(plugin: Path, written: str, files: Mapping[str, str], fails: bool) -> None:
    setup = replace(case_of(plugin), add_dirs=(written,))
    lay_out(setup.folder, files)

    assert [code for code in codes(found(plugin, setup)) if code != "suite-link"] == ["bad-add-dirs"] * fails


def test_a_baseline_is_hidden_from_the_agent(plugin: Path) -> None:
    setup = replace(case_of(plugin), add_dirs=("r",))
    lay_out(setup.folder, {"r/b.jsonl": TALK})

    assert codes(found(plugin, setup, Written(baselines={"b": "r/b.jsonl"}))) == ["bad-add-dirs"]


@pytest.mark.parametrize(
    ("written", "files", "fails"),
    [
        ("", {}, False),
        ("h.jsonl", {"h.jsonl": TALK}, False),
        ("./h.jsonl", {"h.jsonl": "not json\n" + TALK}, False),
        ("../c/h.jsonl", {"h.jsonl": TALK}, False),
        ("graders/h.jsonl", {"graders/h.jsonl": TALK}, False),
        ("h.jsonl", {"h.jsonl": "->k.jsonl", "k.jsonl": TALK}, False),
        ("h.jsonl", {"h.jsonl": "->../k.jsonl", "../k.jsonl": TALK}, False),
        ("h.jsonl", {"h.jsonl": PRETTY}, False),
        ("h.jsonl", {"h.jsonl": "nonsense\n" + PRETTY + " junk"}, False),
        ("h.jsonl", {"h.jsonl": "{\n" + TALK}, False),
        ("h.jsonl", {"h.jsonl": PRETTY.replace("Hi", "Hi, " * 5000)}, False),
        ("h.jsonl", {"h.jsonl": "{\n" * 4_000_000}, False),  # nobody looks that far
        ("h.jsonl", {"h.jsonl": "\ufeff" + TALK}, False),
        ("h.jsonl", {"h.jsonl": '{"type": "system"}'}, False),
        ("h.jsonl", {"h.jsonl": TALK.replace("{", '{"isSidechain": 0, ', 1)}, False),
        ("h.jsonl", {"h.jsonl": TALK.replace("{", '{"isSidechain": true, ', 1)}, True),
        ("h.jsonl", {"h.jsonl": TALK.replace("{", '{"x": NaN, ', 1)}, True),
        ("h.jsonl", {"h.jsonl": "[" + TALK + "]"}, True),
        ("h.jsonl", {"h.jsonl": "junk " + TALK}, True),
        ("h.jsonl", {"h.jsonl": PRETTY.removesuffix("}")}, True),
        ("h.jsonl", {"h.jsonl": '{"type": "user", "message": {"role": "user"}}'}, True),
        ("h.jsonl", {"h.jsonl": ""}, True),
        ("h.jsonl", {"h.jsonl": "{}\n"}, True),
        ("h.jsonl", {"h.jsonl": "\n\n"}, True),
        ("h.jsonl", {"h.jsonl": "[" * 10_000}, True),
        ("h.txt", {"h.txt": TALK}, True),
        ("h.jsonl", {"h.jsonl/x": ""}, True),
        ("nope.jsonl", {}, True),
        ("/etc/passwd", {}, True),
        ("../k.jsonl", {"../k.jsonl": TALK}, True),
        ("../d/k.jsonl", {"../d/k.jsonl": TALK}, True),
        ("h.jsonl", {"h.jsonl": "->../../../out.jsonl", "../../../out.jsonl": TALK}, True),
        ("h.jsonl", {"h.jsonl": "->h.jsonl"}, True),
    ],
)
def test_transcripts_to_go_on_with(plugin: Path, written: str, files: Mapping[str, str], fails: bool) -> None:
    setup = replace(case_of(plugin), history_file=written)
    lay_out(setup.folder, files)

    assert [code for code in codes(found(plugin, setup)) if code != "suite-link"] == ["bad-history-file"] * fails


def test_a_pipe_is_no_transcript_and_blocks_nothing(plugin: Path) -> None:
    setup = replace(case_of(plugin), history_file="h.jsonl", add_dirs=("p",))
    os.mkfifo(setup.folder / "h.jsonl")
    os.mkfifo(setup.folder / "p")

    assert codes(found(plugin, setup)) == ["bad-add-dirs", "bad-history-file"]


@pytest.mark.parametrize(
    ("written", "fails"),
    [("s.sh", False), ("nope.sh", False), ("", False), ("../x.sh", True), ("/etc/passwd", True), ("l.sh", False)],
)
def test_scripts_outside_of_the_case(plugin: Path, written: str, fails: bool) -> None:
    setup = replace(case_of(plugin), scaffold_script=written)
    lay_out(setup.folder, {"s.sh": "true", "../x.sh": "true", "l.sh": "->../x.sh"})

    failing = found(plugin, setup)

    assert codes(failing) == ["bad-scaffold-script"] * fails
    assert all(fault.effect == "fails-with-scaffold" for _, fault in failing.cases[0].faults)


@pytest.mark.parametrize(
    ("written", "effects"),
    [
        ("b.txt", []),
        ("nope.jsonl", []),
        ("../c/b.txt", []),
        ("l.jsonl", []),
        ("l-in.jsonl", []),
        ("../x.jsonl", ["throws"]),
        ("prompt.md", ["throws"]),
        ("pretty.jsonl", ["throws"]),
        ("nan.jsonl", ["throws"]),
        ("mark.jsonl", ["throws"]),
        ("l-out.jsonl", ["throws"]),
        ("large.jsonl", ["throws"]),
        ("five.jsonl", []),
        ("blank.jsonl", []),
        ("l-no.jsonl", ["fails"]),
        ("d", ["fails"]),
        ("", ["fails"]),
        ("..", ["fails"]),
        ("/etc/passwd", ["fails"]),
        ("../../../../zz", ["fails"]),
        ("../../../out", ["fails"]),
    ],
)
def test_files_that_a_grader_compares_with(plugin: Path, written: str, effects: Sequence[str]) -> None:
    """One that is missing fails its grader alone, and is told elsewhere."""
    files = {
        "b.txt": TALK,
        "../x.jsonl": TALK,
        "d/x": "",
        "l.jsonl": "->b.txt",
        "l-in.jsonl": "->../x.jsonl",
        "l-out.jsonl": "->/etc/hostname",
        "l-no.jsonl": "->nope",
        "../../../out/x": "",
        "pretty.jsonl": '{\n "a": 1\n}\n',
        "nan.jsonl": '{"a": NaN}\n',
        "mark.jsonl": "\ufeff" + TALK,
        "large.jsonl": TALK + "\n" * 10_485_760,
        "five.jsonl": "5\n" + "9" * 5000,
        "blank.jsonl": "\n\v\n\u00a0\n",
    }
    lay_out(plugin / "evals/c", files)
    failing = found(plugin, case_of(plugin), Written(baselines={"b": written}))
    faults = [fault for path, fault in failing.cases[0].faults if path is None]

    assert [fault.effect for fault in faults] == effects
    assert all(fault.path == ("graders", "b", "baseline_file") for fault in faults)


@pytest.mark.parametrize(
    ("entries", "fails"),
    [
        (["../.."], 0),
        (["../..", "../.."], 0),
        ([".."], 0),
        (["../../skills"], 0),
        (["p"], 0),
        (["."], 1),
        ([""], 1),
        (["../..", "."], 1),
        (["../d"], 1),
        (["../d/p"], 1),
        (["../g/p"], 1),
        (["../mocks"], 1),
        (["graders"], 1),
        (["mocks"], 1),
        (["prompt.md"], 1),
    ],
)
def test_entries_of_plugins(plugin: Path, entries: Sequence[str], fails: int) -> None:
    lay_out(plugin, {"evals/d/p/x": "", "evals/g/p/x": "", "evals/mocks/t/": ""})
    lay_out(plugin, {"skills/x": "", "evals/c/p/x": "", "evals/c/graders/x": "", "evals/c/mocks/t/": ""})

    assert codes(found(plugin, case_of(plugin), Written(plugins=entries))) == ["bad-plugins"] * fails


@pytest.mark.parametrize(
    ("files", "add_dirs", "count"),
    [
        ({"evals/c/x": "->/etc/hostname"}, (), 0),
        ({"x": "->/usr"}, (), 0),
        ({"evals/c/x": "->nope"}, (), 1),
        ({"evals/c/a/b/r": "->/usr"}, (), 1),
        ({"evals/x": "->x"}, (), 1),
        ({"evals/lnk": "->c"}, (), 1),
        ({"evals/results/r": "->/usr"}, (), 1),
        ({"evals/.hid/r": "->/usr", "evals/node_modules/r": "->/usr"}, (), 2),
        ({"evals/mocks/t/fixtures": "->/usr"}, (), 1),
        ({"evals/c/r/x": "->/usr"}, ("r",), 1),  # case d fails by it
    ],
)
def test_links_that_no_suite_may_hold(
    plugin: Path, files: Mapping[str, str], add_dirs: tuple[str, ...], count: int
) -> None:
    lay_out(plugin, files)

    assert codes(found(plugin, replace(case_of(plugin), add_dirs=add_dirs))) == ["suite-link"] * count


def test_a_link_in_a_folder_that_every_case_reads_does_no_harm(plugin: Path) -> None:
    lay_out(plugin, {"evals/c/r/x": "->/usr"})
    setup = replace(case_of(plugin), add_dirs=("r",))

    assert find_failing(plugin / "evals", [(setup, Written())], root=plugin).shared == ()


@pytest.mark.parametrize(
    ("names", "fails"),
    [
        (["a(b", "a)b", "a*b", "a?b", "a!b", "a#b", "a\\b", "a{b", "a]b"], True),
        (["a,b", "a b", "a'b", 'a"b', "a:b", "a$b", "a~b", "-ab", "a\tb", "a\nb", "ä", "a;b", "a|b", "a<b"], False),
    ],
)
def test_names_of_case_folders(plugin: Path, names: Sequence[str], fails: bool) -> None:
    for name in names:
        setup = case_of(plugin, f"group/{name}")
        setup.folder.mkdir(parents=True)
        assert codes(found(plugin, setup)) == ["bad-folder-name"] * fails


@pytest.mark.parametrize(
    ("files", "odd"),
    [
        ({"d[1]/x": "", "skills/d[1]/x": "", "evals/c/a[1]/x": "", "evals/a[1]/x": ""}, "d[1]"),
        ({".d[1]/x": ""}, ".d[1]"),
        ({"d(1).md": ""}, "d(1).md"),
        ({"d[1]": "->evals"}, "d[1]"),
        ({"d[1]": "->nope"}, "d[1]"),
        ({"d 1/x": "", "d": "->skills/d[1]", "skills/d[1]/x": ""}, None),
    ],
)
def test_names_of_what_stands_beside_the_suite(plugin: Path, files: Mapping[str, str], odd: str | None) -> None:
    lay_out(plugin, files)

    failing = found(plugin, case_of(plugin))

    assert [(path, fault.code) for path, fault in failing.shared] == [(plugin / (odd or ""), "bad-folder-name")] * (
        odd is not None
    )


@pytest.mark.parametrize(
    ("folders", "fails"),
    [
        ("plugin (2)", True),
        ("par (1)/plugin", True),
        ("a#b/c/d/plugin", True),
        ("my plugin", False),
        ("a,b;c&d/plugin", False),
        ("ä\tb/plugin", False),
    ],
)
@pytest.mark.parametrize("name", [".claude-plugin/plugin.json", "plugin.json", "SKILL.md", None])
def test_names_of_the_folders_above_a_suite(tmp_path: Path, folders: str, name: str | None, *, fails: bool) -> None:
    suite = {"evals/c/prompt.md": "Hi", "evals/c/graders/g.md": GRADER}
    lay_out(tmp_path / folders, {**suite, **({name: MANIFEST} if name else {})})

    loaded = read_suite(tmp_path / folders)

    assert isinstance(loaded, LoadedSuite)
    assert "bad-folder-name" * fails in {finding.code for finding in loaded.findings} | {""}
    assert fails or "bad-folder-name" not in {finding.code for finding in loaded.findings}


def test_the_real_place_of_a_suite_counts_not_the_links_to_it(tmp_path: Path) -> None:
    files = {".claude-plugin/plugin.json": MANIFEST, "evals/c/prompt.md": "Hi", "evals/c/graders/g.md": GRADER}
    lay_out(tmp_path, {"a (1)": "->sound", "b": "->odd (1)"})
    lay_out(tmp_path / "sound", files)
    lay_out(tmp_path / "odd (1)", files)

    told = {}
    for name in ("a (1)", "b"):
        loaded = read_suite(tmp_path / name)
        assert isinstance(loaded, LoadedSuite)
        told[name] = [finding.code for finding in loaded.findings if finding.level is Level.FAIL]

    assert told == {"a (1)": [], "b": ["bad-folder-name"]}


@pytest.mark.parametrize(
    ("manifest", "fails"),
    [
        ('{"name": "Démo", "foo": 1, "description": 1, "author": "x", "homepage": "x", "keywords": "a"}', False),
        ('\ufeff{"name": "demo", "name": "demo2", "version": "abc"}', False),
        ('{"name": "d", "skills": ["./skills"], "commands": "./../x", "experimental": []}', False),
        ('{"name": "d", "mcpServers": ["./m.json"], "experimental": {"evals": "../x"}}', False),
        ("", True),
        ("{", True),
        ("null", True),
        ("[]", True),
        ("{}", True),
        ('{"name": 5}', True),
        ('{"name": ""}', True),
        ('{"name": "a b"}', True),
        ('{"name": "d" /*x*/}', True),
        ('{"name": "d", "version": 1}', True),
        ('{"name": "d", "version": null}', True),
        ('{"name": "d", "skills": 5}', True),
        ('{"name": "d", "skills": "skills"}', True),
        ('{"name": "d", "agents": ["x"]}', True),
        ('{"name": "d", "commands": null}', True),
        ('{"name": "d", "hooks": 5}', True),
        ('{"name": "d", "mcpServers": 5}', True),
        ('{"name": "d", "mcpServers": {"a": 5}}', True),
        ('{"name": "d", "experimental": {"evals": 5}}', True),
        ('{"name": "d", "experimental": {"evals": null}}', True),
    ],
)
def test_manifests_that_do_not_load(plugin: Path, manifest: str, fails: bool) -> None:
    lay_out(plugin, {".claude-plugin/plugin.json": manifest})

    assert codes(found(plugin, case_of(plugin))) == ["bad-manifest"] * fails


@pytest.mark.parametrize(
    ("key", "fits", "misfits"),
    [
        (
            "name",
            ["a\u00a0b", "a\u3000b", "a\u061cb", "a/b"],
            ["a\tb", "a\nb", "\x1b", "a\x7f", "a\u202eb", "a\u200eb"],
        ),
        ("skills", ["./", ".", [".", "./a.md"]], ["", "/a", [""], {}]),
        (
            "commands",
            ["./a.txt", [], {}, {"a": {"source": "./a"}}, {"a": {"content": "x", "x": 5}}],
            ["a", [{}], {"a": 5}, {"a": {}}, {"a": {"content": "x", "source": "./a"}}, {"a": {"content": ""}}],
        ),
        ("agents", ["./a.md", [], "./../a.md"], [{}, "./agents", "./a.MD", [{}]]),
        (
            "hooks",
            ["./h.json", [{}], {"Stop": 5}, {"PreToolUse": None}, {"hooks": 5}, hook({"type": "prompt", "prompt": ""})],
            ["./h.txt", [5], {"PreToolUse": 5}, {"hooks": hook({"type": "x"})}, hook({"type": "x"}), hook({})],
        ),
        (
            "mcpServers",
            [
                {},
                ["./a.json", {"a": {"command": "x", "args": ["y"], "env": {"A": ""}, "x": 5}}],
                {"a": {"type": "http", "url": ""}},
                {"a": {"type": "sdk", "name": "x"}},
                {"a": {"command": "x", "timeout": 1e3}},
            ],
            [
                {"a": {}},
                {"a": {"type": "x", "command": "x"}},
                {"a": {"type": None, "command": "x"}},
                {"a": {"type": "http"}},
                {"a": {"command": 5}},
                {"a": {"command": ""}},
                {"a": {"command": "x", "args": "y"}},
                {"a": {"command": "x", "env": {"A": 5}}},
                {"a": {"command": "x", "timeout": 0}},
                {"mcpServers": {"a": {"command": "x"}}},
                [[{"a": {"command": "x"}}]],
                "./m.txt",
                "./x.MCPB",
                "https://x/y.json",
            ],
        ),
        (
            "lspServers",
            ["./x.json", {"a": {"command": "x", "extensionToLanguage": {".a": "b"}}}],
            ["x", {"a": 5}, {"a": {"command": "x", "extensionToLanguage": {}}}],
        ),
        ("outputStyles", ["./x", ["./x"]], ["x", 5, {}]),
        ("themes", ["./x"], [5]),
        ("workflows", ["./x"], ["x"]),
        ("settings", [{"a": 5}], [5, [], "./x.json"]),
        (
            "userConfig",
            [{"a": {"type": "file", "title": "t", "description": "d"}}],
            [5, {"a": 5}, {"a": {"type": "file"}}],
        ),
        ("channels", [[{"server": "a"}]], [5, [{}]]),
        ("dependencies", [["a", "a@b", {"name": "x"}]], [5, ["a b"], ["./a"], [{}]]),
        (
            "monitors",
            ["./x.json", [{"name": "a", "command": "b", "description": "c"}]],
            [5, "./x", [{"name": "a", "command": "b"}], [{"name": "a", "command": "b", "description": "c"}] * 2],
        ),
        ("defaultEnabled", [True], [5, None]),
        (
            "experimental",
            [5, None, {"x": 5}, {"evals": ["evals"]}, {"themes": "./x"}],
            [{"evals": [5]}, {"evals": {}}, {"monitors": 5}, {"themes": 5}],
        ),
        ("strict", [5, None, {}], []),
    ],
)
def test_values_of_a_manifest(tmp_path: Path, key: str, fits: Sequence[object], misfits: Sequence[object]) -> None:
    def said(number: int, value: object) -> list[tuple[str, object]]:
        text = json.dumps({"name": "d", key: value})
        plugin = lay_out(tmp_path / str(number), {".claude-plugin/plugin.json": text})
        return [(fault.code, fault.path[0]) for fault in read_manifest(plugin, root=plugin).faults]

    assert [value for number, value in enumerate(fits) if said(number, value)] == []
    assert [value for number, value in enumerate(misfits, 50) if said(number, value) != [("bad-manifest", key)]] == []


def test_a_message_about_a_manifest_names_the_innermost_place(plugin: Path) -> None:
    lay_out(plugin, {".claude-plugin/plugin.json": '{"name": "d", "mcpServers": {"a": {"command": "x", "args": "y"}}}'})

    [(_, fault)] = found(plugin, case_of(plugin)).shared

    assert fault.path == ("mcpServers", "a", "args")
    assert fault.message == '`mcpServers.a.args` is "y" (text); expected a list, each item text'


@pytest.mark.parametrize(
    ("servers", "count"),
    [
        ("./x.mcpb", 1),
        ("./z.dxt", 1),
        ("https://x.example/y.mcpb", 1),
        (["./a.json", "./x.mcpb"], 1),
        ("./x.json", 0),
    ],
)
def test_bundles_of_servers_cannot_be_stood_in_for(plugin: Path, servers: object, count: int) -> None:
    lay_out(plugin, {".claude-plugin/plugin.json": json.dumps({"name": "d", "mcpServers": servers})})

    assert codes(found(plugin, case_of(plugin))) == ["server-bundle"] * count


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"plugin.json": "{"}, []),
        ({"plugin.json": "{}"}, []),
        ({"plugin.json": '{"name": "d", "version": 5, "skills": "x", "mcpServers": {"a": 5}}'}, []),
        ({"plugin.json": '{"experimental": {"evals": 5}}'}, []),
        ({"plugin.json/x": ""}, ["bad-manifest"]),
        ({"plugin.json": "->nope"}, ["bad-manifest"]),
        ({"plugin.json": "->/etc/hostname"}, ["leads-outside"]),
        ({".claude-plugin/plugin.json/x": ""}, ["bad-manifest"]),
        ({".claude-plugin/plugin.json": "->nope"}, ["bad-manifest"]),
        ({".claude-plugin/plugin.json": "->/etc/hostname"}, ["leads-outside"]),
        ({".claude-plugin/plugin.json": MANIFEST, "plugin.json/x": ""}, []),
        ({".claude-plugin/plugin.json": "{", "plugin.json": MANIFEST}, ["bad-manifest"]),
        ({".claude-plugin/plugin.json": '{"name": "d", "x": NaN}'}, ["bad-manifest"]),
        ({".claude-plugin/plugin.json": '{"name": "d", "x": ' + "9" * 5000 + "}"}, []),
    ],
)
def test_places_of_manifests(tmp_path: Path, files: Mapping[str, str], expected: Sequence[str]) -> None:
    plugin = lay_out(tmp_path / "plugin", files)

    assert [fault.code for fault in read_manifest(plugin, root=plugin).faults] == expected
    assert is_root(plugin, ("evals",))


def test_a_manifest_that_is_a_pipe_blocks_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "plugin.json")

    assert [fault.code for fault in read_manifest(tmp_path, root=tmp_path).faults] == ["bad-manifest"]


def test_of_a_manifest_beside_its_folder_the_place_of_the_suite_alone_is_heard(tmp_path: Path) -> None:
    text = '{"name": "harbour", "mcpServers": {"a": {"command": "x"}}, "experimental": {"evals": "q"}}'

    read = read_plugin(lay_out(tmp_path / "tide", {"plugin.json": text}))

    assert (read.name, read.servers, read.evals) == ("tide", (), "q")


def test_a_manifest_that_is_not_read_is_not_said_to_fail_runs(tmp_path: Path) -> None:
    files = {".claude-plugin/plugin.json": "->/etc/hostname", "evals/c/prompt.md": "Hi", "evals/c/graders/g.md": GRADER}

    loaded = read_suite(lay_out(tmp_path / "plugin", files))

    assert isinstance(loaded, LoadedSuite)
    [finding] = [finding for finding in loaded.findings if finding.level is Level.FAIL]
    assert finding.code == "leads-outside"
    assert "every run" not in finding.message


def test_a_plugin_that_one_case_names_fails_that_case_alone(tmp_path: Path) -> None:
    files = {
        ".claude-plugin/plugin.json": MANIFEST,
        "evals/c/prompt.md": '---\nplugins: ["./sub"]\n---\nHi',
        "evals/c/graders/g.md": GRADER,
        "evals/c/sub/.claude-plugin/plugin.json": "{}",
        "evals/d/prompt.md": "Hi",
        "evals/d/graders/g.md": GRADER,
    }

    loaded = read_suite(lay_out(tmp_path / "plugin", files))

    assert isinstance(loaded, LoadedSuite)
    [finding] = [finding for finding in loaded.findings if finding.level is Level.FAIL]
    assert (finding.case, finding.code, finding.file) == ("c", "bad-manifest", "sub/.claude-plugin/plugin.json")


@pytest.mark.parametrize(
    ("files", "case", "fails"),
    [
        ({"evals/grp/.claude-plugin/plugin.json": MANIFEST}, "grp/c", True),
        ({"evals/grp/.claude-plugin/plugin.json": MANIFEST}, "grp/deep/c", True),
        ({"evals/grp/plugin.json": "{}"}, "grp/c", True),
        ({"evals/c/plugin.json": "{}"}, "c", True),
        ({"evals/c/.claude-plugin/plugin.json": MANIFEST}, "c", True),
        ({"evals/grp/SKILL.md": "x"}, "grp/c", False),
        ({"evals/grp/plugin.json": "{}"}, "grp/evals/c", False),
        ({"evals/plugin.json": "{}"}, "c", False),
        ({"evals/other/plugin.json": "{}"}, "c", False),
    ],
)
def test_a_plugin_in_the_suite_that_covers_a_case(
    tmp_path: Path, files: Mapping[str, str], case: str, *, fails: bool
) -> None:
    own = {f"evals/{case}/prompt.md": "Hi", f"evals/{case}/graders/g.md": GRADER}
    plugin = lay_out(tmp_path / "plugin", {".claude-plugin/plugin.json": MANIFEST, **own, **files})

    loaded = read_suite(plugin)

    assert isinstance(loaded, LoadedSuite)
    failed = [(finding.case, finding.code) for finding in loaded.findings if finding.level is Level.FAIL]
    assert failed == [(case, "bad-plugins")] * fails


def test_a_plugin_that_a_case_names_is_read_where_none_is_around_the_suite(tmp_path: Path) -> None:
    case = {"evals/c/prompt.md": "---\nplugins: [../../other]\n---\nHi", "evals/c/graders/g.md": GRADER}
    folder = lay_out(tmp_path / "plain", {"other/.claude-plugin/plugin.json": MANIFEST, **case})

    loaded = read_suite(folder)

    assert isinstance(loaded, LoadedSuite)
    assert [finding.code for finding in loaded.findings if finding.level is Level.FAIL] == []
    assert read_manifest(folder / "other", root=folder / "evals").faults == ()


def test_stand_ins_know_the_servers_that_a_plugin_declares(plugin: Path) -> None:
    lay_out(
        plugin,
        {
            ".claude-plugin/plugin.json": '{"name": "demo", "mcpServers": "./m.json"}',
            "m.json": '{"mcpServers": {"b": {"command": "false"}}}',
            ".mcp.json": '{"my server.x": {"command": "false"}}',
            **{f"evals/mocks/{name}/t.md": "x" for name in ("b", "my_server_x", "other")},
        },
    )

    failing = found(plugin, case_of(plugin))

    assert codes(failing) == []
    assert [(server.name, server.is_declared) for server in failing.cases[0].mocks] == [
        ("b", True),
        ("my_server_x", True),
        ("other", False),
    ]

    lay_out(plugin, {"evals/c/mocks/plugin_demo_b/u.md": "x"})

    assert codes(found(plugin, case_of(plugin))) == ["mock-server-twice"]


def failing_cases(loaded: LoadedSuite, plugin: Path, folders: Iterable[str], *, with_scaffold: bool) -> set[str]:
    """Give those of some cases of which a finding says that every run fails."""
    words = ["every run fails: ", "the case loads, but every run of it fails: "]
    if with_scaffold:
        words.append("the case loads, but with `--scaffold` every run of it fails: ")
    said = {finding.case for finding in loaded.findings if finding.message.startswith(tuple(words))}
    names = {folder: Path(os.path.relpath(plugin / folder, loaded.eval_dir)).as_posix() for folder in folders}
    return {folder for folder, name in names.items() if None in said or name in said or Path(folder).name in said}


def test_exactly_the_cases_that_failed_every_run_are_said_to(conformance: Path, tmp_path: Path) -> None:
    """A case that is known to fail before a run ended in an error each time, and the agent was never asked."""
    wrong: list[str] = []
    compared = failed = 0
    for number, found_suite in enumerate(recorded_suites(conformance, *ALL_KINDS)):
        suite = found_suite.placed_in(tmp_path / str(number))
        if not suite.reads_a_suite or not suite.has_stand_ins or suite.name in ONLY_KNOWN_BY_RUNNING:
            continue  # without its stand-ins one loads
        plugin = suite.lay_out(tmp_path / str(number) / "plugin")
        loaded = read_suite(plugin / suite.target, eval_dir=next(iter(suite.options("--eval-dir")), None))
        if isinstance(loaded, Finding):
            assert not suite.runs, suite.name
            continue
        never_ran = {folder for folder in suite.runs if suite.never_started(folder)}
        ours = failing_cases(loaded, plugin, suite.runs, with_scaffold="--scaffold" in suite.args)
        wrong += [f"{suite.name}: {sorted(ours)}, not {sorted(never_ran)}"] * (ours != never_ran)
        compared += len(suite.runs)
        failed += len(never_ran)

    assert wrong == []
    assert (compared, failed) == (448, 62)


def test_a_case_has_at_most_256_files_of_graders(plugin: Path) -> None:
    lay_out(plugin / "evals/c", {f"graders/g{number}.md": "---\ntype: regex\n---\nok\n" for number in range(257)})
    lay_out(plugin / "evals/d", {"graders/g.md": "---\ntype: regex\n---\nok\n"})

    loaded = read_suite(plugin)

    assert isinstance(loaded, LoadedSuite)
    assert loaded.refused == (plugin / "evals/c",)


def test_a_case_yaml_that_is_a_folder_refuses_its_case(plugin: Path) -> None:
    lay_out(plugin / "evals/c", {"case.yaml/x": "", "graders/g.md": "---\ntype: regex\n---\nok\n"})
    lay_out(plugin / "evals/d", {"graders/g.md": "---\ntype: regex\n---\nok\n"})

    loaded = read_suite(plugin)

    assert isinstance(loaded, LoadedSuite)
    assert loaded.refused == (plugin / "evals/c",)


@pytest.mark.parametrize(
    ("files", "code", "file"),
    [
        ({"evals/g/l": "->.."}, "suite-link", "evals/g/l"),
        ({"evals/c/prompt.md": "->/etc/hostname"}, "leads-outside", "prompt.md"),
        ({"evals/c/graders/h.md": "->/etc/hostname"}, "leads-outside", "graders/h.md"),
        ({"evals/mocks/t/h.md": "->/etc/hostname"}, "leads-outside", "evals/mocks/t/h.md"),
        ({f"evals/g{name}/{number}": "" for name in range(5) for number in range(20)}, "too-many-entries", "evals/g1"),
        (
            {f"evals/c/r/g{name}/{number}": "" for name in range(5) for number in range(20)},
            "too-many-entries",
            "evals/c/r/g1",
        ),
    ],
)
def test_a_hostile_tree_is_one_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: Mapping[str, str], code: str, file: str
) -> None:
    """A tree is bounded at fewer entries here, so that the test need not write 50,000."""
    monkeypatch.setattr("skill_evaluator.formats.suite.folders.MAX_ENTRIES", 40)
    sound = {".claude-plugin/plugin.json": MANIFEST, "evals/c/prompt.md": "Say ok"}
    plugin = lay_out(tmp_path / "plugin", {**sound, "evals/c/graders/g.md": "---\ntype: regex\n---\nok\n", **files})

    loaded = read_suite(plugin)

    assert isinstance(loaded, LoadedSuite)
    failed = [finding for finding in loaded.findings if finding.level is Level.FAIL]
    assert [(finding.code, (finding.file or "").removeprefix(f"{plugin}/")) for finding in failed] == [(code, file)]


def test_a_suite_that_lies_outside_is_not_read(tmp_path: Path) -> None:
    outside = lay_out(tmp_path / "outside", {"c/prompt.md": "Say ok", "c/graders/g.md": "---\ntype: regex\n---\nok\n"})
    plugin = lay_out(tmp_path / "plugin", {".claude-plugin/plugin.json": MANIFEST, "evals": f"->{outside}"})

    loaded = read_suite(plugin)

    assert isinstance(loaded, LoadedSuite)
    assert loaded.suite.cases == ()
    assert [finding.code for finding in loaded.findings if finding.level is Level.FAIL] == ["leads-outside"]
