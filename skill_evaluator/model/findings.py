"""What is said about inputs, and where they were written down."""

from dataclasses import dataclass, field

from skill_evaluator.model.words import JsonObject, Level, one_line


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One fault or doubt about an input.

    Attributes:
        level: FAIL or WARN.
        code: Stable kebab-case name of the rule, such as `unknown-key`.
        message: What was found, what was expected, what to do; one sentence, in English.
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
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        inner = " ".join(part for part in (f"case {self.case!r}" if self.case else "", self.pointer or "") if part)
        return one_line(": ".join(part for part in (f"{self.level} {place}".strip(), inner, self.message) if part))


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """Where a case was written down: the file and the 1-based line."""

    path: str
    line: int | None = None
