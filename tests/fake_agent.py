"""A scripted agent: a program that lists skills, fires one, uses tools, and misbehaves as told.

usage: fake_agent.py MODE SKILLS_DIR SKILL_DIR PROMPT

It fires the skill that the prompt names, else the one of SKILL_DIR where the prompt speaks of levels. It is started as
any agent is, by a path and arguments, so it imports nothing but the standard library.
"""

import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

mode, skills_dir, skill_dir, prompt = sys.argv[1:5] if __name__ == "__main__" else ("", "", "", "")
target = Path(skill_dir).name
listed = sorted(path.parent.name for path in Path(skills_dir).glob("*/SKILL.md"))
named = [name for name in listed if name in prompt]
wanted = named[0] if named else target if re.search(r"level|stage|map", prompt) else None


def emit(end: str = "\n", **event: object) -> None:
    sys.stdout.write(json.dumps(event) + end)
    sys.stdout.flush()


def fire(name: str, end: str = "\n") -> None:
    emit(type="skill", name=name, end=end)


def sleeper(prelude: str = "", **options: object) -> None:
    """Leave somebody behind who holds the pipes."""
    program = f"# {os.environ['SKILL_EVALUATOR_RUN']}\nimport os, time\n{prelude}\ntime.sleep(600)"
    subprocess.Popen([sys.executable, "-c", program], **options)  # type: ignore[call-overload]


def daemon() -> None:
    """Two forks, a session of its own, another folder: only the marker is left."""
    again = "if os.fork(): os._exit(0)\nos.setsid()\nif os.fork(): os._exit(0)\nos.chdir('/')"
    sleeper(again, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def forgetful() -> None:
    """No marker and a session of its own, but it works in the run's folder."""
    sleeper("os.setsid()", env={"PATH": os.environ["PATH"]})


LEFT_BEHIND = {
    "grandchild": sleeper,
    "setsid": lambda: sleeper("os.setsid()"),
    "daemon": daemon,
    "forgetful": forgetful,
}
CANARY = "17 + 25" in prompt or wanted not in {None, target}


def asked_before() -> int:
    """How often any run was asked before this one, kept in a file outside of all runs."""
    with Path(os.environ["ASKED"]).open("ab+") as log:
        before = log.tell()
        log.write(b".")
    return before


def main() -> None:  # noqa: C901, PLR0912, PLR0915 - a list of misdeeds, one branch each
    emit(type="start", skills=[] if mode == "unlisted" else listed)
    if mode == "fail":
        sys.exit("Traceback: nothing works")
    if mode.startswith("hang-") and mode.removeprefix("hang-") in LEFT_BEHIND:
        LEFT_BEHIND[mode.removeprefix("hang-")]()
        time.sleep(600)
    if mode.startswith("leave-"):
        LEFT_BEHIND[mode.removeprefix("leave-")]()
    if mode == "sibling":
        fire("some-sibling")
    if mode == "tool-first":
        emit(type="tool", id="t1", name="bash", input={"command": "ls"})
        emit(type="result", id="t1", result="a b c")
    if mode == "edit":
        with (Path(skill_dir) / "SKILL.md").open("a", encoding="utf-8") as file:
            file.write("\nMore.\n")
    if mode == "disk":
        sys.exit("OSError: [Errno 28] No space left on device")
    if mode == "flood":
        for _ in range(10_000):
            emit(type="text", text="x" * 10_000 + "\n")
    if mode == "rate":
        emit(type="error", message="429: rate limit reached")
        sys.exit(1)
    if mode == "environment":
        emit(type="tool", id="e", name="env", input={"names": sorted(os.environ), "home": os.environ["HOME"]})
        found = sorted(str(path) for path in Path(os.environ["HOME"]).parent.rglob("*") if path.is_file())
        emit(type="result", id="e", result="\n".join(found))
    if mode == "testset":
        emit(type="tool", id="s", name="find", input={"path": "/"})
        emit(type="result", id="s", result=Path(os.environ["SEEN"]).read_text("utf-8"))
    if mode == "talkative":
        emit(type="tool", id="t", name="look", input={})
        emit(type="result", id="t", result="x" * 4_000)
    if mode == "fills" and not CANARY:
        with Path(os.environ["TMPDIR"], "big").open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * 100_000)
    if mode == "fail-negatives" and wanted is None and not CANARY:
        sys.exit("no idea")
    if mode == "fail-later" and not CANARY:
        sys.exit("not any more")
    if mode == "hang-canary" and CANARY:
        time.sleep(600)
    if mode == "flaky" and not CANARY and random.Random(f"{asked_before()}").random() < 0.3:  # noqa: S311
        sys.exit("bad luck")
    if mode == "limited" and 10 <= asked_before() < 13:
        emit(type="error", message="429: rate limit reached")
        sys.exit(1)
    if mode == "edit-original":
        with Path(os.environ["ORIGINAL"]).open("a", encoding="utf-8") as file:
            file.write("\nMore.\n")
    if wanted is not None:
        answer(wanted)
    emit(type="text", text="Done.")
    emit(type="usage", tokens_in=100, tokens_out=20, usd=0.001)
    if mode == "last-chunk" and wanted is not None:
        fire(wanted, end="")


def answer(name: str) -> None:
    match mode:
        case "plugin":
            fire(f"games:{name}")
        case "longer" if not CANARY:
            fire(f"{name}-pro")
        case "last-chunk":
            pass
        case "opens" | "opens-and-fails":
            file = f"{skills_dir}/{name}/SKILL.md"
            emit(type="tool", id="o", name="shell", input={"command": f"bash -lc 'sed -n 1,80p {file}'"})
            emit(type="result", id="o", result="# Level maker", failed=mode == "opens-and-fails")
        case _:
            fire(name)


if __name__ == "__main__":
    if mode == "broken":
        sys.stdout.write('{"type": "start"\nnot json\n')
    elif mode != "silent":
        if mode == "deaf":
            os.close(0)
        main()
