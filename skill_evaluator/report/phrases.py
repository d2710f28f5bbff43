"""Turns keys, codes and values into sentences of one language.

Whatever a template puts out goes through one hook: a `str` that is not marked as Markdown is quoted, and a
value that has no agreed look (a float, a bool, None) is a bug that raises.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache, lru_cache, partial
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Html, Md, Table, code, cut_middle, markdown_table, visible
from skill_evaluator.report.in_html import html_code, html_line, html_table, html_text, words_in_html
from skill_evaluator.report.words import Lang, words
from skill_evaluator.template_files import template_folder

if TYPE_CHECKING:
    from jinja2 import Environment, Template

    from skill_evaluator.model import Finding
    from skill_evaluator.results import Note

Style = Literal["md", "html", "plain"]
TerminalKey = Literal[
    "write_question",
    "not_written",
    "no_terminal",
    "ask_question",
    "not_asked",
    "no_terminal_to_ask",
    "wrote",
    "whole_report",
    "stopped",
]
Fallback = Callable[[], Md]

_PLAIN_VALUE = re.compile(r"{{ ([a-z_]\w*) }}")
_MORE = re.compile(r"{[{%#]|\r")
_LISTED = 30  # names in one sentence; the JSON has all of them
_PLAIN_CHARACTERS = 2_000
_WHOLE_CHARACTERS = 2_000  # of a text that is of no use when its middle is missing


class Phrases:
    """The words of one language, for Markdown, for a page or for a terminal."""

    def __init__(self, lang: Lang, style: Style = "md") -> None:
        self.lang = lang
        self.style = style
        self._safe = Html if style == "html" else Md
        self._words = words_in_html(lang) if style == "html" else words(lang)
        self._quote = partial(_QUOTES[style], mark=self._words["list.cut"])
        self._whole = partial(self._quote, limit=_WHOLE_CHARACTERS)
        self.environment = self._environment()
        self._template = lru_cache(maxsize=None)(self._compile)
        self._parts = lru_cache(maxsize=None)(self._plain_parts)

    def __call__(self, key: str, /, **values: object) -> Md:
        """Say a sentence of our own; an unknown key or a missing value is a bug."""
        return self._said(key, values)

    def name(self, value: str, kind: str) -> Md:
        """Name a member of a closed set, such as a metric; an unknown one is shown as it is."""
        key = f"{kind}.{value}"
        return self(key) if key in self._words else self.quote(value)

    def coded(self, kind: str, code_: str, values: Mapping[str, object], fallback: Fallback | None = None) -> Md:
        """Say what a code means.

        Args:
            kind: The family of codes, such as `note`.
            code_: The code.
            values: What the words may name; JSON values only.
            fallback: Makes what is said of a code without words, or with other values than its words need, which
                a report of another version, or one written by hand, may have; None shows both raw.
        """
        from jinja2 import UndefinedError  # noqa: PLC0415 - heavy, loaded when needed

        key = f"{kind}.{code_}"
        if key in self._words:
            with suppress(UndefinedError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError):
                if said := self._said(key, values):
                    return said
        if fallback is not None:
            return fallback()
        return self("list.unknown", code=code_, values=self.json(values)) if values else self.quote(code_)

    def finding(self, finding: "Finding") -> Md:
        """Say what was found, without its place; one without words is quoted in its own English."""
        place = {"file": finding.file, "case": finding.case, "pointer": finding.pointer, "line": finding.line}
        return self.coded("finding", finding.code, {**place, **finding.values}, lambda: self.quote(finding.message))

    def quote(self, text: str, *, limit: int | None = None) -> Md:
        """Show text of others, its middle left out where it has more characters than `limit`."""
        return self._safe(self._quote(text) if limit is None else self._quote(text, limit=limit))

    def json(self, value: object) -> Md:
        """Show a JSON value of others; plain text has no quotes around it, since a text in it brings its own."""
        if self.style != "plain":
            return self.quote(as_json(value))
        return self._safe(self.quote(as_json(value))[1:-1])

    def join(self, items: Iterable[object]) -> Md:
        """List items with the commas of the language."""
        return self._safe(self._words["list.comma"].join(self._shown(item) for item in items))

    def together(self, *parts: object) -> Md:
        """Put words one after the other."""
        return self._safe("".join(self._shown(part) for part in parts))

    def cells(self, key: str) -> list[Md]:
        """Split the words of a table's header."""
        return [self._safe(cell) for cell in self(key).split("|")]

    def _said(self, key: str, values: Mapping[str, object]) -> Md:
        words_ = self._words[key]
        if "{" not in words_:
            return self._safe(words_)
        parts = self._parts(key)
        if parts is None or not values.keys() >= {*parts[1::2]}:
            return self._safe(self._template(key).render(values))
        return self._safe("".join(self._shown(values[part]) if odd % 2 else part for odd, part in enumerate(parts)))

    def _plain_parts(self, key: str) -> list[str] | None:
        """Words and, between them, names of values, which need no Jinja; None where a template says more."""
        parts = _PLAIN_VALUE.split(self._words[key])
        return None if any(_MORE.search(part) for part in parts[::2]) else parts

    def _compile(self, key: str) -> "Template":
        return self.environment.from_string(self._words[key])

    def _environment(self) -> "Environment":
        from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - heavy, loaded when needed

        environment = Environment(
            loader=FileSystemLoader(template_folder()),
            undefined=StrictUndefined,
            finalize=self._shown,
            # `finalize` makes every value safe; with "html" this marks what macros and includes of a page give as safe.
            autoescape=self.style == "html",  # noqa: S701 - see above
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        environment.filters.update(self._filters())
        environment.globals["t"] = self
        return environment

    def _filters(self) -> dict[str, Callable[..., object]]:
        return {
            "apart": _md(numbers.apart),
            "count": _count,
            "each": self._each,
            "lines": lambda text: Html(html_text(text)),
            "line": lambda text: Html(html_line(text)),
            "exactly": _md(numbers.exactly),
            "field_fault": self._field_fault,
            "have": lambda n: Md("has" if n == 1 else "have"),
            "is": lambda n: Md("is" if n == 1 else "are"),
            "lie": lambda n: Md("lies" if n == 1 else "lie"),
            "json": self.json,
            "name": self.name,
            "pairs": self._pairs,
            "seconds": _md(numbers.seconds),
            "use": lambda n: Md("uses" if n == 1 else "use"),
            "whole": self._whole,
            "was": lambda n: Md("was" if n == 1 else "were"),
        }

    def _shown(self, value: object) -> Md:
        match value:
            case Html():
                return value
            case Md():
                return Html(escape(value, quote=True)) if self.style == "html" else value
            case Table():
                return Html(html_table(value, self._shown)) if self.style == "html" else markdown_table(value)
            case bool():
                raise TypeError(f"{value!r} has no agreed look")
            case str() if hasattr(value, "__html__"):
                return Html(value)
            case str():
                return self.quote(value)
            case int():
                return self._safe(value)
            case _:
                raise TypeError(f"{value!r} has no agreed look: word it or format it first")

    def _each(self, items: Iterable[object]) -> Md:
        if isinstance(items, str | Mapping):
            raise TypeError(f"{items!r} is no list")
        listed = [str(item) for item in items]
        shown = self.join(listed[:_LISTED]) if listed else self("page.undefined")
        return self.together(shown, self("list.more", more=len(listed) - _LISTED)) if len(listed) > _LISTED else shown

    def _pairs(self, values: Mapping[str, object]) -> Md:
        if not isinstance(values, Mapping):
            raise TypeError(f"{values!r} has no keys")
        return self.join(self("list.key", key=key, value=self.json(values[key])) for key in sorted(values))

    def _field_fault(self, field: Mapping[str, object]) -> Md:
        return self.coded("field", str(field["why"]), field)


@cache
def phrases(lang: Lang, style: Style = "md") -> Phrases:
    """The words of one language; made once."""
    return Phrases(lang, style)


def word_note(note: "Note", lang: Lang) -> str:
    """Say a note in plain text, for a terminal."""
    return phrases(lang, "plain").coded("note", note.code, note.values)


def terminal_text(key: TerminalKey, lang: Lang, **values: str) -> str:
    """Say something about the program itself at a terminal.

    Args:
        key: What to say.
        lang: The language of the words.
        **values: What the words name, such as a path: shown unquoted, so that it can be copied, and with signs for
            whatever could disturb a terminal.
    """
    return phrases(lang, "plain")(f"terminal.{key}", **{name: Md(visible(text)) for name, text in values.items()})


def stopped_text(code_: str, lang: Lang, *, folder: str) -> str:
    """Say at a terminal why a run ended early, and how to go on.

    Args:
        code_: What ended it, as in `Report.stopped_by`.
        lang: The language of the words.
        folder: Where the finished runs are kept.
    """
    say = phrases(lang, "plain")
    stopped = say("terminal.stopped", by=say.name(code_, "signal"), folder=Md(visible(folder)))
    return stopped + say.coded("go_on", code_, {}, lambda: Md(""))


def as_json(value: object) -> str:
    """Show a JSON value on one line, keys sorted."""
    return _ENCODER.encode(value)


def _plain_mapping(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else str(value)


_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, default=_plain_mapping)


def _quoted(text: str, *, mark: str, limit: int = _PLAIN_CHARACTERS) -> Md:
    return Md(f'"{visible(cut_middle(text, limit, mark))}"')


_QUOTES: Mapping[Style, Callable[..., str]] = MappingProxyType({"md": code, "html": html_code, "plain": _quoted})


def _md(show: Callable[..., str]) -> Callable[..., Md]:
    return lambda *values: Md(show(*values))


def _count(number: int, noun: str) -> Md:
    return Md(f"{number} {noun}" if number == 1 else f"{number} {noun}s")
