"""A scripted agent that prints as Claude Code does: it fires the skill, reads a file, writes two, and says so.

usage: scripted_claude.py SKILL_DIR PROMPT

It is started as any agent is, by a path and arguments, so it imports nothing but the standard library.
"""

import json
import re
import sys
from pathlib import Path


def emit(**event: object) -> None:
    sys.stdout.write(json.dumps(event) + "\n")


def say(**block: object) -> None:
    emit(type="assistant", message={"role": "assistant", "content": [block]}, parent_tool_use_id=None)


def use(key: str, name: str, **arguments: object) -> None:
    say(type="tool_use", id=key, name=name, input=arguments)
    content = [{"type": "tool_result", "tool_use_id": key, "content": "done"}]
    emit(type="user", message={"role": "user", "content": content}, parent_tool_use_id=None)


def main(skill: str, prompt: str) -> None:
    emit(type="system", subtype="init", skills=[skill, "brindlewick-tide-word"], model="scripted")
    if "brindlewick-tide-word" in prompt:
        use("c", "Skill", skill="brindlewick-tide-word")
    elif re.search(r"level|stage", prompt):
        use("s", "Skill", skill=skill)
        use("r", "Read", file_path="notes.txt")
        Path("out/deep").mkdir(parents=True)
        Path("out/level.json").write_text('{"level_id": 7, "key": "sk-ant-abcdefghijklmnopqrstuvwxyz"}\n', "utf-8")
        Path("out/deep/.hidden").write_text("", "utf-8")
        Path("out/link.json").symlink_to("/etc/hostname")
        Path("notes.txt").write_text("changed", "utf-8")
        use("w", "Write", file_path="out/level.json", content="level_id 7")
        say(type="text", text="Wrote Level 7.")
    emit(type="result", subtype="success", is_error=False, num_turns=4, result="Wrote Level 7.")


if __name__ == "__main__":
    main(Path(sys.argv[1]).name, sys.argv[2])
