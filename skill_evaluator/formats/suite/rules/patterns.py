"""Rules about patterns: those that can only throw, match anything, or are counted and can be found only once."""

import re
from collections.abc import Iterator
from typing import Final

from skill_evaluator.formats.reasons import pattern_reason
from skill_evaluator.formats.suite.rules.tested import Pattern, doubt_at, patterns, regexes, short
from skill_evaluator.formats.suite.seen import Doubt, SeenCase, SeenGrader, SeenSuite
from skill_evaluator.graders.javascript import has_match, pattern_fault
from skill_evaluator.graders.suite import Regex, ToolUsed
from skill_evaluator.model import Level
from skill_evaluator.texts import tr

_INLINE_FLAGS: Final = re.compile(r"\(\?([a-z]+)\)")
_PYTHON_NAME: Final = re.compile(r"\(\?P[<=>]")
_ONE_CHARACTER: Final = re.compile(r"\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]")  # an escape or a class
_LOOKS_BACK: Final = re.compile(r"\(\?<[=!]|\\[bB]")
_NEGATIVE: Final = re.compile(r"\(\?<?!")
# Such that a pattern with any condition fails one of them; the long one is tried last.
_SOME_TEXT: Final = "".join(map(chr, range(0x20, 0x7F))) + "\t\u00e9\u3002\u4e2d\u6587\U0001f600\r\nThe answer is 42.\n"
_ANY_TEXTS: Final = ("", "\x01\n \x02", "a", _SOME_TEXT, _SOME_TEXT * 2000)


def does_not_compile(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """A pattern that JavaScript refuses throws each time it is used."""
    for seen, pattern in patterns(case):
        problem = pattern_fault(pattern.text, pattern.flags)
        if problem is None:
            continue
        message = tr(
            "the pattern {text!r} is none in JavaScript ({problem}){remedy}",
            text=short(pattern.text),
            problem=pattern_reason(problem),
            remedy=remedy(pattern),
        )
        told = tr("{message}; {effect}", message=message, effect=_effect(seen))
        yield doubt_at(seen, pattern.path, told, level=_level(seen), problem=problem)


def _level(seen: SeenGrader) -> Level:
    """Only a tool that is never called leaves a bad `input_match` untried, and only then a `min` of 0 passes."""
    check = seen.grader.check
    return Level.WARN if isinstance(check, ToolUsed) and check.min == 0 else Level.FAIL


def _effect(seen: SeenGrader) -> str:
    if _level(seen) is Level.WARN:
        return tr("the grader fails as soon as the tool is called")
    return tr("the grader fails every run")


def remedy(pattern: Pattern) -> str:
    """Say what to write in place of what JavaScript does not know, to follow the fault; empty without any."""
    if inline := _INLINE_FLAGS.search(pattern.text):
        instead = (
            tr("write `flags: {flags}`", flags=inline[1])
            if pattern.takes_flags
            else tr("write `(?{flags}:...)` around it", flags=inline[1])
        )
        return tr(": inline flags such as {written} are not supported, {instead}", written=inline[0], instead=instead)
    if _PYTHON_NAME.search(pattern.text):
        return tr(": that is Python's way, write `(?<name>...)` and `\\k<name>`")
    return ""


def matches_anything(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """A pattern found even in the empty text says nothing about a run."""
    for seen, check in regexes(case):
        if check.match.startswith("count:") or _NEGATIVE.search(check.pattern):
            continue  # the usual "must not be there" is found in most texts, and not in all
        if all(has_match(check.pattern, check.flags, text) is True for text in _ANY_TEXTS):
            verdict = tr("passes") if check.match == "contains" else tr("fails")
            message = tr(
                "the pattern {text!r} is found in any text, even an empty one, so the grader {verdict} "
                "whatever the agent does; write what must stand there",
                text=short(check.pattern),
                verdict=verdict,
            )
            yield doubt_at(seen, ("pattern",), message)


def count_of_one(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """Without the flag `m` a `^` stands for the start of the whole text and a `$` for its end, each there once."""
    for seen, check in regexes(case):
        number = check.match.removeprefix("count:")
        is_many = number != check.match and number.lstrip("0") not in {"", "1"}
        place = _only_place(check) if is_many else None
        if place is not None:
            message = tr(
                "the pattern {text!r} can be found once at most, at the {place} of the whole text, so "
                "`{match}` is never met; write `flags: m` to find it in each line",
                text=short(check.pattern),
                place=place,
                match=check.match,
            )
            yield doubt_at(seen, ("match",), message)


def _only_place(check: Regex) -> str | None:
    """Say where alone a pattern can be found, if that is sure; what may be empty is found twice before a `$`."""
    bare = _ONE_CHARACTER.sub("x", check.pattern)
    if set("my") & set(check.flags) or "|" in bare:
        return None
    if bare.startswith("^"):
        return tr("start")
    is_sure = bare.endswith("$") and not _LOOKS_BACK.search(check.pattern)
    return tr("end") if is_sure and has_match(check.pattern, check.flags, "") is False else None
