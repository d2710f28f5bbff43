"""Which model answers where nobody names one, and what the short names of models stand for.

Source: Claude Code 2.1.332, asked with each of the short names; the names here are those of 2026-11.
"""

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_SHORT: Final[Mapping[str, str]] = MappingProxyType(
    {"haiku": "claude-haiku-5-5", "sonnet": "claude-sonnet-5-5", "opus": "claude-opus-5-5"}
)
_SMALL: Final = ("ANTHROPIC_SMALL_FAST_MODEL", "ANTHROPIC_DEFAULT_HAIKU_MODEL")
# What a model without a known price counts as, in the real program too.
PRICED_AS: Final = "claude-opus-5-5"


def judge_model(named: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """Name the model that judges, as a server knows it.

    Args:
        named: As the user says, a short name too; None for the small model that the environment names, else `haiku`.
        environment: May say what the short names stand for.
    """
    chosen = named or next((environment[name] for name in _SMALL if environment.get(name)), "haiku")
    return full_name(chosen, environment)


def full_name(model: str, environment: Mapping[str, str] = os.environ) -> str:
    """Give the name of a model as a server knows it; one that is no short name stays.

    >>> full_name("opus", {"ANTHROPIC_DEFAULT_OPUS_MODEL": "mine"}), full_name("some-model", {})
    ('mine', 'some-model')
    """
    if model not in _SHORT:
        return model
    return environment.get(f"ANTHROPIC_DEFAULT_{model.upper()}_MODEL") or _SHORT[model]
