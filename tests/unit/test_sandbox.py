"""The folder, the variables and the end of a run."""

import asyncio
import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from skill_evaluator.sandbox import Call, Ended, Sandbox, child_environment, is_confined, open_sandbox, run_child, sweep
from skill_evaluator.sandbox.environment import MARKER, names_passed
from skill_evaluator.sandbox.inherited import is_marked, mark_child
from skill_evaluator.sandbox.installed import changed_files, hash_copy, install
from skill_evaluator.sandbox.owner import is_orphan, new_prefix
from skill_evaluator.sandbox.processes import _by_psutil, end_processes
from skill_evaluator.sandbox.removal import remove_tree
from tests.unit.command_setup import skill_at

pytestmark = pytest.mark.usefixtures("temporary")

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX")
SLEEP = "import time; time.sleep(600)"


@contextlib.contextmanager
def sleeping(**options: object) -> Iterator[psutil.Process]:
    child = subprocess.Popen([sys.executable, "-c", SLEEP], **options)  # type: ignore[call-overload]
    try:
        yield psutil.Process(child.pid)
    finally:
        child.kill()
        child.wait()


def is_gone(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def test_a_run_folder_is_laid_out_and_gone_afterwards(skill_dir: Path, temporary: Path) -> None:
    with open_sandbox(
        skills=[skill_at(skill_dir)], skills_place="home/.claude/skills", files={"a/空.txt": "é\r\n"}
    ) as folder:
        assert folder.root.parent == temporary
        assert (folder.workspace / "a" / "空.txt").read_bytes() == "é\r\n".encode()
        assert (folder.home / ".claude" / "skills" / "level-maker" / "SKILL.md").read_text("utf-8").startswith("---")
        assert folder.tmp.is_dir()

    assert list(temporary.iterdir()) == []


def test_a_run_folder_is_gone_after_an_exception_too(temporary: Path) -> None:
    with pytest.raises(ZeroDivisionError), open_sandbox():
        raise ZeroDivisionError

    assert list(temporary.iterdir()) == []


def test_a_folder_that_is_kept_is_no_orphan(temporary: Path) -> None:
    with open_sandbox(files={"a.txt": "x"}, workspace_place="home/cwd", keep=True) as folder:
        assert folder.workspace == folder.home / "cwd"

    assert list(temporary.iterdir()) == [folder.kept_as]
    assert (folder.kept_as / "home" / "cwd" / "a.txt").read_text("utf-8") == "x"
    assert not is_orphan(folder.kept_as.name)


@POSIX
def test_a_child_that_is_called_off_is_killed_at_once() -> None:
    async def called_off() -> Ended:
        off = asyncio.Event()
        with open_sandbox() as folder:
            argv = [sys.executable, "-c", SLEEP]
            call = Call(argv=argv, environment=dict(os.environ), folder=folder, timeout_s=600, called_off=off)
            asyncio.get_running_loop().call_later(0.2, off.set)
            return await run_child(call, feed=lambda _: None, has_started=lambda: True)

    ended = asyncio.run(called_off())

    assert (ended.was_called_off, ended.timed_out, ended.status) == (True, None, None)


@POSIX
def test_a_child_that_ended_before_was_not_called_off() -> None:
    async def ended_before() -> Ended:
        with open_sandbox() as folder:
            argv = [sys.executable, "-c", ""]
            call = Call(
                argv=argv, environment=dict(os.environ), folder=folder, timeout_s=600, called_off=asyncio.Event()
            )
            return await run_child(call, feed=lambda _: None, has_started=lambda: True)

    ended = asyncio.run(ended_before())

    assert (ended.was_called_off, ended.status) == (False, 0)


@pytest.mark.parametrize("path", ["../up.txt", "/etc/up.txt", "a/../../up.txt", "C:\\up.txt", "a\\..\\up.txt", "a/\0"])
def test_no_file_is_laid_out_outside_of_the_workspace(path: str, temporary: Path) -> None:
    assert not is_confined(path)
    with pytest.raises(ValueError, match="leads out of"), open_sandbox(files={path: "x"}):
        pass

    assert list(temporary.iterdir()) == []


def test_only_the_files_of_a_skill_are_copied(skill_dir: Path, tmp_path: Path) -> None:
    for name in ("scripts/run.sh", "references/a.md", "evals/testset.json", "tests/test_x.py", "notes.txt"):
        (skill_dir / name).parent.mkdir(exist_ok=True)
        (skill_dir / name).write_text("x", "utf-8")
    (skill_dir / "scripts" / "run.sh").chmod(0o755)

    install(skill_at(skill_dir), tmp_path / "skills")

    copied = {path.relative_to(tmp_path / "skills").as_posix() for path in (tmp_path / "skills").rglob("*.*")}
    assert copied == {"level-maker/SKILL.md", "level-maker/references/a.md", "level-maker/scripts/run.sh"}
    assert os.access(tmp_path / "skills" / "level-maker" / "scripts" / "run.sh", os.X_OK)


def test_a_skill_file_of_another_name_is_installed_as_agents_look_for_it(skill_dir: Path, tmp_path: Path) -> None:
    (skill_dir / "SKILL.md").rename(skill_dir / "skill-v2.md")
    skill = skill_at(skill_dir / "skill-v2.md")
    install(skill, tmp_path / "skills")
    before = hash_copy(skill, tmp_path / "skills")
    (tmp_path / "skills" / "level-maker" / "SKILL.md").write_text("changed", "utf-8")

    assert changed_files(before, hash_copy(skill, tmp_path / "skills")) == ("skill-v2.md",)


def edit(folder: Path) -> None:
    (folder / "SKILL.md").write_text("changed", "utf-8")


def add(folder: Path) -> None:
    (folder / "references" / "new.md").write_text("x", "utf-8")


def remove(folder: Path) -> None:
    (folder / "references" / "a.md").unlink()


def replace_by_a_pipe(folder: Path) -> None:
    (folder / "references" / "a.md").unlink()
    os.mkfifo(folder / "references" / "a.md")


def leave_a_cache(folder: Path) -> None:
    (folder / "references" / "__pycache__").mkdir()
    (folder / "references" / "__pycache__" / "x.pyc").write_text("x", "utf-8")
    (folder / "references" / ".hidden").write_text("x", "utf-8")
    (folder / "out.txt").write_text("x", "utf-8")


@POSIX
@pytest.mark.parametrize(
    ("change", "named"),
    [
        (edit, ("SKILL.md",)),
        (add, ("references/new.md",)),
        (remove, ("references/a.md",)),
        (replace_by_a_pipe, ("references/a.md",)),
        (leave_a_cache, ()),
    ],
)
def test_changes_of_the_copy_are_named(
    skill_dir: Path, tmp_path: Path, change: Callable[[Path], None], named: tuple[str, ...]
) -> None:
    (skill_dir / "references").mkdir()
    (skill_dir / "references" / "a.md").write_text("x", "utf-8")
    skill = skill_at(skill_dir)
    install(skill, tmp_path / "skills")
    before = hash_copy(skill, tmp_path / "skills")

    change(tmp_path / "skills" / "level-maker")

    assert changed_files(before, hash_copy(skill, tmp_path / "skills")) == named


OUTSIDE = {
    "PATH": "/bin",
    "LC_ALL": "C",
    "https_proxy": "http://p",
    "ANTHROPIC_API_KEY": "k",
    "CLAUDE_CODE_X": "1",
    "HOME": "/home/me",
    "EDITOR": "vi",
    "OPENAI_API_KEY": "o",
    "MY_ANTHROPIC_KEY": "n",
    "XDG_CONFIG_HOME": "/me",
}


def test_variables_are_few_and_homes_lie_in_the_run(tmp_path: Path) -> None:
    folder = Sandbox(root=tmp_path, skills=tmp_path / "skills")

    made = child_environment(folder, outside=OUTSIDE, passed=["OPENAI_API_KEY", "GONE"], added={"NO_COLOR": "1"})

    for name in ("PATH", "LC_ALL", "https_proxy", "ANTHROPIC_API_KEY", "CLAUDE_CODE_X"):
        assert made[name] == OUTSIDE[name]
    assert made["NO_COLOR"] == "1"
    assert made["OPENAI_API_KEY"] == "o"
    assert not {"EDITOR", "MY_ANTHROPIC_KEY", "GONE"} & made.keys()
    assert made["HOME"] == made["USERPROFILE"] == str(tmp_path / "home")
    assert made["XDG_CONFIG_HOME"] == str(tmp_path / "home" / ".config")
    assert made["TMPDIR"] == made["TEMP"] == str(tmp_path / "tmp")
    assert (made["PWD"], made["SKILL_EVALUATOR_RUN"]) == (str(tmp_path / "workspace"), tmp_path.name)
    assert names_passed(["OPENAI_API_KEY"], OUTSIDE) == [
        *("ANTHROPIC_API_KEY", "CLAUDE_CODE_X", "LC_ALL", "OPENAI_API_KEY", "PATH", "https_proxy")
    ]


def run(program: str, *, timeout_s: float = 30, stdin: bytes | None = None) -> tuple[Ended, bytes]:
    output = bytearray()
    with open_sandbox() as folder:
        call = Call(
            argv=[sys.executable, "-c", program],
            environment=child_environment(folder),
            folder=folder,
            timeout_s=timeout_s,
            stdin=stdin,
        )
        ended = asyncio.run(run_child(call, feed=output.extend, has_started=lambda: True))
    return ended, bytes(output)


def test_a_child_is_fed_and_read_to_its_end() -> None:
    ended, output = run("import sys; sys.stdout.write(sys.stdin.read()[::-1])", stdin=b"abc" * 1_000_000)

    assert (ended.status, ended.timed_out) == (0, None)
    assert output == b"cba" * 1_000_000


def test_a_line_far_beyond_any_buffer_and_both_pipes_at_once_do_no_harm() -> None:
    program = "import sys\nfor _ in range(200):\n sys.stdout.write('x' * 50_000); sys.stderr.write('e' * 50_000)"

    ended, output = run(program + "\nsys.stderr.write('last words')")

    assert len(output) == 10_000_000
    assert ended.stderr.endswith("last words")
    assert len(ended.stderr) == 8192


@POSIX
def test_a_stranger_who_holds_a_pipe_is_not_waited_for() -> None:
    """Without marker and mark, in another session and another folder: nothing says that it belongs to the run."""
    unmarked = (
        "import resource; resource.setrlimit(resource.RLIMIT_RTTIME, (2**40, 2**40)); "
        if sys.platform == "linux"
        else ""
    )
    inner = f"{unmarked}import os, time; os.setsid(); os.chdir('/'); time.sleep(600)"
    program = (
        "import subprocess, sys\n"
        f"left = subprocess.Popen([sys.executable, '-c', {inner!r}], env={{}})\n"
        "print(left.pid, flush=True)\nimport time; time.sleep(0.5)"
    )

    ended, output = run(program)
    psutil.Process(int(output)).kill()

    assert ended.status == 0


def test_a_signal_and_an_exit_status_are_told_apart() -> None:
    assert run("import sys; sys.exit(7)")[0].status == 7
    if sys.platform != "win32":
        assert run("import os; os.kill(os.getpid(), 11)")[0].status == -11


def test_what_was_printed_before_the_time_ran_out_is_kept() -> None:
    ended, output = run(f"print('early', flush=True); {SLEEP}", timeout_s=1)

    assert (ended.status, ended.timed_out, output) == (None, "session", b"early\n")


def test_a_fault_of_the_reader_is_no_fault_of_the_child() -> None:
    def feed(_chunk: bytes) -> None:
        raise ZeroDivisionError

    with open_sandbox() as folder:
        call = Call(
            argv=[sys.executable, "-c", f"print(1, flush=True); {SLEEP}"],
            environment=child_environment(folder), folder=folder, timeout_s=60,
        )  # fmt: skip
        with pytest.raises(ZeroDivisionError):
            asyncio.run(run_child(call, feed=feed, has_started=lambda: True))


def test_the_start_up_has_a_time_of_its_own(temporary: Path) -> None:
    """Seconds of silence, then the session: each is within the limit, both together are not."""
    seen = bytearray()
    program = "import time; time.sleep(2.5); print('on', flush=True); time.sleep(2.5); print('off')"
    with open_sandbox() as folder:
        call = Call(
            argv=[sys.executable, "-c", program], environment=child_environment(folder), folder=folder, timeout_s=4
        )
        ended = asyncio.run(run_child(call, feed=seen.extend, has_started=lambda: b"on" in seen))

    assert ended.timed_out is None
    assert 2.4 < ended.duration_s < 5
    assert list(temporary.iterdir()) == []


def test_a_cancelled_call_leaves_nothing(temporary: Path) -> None:
    async def cancelled() -> int:
        with open_sandbox() as folder:
            call = Call(
                argv=[sys.executable, "-c", f"print(1, flush=True); {SLEEP}"],
                environment=child_environment(folder), folder=folder, timeout_s=60,
            )  # fmt: skip
            started = asyncio.Event()
            task = asyncio.create_task(run_child(call, feed=lambda _: started.set(), has_started=lambda: True))
            await started.wait()
            found = _carriers(folder.marker)
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            return found[0].pid

    pid = asyncio.run(cancelled())

    assert not psutil.pid_exists(pid)
    assert list(temporary.iterdir()) == []


def _carriers(marker: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.environ().get("SKILL_EVALUATOR_RUN") == marker:
                found.append(process)
    return found


@POSIX
def test_processes_are_found_by_marker_and_by_folder_and_no_others(tmp_path: Path) -> None:
    inside = tmp_path / "root" / "deep"
    inside.mkdir(parents=True)
    beside = tmp_path / "root-2"
    beside.mkdir()
    marked = {**os.environ, "SKILL_EVALUATOR_RUN": "marker-1"}
    other = {**os.environ, "SKILL_EVALUATOR_RUN": "marker-12"}
    with (
        sleeping(env=marked, start_new_session=True) as by_marker,
        sleeping(cwd=inside) as by_folder,
        sleeping(env=other, cwd=beside) as stranger,
    ):
        time.sleep(0.2)  # the environment is there once the program has been loaded
        found = {kill.__self__.pid for kill in _by_psutil("marker-1", str(tmp_path / "root"))}  # type: ignore[attr-defined]
        end_processes(marker="marker-1", root=tmp_path / "root")

        assert found == {by_marker.pid, by_folder.pid}
        assert (is_gone(by_marker), is_gone(by_folder), is_gone(stranger)) == (True, True, False)


@POSIX
def test_a_folder_that_was_locked_is_removed_and_what_it_links_to_stays(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("x", "utf-8")
    folder = tmp_path / "folder"
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "file").write_text("x", "utf-8")
    (folder / "link").symlink_to(kept)
    (folder / "a" / "b").chmod(0o500)
    (folder / "a").chmod(0)

    assert remove_tree(folder)

    assert not folder.exists()
    assert (kept / "file").read_text("utf-8") == "x"


DAEMON = """
import os, sys, time
time.sleep(1)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.chdir("/")
        code = "import time; print('here', flush=True); time.sleep(600)"
        os.execve(sys.executable, [sys.executable, "-c", code], {})
    os._exit(0)
os.wait()
time.sleep(1)
END
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the limits of a process")
@pytest.mark.parametrize("end", ["", "time.sleep(600)"])
def test_a_daemon_that_left_everything_behind_is_ended(end: str, temporary: Path) -> None:
    """It has another session, another parent, another folder and no variable; it would hold the output for ever too."""
    before, seen = set(psutil.pids()), bytearray()
    with open_sandbox() as folder:
        code = DAEMON.replace("END", end)
        call = Call(
            argv=[sys.executable, "-c", code], environment=child_environment(folder), folder=folder, timeout_s=9
        )
        ended = asyncio.run(run_child(call, feed=seen.extend, has_started=lambda: True))

    assert (ended.status, ended.timed_out) == ((None, "session") if end else (0, None))
    assert seen == b"here\n"
    daemons = [one for one in psutil.process_iter() if one.pid not in before and "print('here'" in _words(one)]
    assert [one for one in daemons if not is_gone(one)] == []
    assert list(temporary.iterdir()) == []


def _words(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.Error):
        return str(process.cmdline())
    return ""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the limits of a process")
def test_a_mark_is_of_one_run_and_replaces_no_limit_of_anybody() -> None:
    import resource  # noqa: PLC0415 - POSIX

    with sleeping() as one, sleeping() as other:
        resource.prlimit(other.pid, resource.RLIMIT_RTTIME, (7_000_000, 7_000_000))
        for pid in (one.pid, other.pid, 2**22 + 1):
            mark_child(pid, "run-1")
        mark_child(one.pid, "run-2")

        assert is_marked(one.pid, "run-1")
        assert not is_marked(one.pid, "run-2")
        assert not is_marked(other.pid, "run-1")
        assert not is_marked(os.getpid(), "run-1")
        assert not is_marked(2**22 + 1, "run-1")
        assert resource.prlimit(other.pid, resource.RLIMIT_RTTIME) == (7_000_000, 7_000_000)


CHAIN = """
import os, time
if os.fork():
    os._exit(0)
os.setsid()
while True:
    if os.fork():
        os._exit(0)
    open("alive", "w").close()
    time.sleep(0.001)
"""


@POSIX
def test_a_chain_of_forks_is_ended_though_each_process_lives_for_a_moment_only(tmp_path: Path) -> None:
    environment = {**os.environ, MARKER: "a-chain-of-forks"}
    subprocess.run([sys.executable, "-c", CHAIN], env=environment, cwd=tmp_path, check=True, timeout=60)
    alive = tmp_path / "alive"
    deadline = time.monotonic() + 60
    while not alive.exists() and time.monotonic() < deadline:
        time.sleep(0.01)

    end_processes(marker="a-chain-of-forks", root=tmp_path / "elsewhere")

    alive.unlink()
    time.sleep(0.2)
    assert not alive.exists()


@POSIX
def test_folders_inside_each_other_without_end_are_removed(tmp_path: Path) -> None:
    """A copy of a folder into itself goes on until paths are too long to be named."""
    folder = tmp_path / "folder"
    folder.mkdir()
    program = "import os\nfor _ in range(1500):\n    os.mkdir('deep')\n    os.chdir('deep')\nopen('file', 'w').close()"
    subprocess.run([sys.executable, "-c", program], cwd=folder, check=True, timeout=60)

    assert remove_tree(folder)

    assert not folder.exists()


def test_folders_of_the_living_and_of_strangers_are_left(temporary: Path) -> None:
    mine = temporary / f"{new_prefix()}abcd"
    names = ("skill-evaluator-cache", "skill-evaluator-1-2", "other")
    for name in (mine.name, *names):
        (temporary / name).mkdir()
    with sleeping() as other:
        living = temporary / new_prefix_of(other.pid)
        living.mkdir()

        assert sweep(temporary) == ()
        assert {path.name for path in temporary.iterdir()} == {mine.name, living.name, *names}

    assert sweep(temporary) == (living.name,)


def new_prefix_of(pid: int) -> str:
    """The name of a folder that another process would make."""
    program = f"import os; os.getpid = lambda: {pid}\nfrom skill_evaluator.sandbox.owner import new_prefix\n"
    done = subprocess.run(
        [sys.executable, "-c", program + "print(new_prefix() + 'abcd')"],
        capture_output=True, text=True, encoding="utf-8", check=True,
    )  # fmt: skip
    return done.stdout.strip()


def test_a_process_number_that_was_given_out_again_is_another_owner() -> None:
    prefix, pid, born, space, _ = new_prefix().rsplit("-", 4)
    reborn = f"{prefix}-{pid}-{int(born) - 1}-{space}-abcd"

    assert not is_orphan(f"{prefix}-{pid}-{born}-{space}-abcd")
    assert is_orphan(reborn)
    assert not is_orphan(f"{prefix}-{pid}-{int(born) - 1}-{int(space) + 1}-abcd")


@POSIX
def test_a_sweep_ends_what_still_runs_for_the_dead(temporary: Path) -> None:
    prefix, _, born, space, _ = new_prefix().rsplit("-", 4)
    orphan = temporary / f"{prefix}-{2**22 + 1}-{born}-{space}-abcd"
    orphan.mkdir()
    env = {**os.environ, "SKILL_EVALUATOR_RUN": orphan.name}
    with sleeping(env=env, start_new_session=True) as left:
        time.sleep(0.2)

        assert sweep(temporary) == (orphan.name,)

        assert is_gone(left)
    assert list(temporary.iterdir()) == []


@POSIX
def test_a_link_to_a_folder_is_nobodys_run(temporary: Path, tmp_path: Path) -> None:
    prefix, _, born, space, _ = new_prefix().rsplit("-", 4)
    target = tmp_path / "target"
    target.mkdir()
    (temporary / f"{prefix}-{2**22 + 1}-{born}-{space}-abcd").symlink_to(target)

    assert sweep(temporary) == ()
    assert target.is_dir()
