"""Suites, children and machines that mean no good to `plugin-eval`: bounded, safe, and nothing of them is left."""

import sys
import threading
import time
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from tests.api_server import ApiServer
from tests.conformance.rules import Script
from tests.scripted_child import program
from tests.suite_place import NOBODY, Place
from tests.unit.test_full_disk import small_disk

if TYPE_CHECKING:
    import subprocess

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a script is no program there")

MEGABYTE = 1 << 20
PEAK = 500 * MEGABYTE  # of the evaluator alone, whose modules take a fifth of it
NEW_FILES = '{"mcpServers": {"stock": {"command": "false"}}}\n'
TOOL = "mcp__plugin_pantry_stock__find"
CALLS = 150
SCRIPT_TAG = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture
def scripted(tmp_path: Path) -> Path:
    return program(tmp_path / "bin")


class Peak(threading.Thread):
    """Watches how much memory a process takes."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        super().__init__(daemon=True)
        self.bytes = 0
        self._process = psutil.Process(process.pid)
        self.start()

    def run(self) -> None:
        try:
            while True:
                self.bytes = max(self.bytes, self._process.memory_info().rss)
                time.sleep(0.02)
        except psutil.Error:
            return


@pytest.mark.parametrize("prompt", ["flood", "flood line", "flood error"])
def test_a_child_that_prints_a_gigabyte_is_bounded(tmp_path: Path, scripted: Path, prompt: str) -> None:
    here = Place(tmp_path, f"---\ntimeout_seconds: 240\n---\n\n{prompt}\n")
    with here.started(scripted, NOBODY) as process:
        peak = Peak(process)
        out, said = process.communicate(timeout=400)

    assert process.returncode in {0, 1}, said
    assert "Traceback" not in said
    assert peak.bytes < PEAK
    assert len(out) + len(said) < MEGABYTE
    assert sum(path.stat().st_size for path in here.plugin.rglob("*") if path.is_file()) < 20 * MEGABYTE
    here.assert_nothing_left()


def test_a_child_that_says_nothing_is_ended(tmp_path: Path, scripted: Path) -> None:
    here = Place(tmp_path, "---\ntimeout_seconds: 3\n---\n\nhang\n")
    status, said = here.ended(scripted)

    assert status == 1, said
    (result,) = here.results()
    (case,) = result["cases"]
    (run,) = case["arms"]["with"]
    assert (run["score"], bool(run["error"])) == (0, True)
    here.assert_nothing_left()


class Page(HTMLParser):
    """What a browser would run or load of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self.found: list[tuple[str, str, str | None]] = []
        self._is_script = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._is_script = tag == "script"
        self.found += [(tag, name, value) for name, value in attrs if name in {"src", "href"} or name.startswith("on")]

    def handle_endtag(self, tag: str) -> None:
        self._is_script = self._is_script and tag != "script"

    def handle_data(self, data: str) -> None:
        if self._is_script:
            self.scripts.append(data)


def test_what_a_stand_in_says_is_no_part_of_the_page(tmp_path: Path, claude_program: Path) -> None:
    files = {
        ".mcp.json": NEW_FILES,
        "evals/mocks/stock/find.md": f"{SCRIPT_TAG}\n",
        f"evals/jars/graders/{'<b>'}.md": f"---\ntype: regex\n---\n{SCRIPT_TAG}\n",
        "evals/jars/graders/calls.md": f"---\ntype: regex\ntarget: mock_calls\n---\n{SCRIPT_TAG}\n",
    }
    here = Place(tmp_path, f"---\nallowed_tools: [ToolSearch]\n---\n\nLabel it {SCRIPT_TAG}\n", files)
    script = Script.of({"rules": [_calls(1)], "default": {"text": f"labelled {SCRIPT_TAG}"}})
    with ApiServer(script) as server:
        status, said = here.ended(claude_program, server.url)

    assert status in {0, 1}, said
    (page,) = here.plugin.glob("evals/results/*/report.html")
    read = Page(page.read_text("utf-8"))
    assert not [text for text in read.scripts if "alert(" in text]
    assert [one for one in read.found if one[1] != "href" or not str(one[2]).startswith(("#", "data:"))] == []
    here.assert_nothing_left()


def test_a_flooded_stand_in_answers_and_stays_small(tmp_path: Path, claude_program: Path) -> None:
    """Hundreds of calls in one turn, each with a long text; all of them are answered and counted."""
    files = {
        ".mcp.json": NEW_FILES,
        "evals/mocks/stock/find.md": "{{input.jar}}\n",
        "evals/jars/graders/calls.md": f'---\ntype: regex\ntarget: mock_calls\nmatch: count:{CALLS}\n---\n"tool":\n',
    }
    here = Place(tmp_path, "---\nallowed_tools: [ToolSearch]\n---\n\nLabel it.\n", files)
    script = Script.of({"rules": [_calls(CALLS, "x" * 2_000)], "default": {"text": "labelled"}})
    with ApiServer(script, keep=False) as server, here.started(claude_program, server.url) as process:
        peak = Peak(process)
        _, said = process.communicate(timeout=300)

    assert process.returncode == 0, said
    assert peak.bytes < PEAK
    here.assert_nothing_left()


def _calls(count: int, jar: str = "fig") -> dict[str, object]:
    calls = [{"name": TOOL, "input": {"jar": f"{jar}{number}"}} for number in range(count)]
    return {"when": {"has_tools": True, "tool_results": 0}, "respond": {"tool_use": calls}}


def test_a_child_that_fills_the_disk_is_no_crash(tmp_path: Path, scripted: Path) -> None:
    with small_disk(tmp_path / "temporary", "4m") as disk:
        here = Place(tmp_path, "fill")
        status, said = here.ended(scripted)
        left = list(disk.iterdir())

    assert status in {0, 1}, said
    assert "Traceback" not in said
    assert left == []
    assert len(here.results()) == 1


def test_no_room_for_the_answer_is_told_in_a_line(tmp_path: Path, scripted: Path) -> None:
    """What was measured is printed all the same; the exit status does not say that all is well."""
    with small_disk(tmp_path / "out", "4k") as disk:
        (disk / "filler").write_bytes(b"x" * 4096)
        here = Place(tmp_path, "Label it.")
        status, said = here.ended(scripted, NOBODY, "--output-dir", str(disk))

    assert status not in {0, -6, -9, -11}, said
    assert "Traceback" not in said
    assert "No space left on device" in said
    here.assert_nothing_left()
