"""A YAML text -> PyYAML's events, from libyaml where PyYAML was built with it, else from PyYAML's own parser.

Both speak YAML 1.1 at this level too; what differs in 1.2 is put right here, and both say the same about a fault.
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, Protocol, cast

import yaml

from skill_evaluator.formats.yaml_values import YamlError
from skill_evaluator.reasons import foreign
from skill_evaluator.texts import Text, tr

_UNFIT: Final = re.compile("[^\\t\\n\\r -~\u0085\u00a0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# YAML 1.1 breaks lines at these; in 1.2, as to everyone who counts lines, they are characters. The last one is a mark
# that libyaml refuses inside a text.
_PLAIN_IN_12: Final = "\u0085\u2028\u2029\ufeff"
_HALF_ESCAPE: Final = re.compile(r"\\u[dD][89a-fA-F]")  # JSON's way to write an emoji; libyaml refuses it
_SPARE: Final = range(0xF0000, 0xFFFFE)  # private characters that stand in for those above
_NO_CHARACTER: Final = tr("holds an escape that stands for no character")
_UNSTARTABLE: Final = "found character that cannot start any token"
_NO_COLON: Final = "could not find expected ':'"
# What both say most often, so that it can be said in other languages too; the rest is told in their own words.
_OFTEN_SAID: Final[Mapping[str, Text]] = MappingProxyType(
    {
        str(text): text
        for text in (
            tr("could not find expected ':'"),
            tr("did not find expected '-' indicator"),
            tr("did not find expected <document start>"),
            tr("did not find expected alphabetic or numeric character"),
            tr("did not find expected key"),
            tr("did not find expected ',' or ']'"),
            tr("did not find expected ',' or '}}'"),
            tr("did not find expected node content"),
            tr("found a tab character that violates indentation"),
            tr("found unexpected document indicator"),
            tr("found unexpected end of stream"),
            tr("found unknown escape character"),
            tr("mapping keys are not allowed here"),
            tr("mapping values are not allowed here"),
            tr("nested too deeply"),
            tr("not valid YAML"),
            tr("sequence entries are not allowed here"),
        )
    }
)
# Words of libyaml, and what PyYAML's parser says there, as far as it matters to whoever reads them.
_SAME_WORDS: Final = MappingProxyType(
    {
        "found invalid Unicode character escape code": _NO_CHARACTER,
        "mapping values are not allowed in this context": "mapping values are not allowed here",
        "exceeded maximum nesting depth": "nested too deeply",
        "block sequence entries are not allowed in this context": "sequence entries are not allowed here",
    }
)


class EventSource(Protocol):
    """What makes events of a text, one after another."""

    def get_event(self) -> yaml.Event:
        """Give the next event."""
        ...


class PurePython(yaml.reader.Reader, yaml.scanner.Scanner, yaml.parser.Parser):
    """PyYAML's own parser, where tabs separate tokens on a line, as in YAML 1.2; as indentation they stay an error."""

    def __init__(self, text: str) -> None:
        yaml.reader.Reader.__init__(self, text)
        yaml.scanner.Scanner.__init__(self)
        yaml.parser.Parser.__init__(self)

    def scan_to_next_token(self) -> None:
        """Pass over what stands between two tokens."""
        super().scan_to_next_token()
        while self.peek() == "\t" and (self.flow_level or not self.allow_simple_key):
            self.forward()
            super().scan_to_next_token()


Parser = Callable[[str], EventSource]
# The loader is used for its events alone: nothing is constructed.
_WITH_LIBYAML: Final[dict[str, Parser]] = {"libyaml": cast("Parser", yaml.CSafeLoader)} if yaml.__with_libyaml__ else {}
# The first one is used where none is named.
PARSERS: Final[Mapping[str, Parser]] = MappingProxyType({**_WITH_LIBYAML, "python": PurePython})


class Events:
    """The events of one text.

    Attributes:
        text: The text, as the marks of the events count in it.
    """

    def __init__(self, text: str, *, like_bun: bool, parser: str | None) -> None:
        """Start to read.

        Args:
            text: The text, without a byte order mark.
            like_bun: Whether control characters may stand in it, and a block scalar at its end keeps its line end.
            parser: Key of PARSERS; None for the first one.

        Raises:
            YamlError: If a character stands in the text that may not.
        """
        self.text = text if text.endswith("\n") or not like_bun else f"{text}\n"
        self._written = text
        self._halves = _HALF_ESCAPE.search(text) is not None
        self._restored: dict[int, str] = {}
        readable = self._readable(like_bun=like_bun)
        name = "python" if self._halves else parser or next(iter(PARSERS))
        self._source = PARSERS[name](readable)

    def next(self) -> yaml.Event:
        """Give the next event.

        Raises:
            YamlError: If what follows is no YAML.
        """
        try:
            return self._source.get_event()
        except yaml.MarkedYAMLError as error:
            raise self._fault(error) from error
        except (ValueError, OverflowError) as error:  # an escape beyond the last character, such as "\UFFFFFFFF"
            raise YamlError(_NO_CHARACTER, getattr(self._source, "line", 0) + 1) from error

    def scalar(self, event: yaml.ScalarEvent) -> str:
        """Give what stands in a scalar.

        Raises:
            YamlError: If it holds half of a character.
        """
        text: str = event.value
        if self._restored:
            text = text.translate(self._restored)
        return _joined(text, line_of(event)) if self._halves else text

    def _fault(self, error: yaml.MarkedYAMLError) -> YamlError:
        """Say the same whichever parser found it; a fault seen at the end of the text is one of its last line."""
        problem = error.problem or "not valid YAML"
        marks = error.problem_mark, error.context_mark  # a text that should be a key is noticed in the line below it
        mark = (marks[1] or marks[0]) if problem == _NO_COLON else (marks[0] or marks[1])
        line = mark.line + 1 if mark else 1
        if mark and problem == _UNSTARTABLE:
            problem = tr("found character {character!r} that cannot start any token", character=self.text[mark.index])
        return YamlError(_said(_SAME_WORDS.get(problem, problem)), min(line, self._written.count("\n") + 1))

    def _readable(self, *, like_bun: bool) -> str:
        """Put private characters in place of those that PyYAML refuses or takes for the end of a line."""
        unfit = {match[0] for match in _UNFIT.finditer(self.text)} if _UNFIT.search(self.text) else set()
        if unfit and (not like_bun or any(char == "\0" or "\ud800" <= char <= "\udfff" for char in unfit)):
            self._refuse(like_bun=like_bun)
        unfit.update(char for char in _PLAIN_IN_12 if char in self.text)
        if not unfit:
            return self.text
        spare = (chr(code) for code in _SPARE if chr(code) not in self.text)
        stand_ins = {ord(char): next(spare) for char in sorted(unfit)}
        self._restored = {ord(stand_in): chr(code) for code, stand_in in stand_ins.items()}
        return self.text.translate(stand_ins)

    def _refuse(self, *, like_bun: bool) -> None:
        pattern = re.compile("[\0\ud800-\udfff]") if like_bun else _UNFIT
        match = pattern.search(self.text)
        if match:
            line = self.text.count("\n", 0, match.start()) + 1
            raise YamlError(tr("holds a control character (U+{match:04X}); remove it", match=ord(match[0])), line)


def _said(problem: str) -> str:
    return _OFTEN_SAID.get(problem) or foreign(problem)


def line_of(event: yaml.Event) -> int:
    """Give the 1-based line in which an event starts."""
    return event.start_mark.line + 1 if event.start_mark else 1


def _joined(text: str, line: int) -> str:
    r"""Read `\ud83d\ude00` as JSON does."""
    try:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError as error:
        raise YamlError(tr("holds half of a character; write the character itself"), line) from error
