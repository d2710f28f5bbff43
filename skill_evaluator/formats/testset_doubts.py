"""What is doubtful about a sound test set; nothing here ever stops a run."""

import math
import re
from collections.abc import Iterator, Sequence
from typing import Final

from skill_evaluator.formats.testset_grader_doubts import grader_doubts
from skill_evaluator.formats.testset_rules import CLASS_NAMES, TYPE_NAMES, same_words
from skill_evaluator.formats.text_units import closest, holds_words, shingles, weight, words
from skill_evaluator.model import Case, Finding, Level, Skill, Split
from skill_evaluator.texts import listed, ntr, tr

PASS_THRESHOLD: Final = 0.85
FALSE_TRIGGER_LIMIT: Final = 0.10
NEAR_DUPLICATE: Final = 0.7  # about one word changed in ten, or one Chinese character in thirteen
MIN_TAG_CASES: Final = 4  # below that, all of one class is no pattern
_MIN_QUOTE_WEIGHT: Final = 8  # shorter requests stand in any text
_Z: Final = 1.959963984540054  # two-sided 95%


def find_doubts(
    cases: Sequence[Case], file: str, *, skill: Skill | None, pass_threshold: float, judge_model: str | None = None
) -> Iterator[Finding]:
    """Give every warning about the cases.

    Args:
        cases: A sound test set.
        file: Its name.
        skill: The skill it is for, or None to leave out what compares with it.
        pass_threshold: Smallest score that passes, 0..1.
        judge_model: The model that scores rubrics and votes, or None for no judge.

    Yields:
        WARNs.
    """
    yield from _near_duplicates(cases, file)
    yield from _skill_doubts(cases, file, skill) if skill else ()
    yield from _small_classes(cases, file, pass_threshold)
    yield from _one_sided_tags(cases, file)
    yield from _slashes(cases, file)
    yield from _idle_options(cases, file)
    yield from (doubt for case in cases for doubt in grader_doubts(case, file))
    rubrics = sum(1 for case in cases if case.rubric)
    if rubrics and judge_model is None:
        message = ntr(
            "{n} case has a rubric, which only a judge model could score; it is noted, not scored",
            "{n} cases have a rubric, which only a judge model could score; it is noted, not scored",
            rubrics,
        )
        yield _warn(file, "rubric-not-scored", message, {"cases": rubrics})
    voted = sum(1 for case in cases if case.voted)
    if voted and judge_model is None:
        message = ntr(
            "{n} case has graders that a judge model votes on; without one they decide nothing",
            "{n} cases have graders that a judge model votes on; without one they decide nothing",
            voted,
        )
        yield _warn(file, "graders-not-judged", message, {"cases": voted})


def _idle_options(cases: Sequence[Case], file: str) -> Iterator[Finding]:
    """Options of graders that say nothing in a run of one arm, where each grader counts once."""
    weighed = [case.id for case in cases if any(one.weight != 1 or one.arm is not None for one in case.graders)]
    if weighed:
        message = tr(
            '"weight" and "arm" of graders mean nothing here, where each grader counts once in its pass rate: cases '
            "{cases}; leave them out",
            cases=listed(map(repr, weighed)),
        )
        yield _warn(file, "grader-weight-unused", message, {"cases": weighed})


def smallest_to_show(share: float) -> int | None:
    """Give the number of cases at which a perfect result first shows a share.

    Args:
        share: What the lower end of the 95% interval has to reach, 0..1.

    Returns:
        The smallest n with n / (n + z^2) >= share; None for a share of 1, which no number shows.

    Source:
        Lower end of the Wilson interval (1927) for n successes in n trials.

    >>> smallest_to_show(0.85)
    22
    """
    if share >= 1:
        return None
    guess = max(1, math.ceil(share * _Z**2 / (1 - share)))
    return guess if guess / (guess + _Z**2) >= share else guess + 1


def _near_duplicates(cases: Sequence[Case], file: str) -> Iterator[Finding]:
    acceptance, tuning = (
        {case.id: case for case in cases if case.split is split} for split in (Split.ACCEPTANCE, Split.TUNING)
    )
    pieces = {case.id: shingles(case.prompt) for case in cases}
    left, right = ({name: pieces[name] for name in part} for part in (acceptance, tuning))
    for name, other, share in closest(left, right, at_least=NEAR_DUPLICATE):
        if same_words(acceptance[name].prompt) == same_words(tuning[other].prompt):
            continue  # said as duplicate-input
        message = tr(
            "nearly the same input as case {other!r} of the tuning split ({share:.0%} alike), so "
            "the acceptance score partly repeats what was tuned; reword one, or put both into one "
            "split",
            other=other,
            share=share,
        )
        values = {"case": name, "other": other, "similarity": share}
        yield _warn(file, "near-duplicate-across-splits", message, values, acceptance[name])


def _skill_doubts(cases: Sequence[Case], file: str, skill: Skill) -> Iterator[Finding]:
    text = words(" ".join((skill.description, skill.when_to_use or "", skill.body)))
    for case in cases:
        asked = words(case.prompt)
        if case.split is Split.ACCEPTANCE and weight(asked) >= _MIN_QUOTE_WEIGHT and holds_words(text, asked):
            message = tr("the skill itself quotes this acceptance input, so the case tests memory; reword the input")
            yield _warn(file, "acceptance-input-in-skill", message, {"case": case.id}, case)
        if case.expect_trigger and names_skill(case.prompt, skill.name):
            message = tr(
                "the input names the skill {name!r}, so any description would do; ask as a user would", name=skill.name
            )
            yield _warn(file, "positive-names-skill", message, {"case": case.id, "skill": skill.name}, case)


def names_skill(text: str, name: str) -> bool:
    """Say whether a request calls a skill by its name.

    A name of several words counts as it is written; a name of one word, which may be a common one, only where it is
    marked as a name: `/map`, `$map`, "map", or next to the word skill.
    """
    pattern = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
    if not re.search(r"[\W_]", name):
        marks = ("[/$@`\"'“「]{0}", "{0}[`\"'”」]", r"{0}\s*(?:skill\b|技能)", r"(?:\bskill|技能)\s*{0}")
        pattern = "|".join(mark.format(pattern) for mark in marks)
    return re.search(pattern, text, re.IGNORECASE) is not None


def _small_classes(cases: Sequence[Case], file: str, pass_threshold: float) -> Iterator[Finding]:
    for expects, share in ((True, pass_threshold), (False, 1 - FALSE_TRIGGER_LIMIT)):
        count = sum(1 for case in cases if case.split is Split.ACCEPTANCE and case.expect_trigger is expects)
        smallest = smallest_to_show(share)
        if smallest is None or count >= smallest:
            continue
        message = tr(
            "{count} {name} cases in the acceptance split are too few to show {wanted} with 95% "
            "confidence, even without one error; that takes {smallest}",
            count=count,
            name=TYPE_NAMES[expects],
            wanted=tr("a score of {share:g}", share=share)
            if expects
            else tr("a false-trigger rate of {share:g}", share=FALSE_TRIGGER_LIMIT),
            smallest=smallest,
        )
        values = {"split": Split.ACCEPTANCE.value, "class": CLASS_NAMES[expects], "cases": count, "smallest": smallest}
        yield _warn(file, "class-too-small", message, values)


def _one_sided_tags(cases: Sequence[Case], file: str) -> Iterator[Finding]:
    by_tag: dict[str, list[bool | None]] = {}
    for case in cases:
        for tag in case.tags:
            by_tag.setdefault(tag, []).append(case.expect_trigger)
    for tag, sides in by_tag.items():
        if len(sides) >= MIN_TAG_CASES and len(set(sides)) == 1:
            side = bool(sides[0])
            message = tr(
                "all {sides} cases with the tag {tag!r} are {type_names}; add some of the other type",
                sides=len(sides),
                tag=tag,
                type_names=TYPE_NAMES[side],
            )
            yield _warn(file, "one-sided-tag", message, {"tag": tag, "class": CLASS_NAMES[side]})


def _slashes(cases: Sequence[Case], file: str) -> Iterator[Finding]:
    for case in cases:
        if case.prompt.lstrip().startswith("/"):
            message = tr("the input starts with '/', which agents take for a command; it is sent as plain text")
            yield _warn(file, "prompt-starts-with-slash", message, {"case": case.id}, case)


def _warn(file: str, code: str, message: str, values: dict[str, object], case: Case | None = None) -> Finding:
    return Finding(
        level=Level.WARN,
        code=code,
        message=message,
        file=file,
        case=case.id if case else None,
        line=case.source.line if case else None,
        values=values,
    )
