"""A scripted stand-in for the program Claude Code: its prompt is the name of what it does.

It is started as the real one is, so it imports nothing but the standard library; it needs no server.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

MODEL = "claude-opus-5-5"
USAGE = {"input_tokens": 100, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}


def emit(**event: object) -> None:
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


def start() -> None:
    loaded = [sys.argv[place + 1] for place, word in enumerate(sys.argv) if word == "--plugin-dir"]
    plugins = [{"name": Path(path).name, "path": path} for path in loaded]
    skills = [f"{plugin['name']}:tide-table" for plugin in plugins]
    emit(type="system", subtype="init", model=MODEL, skills=["verify", *skills], plugins=plugins)


def say(*blocks: Mapping[str, object], key: str = "m1", model: str = MODEL, **more: object) -> None:
    for block in blocks:
        message = {"id": key, "role": "assistant", "model": model, "content": [block], "usage": USAGE}
        emit(type="assistant", message=message, parent_tool_use_id=None, **more)


def text(words: str) -> Mapping[str, object]:
    return {"type": "text", "text": words}


def use(name: str, key: str, **given: object) -> Mapping[str, object]:
    return {"type": "tool_use", "id": key, "name": name, "input": given}


def receive(key: str, content: object) -> None:
    result = {"type": "tool_result", "tool_use_id": key, "content": content}
    emit(type="user", message={"role": "user", "content": [result]}, parent_tool_use_id=None)


def close(status: int = 0, **more: object) -> None:
    told = {"subtype": "success", "is_error": status != 0, "num_turns": 2, "total_cost_usd": 0.0016, "result": "done"}
    emit(type="result", **{**told, "usage": USAGE, "api_error_status": None, **more})
    sys.exit(status)


def well() -> None:
    start()
    say(use("Skill", "t1", skill="tide-table"))
    receive("t1", "Launching skill: tide-table")
    say(text("High water at 12:04."), key="m2")
    close()


def files() -> None:
    start()
    for name in ("a.txt", ".hidden", "node_modules/x.js", ".git/HEAD"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(name, "utf-8")
    close()


def max_turns() -> None:
    start()
    close(1, subtype="error_max_turns", num_turns=3, result=None, errors=["too many turns"])


def max_tokens() -> None:
    start()
    say(text("I was say"))
    say(text("cut"), key="m2", model="<synthetic>", error="max_output_tokens")
    close(1, result="the answer was cut")


def refusal() -> None:
    start()
    close(1, result="it was refused")


def answered_429() -> None:
    start()
    close(1, api_error_status=429, result="slow down", num_turns=1, total_cost_usd=0)


def answered_401() -> None:
    start()
    close(1, api_error_status=401, result="bad key")


def no_login() -> None:
    start()
    say(text("Not logged in"), model="<synthetic>", error="authentication_failed")
    close(1, result="Not logged in · Please run /login")


def silent() -> None:
    time.sleep(600)


def slow() -> None:
    start()
    say(text("I look."), use("Glob", "t1", pattern="x"))
    time.sleep(600)


def crash() -> None:
    sys.stderr.write("No conversation found\n")
    sys.exit(3)


def unresumed() -> None:
    sys.stderr.write("No conversation found\n")
    close(1, subtype="error_during_execution", num_turns=0, total_cost_usd=0, result=None, errors=["No conversation"])


def killed_at_once() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def nothing() -> None:
    """End well without a word."""


def other_program() -> None:
    sys.stdout.write("GNU thing 3.4.5\n")


def only_a_result() -> None:
    close()


def killed() -> None:
    start()
    os.kill(os.getpid(), signal.SIGKILL)


def no_result() -> None:
    start()


def flood() -> None:
    start()
    for _ in range(1024):
        os.write(1, b"x" * 1024 * 1024)


def leave_others() -> None:
    code = "import time; time.sleep(600)"
    subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    well()


def write_into_plugin() -> None:
    plugin = Path(sys.argv[sys.argv.index("--plugin-dir") + 1])
    (plugin / "skills" / "new.md").write_text("x", "utf-8")
    (plugin / "evals" / "results" / "r.json").write_text("x", "utf-8")
    well()


def block_trace() -> None:
    (Path(os.environ["CLAUDE_CONFIG_DIR"]).parent / "out" / "trace.jsonl").mkdir()
    well()


def altered() -> None:
    start()
    say(use("mcp__plugin_harbour_tides__get", "t1"))
    receive("t1", [{"type": "text", "text": "12:04"}])
    close()


def tell() -> None:
    start()
    configs = [Path(word.partition("=")[2]) for word in sys.argv if word.startswith("--mcp-config=")]
    told = {
        "argv": sys.argv[1:],
        "cwd": str(Path.cwd()),
        "environment": dict(os.environ),
        "servers": [json.loads(path.read_text("utf-8")) for path in configs],
    }
    say(text(json.dumps(told)))
    close()


DOES: Mapping[str, Callable[[], None]] = {
    one.__name__: one
    for one in (
        *(
            well,
            files,
            max_turns,
            max_tokens,
            refusal,
            answered_429,
            answered_401,
            no_login,
            silent,
            slow,
            crash,
            unresumed,
            killed_at_once,
            nothing,
            other_program,
            only_a_result,
            killed,
        ),
        *(no_result, flood, leave_others, write_into_plugin, block_trace, altered, tell),
    )
}

if __name__ == "__main__":
    DOES[sys.stdin.read().strip()]()
