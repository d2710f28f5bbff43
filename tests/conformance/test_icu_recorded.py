"""ICU messages and plural rules, read by us and by others: the same placeholders, and each difference has its reason.

The answers of `@formatjs/icu-messageformat-parser` and of ICU itself are recorded (`record_icu.py`). Where node is on
PATH and SKILL_EVALUATOR_FORMATJS names a folder with the package in its node_modules, the package is asked again.
"""

import gzip
import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import pytest

from skill_evaluator.graders.translation.placeholders.icu_message import POUND, Argument, Message
from skill_evaluator.graders.translation.placeholders.icu_parser import MalformedMessage, parse_message
from skill_evaluator.graders.translation.placeholders.icu_plurals import WHOLE_NUMBERS, plural_rules
from tests.conformance.icu_messages import all_messages
from tests.conformance.record_icu import FOLDER, RECORDED, VERSION, ask_node, locales, version_of


class Row(NamedTuple):
    text: str
    formatjs: list[Any] | str  # a tree, or the name of an error
    icu: list[Any] | None


class Reason(NamedTuple):
    """Why we answer otherwise: a pattern of the text, or the other's error."""

    why: str
    pattern: str = ""
    errors: tuple[str, ...] = ()

    def explains(self, text: str, answer: object) -> bool:
        return answer in self.errors if self.errors else bool(re.search(self.pattern, text))


FORMATJS: Final = (
    Reason("its tags make `'<` and `'>` begin a quote even where tags are text; ICU has no tags", r"'[<>]"),
    Reason(
        "it takes the marks U+200E and U+200F for a part of names; to Unicode and ICU they are space", "[\u200e\u200f]"
    ),
    Reason(
        "in a style it does not go behind a brace that closes an inner one; ICU pairs them",
        r"(?:number|date|time)\s*,(?:'[^']*'|[^{}'])*\{",
    ),
    Reason(
        "skeletons are compared as they are written, and not looked into",
        errors=("INVALID_NUMBER_SKELETON", "EXPECT_DATE_TIME_SKELETON"),
    ),
    Reason(
        "ICU has more types, and programs add some; a changed type is a change, no broken text",
        errors=("INVALID_ARGUMENT_TYPE",),
    ),
    Reason("ICU takes decimals after `=` and `offset:`", r"(?:=|offset:)1\.5"),
    Reason("a number beyond 2**53 is too large for JavaScript alone", r"(?:=|offset:)9{20}"),
    Reason("`offset` without a colon is a key to ICU", r"offset \{"),
    Reason("nesting is bounded", r"(?:\{g, select, other \{){101}"),
)
ICU: Final = (
    Reason(
        "spaces that no pattern has (U+00A0, U+3000) are no part of names or styles; formatjs agrees", "[\xa0\u3000]"
    ),
    Reason("an empty style says nothing; formatjs agrees", r"number,\s*\}"),
    Reason(
        "of two branches of one name the second is never shown; formatjs agrees",
        r"(other|a|=1) \{\w\} .*\b\1 \{|=1 .*=1 ",
    ),
    Reason("nesting is bounded", r"(?:\{g, select, other \{){101}"),
    Reason("numbers of arguments are taken as names, as formatjs does", r"\{\s*(?:0[0-9]|9{11})"),
    Reason(
        "a style shows that `choice` and `Plural` hold text, and a source with one is left undecided",
        "choice|Plural|PLURAL|SELECT",
    ),
    Reason("PyICU hands out whole offsets alone", r"offset:(?:1\.5|9{20})"),
)


@cache
def head() -> Mapping[str, Any]:
    return dict(json.loads(_lines()[0]))


@cache
def rows() -> list[Row]:
    return [Row(*json.loads(line)) for line in _lines()[1:]]


@cache
def _lines() -> list[bytes]:
    return gzip.decompress(RECORDED.read_bytes()).splitlines()


def tree(message: Message) -> list[Any]:
    """Write placeholders as the recording has them."""
    parts: list[Any] = []
    for part in message:
        if part == POUND:
            parts.append("#")
        elif isinstance(part, Argument):
            parts.append([*part] if part.type else [part.name])
        else:
            offset = float(part.offset or 0)
            branches = {key: tree(branch) for key, branch in part.branches.items()}
            parts.append([part.name, part.type, int(offset) if offset.is_integer() else offset, branches])
    return parts


def ours(text: str) -> list[Any] | None:
    try:
        return tree(parse_message(text))
    except MalformedMessage:
        return None


def unexplained(reasons: Sequence[Reason], others: Callable[[Row], object]) -> tuple[list[str], Counter[str]]:
    """Give the texts that nothing explains, and how many each reason does."""
    left, used = [], Counter[str]()
    for row in rows():
        answer = others(row)
        if ours(row.text) == (None if isinstance(answer, str) else answer):
            continue
        reason = next((one.why for one in reasons if one.explains(row.text, answer)), None)
        used[reason or ""] += 1
        left += [] if reason else [row.text]
    return left, used


def test_messages_are_those_that_were_recorded() -> None:
    assert [row.text for row in rows()] == all_messages()
    assert len(rows()) > 3_000
    assert 1_000 < sum(isinstance(row.formatjs, str) for row in rows()) < 2_500


def test_formatjs_finds_the_same_placeholders() -> None:
    left, used = unexplained(FORMATJS, lambda row: row.formatjs)

    assert left == []
    assert {one.why for one in FORMATJS} == set(used)  # a reason that nothing needs is no reason
    assert sum(used.values()) < 0.05 * len(rows())


def test_icu_finds_the_same_placeholders() -> None:
    left, used = unexplained(ICU, lambda row: row.icu)

    assert left == []
    assert {one.why for one in ICU} == set(used)
    assert sum(used.values()) < 0.01 * len(rows())


LATER_CLDR: Final[Mapping[tuple[str, str], str]] = {
    **dict.fromkeys(
        [("af", "ordinal"), ("bg", "ordinal"), ("es", "ordinal"), ("es-419", "ordinal")], "has ranks since 49"
    ),
    ("gl", "cardinal"): "has `many` for millions since 49",
    ("vi", "cardinal"): "has `one` since 49",
}


@pytest.mark.parametrize("kind", ["cardinal", "ordinal"])
def test_node_has_the_same_plural_rules(kind: str) -> None:
    """Node's are those of CLDR 48; babel may be of a later one."""
    assert head()["cldr"] == "48.0"
    differing = set()
    for tag, answer in head()["locales"].items():
        rules, theirs = plural_rules(tag, is_ordinal=kind == "ordinal"), answer[kind]
        if rules is None:
            falls_back = theirs["of"].split("-")[0] != tag.split("-")[0]
            assert falls_back or theirs["categories"] == ["other"], tag
        elif theirs["of"].startswith(tag.split("-")[0]):
            same = rules.categories == set(theirs["categories"]) and rules.numbers == numbers_of(theirs)
            differing |= set() if same else {(tag, kind)}
    assert differing <= LATER_CLDR.keys()


def numbers_of(theirs: Mapping[str, Any]) -> dict[str, set[int]]:
    """Read the numbers of each category, zero left aside where it is not the only one."""
    of_letter = {category[0]: category for category in theirs["categories"] if category != "other"}
    numbers: dict[str, set[int]] = {}
    for number, letter in zip(WHOLE_NUMBERS, theirs["letters"], strict=True):
        if letter != "-":
            numbers.setdefault(of_letter[letter], set()).add(number)
    return {category: all_of - {0} or all_of for category, all_of in numbers.items()}


def test_the_package_still_answers_so() -> None:
    folder = os.environ.get(FOLDER, "")
    if version_of(folder) != VERSION or not shutil.which("node"):
        package = f"@formatjs/icu-messageformat-parser@{VERSION}"
        pytest.skip(f"needs node, and {FOLDER} naming a folder where `npm install {package}` was run")
    texts = [row.text for row in rows()]

    answer = ask_node(texts, locales())

    assert answer["messages"] == [row.formatjs for row in rows()]
    if answer["cldr"] == head()["cldr"]:
        assert answer["locales"] == [*head()["locales"].values()]
