"""Text of others for files that hold text as it is, such as XML and CSV: with signs for what could do harm there."""

from skill_evaluator.report.escape import cut_middle, visible

_GAP = "[…{cut}…]"
# Characters that XML 1.0 cannot hold although Unicode calls them neither controls nor halves of a character.
_NO_CHARACTERS = str.maketrans({"\ufffe": "⟨U+FFFE⟩", "\uffff": "⟨U+FFFF⟩"})


def clean(text: str) -> str:
    r"""Show on one line what could hide text, turn its direction, or cannot be written, by signs.

    >>> clean("a\x00b\nc\ufffe")
    'a␀b↵c⟨U+FFFE⟩'
    """
    return visible(text).translate(_NO_CHARACTERS)


def clean_lines(text: str, *, limit: int | None = None) -> str:
    r"""Do the same, but keep line ends and tabs.

    Args:
        text: Anything.
        limit: Longest text that is shown whole, in characters; None for any.

    >>> clean_lines("a\r\n\tb\x1b[31m")
    'a\n\tb␛[31m'
    """
    if limit is None and text.isprintable():
        return text
    shown = text.replace("\r\n", "\n")
    shown = shown if limit is None else cut_middle(shown, limit, f"\n{_GAP}\n")
    return "\n".join("\t".join(map(clean, line.split("\t"))) for line in shown.split("\n"))
