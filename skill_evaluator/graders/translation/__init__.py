"""The six assertions of EvalCase v1, by name: deterministic, and blind to the quality of a translation.

They look at `output` (the translation, decoded) and `raw_response` (what the provider sent) of a run. Codes are stable:
a later version may add some, and never gives one another meaning.
"""

from collections.abc import Mapping
from types import MappingProxyType

from skill_evaluator.graders.translation.forbidden_renderings import ForbiddenRenderings, Rendering
from skill_evaluator.graders.translation.max_chars import MaxChars
from skill_evaluator.graders.translation.number_fidelity import NumberFidelity
from skill_evaluator.graders.translation.placeholder_integrity import PlaceholderIntegrity
from skill_evaluator.graders.translation.protocol_complete import ProtocolComplete
from skill_evaluator.graders.translation.required_tokens import RequiredTokens
from skill_evaluator.model import Check

ASSERTIONS: Mapping[str, type[Check]] = MappingProxyType(
    {
        "protocol_complete": ProtocolComplete,
        "placeholder_integrity": PlaceholderIntegrity,
        "number_fidelity": NumberFidelity,
        "required_tokens": RequiredTokens,
        "forbidden_renderings": ForbiddenRenderings,
        "max_chars": MaxChars,
    }
)

__all__ = [
    "ASSERTIONS",
    "ForbiddenRenderings",
    "MaxChars",
    "NumberFidelity",
    "PlaceholderIntegrity",
    "ProtocolComplete",
    "Rendering",
    "RequiredTokens",
]
