"""Standard streams that never fail on a character, and the one way to talk to the user."""

import codecs
import contextlib
import io
import os
import sys
from collections.abc import Iterator
from typing import TextIO

from skill_evaluator.cli.github_log import log_json, log_text
from skill_evaluator.cli.language import spoken
from skill_evaluator.cli.wrapping import wrapped
from skill_evaluator.texts import localized

_FIRST_CONTROL_PICTURE, _LAST_CONTROL_PICTURE = "\u2400", "\u241f"
_USUAL_WIDTH = 80  # columns of a terminal that does not tell
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
    # A stream that the caller has closed is None, and printing to None would go to standard output.
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="plain_glyphs")


def say(text: str) -> None:
    """Tell the user something that is no result: it goes to standard error, and is lost where that is full.

    A `texts.Text` is said in the language of the user; a plain `str` stays as it is.
    """
    try:
        text = wrapped(localized(text, spoken()), width_of(sys.stderr))
        print(log_text(text), file=sys.stderr, flush=True)
    except OSError:
        forget(sys.stderr)


def show(text: str) -> None:
    """Print a result to standard output, as it is."""
    print(text, end="" if text.endswith("\n") else "\n", flush=True)


def show_file(content: str) -> None:
    """Print what is read as a file, as UTF-8 and with its own line ends, as it would be written; to a terminal as text.

    Pages, XML and JSON say or mean that they are UTF-8, so a stream of another encoding would make them wrong.
    """
    if sys.stdout.isatty() or not isinstance(sys.stdout, io.TextIOWrapper):
        show(content)
        return
    sys.stdout.flush()
    whole = content if content.endswith("\n") else f"{content}\n"
    sys.stdout.buffer.write(whole.encode(errors="backslashreplace"))  # names of files may hold halves of characters
    sys.stdout.buffer.flush()


def show_json(document: str) -> None:
    """Print a JSON document; a log that reads commands finds none in it."""
    show_file(log_json(document))


def show_text(text: str) -> None:
    """Print lines for people, as they are but for what a log would take for commands."""
    show(log_text(text))


def show_line(text: str) -> None:
    """Print a line that is read by people rather than programs: a terminal gets it in several."""
    show_text(wrapped(localized(text, spoken()), width_of(sys.stdout)))


def width_of(stream: TextIO) -> int | None:
    """Give the columns of a terminal; None where a stream is none, or where nobody knows."""
    try:
        return (os.get_terminal_size(stream.fileno()).columns or None) if stream.isatty() else None
    except (OSError, ValueError):
        return None


def height_of(stream: TextIO) -> int | None:
    """Give the lines of a terminal; None where a stream is none, or where nobody knows."""
    try:
        return (os.get_terminal_size(stream.fileno()).lines or None) if stream.isatty() else None
    except (OSError, ValueError):
        return None


def is_styled(stream: TextIO) -> bool:
    """Whether escape sequences may be sent: to a terminal that knows them, whose user has not declined them.

    Source:
        https://no-color.org and https://bixense.com/clicolors; what these say of colours holds for all sequences here.
    """
    asked_not_to = os.environ.get("NO_COLOR") or os.environ.get("CLICOLOR") == "0"
    return stream.isatty() and not asked_not_to and os.environ.get("TERM") not in {"dumb", "unknown"}


@contextlib.contextmanager
def outliving_its_reader() -> Iterator[None]:
    """Go on when whoever read standard output has left, as `head` does; what comes later is shown to nobody."""
    try:
        yield
    except BrokenPipeError:
        forget(sys.stdout)


def forget(stream: TextIO) -> None:
    """Give up a stream that cannot be written: what is still buffered must not raise again at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def show_page(markdown: str) -> None:
    """Print a page: laid out to the width of a terminal, or as the Markdown it is into a file or a pipe."""
    if not sys.stdout.isatty():
        show_text(markdown)
        return
    from skill_evaluator.cli.pages import laid_out  # noqa: PLC0415 - only a terminal needs it

    show(laid_out(markdown, width_of(sys.stdout) or _USUAL_WIDTH, is_styled=is_styled(sys.stdout)))


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - stays open as long as the process


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
