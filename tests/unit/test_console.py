"""A console that cannot show a glyph changes nothing but that glyph."""

import io
import json
import sys

import pytest

from skill_evaluator.cli.console import prepare_streams, show_file, show_json


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [("utf-8", "✅ 通过 — ok"), ("ascii", "[pass] \\u901a\\u8fc7 - ok"), ("cp1252", "[pass] \\u901a\\u8fc7 — ok")],
)
def test_missing_glyphs_become_plain_letters(monkeypatch: pytest.MonkeyPatch, encoding: str, shown: str) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding))
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(io.BytesIO(), encoding=encoding))

    prepare_streams()
    print("✅ 通过 — ok", end="", flush=True)  # noqa: T201 - printing is what is tested

    assert raw.getvalue().decode(encoding) == shown


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1252", "gbk"])
def test_files_are_utf8_with_their_own_line_ends_whatever_the_console_takes(
    monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding, newline="\r\n"))

    show_file("\ufeff通过 ✅ \N{PILE OF POO}\r\na\nb")

    assert raw.getvalue() == "\ufeff通过 ✅ \N{PILE OF POO}\r\na\nb\n".encode()


def test_json_with_the_name_of_a_file_that_is_no_utf8_stays_json(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))

    show_json('"通 \udcff \N{PILE OF POO}"')

    assert json.loads(raw.getvalue()) == "通 \udcff \N{PILE OF POO}"
