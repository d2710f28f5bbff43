"""Reads reports of earlier schema versions: what they could not say yet is filled in with what then held."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from skill_evaluator.results import SCHEMA_VERSION

Content = Mapping[str, object]


def upgraded(content: Content) -> Content:
    """Bring a report's JSON up to this version.

    Args:
        content: An object whose `schema_version` is a whole number from 1 to `SCHEMA_VERSION`.

    Returns:
        The object itself where it is of this version.
    """
    version = content["schema_version"]
    while isinstance(version, int) and version < SCHEMA_VERSION:
        content, version = _STEPS[version](content), version + 1
    return content


def _to_2(content: Content) -> Content:
    """Version 1 had neither a canary nor suggestions, and counted no calls."""
    canary = {"state": "not_needed", "faults": [], "listing_checked": False}
    known = content.get("volatile")
    volatile = {**known, "calls": None, "retries": None} if isinstance(known, Mapping) else known
    return {**content, "canary": canary, "suggestions": [], "volatile": volatile, "schema_version": 2}


def _to_3(content: Content) -> Content:
    """Version 2 knew no judge, no expected siblings, and no table of the skills that fired."""
    raise NotImplementedError  # built with the metrics of version 3


_STEPS: Mapping[int, Callable[[Content], Content]] = MappingProxyType({1: _to_2, 2: _to_3})
