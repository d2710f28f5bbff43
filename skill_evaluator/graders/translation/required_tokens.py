"""Does a translation hold every text that it must?"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final
from unicodedata import normalize

from skill_evaluator.graders.evidence import clean, cut_middle, kept_pieces, not_run, output_cut
from skill_evaluator.graders.translation.full_width import narrowed
from skill_evaluator.graders.translation.outcomes import broken, ok, times
from skill_evaluator.model import Outcome, Run
from skill_evaluator.texts import tr

_SHOWN: Final = 20  # tokens in the evidence
_LONGEST: Final = 200  # characters of each


@dataclass(frozen=True, kw_only=True, slots=True)
class RequiredTokens:
    """Each token is in the translation at least as often as it is named.

    Tokens are literal: the same code points, upper and lower case apart. They are found from left to right, the longest
    where several begin, and do not overlap: the `%s` in `%sx` is no `%s` where `%sx` is a token too.

    Attributes:
        tokens: Literal texts; never empty. One that stands twice has to be there twice.
    """

    tokens: tuple[str, ...]

    def check(self, run: Run) -> Outcome:
        """Count the tokens in the translation."""
        if run.output is None:
            return not_run("makes no output")
        wanted = Counter(token for token in self.tokens if token)
        pieces = kept_pieces(run.output) if run.output_cut else [run.output]
        found = count_tokens(wanted, pieces)
        lacking = [token for token, number in wanted.items() if found[token] < number]
        if not lacking:
            return ok(tr("The translation holds every token."))
        if run.output_cut:
            return output_cut(tr("whether it holds every token"))
        return _lacking(lacking, wanted, found, run.output)


def count_tokens(tokens: Iterable[str], texts: Iterable[str]) -> Counter[str]:
    """Count tokens that do not overlap, from left to right and the longest first.

    Args:
        tokens: Texts that are not empty.
        texts: Where to look; no token goes over from one to the next.
    """
    pattern = _pattern(tuple(tokens))
    return Counter(token for text in texts for token in pattern.findall(text))


@lru_cache(maxsize=1024)
def _pattern(tokens: tuple[str, ...]) -> re.Pattern[str]:
    # Without any token nothing may match, not even the empty text.
    longest_first = sorted(set(tokens), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)) or "(?!)")


def _lacking(lacking: list[str], wanted: Mapping[str, int], found: Mapping[str, int], text: str) -> Outcome:
    otherwise = _in_another_form(wanted, text)
    codes = ["token_missing" if not found[token] else "token_count_mismatch" for token in lacking]
    code = min(codes, key=("token_missing", "token_count_mismatch").index)
    first = lacking[codes.index(code)]
    there = tr("holds it {times}", times=times(found[first])) if found[first] else tr("does not hold it")
    name = cut_middle(first, _LONGEST)
    message = tr(
        "The translation should hold {name!r} {times}, but {there}.", name=name, times=times(wanted[first]), there=there
    )
    if otherwise[first] >= wanted[first]:
        hint = tr("It is there in another Unicode normal form, which is not the same text.")
        message = tr("{sentence} {next}", sentence=message, next=hint)
    elif (narrow := narrowed(text)) and count_tokens(wanted, [narrow])[first] >= wanted[first]:
        hint = tr("It is there in full-width characters, which is not the same text.")
        message = tr("{sentence} {next}", sentence=message, next=hint)
    shown = [
        {
            "token": cut_middle(clean(token), _LONGEST),
            "expected": wanted[token],
            "actual": found[token],
            **({"in_another_normal_form": True} if otherwise[token] >= wanted[token] else {}),
        }
        for token in islice(lacking, _SHOWN)
    ]
    return broken(code, message, {"codes": sorted(set(codes), reverse=True), "lacking": len(lacking), "tokens": shown})


def _in_another_form(tokens: Mapping[str, int], text: str) -> Mapping[str, int]:
    """Count the tokens with both sides in NFC."""
    forms = {token: normalize("NFC", token) for token in tokens}
    found = count_tokens(forms.values(), [normalize("NFC", text)])
    return {token: found[form] for token, form in forms.items()}
