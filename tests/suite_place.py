"""A plugin with a one-case suite, and `plugin-eval` started on it with a child and a server of the test's choice."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.suite_files import lay_out
from tests.survivors import contents, survivors

ROOT = Path(__file__).resolve().parents[1]
PLUGIN = {
    ".claude-plugin/plugin.json": '{"name": "pantry", "version": "1.0.0"}\n',
    "skills/label-maker/SKILL.md": "---\nname: label-maker\ndescription: Names jars.\n---\n\nPut the year first.\n",
    "skills/label-maker/link.md": "->SKILL.md",
    "evals/jars/graders/says.md": "---\ntype: regex\n---\nlabelled\n",
    "evals/mocks/weather/today.md": "sunny\n",  # so that a server listens
}
NOBODY = "http://127.0.0.1:9"  # a scripted child asks no server


class Place:
    """A plugin with a suite, and where the command may write.

    Attributes:
        plugin: The plugin.
        work: Holds all of it; processes of a run name it.
        temporary: What the command has for a folder of temporary files.
    """

    def __init__(self, work: Path, prompt: str, files: Mapping[str, str] | None = None) -> None:
        self.work, self.temporary = work, work / "temporary"
        self.plugin = lay_out(work / "plugin", {**PLUGIN, "evals/jars/prompt.md": prompt, **(files or {})})
        self.before = contents(self.plugin)
        for folder in (self.temporary, work / "home"):
            folder.mkdir(exist_ok=True)

    @contextmanager
    def started(self, child: Path, url: str, *options: str) -> Iterator["subprocess.Popen[str]"]:
        """Evaluate the suite, with a child and a server."""
        words = ["plugin-eval", ".", "--trust-plugin", "--no-publish", "--ablation", "none", "--runs", "1", *options]
        others = {name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")}
        alone = dict.fromkeys(("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER"), "1")
        asked = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "made-up", "SKILL_EVALUATOR_CLAUDE": str(child)}
        own = {"HOME": str(self.work / "home"), "TMPDIR": str(self.temporary), "PYTHONPATH": str(ROOT)}
        path = {"PATH": f"{child.parent}{os.pathsep}{os.environ['PATH']}"}
        process = subprocess.Popen(
            [sys.executable, "-m", "skill_evaluator", *words], cwd=self.plugin,
            env={**others, **alone, **asked, **own, **path}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
        )  # fmt: skip
        try:
            yield process
        finally:
            process.kill()
            process.communicate()

    def ended(self, child: Path, url: str = NOBODY, *options: str) -> tuple[int, str]:
        """Evaluate the suite to its end; gives exit status and what it printed."""
        with self.started(child, url, *options) as process:
            out, err = process.communicate(timeout=300)
            return process.returncode, out + err

    def assert_nothing_left(self) -> None:
        """Look for files, processes, and changes of the plugin."""
        assert list(self.temporary.iterdir()) == []
        assert list(survivors(self.work)) == []
        assert contents(self.plugin, but="evals/results") == self.before

    def results(self) -> Sequence[Mapping[str, Any]]:
        """The answers that were written."""
        return [
            json.loads(path.read_text("utf-8")) for path in self.plugin.glob("evals/results/*/aggregate-result.json")
        ]
