"""Rules about what graders look at: paths that are none, lists of paths taken for contents, the JSON of the trace."""

import posixpath
import re
from collections.abc import Iterator
from typing import Final

from skill_evaluator.formats.suite.rules.tested import criteria_of, doubt_at, looked_at, regexes, short
from skill_evaluator.formats.suite.seen import Doubt, SeenCase, SeenSuite
from skill_evaluator.graders.suite import FileExists, Regex
from skill_evaluator.graders.suite.targets import FileTarget
from skill_evaluator.model import Level
from skill_evaluator.texts import tr

_NOT_IN_PATHS: Final = re.compile(r"(?<!\\)[A-Za-z,.:;] [A-Za-z]|[<>=;\"`#]|\\n\S|[{}]\\?\"")
_LOOKAROUND: Final = re.compile(r"\(\?<?[=!]|\(\?<")
_LIKE_PATHS: Final = re.compile(r"\\?\.[A-Za-z][A-Za-z0-9]{0,4}(?![A-Za-z0-9])|\w\\?/")
# In JSON without blanks a quote follows one of `{[,:\` or comes before one of `]},:`; else it cannot be.
_QUOTE_IN_TEXT: Final = re.compile(r"(?<!\\)[A-Za-z0-9 ]\"[A-Za-z0-9 ](?![*?{])")
# A blank that JSON without blanks has not: between a key and its value, or before an item that is text.
_BLANK_OF_JSON: Final = re.compile(r"((?<!\\\w)(?<=\w)\"[:,]|[{,](?= +\"\w)) +(?![*?+{])")
_PATH_WORDS: Final = re.compile(
    r"file|folder|director|path|name|created|extension|文件|檔|档|路径|路徑|目录|目錄", re.IGNORECASE
)
# What keeps a glob from ever matching, in the order in which it is told.
_NEVER: Final = tuple(
    (re.compile(pattern), why)
    for pattern, why in (
        (r"\A\Z", tr("it is empty")),
        (r"\A/", tr("it is absolute, write it relative to the workspace")),
        (r"(?:\A|/)\.\.?(?:/|\Z)", tr("write it without './' and '..'")),
        (r"/\Z", tr("folders do not count, name a file in it")),
        (r"\\", tr("write '/' between folders")),
        (r"\{[^{}]*,[^{}]*\}", tr("braces stand for themselves, write one grader for each name")),
        (r"\[[^\]]+\]", tr("brackets stand for themselves, write '?' for any one character")),
    )
)


def files_for_contents(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """`files` is the list of new paths; authors who write a sentence or code mean what stands in a file."""
    for seen, check in regexes(case):
        literal = _LOOKAROUND.sub("(", check.pattern)
        if check.target == "files" and _NOT_IN_PATHS.search(literal) and not _LIKE_PATHS.search(literal):
            message = tr(
                "the pattern {text!r} looks like text of a file, but `target: files` is the list of paths "
                "that the run created; write `target: {{source: file, path: ...}}` for the content of one",
                text=short(check.pattern),
            )
            yield doubt_at(seen, ("target",), message)
    for seen in case.graders:
        criteria = criteria_of(seen)
        if criteria is not None and looked_at(seen) == "files" and not _PATH_WORDS.search(criteria):
            message = tr(
                "`focus: files` shows the judge the list of paths that the run created, no contents, and the "
                "criteria speak of no file or path; write `focus: {{source: file, path: ...}}` for the "
                "content of one"
            )
            yield doubt_at(seen, ("focus",), message)


def quote_in_trace(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    r"""The trace is JSON without blanks: a quote inside a text stands there as `\"`."""
    for seen, check in regexes(case):
        text = check.pattern
        if check.target != "trace" or re.search(r"[|\[(]", text):
            continue
        dense = _BLANK_OF_JSON.sub(r"\1", text)
        if dense != text and not _QUOTE_IN_TEXT.search(dense):
            message = tr(
                "the pattern {text!r} is never found, since the trace is JSON without blanks between keys "
                "and values; write {dense!r}",
                text=short(text),
                dense=short(dense),
            )
            yield doubt_at(seen, ("pattern",), message)
        elif _QUOTE_IN_TEXT.search(text):
            message = tr(
                'the pattern {text!r} has a quote inside text, which the trace holds as `\\"`, so it is never '
                'found; write `\\\\"` in the pattern, or look at `last_message`',
                text=short(text),
            )
            yield doubt_at(seen, ("pattern",), message)


def path_leads_outside(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """A target must be a file in the workspace; else the grader throws, even where the pattern must not be found."""
    for seen in case.graders:
        target = looked_at(seen)
        problem = _no_file(target.path) if isinstance(target, FileTarget) else None
        if isinstance(target, FileTarget) and problem is not None:
            message = tr("the path {text!r} {problem}", text=short(target.path), problem=problem)
            path = ("target" if isinstance(seen.grader.check, Regex) else "focus", "path")
            yield doubt_at(seen, path, message, level=Level.FAIL)


def _no_file(path: str) -> str | None:
    """Say why a path can be that of no file in the workspace, whatever the agent does; None where it can."""
    if _leads_outside(path):
        why, remedy = tr("leads out of the workspace"), tr("write it relative to the folder in which the agent works")
    elif "\0" in path:
        why, remedy = tr("holds a null character, which no path has"), tr("remove it")
    elif posixpath.normpath(path) == ".":
        why, remedy = tr("is the workspace itself, no file"), tr("name a file in it")
    else:
        return None
    return tr("{why}, so the grader fails every run; {remedy}", why=why, remedy=remedy)


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
            verdict = tr("fails") if check.exists else tr("passes")
            message = tr(
                "the path {text!r} matches no new file: {why}; so the grader {verdict} each time",
                text=short(check.path),
                why=why,
                verdict=verdict,
            )
            yield doubt_at(seen, ("path",), message)


def _why_never(path: str) -> str | None:
    return next((why for pattern, why in _NEVER if pattern.search(path)), None)
