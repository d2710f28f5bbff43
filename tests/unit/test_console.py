"""A console that cannot show a glyph changes nothing but that glyph."""

import io
import sys

import pytest

from skill_evaluator.cli.console import prepare_streams


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
