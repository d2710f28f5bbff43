"""A text to translate, what its translation has to keep, and a translation of it: the contract EvalCase v1."""

from dataclasses import dataclass, field
from typing import Literal

from skill_evaluator.model.checks import Check
from skill_evaluator.model.findings import Source
from skill_evaluator.model.words import JsonObject, Severity

ProvenanceKind = Literal["synthetic", "public-domain", "compatible-licensed", "authorized-regression"]
Difficulty = Literal["basic", "intermediate", "advanced"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Provenance:
    """Where a case comes from, and on what terms it may be passed on.

    Attributes:
        kind: How it came to be.
        license: An SPDX expression, a `LicenseRef-` name, or a statement that the manifest accepts.
        source: Where derived material was taken from, or None.
        transformation: What was done to it, or None.
    """

    kind: ProvenanceKind
    license: str
    source: str | None = None
    transformation: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Assertion:
    """One thing that a translation has to keep.

    Attributes:
        name: A name of `ASSERTIONS`, such as `placeholder_integrity`.
        severity: `hard` decides, `report` is only shown.
        params: As written.
        check: What looks at a translation; it has all of the case that it needs.
    """

    name: str
    severity: Severity
    check: Check
    params: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class EvalCase:
    """One text to translate.

    Attributes:
        id: Unique in its folder, and never used again for another meaning.
        source_locale: BCP-47, in its normal form.
        target_locale: BCP-47, in its normal form.
        domain: A short name of a field, such as `game-ui`.
        source: The text.
        assertions: At least one, in the order written.
        provenance: Where it comes from.
        place: File and line.
        locked: Whether it lies in `locked/`, so that no prompt may be made of it.
        context: What a translator should know besides.
        required_tokens: Literal texts that the assertion of that name looks for.
        references: Good translations; nothing is scored by them.
        difficulty: How hard it is, or None.
        tags: To filter by.
        row: The object as it was written, for writing it again.
    """

    id: str
    source_locale: str
    target_locale: str
    domain: str
    source: str
    assertions: tuple[Assertion, ...]
    provenance: Provenance
    place: Source
    locked: bool = False
    context: JsonObject = field(default_factory=dict)
    required_tokens: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    difficulty: Difficulty | None = None
    tags: tuple[str, ...] = ()
    row: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """One translation of a case.

    Attributes:
        case_id: Of the case.
        text: The translation, decoded.
        raw_response: What the provider sent, as it came; None where it was not kept.
    """

    case_id: str
    text: str
    raw_response: str | None = None
