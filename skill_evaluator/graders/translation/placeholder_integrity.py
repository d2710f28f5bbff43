"""Does a translation keep every placeholder, as often as it is there?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, assert_never

from skill_evaluator.graders.evidence import NAMES_LIMIT, clean, cut_middle, not_run, output_cut, shown_names
from skill_evaluator.graders.patterns import compile_pattern
from skill_evaluator.graders.text import MATCH_LIMIT_S
from skill_evaluator.graders.translation.full_width import narrowed
from skill_evaluator.graders.translation.outcomes import broken, ok, undecided
from skill_evaluator.graders.translation.placeholders.deciding import compare_auto
from skill_evaluator.graders.translation.placeholders.difference import GRAVITY, Compared
from skill_evaluator.graders.translation.placeholders.formats import compare_custom, compare_printf, compare_python
from skill_evaluator.graders.translation.placeholders.icu import compare_icu
from skill_evaluator.model import JsonObject, Outcome, Run
from skill_evaluator.texts import changed, tr

Syntax = Literal["auto", "printf", "python", "icu", "custom"]


@dataclass(frozen=True, kw_only=True, slots=True)
class PlaceholderIntegrity:
    """Each placeholder of the source is in the translation as often, and no other.

    Attributes:
        source: The text that was translated.
        target_locale: Of the translation; decides which plural categories there are.
        syntax: How placeholders are written.
        allow_reorder: Whether they may stand in another order, where the syntax allows it.
        pattern: What a placeholder is, exactly where `syntax` is `custom`; in the syntax of the `regex` package.

    Raises:
        ValueError: If there is a pattern without `custom`, none with it, or one that does not compile.
    """

    source: str
    target_locale: str
    syntax: Syntax = "auto"
    allow_reorder: bool = True
    pattern: str | None = None

    def __post_init__(self) -> None:
        if (self.syntax == "custom") != (self.pattern is not None):
            raise ValueError("a pattern is given exactly where the syntax is custom")
        if self.pattern is not None:
            compile_pattern(self.pattern)

    def check(self, run: Run) -> Outcome:
        """Compare the placeholders of source and translation."""
        if run.output is None:
            return not_run("makes no output")
        if run.output_cut:
            return output_cut(tr("whether it keeps every placeholder"))
        found = self._compare(run.output)
        if found.faults:
            return _broken(found, is_full_width=self._is_full_width(run.output))
        if found.undecided is not None:
            message = tr("It cannot be decided from the texts: {undecided}.", undecided=found.undecided)
            return undecided("placeholder_undecided", changed(message, clean), {**_lists(found), **_kinds(found)})
        if self.syntax == "auto" and not found.kinds:
            return ok(tr("The source has no placeholder that is known here, and none came."))
        return ok(tr("Every placeholder is kept."), _kinds(found))

    def _is_full_width(self, target: str) -> bool:
        """Say whether nothing is wrong but that placeholders are in full-width characters, as `％d`."""
        narrow = narrowed(target)
        if narrow is None:
            return False
        found = self._compare(narrow)
        return not found.faults and found.undecided is None

    def _compare(self, target: str) -> Compared:
        reorder = self.allow_reorder
        match self.syntax:
            case "printf":
                return compare_printf(self.source, target, allow_reorder=reorder)
            case "python":
                return compare_python(self.source, target, allow_reorder=reorder)
            case "icu":
                return compare_icu(self.source, target, target_locale=self.target_locale, allow_reorder=reorder)
            case "custom":
                pattern = self.pattern or ""
                return compare_custom(
                    self.source, target, pattern=pattern, allow_reorder=reorder, timeout_s=MATCH_LIMIT_S
                )
            case "auto":
                return compare_auto(self.source, target, target_locale=self.target_locale, allow_reorder=reorder)
            case _:
                assert_never(self.syntax)


def _broken(found: Compared, *, is_full_width: bool) -> Outcome:
    """Word the gravest fault; where there are several kinds, all their codes are in the evidence."""
    codes = [code for code in GRAVITY if any(fault.code == code for fault in found.faults)]
    gravest = [fault for fault in found.faults if fault.code == codes[0]]
    more = len(found.faults) - 1
    message = gravest[0].message
    if more:
        message = tr("{fault} (and {more} more)", fault=message, more=more)
    if is_full_width:
        hint = tr("It would be kept if it were not in full-width characters.")
        message = tr("{sentence} {next}", sentence=message, next=hint)
    evidence: JsonObject = {**_lists(found), **_kinds(found)}
    if len(codes) > 1:
        evidence = {**evidence, "codes": codes}
    return broken(codes[0], changed(message, clean), evidence)


def _lists(found: Compared) -> JsonObject:
    return {"expected": _shown(found.expected), "actual": _shown(found.actual)}


def _shown(texts: Sequence[str]) -> list[str]:
    return [cut_middle(one, NAMES_LIMIT) for one in shown_names(texts)]


def _kinds(found: Compared) -> JsonObject:
    return {"syntax": list(found.kinds)} if found.kinds else {}
