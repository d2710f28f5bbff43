"""Rules about patterns: those that can only throw, match anything, or can match nothing that they look at."""

import re
from collections.abc import Iterator
from typing import Final

from skill_evaluator.formats.suite.rules.tested import Pattern, criteria_of, doubt_at, looked_at, patterns, short
from skill_evaluator.formats.suite.seen import Doubt, SeenCase, SeenGrader, SeenSuite
from skill_evaluator.graders.javascript import has_match, pattern_fault
from skill_evaluator.graders.suite import FileExists, Regex, ToolUsed
from skill_evaluator.graders.suite.targets import FileTarget
from skill_evaluator.model import Level

_INLINE_FLAGS: Final = re.compile(r"\(\?([a-z]+)\)")
_PYTHON_NAME: Final = re.compile(r"\(\?P[<=>]")

_NOT_IN_PATHS: Final = re.compile(r"(?<!\\)[A-Za-z,.:;] [A-Za-z]|[<>=;\"`#]|\\n\S|[{}]\\?\"")
_LOOKAROUND: Final = re.compile(r"\(\?<?[=!]|\(\?<")
_LIKE_PATHS: Final = re.compile(r"\\?\.[A-Za-z][A-Za-z0-9]{0,4}(?![A-Za-z0-9])|\w\\?/")
# In JSON without blanks a quote follows one of `{[,:\` or comes before one of `]},:`; else it cannot be.
_QUOTE_IN_TEXT: Final = re.compile(r"(?<!\\)[A-Za-z0-9 ]\"[A-Za-z0-9 ](?![*?{])")
_PATH_WORDS: Final = re.compile(
    r"file|folder|director|path|name|created|extension|文件|檔|档|路径|路徑|目录|目錄", re.IGNORECASE
)
# What keeps a glob from ever matching, in the order in which it is told.
_NEVER: Final = tuple(
    (re.compile(pattern), why)
    for pattern, why in (
        (r"\A\Z", "it is empty"),
        (r"\A/", "it is absolute, write it relative to the workspace"),
        (r"(?:\A|/)\.\.?(?:/|\Z)", "write it without './' and '..'"),
        (r"/\Z", "folders do not count, name a file in it"),
        (r"\\", "write '/' between folders"),
        (r"\{[^{}]*,[^{}]*\}", "braces stand for themselves, write one grader for each name"),
        (r"\[[^\]]+\]", "brackets stand for themselves, write '?' for any one character"),
    )
)
_ANY_TEXTS: Final = ("", "\x01\n \x02")


def does_not_compile(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """A pattern that JavaScript refuses throws each time it is used."""
    for seen, pattern in patterns(case):
        problem = pattern_fault(pattern.text, pattern.flags)
        if problem is None:
            continue
        message = f"the pattern {short(pattern.text)!r} is none in JavaScript ({problem}){remedy(pattern)}"
        yield doubt_at(seen, pattern.path, f"{message}; {_effect(seen)}", level=_level(seen), problem=problem)


def _level(seen: SeenGrader) -> Level:
    """Only a tool that is never called leaves a bad `input_match` untried, and only then a `min` of 0 passes."""
    check = seen.grader.check
    return Level.WARN if isinstance(check, ToolUsed) and check.min == 0 else Level.FAIL


def _effect(seen: SeenGrader) -> str:
    if _level(seen) is Level.WARN:
        return "the grader fails as soon as the tool is called"
    return "the grader fails every run"


def remedy(pattern: Pattern) -> str:
    """Say what to write in place of what JavaScript does not know, to follow the fault; empty without any."""
    if inline := _INLINE_FLAGS.search(pattern.text):
        instead = f"write `flags: {inline[1]}`" if pattern.takes_flags else f"write `(?{inline[1]}:...)` around it"
        return f": inline flags such as {inline[0]} are not supported, {instead}"
    if _PYTHON_NAME.search(pattern.text):
        return ": that is Python's way, write `(?<name>...)` and `\\k<name>`"
    return ""


def matches_anything(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """A pattern found even in the empty text says nothing about a run."""
    for seen, check in _regexes(case):
        if check.match.startswith("count:") or pattern_fault(check.pattern, check.flags) is not None:
            continue
        if all(has_match(check.pattern, check.flags, text) is True for text in _ANY_TEXTS):
            verdict = "passes" if check.match == "contains" else "fails"
            message = (
                f"the pattern {short(check.pattern)!r} is found in any text, even an empty one, so the grader "
                f"{verdict} whatever the agent does; write what must stand there"
            )
            yield doubt_at(seen, ("pattern",), message)


def count_of_one(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """Without the flag `m` a `^` stands for the start of the whole text, which is there once."""
    for seen, check in _regexes(case):
        number = check.match.removeprefix("count:")
        is_many = number != check.match and number.lstrip("0") not in {"", "1"}
        if is_many and check.pattern.startswith("^") and "|" not in check.pattern and not set("my") & set(check.flags):
            message = (
                f"the pattern {short(check.pattern)!r} can be found once at most, at the start of the whole text, so "
                f"`{check.match}` is never met; write `flags: m` to find it in each line"
            )
            yield doubt_at(seen, ("match",), message)


def files_for_contents(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """`files` is the list of new paths; authors who write a sentence or code mean what stands in a file."""
    for seen, check in _regexes(case):
        literal = _LOOKAROUND.sub("(", check.pattern)
        if check.target == "files" and _NOT_IN_PATHS.search(literal) and not _LIKE_PATHS.search(literal):
            message = (
                f"the pattern {short(check.pattern)!r} looks like text of a file, but `target: files` is the list of "
                "paths that the run created; write `target: {source: file, path: ...}` for the content of one"
            )
            yield doubt_at(seen, ("target",), message)
    for seen in case.graders:
        criteria = criteria_of(seen)
        if criteria is not None and looked_at(seen) == "files" and not _PATH_WORDS.search(criteria):
            message = (
                "`focus: files` shows the judge the list of paths that the run created, no contents, and the criteria "
                "speak of no file or path; write `focus: {source: file, path: ...}` for the content of one"
            )
            yield doubt_at(seen, ("focus",), message)


def quote_in_trace(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    r"""The trace is JSON without blanks: a quote inside a text stands there as `\"`."""
    for seen, check in _regexes(case):
        text = check.pattern
        if check.target == "trace" and not re.search(r"[|\[(]", text) and _QUOTE_IN_TEXT.search(text):
            message = (
                f'the pattern {short(text)!r} has a quote inside text, which the trace holds as `\\"`, so it is never '
                'found; write `\\\\"` in the pattern, or look at `last_message`'
            )
            yield doubt_at(seen, ("pattern",), message)


def path_leads_outside(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """A target file must lie in the workspace; else the grader throws, even where the pattern must not be found."""
    for seen in case.graders:
        target = looked_at(seen)
        if isinstance(target, FileTarget) and _leads_outside(target.path):
            message = (
                f"the path {short(target.path)!r} leads out of the workspace, so the grader fails every run; "
                "write it relative to the folder in which the agent works"
            )
            yield doubt_at(
                seen, ("target" if isinstance(seen.grader.check, Regex) else "focus", "path"), message, level=Level.FAIL
            )


def _leads_outside(path: str) -> bool:
    depth = 0
    for part in path.split("/"):
        depth += {"..": -1, ".": 0, "": 0}.get(part, 1)
        if depth < 0:
            return True
    return path.startswith("/")


def path_never_matches(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """Paths of new files are relative and plain; only `*`, `**` and `?` mean more than themselves."""
    for seen in case.graders:
        check = seen.grader.check
        if isinstance(check, FileExists) and (why := _why_never(check.path)):
            verdict = "fails" if check.exists else "passes"
            message = f"the path {short(check.path)!r} matches no new file: {why}; so the grader {verdict} each time"
            yield doubt_at(seen, ("path",), message)


def _why_never(path: str) -> str | None:
    return next((why for pattern, why in _NEVER if pattern.search(path)), None)


def _regexes(case: SeenCase) -> Iterator[tuple[SeenGrader, Regex]]:
    for seen in case.graders:
        if isinstance(seen.grader.check, Regex):
            yield seen, seen.grader.check
