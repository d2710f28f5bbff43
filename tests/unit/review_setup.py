"""One scripted server as the agent, the judge and the analyst, told apart by the tools in a request."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from skill_evaluator.cli import main
from tests.api_server import Answer, call, text
from tests.unit.conftest import POSITIVES, rows
from tests.unit.messages_setup import FIRE, PROBE, Body, prompt_of, turn_of

AGENT_MODEL, JUDGE_MODEL, ADVISE_MODEL = "claude-sonnet-4-5", "claude-opus-4-5", "claude-haiku-4-5"
JUDGE_TOOL = "give_scores"
WORTH = re.compile(r"worth (\d)")


class Done(NamedTuple):
    """What came of a command."""

    returncode: int
    stdout: str
    stderr: str


Answers = Callable[[Body], Answer]


def role_of(asked: Body) -> str:
    """Who is meant by a request: `agent`, `judge` or `analyst`."""
    tools = {tool["name"] for tool in asked.get("tools", ())}
    if "suggest" in tools:
        return "analyst"
    return "agent" if "Skill" in tools else "judge"


def words_of(asked: Body) -> str:
    """All that a request tells the model."""
    return json.dumps([asked.get("system"), asked["messages"]], ensure_ascii=False)


def agent(asked: Body, missed: Sequence[str] = ()) -> Answer:
    """Fires for the positives but for some, and writes an answer that is worth 4."""
    prompt = prompt_of(asked)
    if PROBE in prompt:
        return call("Skill", {"skill": PROBE})
    if prompt in POSITIVES and prompt not in missed and not turn_of(asked):
        return call("Skill", {"skill": FIRE})
    return text(f"A level as asked, worth 4: {prompt}")


def scripted(
    *, missed: Sequence[str] = (), judge: Answers | None = None, analyst: Answers | None = None
) -> Callable[[Body], Answer]:
    """Answer as whoever is meant."""

    def answer(asked: Body) -> Answer:
        match role_of(asked):
            case "agent":
                return agent(asked, missed)
            case "judge":
                return (judge or fair_judge)(asked)
            case _:
                return (analyst or silent_analyst)(asked)

    return answer


def shown_texts(asked: Body) -> dict[str, str]:
    """The texts that a judge sees, by their letters."""
    told = asked["messages"][0]["content"][0]["text"]
    found = re.findall(r"<<<begin answer (\w+) \w+>>>\n(.*?)\n?<<<end answer", told, re.DOTALL)
    return dict(found)


def fair_judge(asked: Body) -> Answer:
    """Gives each text what it says it is worth, and 1 to what does not say it."""
    marks = {
        label: {"reason": "as it says", "score": int(found[1]) if (found := WORTH.search(one)) else 1}
        for label, one in shown_texts(asked).items()
    }
    return call(JUDGE_TOOL, marks)


def silent_analyst(_: Body) -> Answer:
    return call("suggest", {"suggestions": []})


def suggesting(*rounds: Sequence[Mapping[str, object]]) -> Answers:
    """Suggests these, round by round; what was suggested stands in the next question."""

    def answer(asked: Body) -> Answer:
        told = words_of(asked)
        for suggestions in rounds:
            if not any(str(one["proposal"]) in told for one in suggestions):
                return call("suggest", {"suggestions": [dict(one) for one in suggestions]})
        return silent_analyst(asked)

    return answer


def with_rubric(skill_dir: Path, rubric: Mapping[str, int] | None = None) -> None:
    """Let all positives be judged."""
    changed = [
        {**row, "rubric": rubric or {"clarity": 4}} if row["type"] == "should_trigger" else row for row in rows()
    ]
    (skill_dir / "testset.json").write_text(json.dumps(changed), "utf-8")


def command(skill_dir: Path, *options: str) -> list[str]:
    """The program as installed, asking the messages agent where no other is named."""
    agent_ = () if "--agent" in options else ("--agent", "messages", "--model", AGENT_MODEL)
    return [sys.executable, "-m", "skill_evaluator", "run", str(skill_dir), *agent_, "--yes", *options]


def environment(server: Mapping[str, str]) -> dict[str, str]:
    """The environment of a child, without any key of the developer's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")}
    return {**kept, "PYTHONPATH": str(Path(__file__).parents[2]), **server}


def started(skill_dir: Path, server: Mapping[str, str], *options: str) -> "subprocess.CompletedProcess[str]":
    """Type the command in the current folder: the program as installed, in a process of its own."""
    done = subprocess.run(
        command(skill_dir, *options),
        env=environment(server), stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8",
        check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    return done


def run(skill_dir: Path, server: Mapping[str, str], *options: str) -> Done:
    """The same in this process, which is quicker."""
    return _typed(command(skill_dir, *options)[3:], server)


def regrade(server: Mapping[str, str], *words: str) -> Done:
    """Grade saved runs again."""
    return _typed(["regrade", *words, "--yes"], server)


def _typed(words: Sequence[str], server: Mapping[str, str]) -> Done:
    before = dict(os.environ)
    out, err = io.StringIO(), io.StringIO()
    try:
        for name in [name for name in os.environ if name.startswith("ANTHROPIC_")]:
            del os.environ[name]
        os.environ.update(server)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(list(words))
    finally:
        os.environ.clear()
        os.environ.update(before)
    return Done(status, out.getvalue(), err.getvalue())


def steady(report: Mapping[str, Any]) -> dict[str, Any]:
    """A report without what differs between equal runs; the server has another port each time."""
    kept = {key: value for key, value in report.items() if key not in {"volatile", "timestamp"}}
    settings = {key: value for key, value in report["agent"]["settings"].items() if key != "base_url"}
    return {**kept, "agent": {**report["agent"], "settings": settings}}


def codes(report: Mapping[str, Any]) -> dict[str, Any]:
    return {note["code"]: note["values"] for note in report["notes"]}
