"""What is said about inputs, and where they were written down."""

from dataclasses import dataclass, field

from skill_evaluator.model.words import JsonObject, Level, one_line
from skill_evaluator.texts import COLON, Language, localized, tr

LEVEL_WORDS = {Level.FAIL: tr("FAIL"), Level.WARN: tr("WARN")}


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One fault or doubt about an input.

    Attributes:
        level: FAIL or WARN.
        code: Stable kebab-case name of the rule, such as `unknown-key`.
        message: What was found, what was expected, what to do; one sentence, in English. A `texts.Text` can be said in
            other languages.
        file: The file as the user named it, or None for an option.
        case: Id of the case, or None.
        pointer: JSON pointer (RFC 6901) or dotted YAML path inside the file, or None.
        line: 1-based line, or None.
        values: The facts in `message` by name, for wording it in another language.
    """

    level: Level
    code: str
    message: str
    file: str | None = None
    case: str | None = None
    pointer: str | None = None
    line: int | None = None
    values: JsonObject = field(default_factory=dict)

    def __str__(self) -> str:
        return self.worded("en")

    def worded(self, language: Language) -> str:
        """Say it with its level and place on one line; a message that is no `Text` stays English."""
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        case = localized(tr("case {case!r}", case=self.case), language) if self.case else ""
        inner = " ".join(part for part in (case, self.pointer or "") if part)
        level = localized(LEVEL_WORDS[self.level], language)
        message = localized(self.message, language)
        return one_line(
            localized(COLON, language).join(part for part in (f"{level} {place}".strip(), inner, message) if part)
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """Where a case was written down: the file and the 1-based line."""

    path: str
    line: int | None = None
