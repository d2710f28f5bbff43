import os
from pathlib import Path

import pytest

from skill_evaluator.formats.suite.mock_files import MockFile, read_mock_file
from skill_evaluator.formats.suite.mock_folders import MockFolder, read_mock_folder
from skill_evaluator.formats.suite.mock_listing import read_listing
from skill_evaluator.formats.suite.mocks import merge_mocks, offer_faults
from tests.recorded_suites import recorded_suites
from tests.suite_files import lay_out

NO_SUCH = MockFolder()


def write(folder: Path, **files: str) -> Path:
    return lay_out(folder, {f"{name}.md": text for name, text in files.items()})


def fails_by_mocks(plugin: Path) -> bool:
    folders = [read_mock_folder(plugin / "evals" / part, root=plugin) for part in ("mocks", "c/mocks")]
    return any(folder.faults for folder in folders)


def test_exactly_the_mock_files_that_failed_every_run_are_faulty(conformance: Path, tmp_path: Path) -> None:
    suites = [
        suite
        for suite in recorded_suites(conformance, "static", "run")
        if suite.has_stand_ins and any("mocks/" in name for name in suite.files)
    ]
    wrong = []
    for number, suite in enumerate(suites):
        plugin = suite.lay_out(tmp_path / str(number))
        if fails_by_mocks(plugin) != suite.never_started("evals/c"):
            wrong.append(suite.name)

    assert len(suites) >= 150
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("", []),
        ("---\n---\n", []),
        ("---\ntype: fixed\nerror: false\n---\n", []),
        ("---\nerror: true\nerror: false\n---\nr", []),
        ("---\ntype: agent\nabort_when: ''\nexpect: {a: string}\n---\nplay", []),
        ("---\n- a\n---\nr", ["not-a-mapping"]),
        ("---\nhello\n---\nr", ["not-a-mapping"]),
        ("---\nerror: true\nr", ["frontmatter-open"]),
        ("---\r\nfoo: 1\r\n---\r\nr", ["mock-unknown-key"]),
        ("---\nfoo: 1\nbar: 2\nerror: x\n---\nr", ["mock-unknown-key", "mock-unknown-key", "wrong-value"]),
        ("---\ntype:\n---\nr", ["wrong-value"]),
        ("---\nerror: 1\n---\nr", ["wrong-value"]),
        ("---\nexpect:\n---\nr", ["wrong-value"]),
        ("---\ntype: agent\nerror: false\n---\nplay", ["mock-combination"]),
        ("---\ntype: agent\ntools: [a]\n---\nplay", ["mock-combination"]),
        ("---\ntype: agent\n---\n\u00a0\n", ["mock-combination"]),
        ("---\ntype: agent\n---", ["mock-combination"]),
        ("---\ntype: agent\nabort_when: 5\n---\nplay", ["wrong-value"]),
        ("---\nexpect: {a: .nan, b: [.inf], c: {d: null}, e: [{f: g}]}\n---\nr", ["bad-expectation"] * 4),
        ("---\nexpect: {a: {}, b: [true, 5, x], '': string, c..d: true, e: ''}\n---\nr", []),
    ],
)
def test_what_a_mock_file_may_hold(text: str, codes: list[str]) -> None:
    mock = read_mock_file(text, is_server=False)

    assert [fault.code for fault in mock] == codes if isinstance(mock, tuple) else codes == []
    if isinstance(mock, tuple):
        assert {fault.effect for fault in mock} == {"fails"}


@pytest.mark.parametrize(
    ("frontmatter", "is_sound"),
    [
        ("type: agent\ntools: [a, b]\nabort_when: x", True),
        ("type: agent\ntools: [a, a]", True),
        ("type: agent\ntools: [_a, -b]", True),
        ("type: agent\ntools: [a]\nexpect: {x: string}", True),
        ("type: agent", False),
        ("tools: [a]", False),
        ("type: agent\ntools: [1]", False),
        ("type: agent\ntools: ['']", False),
        ("type: agent\ntools: ['a b']", False),
        ("type: agent\ntools: [a__b]", False),
        ("type: agent\ntools:", False),
        ("type: agent\ntools: [a, b]\nexpect: {}", False),
        ("type: agent\ntools: [a]\nerror: true", False),
    ],
)
def test_what_a_server_file_may_hold(frontmatter: str, is_sound: bool) -> None:
    mock = read_mock_file(f"---\n{frontmatter}\n---\nplay\n", is_server=True)

    assert isinstance(mock, MockFile) == is_sound


@pytest.mark.parametrize(
    ("text", "is_sound"),
    [
        ('{"tools": []}', True),
        (' \n{"result": {"tools": []}, "tools": 5}\n', True),
        ('{"tools": [{"name": "a b", "title": 5, "outputSchema": 5}], "nextCursor": "x"}', True),
        ('{"tools": 5, "tools": []}', True),
        ('{"result": {"tools": 5}, "tools": []}', False),
        ('{"result": null, "tools": []}', False),
        ("", False),
        ("[]", False),
        ("null", False),
        ('{"tools": {}}', False),
        ('{"tools": ["t"]}', False),
        ('{"tools": [{"description": "x"}]}', False),
        ('{"tools": [{"name": ""}]}', False),
        ('{"tools": [{"name": "t", "description": null}]}', False),
        ('{"tools": [{"name": "t", "inputSchema": []}]}', False),
        ('{"tools": [], "x": NaN}', False),
        ('{"tools": [],}', False),
        ('{"tools": [{"name": "t", "description": "a\nb"}]}', False),
        ("[" * 100_000, False),
    ],
)
def test_what_a_saved_listing_may_hold(text: str, is_sound: bool) -> None:
    assert isinstance(read_listing(text), tuple) == is_sound


def test_no_listing_begins_with_a_byte_order_mark(tmp_path: Path) -> None:
    write(tmp_path / "mocks" / "tracker", t="x")
    (tmp_path / "mocks" / "tracker" / "_tools.json").write_bytes(b'\xef\xbb\xbf{"tools": []}')

    [(path, fault)] = read_mock_folder(tmp_path / "mocks", root=tmp_path).faults

    assert (path.name, fault.code) == ("_tools.json", "not-json")


def test_files_of_a_case_take_the_place_of_those_of_the_suite(tmp_path: Path) -> None:
    agent = "---\ntype: agent\ntools: [a, b, c]\n---\n"
    suite = write(tmp_path / "suite" / "tracker", _server=agent + "suite", a="suite a", b="suite b")
    case = write(tmp_path / "case" / "tracker", _server=agent + "case", b="case b")
    write(tmp_path / "case" / "other", t="t")
    (suite / "_tools.json").write_text('{"tools": [{"name": "a"}]}', encoding="utf-8")

    servers = merge_mocks(
        read_mock_folder(suite.parent, root=tmp_path),
        read_mock_folder(case.parent, root=tmp_path),
        declared=frozenset({"tracker"}),
    )

    assert [(server.name, server.is_declared) for server in servers] == [("other", False), ("tracker", True)]
    assert [(tool.name, tool.kind, tool.body) for tool in servers[1].tools] == [
        ("a", "fixed", "suite a"),
        ("b", "fixed", "case b"),
        ("c", "agent", "case"),
    ]
    assert servers[1].listing == ({"name": "a"},)


def test_tools_stand_in_the_order_of_the_real_program(tmp_path: Path) -> None:
    model = "---\ntype: agent\ntools: [zeta, beta, mm]\n---\nA server.\n"
    lay_out(tmp_path, {f"mocks/st/{name}.md": "x\n" for name in ("mm", "zz", "Bb", "aa", "beta")})
    lay_out(tmp_path, {"mocks/st/_server.md": model, **{f"c/mocks/st/{name}.md": "y\n" for name in ("zz", "ab", "mm")}})
    folders = [read_mock_folder(tmp_path / part, root=tmp_path) for part in ("mocks", "c/mocks")]
    (server,) = merge_mocks(*folders, declared=frozenset())
    assert [tool.name for tool in server.tools] == ["zeta", "beta", "mm", "Bb", "aa", "zz", "ab"]


def test_names_that_no_tool_has_are_faults(tmp_path: Path) -> None:
    mocks = tmp_path / "mocks"
    write(mocks / "tracker", **dict.fromkeys(("a.b", "a b", "ä", "a__b", "t\nx", "-", "_", "5", ".h", ".a b"), "x"))
    for name in ("a b", "a.b", "a__b"):
        (mocks / name).mkdir()
    (mocks / "README.txt").touch()
    (mocks / ".hid").mkdir()
    (mocks / "tracker" / "fixtures").mkdir()
    (mocks / "tracker" / "d d.md").mkdir()

    faults = read_mock_folder(mocks, root=tmp_path).faults

    assert sorted((path.relative_to(mocks).as_posix(), fault.code) for path, fault in faults) == [
        ("a b", "mock-name"),
        ("a.b", "mock-name"),
        ("a__b", "mock-name"),
        ("tracker/a b.md", "mock-name"),
        ("tracker/a.b.md", "mock-name"),
        ("tracker/a__b.md", "mock-name"),
        ("tracker/t\nx.md", "mock-name"),
        ("tracker/ä.md", "mock-name"),
    ]
    assert all(fault.message.isprintable() for _, fault in faults)


def test_a_folder_of_stand_ins_is_bounded(tmp_path: Path) -> None:
    write(tmp_path / "mocks" / "s", **{f"t{number}": "x" for number in range(256)})

    assert read_mock_folder(tmp_path / "mocks", root=tmp_path).faults == ()

    write(tmp_path / "mocks" / "s", more="x")

    [(path, fault)] = read_mock_folder(tmp_path / "mocks", root=tmp_path).faults
    assert (path.name, fault.code, fault.effect) == ("s", "mock-folder", "fails")


def test_nothing_outside_is_read_for_a_stand_in(tmp_path: Path) -> None:
    plugin = tmp_path / "plugin"
    (tmp_path / "secret.md").write_text("---\nfoo: 1\n---\n", encoding="utf-8")
    write(plugin / "mocks" / "tracker", t="x")
    (plugin / "mocks" / "tracker" / "u.md").symlink_to(tmp_path / "secret.md")
    (plugin / "mocks" / "tracker" / "_tools.json").symlink_to(tmp_path / "secret.md")
    (plugin / "mocks" / "out").symlink_to("/usr")

    faults = read_mock_folder(plugin / "mocks", root=plugin).faults

    assert [(path.name, fault.code) for path, fault in faults] == [
        ("_tools.json", "leads-outside"),
        ("u.md", "leads-outside"),
    ]
    [(_, fault)] = read_mock_folder(plugin / "mocks" / "out", root=plugin).faults
    assert fault.code == "leads-outside"


def test_mocks_that_are_no_folder_are_a_fault(tmp_path: Path) -> None:
    (tmp_path / "mocks").write_text("x", encoding="utf-8")
    (tmp_path / "gone").symlink_to("nothing")

    assert read_mock_folder(tmp_path / "absent", root=tmp_path) == MockFolder()
    for name in ("mocks", "gone"):
        [(path, fault)] = read_mock_folder(tmp_path / name, root=tmp_path).faults
        assert (path.name, fault.code, fault.effect) == (name, "mock-folder", "fails")


def test_a_tool_that_the_program_does_not_offer_is_a_fault(tmp_path: Path) -> None:
    """The name that the model sees has at most 128 characters, and an input schema is that of an object."""
    write(tmp_path / "mocks" / "tracker", t="x", u="x", **{"n" * 102: "x", "m" * 103: "x"})
    listing = '{"tools": [{"name": "t", "inputSchema": {"type": "string"}}, {"name": "u", "inputSchema": {}}]}'
    (tmp_path / "mocks" / "tracker" / "_tools.json").write_text(listing, encoding="utf-8")
    folder = read_mock_folder(tmp_path / "mocks", root=tmp_path)
    servers = merge_mocks(folder, NO_SUCH, declared=frozenset({"tracker"}))

    faults = list(offer_faults(servers, {"tracker": "plugin_demo_tracker"}))

    assert [(path.name[:8], fault.code) for path, fault in faults] == [
        ("mmmmmmmm", "mock-name-long"),
        ("_tools.j", "mock-listing"),
    ]


def test_a_hostile_mock_file_is_one_fault(tmp_path: Path) -> None:
    """Aliases that would fill the memory, 100 MB, a pipe, a loop of links: none of them costs anything."""
    bomb = "".join(
        f"  {chr(98 + step)}: &{chr(98 + step)} [{', '.join([f'*{chr(97 + step)}'] * 10)}]\n" for step in range(8)
    )
    tracker = write(
        tmp_path / "mocks" / "tracker",
        bomb=f"---\nexpect:\n  a: &a [{', '.join('x' * 10)}]\n{bomb}---\nr\n",
        deep="---\nexpect: " + "[" * 5000 + "]" * 5000 + "\n---\nr\n",
        many="---\nexpect: {" + ", ".join(f"k{number}: string" for number in range(5000)) + "}\n---\nr\n",
        odd="---\n\x07: x\n---\nr\n",
    )
    with (tracker / "huge.md").open("wb") as stream:
        stream.truncate(100 * 1024 * 1024)
    os.mkfifo(tracker / "pipe.md")
    (tracker / "loop.md").symlink_to("loop.md")
    (tracker / "bytes.md").write_bytes(b"---\nerror: true\n---\n\xff\xfe")
    write(tracker, Upper="x", upper="x")

    faults = read_mock_folder(tmp_path / "mocks", root=tmp_path).faults

    assert [(path.name, fault.code, fault.effect) for path, fault in faults] == [
        ("bomb.md", "not-yaml", "fails"),
        ("deep.md", "not-yaml", "fails"),
        ("huge.md", "too-large", "fails"),
        ("loop.md", "unreadable", "fails"),
        ("many.md", "too-many-expectations", "fails"),
        ("odd.md", "mock-unknown-key", "fails"),
        ("pipe.md", "not-regular", "fails"),
    ]
    assert all(fault.message.isprintable() and len(fault.message) < 400 for _, fault in faults)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_read_is_a_fault(tmp_path: Path) -> None:
    mocks = write(tmp_path / "mocks" / "tracker", t="x").parent
    (mocks / "tracker").chmod(0)
    try:
        [(path, fault)] = read_mock_folder(mocks, root=tmp_path).faults
    finally:
        (mocks / "tracker").chmod(0o755)

    assert (path.name, fault.code, fault.effect) == ("tracker", "unreadable", "fails")
