"""Checks of the final text: it holds a text, does not hold one, or matches a pattern.

Both sides are compared in Unicode NFC and with LF line ends; otherwise exactly, upper and lower case apart.
"""

from dataclasses import dataclass

from skill_evaluator.graders.evidence import clean, cut_around, cut_middle, kept_pieces, normalised, not_run, output_cut
from skill_evaluator.graders.patterns import compile_pattern
from skill_evaluator.model import Outcome, Run

MATCH_LIMIT_S = 1.0  # patterns come from files of others: one that backtracks for ever must not hang the program


@dataclass(frozen=True, kw_only=True, slots=True)
class Contains:
    """The output holds this text.

    Attributes:
        text: What to look for, as it stands.
    """

    text: str

    def check(self, run: Run) -> Outcome:
        """Look for the text in the output."""
        if run.output is None:
            return not_run("makes no output")
        output = normalised(run.output)
        if any(normalised(self.text) in piece for piece in _pieces(run.output, is_cut=run.output_cut)):
            return Outcome(passed=True, code="contains_ok", message=f"The output holds {self.text!r}.")
        if run.output_cut:
            return output_cut(f"whether it holds {self.text!r}")
        return Outcome(
            passed=False,
            code="contains_missing",
            message=f"The output does not hold {self.text!r}.",
            evidence={"missing": clean(self.text), "output": cut_middle(clean(output))},
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class NotContains:
    """The output does not hold this text.

    Attributes:
        text: What must not be there, as it stands.
    """

    text: str

    def check(self, run: Run) -> Outcome:
        """Look for the text in the output; `at` in the evidence is the 0-based place of the first find."""
        if run.output is None:
            return not_run("makes no output")
        text = normalised(self.text)
        found = [(piece, piece.find(text)) for piece in _pieces(run.output, is_cut=run.output_cut)]
        output, at = next((one for one in found if one[1] >= 0), found[0])
        if at < 0 and run.output_cut:
            return output_cut(f"whether it holds {self.text!r}")
        if at < 0:
            return Outcome(passed=True, code="not_contains_ok", message=f"The output does not hold {self.text!r}.")
        return Outcome(
            passed=False,
            code="not_contains_found",
            message=f"The output holds {self.text!r}, which it must not.",
            evidence={"found": clean(self.text), "output": cut_around(clean(output), at), "at": at},
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Matches:
    """The output matches this regular expression somewhere; `^` and `$` stand for the ends of each line.

    Attributes:
        pattern: In the syntax of the `regex` package, which is Python's and more.

    Raises:
        ValueError: If the pattern does not compile; the message says why.
    """

    pattern: str

    def __post_init__(self) -> None:
        compile_pattern(self.pattern)

    def check(self, run: Run) -> Outcome:
        """Search the output; a pattern that runs out of time fails."""
        if run.output is None:
            return not_run("makes no output")
        if run.output_cut:
            return output_cut(f"whether it matches {self.pattern!r}")
        output = normalised(run.output)
        try:
            found = compile_pattern(self.pattern).search(output, timeout=MATCH_LIMIT_S)
        except TimeoutError:
            return self._timed_out()
        if found:
            return Outcome(passed=True, code="regex_ok", message=f"The output matches {self.pattern!r}.")
        return Outcome(
            passed=False,
            code="regex_missing",
            message=f"Nothing in the output matches {self.pattern!r}.",
            evidence={"pattern": clean(self.pattern), "output": cut_middle(clean(output))},
        )

    def _timed_out(self) -> Outcome:
        return Outcome(
            passed=False,
            code="regex_timeout",
            message=f"{self.pattern!r} was not done after {MATCH_LIMIT_S:g} s; write it so that it backtracks less.",
            evidence={"pattern": clean(self.pattern), "limit_s": MATCH_LIMIT_S},
        )


def _pieces(output: str, *, is_cut: bool) -> list[str]:
    return [normalised(piece) for piece in (kept_pieces(output) if is_cut else [output])]
