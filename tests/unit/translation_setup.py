"""What tests of translations in runs share: a skill that translates, cases, and answers to them."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.unit.command_setup import READ

TRANSLATING = Path(__file__).resolve().parents[1] / "translating_agent.py"
SKILL = "game-translator"
SKILL_MD = f"""\
---
name: {SKILL}
description: Translates texts of games into other languages. Use when the user asks for a translation.
metadata:
  version: "1.0"
---

# Game translator

Keep every placeholder as it is.
"""
SOURCES = {"greet": "Welcome, %s!", "coins": "You have {count} coins.", "quit": "Quit"}
GOOD = {"greet": "Willkommen, %s!", "coins": "Du hast {count} Münzen.", "quit": "Beenden"}
Answers = Mapping[str, str | Sequence[str | None] | None]  # by the last part of a case's id; a list: by repetition


def case_row(name: str, **changes: object) -> dict[str, object]:
    """One case as it stands in a file."""
    source = SOURCES[name]
    tokens = [token for token in ("%s", "{count}") if token in source]
    keeps: list[dict[str, object]] = [{"name": "required_tokens", "severity": "hard"}] if tokens else []
    short: dict[str, object] = {"name": "max_chars", "severity": "hard", "params": {"limit": 40}}
    row: dict[str, object] = {
        "schema_version": 1,
        "id": f"ui.{name}",
        "source_locale": "en-US",
        "target_locale": "de",
        "domain": "game-ui",
        "source": source,
        "required_tokens": tokens,
        "assertions": [*keeps, short],
        "provenance": {"kind": "synthetic", "license": "CC0-1.0"},
        "tags": [name],
    }
    return {**row, **changes}


def lines(rows: Sequence[Mapping[str, object]]) -> str:
    """Write rows as JSON Lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def cases_at(folder: Path, rows: Sequence[Mapping[str, object]] | None = None) -> Path:
    """Make a folder of cases: three, or those given, and a locked one."""
    (folder / "cases" / "dev").mkdir(parents=True)
    (folder / "cases" / "locked").mkdir()
    written = [case_row(name) for name in SOURCES] if rows is None else rows
    (folder / "cases" / "dev" / "ui.jsonl").write_text(lines(written), "utf-8")
    locked = case_row("quit", id="secret.quit", source="Secret words of a locked case")
    (folder / "cases" / "locked" / "secret.jsonl").write_text(lines([locked]), "utf-8")
    return folder


def recordings_at(path: Path, answers: Answers | None = None, *, runs: int = 3, fires: bool = True) -> Path:
    """Record answers: good ones, but for those given; None for a run that ended as an error."""
    rows: list[dict[str, object]] = []
    for name, good in GOOD.items():
        given = (answers or {}).get(name, good)
        for index in range(runs):
            text = given if isinstance(given, str) or given is None else given[index]
            said: dict[str, object] = {"text": text} if text is not None else {"error": ERROR}
            invoked: list[str] = [SKILL] if fires and text is not None else []
            rows.append({"case_id": f"ui.{name}", "index": index, **said, "skills_invoked": invoked})
    path.write_text(lines(rows), "utf-8")
    return path


ERROR = {"kind": "api", "message": "the server is gone"}


def config_at(folder: Path, answers: Mapping[str, Sequence[str]] | None = None, *, mode: str = "well") -> Path:
    """Write how the translating program is called; it answers a source with the texts given, one after the other."""
    known = {SOURCES[name]: [text] for name, text in GOOD.items()}
    known |= {SOURCES[name]: list(texts) for name, texts in (answers or {}).items()}
    book = folder / "answers.json"
    book.write_text(json.dumps(known), "utf-8")
    argv = json.dumps([sys.executable, str(TRANSLATING), mode, str(book), "{skills_dir}", "{skill_dir}"])
    path = folder / "translating.toml"
    path.write_text(f'argv = {argv}\nstdin = "prompt"\nformat = "jsonl"\n{READ}', "utf-8")
    return path
