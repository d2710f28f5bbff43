"""Faults of a test set that no single row shows: repeated ids, contradictions, too few cases.

They work on sketches, so that rows with other faults still count and all faults can be said at once.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from skill_evaluator.formats.json_text import pointer_to
from skill_evaluator.formats.testset_keys import SPLITS
from skill_evaluator.formats.testset_rows import read_expectation
from skill_evaluator.model import Case, Finding, Level, Split
from skill_evaluator.skill_names import is_target
from skill_evaluator.texts import ntr, tr

MIN_CASES: Final = 10
MIN_PER_CLASS: Final = 3
TYPE_NAMES: Final = {True: "should_trigger", False: "should_not_trigger"}
# Zero-width blanks, soft hyphens and the like. Source: property Default_Ignorable_Code_Point of Unicode.
_UNSEEN: Final = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
CLASS_NAMES: Final = {True: "positive", False: "negative"}  # as the values of findings name them


@dataclass(frozen=True, kw_only=True, slots=True)
class Sketch:
    """What can be told of a row, sound or not; None where it cannot be.

    Attributes:
        lines: Where the row, its id and its input stand, by JSON pointer.
        words: The input, with its files and context, in a form in which equal requests are equal.
        sibling: The skill that should fire instead.
    """

    index: int
    lines: Mapping[str, int]
    id: str | None
    words: str | None
    expects: bool | None
    split: Split | None
    sibling: str | None = None

    def line(self, key: str | None = None) -> int | None:
        """Give the line of the row, or of one of its keys."""
        return self.lines.get(pointer_to(self.index, *([key] if key else [])))


def sketch(raw: object, index: int, lines: Mapping[str, int]) -> Sketch:
    """Take down what the rules over all rows need from one of them."""
    row = raw if isinstance(raw, dict) else {}
    name, words, split, sibling = row.get("id"), row.get("input"), row.get("split"), row.get("expected_skill")
    return Sketch(
        index=index,
        lines=lines,
        id=name if isinstance(name, str) and name.strip() else None,
        words=_asked(words, row) if isinstance(words, str) and words.strip() else None,
        expects=read_expectation(row),
        split=SPLITS.get(split) if isinstance(split, str) else None,
        sibling=sibling if isinstance(sibling, str) else None,
    )


def _asked(words: str, row: Mapping[str, object]) -> str:
    """What is asked: equal words about other files, or after other turns, are another question."""
    beside = {key: row[key] for key in ("files", "context") if row.get(key)}
    return same_words(words) + (f"\0{json.dumps(beside, sort_keys=True, default=str)}" if beside else "")


def same_words(text: str) -> str:
    r"""Bring a request into the form in which repeats are found: case, width, blanks and unseen characters aside.

    >>> same_words("Ｍake  a\u200b map ") == same_words("make a MAP")
    True
    """
    if text.isascii():
        return " ".join(text.casefold().split())
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(_UNSEEN.sub("", folded).split())


def check_repeats(sketches: Sequence[Sketch], file: str) -> Iterator[Finding]:
    """Find ids used twice, and one request with two opposite labels (FAIL) or the same label again (WARN)."""
    ids: dict[str, Sketch] = {}
    inputs: dict[str, Sketch] = {}
    for row in sketches:
        if row.id is not None and (first := ids.setdefault(row.id, row)) is not row:
            yield _same_id(row, first, file)
        if row.words is not None and (first := inputs.setdefault(row.words, row)) is not row:
            yield _same_input(row, first, file)


def _same_id(row: Sketch, first: Sketch, file: str) -> Finding:
    return Finding(
        level=Level.FAIL,
        code="duplicate-id",
        message=tr(
            "the id {id!r} is taken by the case in line {line}; give each case its own", id=row.id, line=first.line()
        ),
        file=file,
        case=row.id,
        pointer=pointer_to(row.index, "id"),
        line=row.line("id"),
        values={"case": row.id, "first_line": first.line()},
    )


def _same_input(row: Sketch, first: Sketch, file: str) -> Finding:
    opposite = row.expects is not None and first.expects is not None and row.expects != first.expects
    found = tr("the same input as case {other!r} (line {line})", other=first.id, line=first.line())
    if opposite:
        message = tr(
            "{found}, but one is {positive} and the other {negative}; keep the right one",
            found=found,
            positive=TYPE_NAMES[True],
            negative=TYPE_NAMES[False],
        )
    else:
        message = tr("{found}, so it counts twice; remove or reword one", found=found)
    return Finding(
        level=Level.FAIL if opposite else Level.WARN,
        code="contradictory-input" if opposite else "duplicate-input",
        message=message,
        file=file,
        case=row.id,
        pointer=pointer_to(row.index, "input"),
        line=row.line("input"),
        values={"case": row.id, "other": first.id},
    )


def check_own_name(sketches: Sequence[Sketch], file: str, skill_name: str) -> Iterator[Finding]:
    """Find cases that name the skill under test as the one that should fire in its place (FAIL)."""
    for row in sketches:
        if row.sibling is not None and is_target(row.sibling, skill_name):
            yield Finding(
                level=Level.FAIL,
                code="sibling-is-target",
                message=(
                    tr(
                        '"expected_skill" is {sibling!r}, the skill under test, which is not to fire here; '
                        "name another skill, or make the case should_trigger",
                        sibling=row.sibling,
                    )
                ),
                file=file,
                case=row.id,
                pointer=pointer_to(row.index, "expected_skill"),
                line=row.line("expected_skill"),
                values={"case": row.id, "skill": row.sibling},
            )


def floor_faults(cases: Sequence[Case]) -> tuple[Finding, ...]:
    """Say what a choice of cases lacks for a score; empty where they are enough."""
    sketches = [
        Sketch(index=index, lines={}, id=case.id, words=None, expects=case.expect_trigger, split=case.split)
        for index, case in enumerate(cases)
    ]
    return tuple(check_floors(sketches, None))


def check_floors(sketches: Sequence[Sketch], file: str | None) -> Iterator[Finding]:
    """Say what is missing before a score means anything.

    A row whose class or split cannot be told counts for all, so that one typing error is not reported twice.
    """
    if (count := len(sketches)) < MIN_CASES:
        message = _too_few(_cases(count), MIN_CASES, MIN_CASES - count)
        yield _floor(file, "too-few-cases", message, {"cases": count, "floor": MIN_CASES})
    if not sketches:
        return
    for expects, name in TYPE_NAMES.items():
        of_class = [row for row in sketches if row.expects in {expects, None}]
        if len(of_class) < MIN_PER_CLASS:
            found = tr("{cases} of type {name}", cases=_cases(len(of_class)), name=name)
            message = _too_few(found, MIN_PER_CLASS, MIN_PER_CLASS - len(of_class))
            values = {"class": CLASS_NAMES[expects], "cases": len(of_class), "floor": MIN_PER_CLASS}
            yield _floor(file, "too-few-of-class", message, values)
        if not any(row.split in {Split.ACCEPTANCE, None} for row in of_class):
            message = tr(
                "no {name} case in the acceptance split, which gives the score; add or move at least one there",
                name=name,
            )
            yield _floor(file, "acceptance-lacks-class", message, {"class": CLASS_NAMES[expects]})


def _floor(file: str | None, code: str, message: str, values: dict[str, object]) -> Finding:
    return Finding(level=Level.FAIL, code=code, message=message, file=file, values=values)


def _cases(count: int) -> str:
    return ntr("{n} case", "{n} cases", count)


def _too_few(found: str, floor: int, missing: int) -> str:
    return tr("{found}; at least {floor} are needed, so add {missing}", found=found, floor=floor, missing=missing)
