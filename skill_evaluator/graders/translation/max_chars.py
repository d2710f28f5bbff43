"""Is a translation short enough?"""

import re
from dataclasses import dataclass
from typing import Final, Literal

from skill_evaluator.graders.evidence import kept_pieces, not_run, output_cut
from skill_evaluator.graders.translation.outcomes import broken, ok
from skill_evaluator.model import JsonObject, Outcome, Run
from skill_evaluator.texts import ntr, tr

Unit = Literal["graphemes", "codepoints", "bytes"]

# Letters of flags stand in pairs from the start of their run. The `regex` package goes back to that start at each of
# them, so a run of 100,000 would take a minute; whole pairs out of its middle are counted without it.
_LONG_FLAGS: Final = re.compile("[\U0001f1e6-\U0001f1ff]{64,}")


@dataclass(frozen=True, kw_only=True, slots=True)
class MaxChars:
    """The translation has at most so many characters.

    Attributes:
        limit: The most, >= 1.
        unit: What a character is: an extended grapheme cluster, a code point, or a byte of UTF-8.
    """

    limit: int
    unit: Unit = "graphemes"

    def check(self, run: Run) -> Outcome:
        """Count the characters."""
        if run.output is None:
            return not_run("makes no output")
        if run.output_cut:
            return self._check_kept(kept_pieces(run.output))
        count = count_chars(run.output, self.unit)
        if count > self.limit:
            return self._too_long(count)
        return ok(tr("The translation has {count}.", count=_counted(count, self.unit)), self._facts(count))

    def _check_kept(self, pieces: list[str]) -> Outcome:
        """Fail where what was kept is too long already; where pieces meet, two clusters may have been one."""
        at_least = sum(count_chars(piece, self.unit) for piece in pieces) - (len(pieces) - 1)
        if at_least > self.limit:
            return self._too_long(at_least)
        return output_cut(tr("whether it has more than {limit}", limit=_counted(self.limit, self.unit)))

    def _too_long(self, count: int) -> Outcome:
        message = tr(
            "The translation has {count}, and no more than {limit} are allowed.",
            count=_counted(count, self.unit),
            limit=self.limit,
        )
        return broken("too_long", message, self._facts(count))

    def _facts(self, count: int) -> JsonObject:
        return {"count": count, "limit": self.limit, "unit": self.unit}


def count_chars(text: str, unit: Unit) -> int:
    r"""Count the characters of a text.

    Args:
        text: Any text; a lone surrogate is one grapheme, one code point, and three bytes as U+FFFD would be.
        unit: What a character is.

    Source:
        Unicode Standard Annex 29, extended grapheme clusters, as `\X` of the `regex` package finds them.
    """
    match unit:
        case "codepoints":
            return len(text)
        case "bytes":
            return len(text.encode("utf-8", "surrogatepass"))
        case "graphemes":
            return _count_graphemes(text)


def _count_graphemes(text: str) -> int:
    if text.isascii():
        return len(text) - text.count("\r\n")
    import regex  # noqa: PLC0415 - plain ASCII is counted without it

    shorter = _LONG_FLAGS.sub(lambda run: run[0][: 2 + len(run[0]) % 2], text)
    pairs_left_out = (len(text) - len(shorter)) // 2
    return pairs_left_out + sum(1 for _ in regex.finditer(r"\X", shorter))


def _counted(count: int, unit: Unit) -> str:
    match unit:
        case "graphemes":
            return ntr("{n} grapheme", "{n} graphemes", count)
        case "codepoints":
            return ntr("{n} code point", "{n} code points", count)
        case "bytes":
            return ntr("{n} byte", "{n} bytes", count)
