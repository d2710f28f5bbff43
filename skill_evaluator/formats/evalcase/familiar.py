"""Cases of one folder, of which most say much the same: what a sound one said is not looked at in the next one again.

Nothing is taken on trust: a case is passed over only where each of its parts was found sound by the check of all cases;
any other is given to that check as a whole, for its words.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from skill_evaluator.formats.evalcase.form import Fault
from skill_evaluator.formats.evalcase.rows import check_row, is_sound_text

_KEPT: Final = 512  # parts, so that memory stays flat
_LENGTH: Final = 2_000  # characters of one
_OWN: Final = frozenset({"id", "source", "context", "required_tokens", "references"})  # hardly ever twice the same
_NEEDED: Final = frozenset({"id", "source", "assertions"})
_SOUND: Final = MappingProxyType(
    {
        "schema_version": 1,
        "id": "a",
        "source_locale": "en",
        "target_locale": "de",
        "domain": "a",
        "source": "a",
        "assertions": [{"name": "number_fidelity", "severity": "hard"}],
        "provenance": {"kind": "synthetic", "license": "CC0-1.0"},
    }
)


@dataclass(slots=True)
class Familiar:
    """Looks at one case after the other.

    Attributes:
        accepted: Licence statements of the manifest.
    """

    accepted: frozenset[str] = frozenset()
    _seen: set[str] = field(default_factory=set)  # sound parts, as texts

    def faults_of(self, raw: Mapping[str, object]) -> list[Fault]:
        """Give the faults and doubts of a case, as `check_row` does."""
        return [] if self._is_sound(raw) else check_row(raw, self.accepted)

    def _is_sound(self, raw: Mapping[str, object]) -> bool:
        """Say whether a case is surely sound; its parts say nothing about each other, but for what is seen to here."""
        if not raw.keys() >= _NEEDED:
            return False
        own = {key: raw[key] for key in raw if key in _OWN}
        shared = {key: raw[key] for key in raw if key not in _OWN and key != "assertions"}
        assertions = {"assertions": raw["assertions"], "required_tokens": ["a"] if raw.get("required_tokens") else []}
        return (
            is_sound_text(own)
            and self._is_familiar({"id": "a", "source": "a", "assertions": _SOUND["assertions"]}, shared)
            and self._is_familiar(_SOUND, assertions)
        )

    def _is_familiar(self, around: Mapping[str, object], part: Mapping[str, object]) -> bool:
        """Say whether a part was sound before, or else whether it is, in a case that is sound otherwise."""
        written = repr(part)  # tells 1 from 1.0 and from True, as a hash of the values would not
        if written in self._seen:
            return True
        if len(written) > _LENGTH or check_row({**around, **part}, self.accepted):
            return False
        if len(self._seen) >= _KEPT:
            self._seen.clear()
        self._seen.add(written)
        return True
