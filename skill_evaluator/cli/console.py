"""Standard streams that never fail on a character, and the one way to talk to the user."""

import codecs
import io
import sys

_FIRST_CONTROL_PICTURE, _LAST_CONTROL_PICTURE = "\u2400", "\u241f"
_PLAIN = {
    "✅": "[pass]",
    "❌": "[fail]",
    "⚠": "[!]",
    "📊": "#",
    "🔄": "[advice]",
    "📈": "[compare]",
    "━": "-",
    "─": "-",
    "—": "-",
    "–": "-",
    "·": "|",
    "…": "...",
    "≥": ">=",
    "≤": "<=",
    "×": "x",
    "→": "->",
    "’": "'",
    "“": '"',
    "”": '"',
    "↵": "[newline]",
    "⟨": "<",
    "⟩": ">",
    "\ufe0f": "",
}


def prepare_streams() -> None:
    """Let both output streams show plain letters for glyphs they lack, and escapes for other characters."""
    codecs.register_error("plain_glyphs", _plain_glyphs)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="plain_glyphs")


def say(text: str) -> None:
    """Tell the user something that is no result: it goes to standard error."""
    print(text, file=sys.stderr, flush=True)


def show(text: str) -> None:
    """Print a result to standard output."""
    print(text, end="" if text.endswith("\n") else "\n")


def show_page(markdown: str) -> None:
    """Print a page: laid out to the width of a terminal, or as the Markdown it is into a file or a pipe."""
    if not sys.stdout.isatty():
        show(markdown)
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.markdown import Markdown  # noqa: PLC0415

    Console(highlight=False).print(Markdown(markdown, hyperlinks=False))


def _plain_glyphs(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(_PLAIN[character] if character in _PLAIN else _escape(character) for character in lost), error.end


def _escape(character: str) -> str:
    """A picture of a control character becomes what it is a picture of, as text; the rest is escaped."""
    if _FIRST_CONTROL_PICTURE <= character <= _LAST_CONTROL_PICTURE:
        return f"\\x{ord(character) - ord(_FIRST_CONTROL_PICTURE):02x}"
    return character.encode("ascii", "backslashreplace").decode("ascii")
