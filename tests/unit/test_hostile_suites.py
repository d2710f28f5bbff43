"""Suites made to do harm: one clear finding each, one line each, and nothing outside is read."""

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from skill_evaluator.cli import main
from tests.suite_files import CASE_YAML, GRADER, SOUND, Files, lay_out

OUTSIDE = "outside-of-the-suite"
_EVENTS = {"open", "os.scandir", "os.listdir"}
_opened: list[str] = []
_listening = [False]


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    if _listening[0] and event in _EVENTS and arguments and isinstance(arguments[0], str | bytes | os.PathLike):
        _opened.append(os.path.realpath(os.fsdecode(arguments[0])))


sys.addaudithook(_hear)  # cannot be taken away again, so it only listens when told to


@pytest.fixture
def opened() -> Iterator[list[str]]:
    """Real paths of all files opened and folders listed while the test ran."""
    _opened.clear()
    _listening[0] = True
    yield _opened
    _listening[0] = False


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    return lay_out(tmp_path / "plugin", SOUND)


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder beside the plugin with what a hostile suite would like to see."""
    return lay_out(
        tmp_path / OUTSIDE,
        {
            "secret.md": "---\ntype: llm\n---\nthe secret\n",
            "case/prompt.md": "---\nname: secret\n---\nx\n",
            "SKILL.md": "secret",
        },
    )


def run(plugin: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    """The exit status, and the lines; `--json` gives as many findings."""
    start = time.monotonic()
    status = main(["validate", str(plugin)])
    lines = capsys.readouterr().out.splitlines()
    assert time.monotonic() - start < 60
    main(["validate", str(plugin), "--json"])
    assert len(json.loads(capsys.readouterr().out)) == len(lines)
    assert all(line.startswith(("FAIL ", "WARN ")) and line.isprintable() for line in lines), lines
    return status, lines


CASE = "evals/high-water"


@pytest.mark.parametrize(
    "link", [f"{CASE}/prompt.md", f"{CASE}/case.yaml", f"{CASE}/graders/answer.md", f"{CASE}/graders/more.md"]
)
def test_a_link_to_a_file_outside_is_not_read(
    plugin: Path, outside: Path, link: str, opened: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (plugin / link).unlink(missing_ok=True)
    (plugin / link).symlink_to(outside / "secret.md")
    status, lines = run(plugin, capsys)

    assert status == 1
    assert len([line for line in lines if line.startswith(f"FAIL {link.removeprefix('evals/')}: ")]) == 1, lines
    assert not any(OUTSIDE in path for path in opened)
    assert not any("the secret" in line for line in lines)


@pytest.mark.parametrize(
    "link",
    [CASE, f"{CASE}/graders", f"{CASE}/mocks", "evals", "evals/mocks", "skills", "skills/tide-table", "evals/more"],
)
def test_a_link_to_a_folder_outside_is_not_read(
    plugin: Path, outside: Path, link: str, opened: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = plugin / link
    if path.exists():
        path.rename(plugin.parent / "moved")
    path.symlink_to(outside / "case" if link in {CASE, "evals/more"} else outside)
    _, lines = run(plugin, capsys)

    assert lines
    assert not any(OUTSIDE in opened_path for opened_path in opened), lines


@pytest.mark.parametrize(
    "changed",
    [
        {f"{CASE}/case.yaml": CASE_YAML + "context: {add_dirs: [../../../outside-of-the-suite]}\n"},
        {f"{CASE}/case.yaml": CASE_YAML + "context: {history_file: ../../../outside-of-the-suite/secret.md}\n"},
        {f"{CASE}/case.yaml": CASE_YAML + "context: {add_dirs: [/etc]}\n"},
        {f"{CASE}/prompt.md": "---\nplugins: [../../../outside-of-the-suite]\n---\nx\n"},
        {f"{CASE}/prompt.md": "---\nplugins: [/etc]\n---\nx\n"},
        {f"{CASE}/graders/more.md": "---\ntype: regex\ntarget: {source: file, path: ../../x}\n---\nx\n"},
    ],
)
def test_paths_that_lead_out_are_one_fault(
    plugin: Path, outside: Path, changed: Files, opened: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    lay_out(plugin, changed)
    status, lines = run(plugin, capsys)

    assert status == 1
    assert len([line for line in lines if line.startswith("FAIL ")]) == 1, lines
    assert not any(path.startswith((str(outside), "/etc")) for path in opened)


def test_a_script_outside_is_one_doubt_since_it_runs_with_its_flag_alone(
    plugin: Path, outside: Path, opened: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    context = "context: {scaffold_script: ../../../outside-of-the-suite/secret.md}\n"
    lay_out(plugin, {f"{CASE}/case.yaml": CASE_YAML + context})
    status, lines = run(plugin, capsys)

    assert status == 0
    assert len([line for line in lines if "with `--scaffold` every run" in line]) == 1, lines
    assert not any(path.startswith(str(outside)) for path in opened)


@pytest.mark.parametrize("eval_dir", ["..", "../outside-of-the-suite", "/etc", "evals/../..", ""])
def test_an_eval_directory_outside_is_refused(
    plugin: Path, outside: Path, eval_dir: str, opened: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert outside.exists()
    try:
        status = main(["validate", str(plugin), "--eval-dir", eval_dir])
    except SystemExit as stop:  # empty, as a shell gives it for a variable that is not set
        status = int(str(stop.code))

    printed = capsys.readouterr()
    assert status == 1
    assert "FAIL" in printed.out + printed.err
    assert not any(path.startswith((str(outside), "/etc")) for path in opened)


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefghi", "bcdefghij", strict=True)
)
BLOCK_FILES = (f"{CASE}/prompt.md", f"{CASE}/graders/more.md", f"{CASE}/mocks/tides/next.md")


@pytest.mark.parametrize("file", [*BLOCK_FILES, f"{CASE}/case.yaml"])
@pytest.mark.parametrize(
    "bomb",
    [
        BOMB,
        "a: " + "[" * 5000 + "]" * 5000 + "\n",
        "a: &a [*a]\n",
        f"a: {'9' * 5000}\n",
        f"? {'[' * 300}{']' * 300}\n: 1\n",
    ],
    ids=["aliases", "nesting", "circle", "digits", "keys"],
)
def test_a_yaml_bomb_is_one_fault(plugin: Path, file: str, bomb: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = bomb if file.endswith(".yaml") else f"---\n{bomb}---\n\nx\n"
    status, lines = run(lay_out(plugin, {file: text}), capsys)

    assert status == 1
    assert len([line for line in lines if line.startswith(f"FAIL {file.removeprefix('evals/')}: ")]) >= 1, lines
    assert len(lines) <= 3, lines
    assert all(len(line) < 1000 for line in lines)


ALL_FILES = (*BLOCK_FILES, f"{CASE}/case.yaml", ".claude-plugin/plugin.json", "skills/tide-table/SKILL.md")


@pytest.mark.parametrize("file", ALL_FILES)
def test_a_file_of_100_megabytes_is_not_read_in(plugin: Path, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out(plugin, {file: "---\n"})
    with (plugin / file).open("r+b") as stream:
        stream.truncate(100 * 1024 * 1024)
    status, lines = run(plugin, capsys)

    assert status == (1 if "FAIL" in " ".join(lines) else 0)
    assert any(Path(file).name in line and "bytes" in line for line in lines), lines
    assert len(lines) <= 3, lines


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes")
@pytest.mark.parametrize("file", ALL_FILES)
def test_a_pipe_is_not_opened(plugin: Path, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = plugin / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    _, lines = run(plugin, capsys)

    assert any(path.name in line for line in lines) or file == ".claude-plugin/plugin.json", lines
    assert len(lines) <= 4, lines


@pytest.mark.parametrize("file", ALL_FILES)
def test_what_is_no_utf8_is_one_finding_at_most(plugin: Path, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = b"---\ndescription: \xff\xfe\ntype: regex\n---\n\n\xc3\x28\n"
    _, lines = run(lay_out(plugin, {file: text}), capsys)

    assert len(lines) <= 3, lines


@pytest.mark.skipif(sys.platform == "win32", reason="such names cannot be")
@pytest.mark.parametrize("name", ["a\nFAIL forged: x", "\x1b[2J", "\u202ereversed", "x" * 200, "-rf", " "])
def test_odd_names_stay_on_one_line(plugin: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    changed: Files = {
        f"evals/{name}/prompt.md": f"---\n{json.dumps(name)}: 1\n---\nx\n",
        f"evals/{name}/graders/{name}.md": GRADER,
        f"{CASE}/graders/{name}.md": "---\ntype: \x7f\n---\n",
    }
    status, lines = run(lay_out(plugin, changed), capsys)

    assert status == 1
    told_of_name = int("[" in name)  # no rule about what may be read can name it
    assert len([line for line in lines if line.startswith("FAIL ")]) == 2 + told_of_name, lines
    assert not any(line.startswith("FAIL forged") for line in lines)


@pytest.mark.skipif(sys.platform == "win32", reason="such names cannot be")
def test_names_that_are_no_utf8_can_be_shown(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = os.fsencode(plugin / "evals") + b"/\xff"
    os.mkdir(folder)  # noqa: PTH102 - bytes
    with open(folder + b"/prompt.md", "wb") as stream:  # noqa: PTH123 - bytes
        stream.write(b"x")
    status, lines = run(plugin, capsys)

    assert status == 1
    assert len([line for line in lines if line.startswith("FAIL ")]) == 1, lines
    assert "udcff" in lines[0]


@pytest.mark.parametrize("pattern", ["(a+)+$", "(.*)*x", "a{1,1000}{1,1000}", "(" * 2000 + ")" * 2000, "\\p{L}" * 400])
def test_a_hostile_pattern_does_not_hold_it_up(plugin: Path, pattern: str, capsys: pytest.CaptureFixture[str]) -> None:
    changed = {f"{CASE}/graders/g{n}.md": f"---\ntype: regex\npattern: '{pattern}'\n---\n" for n in range(5)}
    start = time.monotonic()
    run(lay_out(plugin, changed), capsys)

    assert time.monotonic() - start < 60
