"""A stand-in for the program Claude Code that needs no server: it does what the case's prompt tells it.

It prints what the real one prints for one turn. `program(folder)` puts it somewhere as an executable; there it is
started by its path, so it imports nothing but the standard library.

    crash        die of a signal in the middle of a sentence
    flood        print a gigabyte, line by line
    flood line   print a gigabyte without the end of a line
    flood error  print a gigabyte to standard error
    fork         leave a process behind that has a session of its own
    hang         say nothing more for five minutes
    fill         write files until there is no room
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

VERSION = "2.1.332"
GIGABYTE = 1 << 30
SESSION = "5f0c7c1e-0000-4000-8000-000000000001"
MODEL = "scripted"


def program(folder: Path) -> Path:
    """Put it into a folder, as `claude`."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "claude"
    path.write_text(f"#!{sys.executable} -S\n{Path(__file__).read_text('utf-8')}", "utf-8")
    path.chmod(0o755)
    return path


def emit(**event: object) -> None:
    """Print one line of the stream."""
    sys.stdout.write(json.dumps({**event, "session_id": SESSION}) + "\n")
    sys.stdout.flush()


def say(text: str) -> None:
    """Print a message of the assistant."""
    usage = {"input_tokens": 10, "output_tokens": 2, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    content = [{"type": "text", "text": text}]
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": MODEL, "content": content}
    emit(type="assistant", message={**message, "stop_reason": None, "usage": usage}, parent_tool_use_id=None)


def begin() -> None:
    """Print the first line: what the session has."""
    lists: dict[str, list[object]] = {"tools": ["Read"], "mcp_servers": [], "skills": [], "plugins": [], "agents": []}
    named = {"cwd": os.getcwd(), "model": MODEL, "claude_code_version": VERSION}  # noqa: PTH109 - as it prints it
    emit(type="system", subtype="init", permissionMode="dontAsk", apiKeySource="ANTHROPIC_API_KEY", **named, **lists)


def act(prompt: str) -> None:
    """Do what the prompt says."""
    if "crash" in prompt:
        sys.stdout.write('{"type":"assistant","message":{"content":[{"type":"te')
        sys.stdout.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    elif "flood error" in prompt:
        flood(2, b"trouble " * 128 + b"\n")
    elif "flood line" in prompt:
        flood(1, b"x" * 1024)
    elif "flood" in prompt:
        flood(1, b'{"type":"system","subtype":"status","note":"' + b"x" * 65_000 + b'"}\n')
    elif "fork" in prompt:
        subprocess.Popen(["sleep", "300"], start_new_session=True)
    elif "hang" in prompt:
        time.sleep(300)
    elif "fill" in prompt:
        fill()


def flood(stream: int, piece: bytes) -> None:
    """Write a gigabyte, in pieces."""
    block = piece * max(1, (1 << 20) // len(piece))
    for _ in range(GIGABYTE // len(block)):
        left = memoryview(block)
        while left:
            left = left[os.write(stream, left) :]


def fill() -> None:
    """Write until the disk is full."""
    try:
        with open("filler", "wb") as file:  # noqa: PTH123 - as short as it gets
            while True:
                file.write(b"x" * 65_536)
                file.flush()
    except OSError:
        return


def main() -> None:
    """Be the program."""
    if "--version" in sys.argv[1:]:
        sys.stdout.write(f"{VERSION} (Claude Code)\n")
        return
    prompt = sys.stdin.read()
    begin()
    act(prompt)
    say("labelled")
    spent = {"num_turns": 1, "total_cost_usd": 0.001, "usage": {}, "modelUsage": {}, "duration_ms": 1}
    emit(type="result", subtype="success", is_error=False, result="labelled", api_error_status=None, **spent)


if __name__ == "__main__":
    main()
