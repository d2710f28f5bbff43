"""Keeps credentials that stand in a translation out of what is said of it."""

from collections.abc import Sequence
from dataclasses import replace

from skill_evaluator.formats.evalcase.secrets import secrets_in
from skill_evaluator.model import Candidate, JsonObject
from skill_evaluator.redaction import blacken_pieces
from skill_evaluator.results.assertions import AssertionResult


def without_credentials(results: Sequence[AssertionResult], candidate: Candidate) -> tuple[AssertionResult, ...]:
    """Mask them in messages and evidence; where one was cut, its pieces too.

    Args:
        results: What was found in the candidate.
        candidate: The candidate, of which each assertion saw all.
    """
    secrets = {*secrets_in(candidate.text), *secrets_in(candidate.raw_response or "")}
    if not secrets:
        return tuple(results)
    return tuple(
        replace(one, message=blacken_pieces(one.message, secrets), evidence=_object(one.evidence, secrets))
        for one in results
    )


def _object(evidence: JsonObject, secrets: set[str]) -> JsonObject:
    return {blacken_pieces(key, secrets): _value(value, secrets) for key, value in evidence.items()}


def _value(value: object, secrets: set[str]) -> object:
    """Mask what evidence holds; it nests two or three deep."""
    match value:
        case str():
            return blacken_pieces(value, secrets)
        case dict():
            return _object(value, secrets)
        case list() | tuple():
            return [_value(one, secrets) for one in value]
        case _:
            return value
