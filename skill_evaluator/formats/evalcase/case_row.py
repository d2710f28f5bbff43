"""The object of a case as it is written, once it was checked; `case.schema.json` says what each field holds."""

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict

from skill_evaluator.model import Difficulty, JsonObject, ProvenanceKind


class AssertionRow(TypedDict):
    """An item of `assertions`."""

    name: str
    severity: Literal["hard", "report"]
    params: NotRequired[JsonObject]


class ProvenanceRow(TypedDict):
    """What stands in `provenance`."""

    kind: ProvenanceKind
    license: str
    source: NotRequired[str]
    transformation: NotRequired[str]


class CaseRow(TypedDict):
    """One line of a file of cases."""

    schema_version: Literal[1]
    id: str
    source_locale: str
    target_locale: str
    domain: str
    source: str
    assertions: Sequence[AssertionRow]
    provenance: ProvenanceRow
    context: NotRequired[JsonObject]
    required_tokens: NotRequired[Sequence[str]]
    references: NotRequired[Sequence[str]]
    difficulty: NotRequired[Difficulty]
    tags: NotRequired[Sequence[str]]
