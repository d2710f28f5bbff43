"""Sentences of our own that remember how they were made, so that they can be said in another language later.

`tr` gives an ordinary English `str`; whoever shows it may ask for its words in Chinese by `localized`. What joins,
cuts or formats it gives a plain `str` again, which stays English: put texts together by `tr` itself, or by `joined`.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePath
from typing import Literal, Self

from skill_evaluator.locales import BETWEEN_FORMS, Lookup
from skill_evaluator.locales.spacing import edged, spaced

Language = Literal["en", "zh"]


class Text(str):  # noqa: SLOT000 - it has values besides
    """An English sentence, the template it was made from, and the values in it.

    Attributes:
        template: Words of our own with `{name}` for values, as `str.format` takes them; the key of a catalogue.
        values: By name; those that are `Text` are said in the other language too.
        number: What chose between singular and plural, or None.
    """

    template: str
    values: Mapping[str, object]
    number: int | None

    def __new__(cls, shown: str, template: str, values: Mapping[str, object], number: int | None = None) -> Self:
        """Take a sentence that was made from a template already."""
        made = super().__new__(cls, shown)
        made.template, made.values, made.number = template, values, number
        return made

    def __getnewargs__(self) -> tuple[str, str, Mapping[str, object], int | None]:  # type: ignore[override]
        return str(self), self.template, self.values, self.number

    def in_words_of(self, lookup: Lookup) -> str:
        """Say it in the words of another language."""
        values = {name: _put_in(value, lookup) for name, value in self.values.items()}
        return spaced(lookup(self.template, self.number).format(**values))

    def with_values(self, change: Callable[[str], str]) -> "Text":
        """Change every text of others in it, as to show control characters by signs; words of our own stay."""
        values = {name: _changed(value, change) for name, value in self.values.items()}
        shown = self._template_in_english().format(**values)
        return Text(shown, self.template, values, self.number)

    def _template_in_english(self) -> str:
        one, many = _forms(self.template)
        return one if many is None or self.number == 1 else many


class _Changed(str):  # noqa: SLOT000 - it has another look besides
    """Words of others after a change; where a template asks for their `repr`, it is the one of what they were."""

    quoted: str

    def __new__(cls, text: str, change: Callable[[str], str], quoted: str | None = None) -> Self:
        """Change a text, and what `repr` gives of it: changed before it is quoted, it would be escaped twice."""
        made = super().__new__(cls, change(text))
        made.quoted = change(repr(text) if quoted is None else quoted)
        return made

    def __getnewargs__(self) -> tuple[str, Callable[[str], str]]:  # type: ignore[override]
        return str(self), str

    def __repr__(self) -> str:
        return self.quoted


class Joined(Text):
    """Several texts, one after the other."""

    def in_words_of(self, lookup: Lookup) -> str:
        """Say each of them in the words of another language."""
        between = self._between()
        words = between.in_words_of(lookup) if isinstance(between, Text) else lookup(between, None)
        return words.join(str(_said(part, lookup)) for part in self._parts())

    def with_values(self, change: Callable[[str], str]) -> "Text":
        """Change every text of others in them."""
        return joined(self._between(), [_changed_text(part, change) for part in self._parts()])

    def _between(self) -> str:
        return self.values["between"]  # type: ignore[return-value]

    def _parts(self) -> Iterable[str]:
        return self.values["parts"]  # type: ignore[return-value]


class Clause(Text):
    """A sentence without its full stop, which another sentence goes on with."""

    def in_words_of(self, lookup: Lookup) -> str:
        """Say the sentence in the words of another language."""
        return str(_said(self.values["sentence"], lookup)).rstrip(".。")

    def with_values(self, change: Callable[[str], str]) -> "Text":
        """Change every text of others in it."""
        return clause(_changed_text(self.values["sentence"], change))  # type: ignore[arg-type]


def tr(template: str, /, **values: object) -> Text:
    """Say something that can be said in another language too.

    Args:
        template: English words, written out as one literal, so that catalogues can be made; `{name}` for a value, and
            `{{` for a brace.
        **values: By name; a `Text` among them is translated with the rest.

    >>> tr("there is no file {name!r}", name="a.json")
    "there is no file 'a.json'"
    """
    return Text(template.format(**values), template, values)


def ntr(one: str, many: str, number: int, /, **values: object) -> Text:
    """Say something with a number in it, which `{n}` stands for.

    Args:
        one: The words for 1.
        many: The words for any other number, 0 too.
        number: What counts.
        **values: As for `tr`.

    >>> ntr("{n:,} case", "{n:,} cases", 1200)
    '1,200 cases'
    """
    said = {"n": number, **values}
    return Text((one if number == 1 else many).format(**said), one + BETWEEN_FORMS + many, said, number)


def joined(between: str, parts: Iterable[str]) -> Text:
    """Put texts one after the other without losing how each of them was made.

    Args:
        between: What stands between them: punctuation, no words; see `listed` for commas.
        parts: Texts, and words of others.
    """
    kept = tuple(parts)
    return Joined(between.join(kept), "", {"between": between, "parts": kept})


COLON, SEMICOLON = tr(": "), tr("; ")  # so that the catalogues have them, for what is joined by them


def listed(parts: Iterable[str]) -> Text:
    """Put names or texts one after the other, with the commas of the language between them."""
    return joined(tr(", "), parts)


def clause(sentence: str) -> Text:
    """Take the full stop off a sentence.

    >>> clause(tr("It is gone."))
    'It is gone'
    """
    return Clause(sentence.rstrip("."), "", {"sentence": sentence})


def changed(text: str, change: Callable[[str], str]) -> str:
    """Change the texts of others in a sentence; a plain `str` is changed whole."""
    return text.with_values(change) if isinstance(text, Text) else change(text)


def localized(text: str, language: Language) -> str:
    """Say a text in a language; a plain `str` stays as it is, as does what the catalogue lacks.

    Args:
        text: A sentence.
        language: `en` gives it back.
    """
    if language == "en" or not isinstance(text, Text):
        return str(text)
    from skill_evaluator.locales import lookup  # noqa: PLC0415 - reads a catalogue, which English has no need of

    return text.in_words_of(lookup(language))


def _forms(key: str) -> tuple[str, str | None]:
    one, _, many = key.partition(BETWEEN_FORMS)
    return one, many or None


def _said(value: object, lookup: Lookup) -> object:
    return value.in_words_of(lookup) if isinstance(value, Text) else value


def _put_in(value: object, lookup: Lookup) -> object:
    """Say a value, with its ends marked."""
    said = _said(value, lookup)
    return edged(said, ours=isinstance(value, Text)) if isinstance(said, str) else said


def _changed(value: object, change: Callable[[str], str]) -> object:
    """Change a value that is shown as text; a path or an exception is shown as the text it gives."""
    match value:
        case str():
            return _changed_text(value, change)
        case PurePath() | Exception():
            return _Changed(str(value), change, quoted=repr(value))
        case _:
            return value


def _changed_text(text: str, change: Callable[[str], str]) -> str:
    return text.with_values(change) if isinstance(text, Text) else _Changed(text, change)
