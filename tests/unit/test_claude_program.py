"""Where the program Claude Code is looked for, and what is said where it cannot be used."""

import resource
import sys
import time
from pathlib import Path

import psutil
import pytest

from skill_evaluator.agents.claude_code.program import GET_PROGRAM, Program, find_program, open_program
from skill_evaluator.agents.claude_code.told_version import told_version
from skill_evaluator.errors import InputError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")


def program(path: Path, says: str = "2.1.332 (Claude Code)", *, status: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\necho "{says}"\nexit {status}\n', "utf-8")
    path.chmod(0o755)
    return path


def fault_of(named: Path | None, folder: Path) -> tuple[str, str]:
    with pytest.raises(InputError) as caught:
        open_program(named, {"PATH": str(folder)})
    assert len(caught.value.findings) == 1
    return caught.value.findings[0].code, str(caught.value)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of the name that carries the program; importing it is an error."""
    folder = tmp_path / "site" / "claude_agent_sdk"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("raise AssertionError\n", "utf-8")
    monkeypatch.setattr(sys, "path", [str(folder.parent)])
    monkeypatch.delitem(sys.modules, "claude_agent_sdk", raising=False)
    return folder


def test_the_users_choice_goes_before_path_and_path_before_the_package(package: Path, tmp_path: Path) -> None:
    bundled = program(package / "_bundled" / "claude")
    assert find_program(None, {"PATH": str(tmp_path / "bin")}) == bundled

    on_path = program(tmp_path / "bin" / "claude")
    assert find_program(None, {"PATH": str(tmp_path / "bin")}) == on_path

    named = program(tmp_path / "mine")
    assert find_program(named, {"PATH": str(tmp_path / "bin")}) == named


def test_a_variable_goes_before_path_and_the_users_choice_before_it(tmp_path: Path) -> None:
    on_path, by_variable, named = (program(tmp_path / place / "claude") for place in ("bin", "other", "mine"))
    environment = {"PATH": str(on_path.parent), "SKILL_EVALUATOR_CLAUDE": str(by_variable)}

    found = open_program(None, environment)
    assert (found.path, found.source) == (by_variable, "SKILL_EVALUATOR_CLAUDE")
    assert open_program(named, environment).source == "--program"
    assert open_program(None, {**environment, "SKILL_EVALUATOR_CLAUDE": ""}).source == "PATH"


def test_a_variable_that_names_no_program_is_said(tmp_path: Path) -> None:
    program(tmp_path / "bin" / "claude")

    with pytest.raises(InputError, match="gone, which SKILL_EVALUATOR_CLAUDE names, and not found"):
        open_program(None, {"PATH": str(tmp_path / "bin"), "SKILL_EVALUATOR_CLAUDE": str(tmp_path / "gone")})


def test_a_program_that_was_named_and_is_not_there_is_not_replaced_by_another(tmp_path: Path) -> None:
    program(tmp_path / "bin" / "claude")

    assert find_program(tmp_path / "gone", {"PATH": str(tmp_path / "bin")}) is None


def test_where_there_is_none_one_line_says_how_to_get_it(package: Path, tmp_path: Path) -> None:
    code, text = fault_of(None, tmp_path)

    assert code == "program-missing"
    assert GET_PROGRAM in text
    assert "\n" not in text
    assert package.is_dir()


def test_its_version_is_told(tmp_path: Path) -> None:
    named = program(tmp_path / "claude")

    assert open_program(named, {"PATH": str(tmp_path)}) == Program(path=named, version="2.1.332", source="--program")


@pytest.mark.parametrize(
    ("says", "status", "code"),
    [
        ("2.1.268 (Claude Code)", 0, "program-old"),
        ("1.9.900 (Claude Code)", 0, "program-old"),
        ("GNU thing 3.4.5", 0, "program-broken"),
        ("2.1.332", 0, "program-broken"),
        (f"2.1.{'9' * 5000} (Claude Code)", 0, "program-broken"),
        (f"2.1{'9' * 40}.7 (Claude Code)", 0, "program-broken"),
        ("hello", 0, "program-broken"),
        ("2.1.332 (Claude Code)", 1, "program-broken"),
    ],
)
def test_a_program_that_is_too_old_or_another_one_is_refused(says: str, status: int, code: str, tmp_path: Path) -> None:
    assert fault_of(program(tmp_path / "claude", says, status=status), tmp_path)[0] == code


def script(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(("#!/bin/sh", *lines, "")), "utf-8")
    path.chmod(0o755)
    return path


def test_a_version_without_end_is_read_to_a_bound(tmp_path: Path) -> None:
    """A gigabyte before the version: the program is ended long before it comes to that."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    endless = script(tmp_path / "claude", "head -c 1000000000 /dev/zero", 'echo "2.1.332 (Claude Code)"')

    assert told_version(endless, as_program="Claude Code") is None
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # KiB


def test_nothing_is_left_of_a_program_that_does_not_answer(tmp_path: Path) -> None:
    silent = script(
        tmp_path / "claude", f"echo $$ > {tmp_path}/leader", f"sleep 600 & echo $! > {tmp_path}/child", "wait"
    )

    assert told_version(silent, as_program="Claude Code", limit_s=2) is None
    assert gone(tmp_path / "leader")
    assert gone(tmp_path / "child")


def test_nothing_is_left_of_a_program_that_answers_either(tmp_path: Path) -> None:
    """Nor is its child waited for, which holds the pipe."""
    busy = script(tmp_path / "claude", f"sleep 600 & echo $! > {tmp_path}/child", 'echo "2.1.332 (Claude Code)"')

    assert told_version(busy, as_program="Claude Code") == "2.1.332"
    assert gone(tmp_path / "child")


def gone(file: Path) -> bool:
    """Whether a process is over, whose number was written down; the system takes a moment for it."""
    process = int(file.read_text("utf-8"))
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if not psutil.pid_exists(process) or psutil.Process(process).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize(("says", "is_refused"), [("git version 2.30.9", True), ("git version 2.31.0", False)])
def test_an_old_git_is_refused(says: str, is_refused: bool, tmp_path: Path) -> None:
    named = program(tmp_path / "claude")
    program(tmp_path / "git", says)

    if is_refused:
        assert fault_of(named, tmp_path)[0] == "git-old"
    else:
        assert open_program(named, {"PATH": str(tmp_path)}).version == "2.1.332"


def test_the_real_program_tells_its_version(claude_program: Path) -> None:
    assert open_program(claude_program).version.count(".") == 2
