"""A scripted agent that translates: it looks the text between the marks up in a book of answers.

usage: translating_agent.py MODE BOOK SKILLS_DIR SKILL_DIR < PROMPT

It is started as any agent is, by a path and arguments, so it imports nothing but the standard library. MODE is `well`,
or `slow`, which takes a second over each translation.
"""

import json
import re
import sys
import time
from pathlib import Path


def emit(**event: object) -> None:
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


def times_asked(book: str, source: str) -> int:
    """How often a text was asked for before, kept in a file beside the book."""
    with Path(book).with_name(f"asked-{source.encode().hex()}").open("ab+") as log:
        before = log.tell()
        log.write(b".")
    return before


def main(mode: str, book: str, skills_dir: str, skill_dir: str) -> None:
    """Answer the prompt on standard input."""
    prompt = sys.stdin.read()
    listed = sorted(path.parent.name for path in Path(skills_dir).glob("*/SKILL.md"))
    named = [name for name in listed if name in prompt]
    asked = re.search(r"^<(text-[0-9a-f]+)>\n(.*)\n</\1>$", prompt, re.DOTALL | re.MULTILINE)
    emit(type="start", skills=listed)
    if named:
        emit(type="skill", name=named[0])
    elif asked is not None:
        emit(type="skill", name=Path(skill_dir).name)
    if asked is None:
        emit(type="text", text="42")
    else:
        if mode == "slow":
            time.sleep(1.0)
        texts = json.loads(Path(book).read_text("utf-8"))[asked[2]]
        emit(type="text", text=texts[times_asked(book, asked[2]) % len(texts)] + "\n")
    emit(type="usage", tokens_in=100, tokens_out=20, usd=0.001)


if __name__ == "__main__":
    main(*sys.argv[1:5])
