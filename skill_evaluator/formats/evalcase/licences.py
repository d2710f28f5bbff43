"""On what terms a case may be passed on: an SPDX expression, or a statement that the manifest accepts."""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from skill_evaluator.texts import tr

_MAX_CHARS: Final = 500  # of an expression; the library takes longer than that for no real licence
_NOTHING: Final = tr("does not say that the case may be passed on")
_REF: Final = "licenseref"
_NO_LETTER: Final = re.compile(r"[\W_]+")
_PARTS: Final = re.compile(r"[\s()]+")
# Without case and punctuation. Source: contract of EvalCase v1, section 3.4, for the first two.
_GRANT_NOTHING: Final = frozenset(
    {"unknown", "fairuse", "fairdealing", "none", "noassertion", "na", "tbd", "todo", "unlicensed", "null"}
    | {"unknownlicense", "unknownlicence"}
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Licence:
    """What a statement is worth.

    Attributes:
        fault: Why it is refused, or None.
        normal: The spelling of SPDX, where that is another one; else None.
    """

    fault: str | None = None
    normal: str | None = None


def look_at_licence(text: str, accepted: Collection[str]) -> Licence:
    """Say whether a licence is one.

    Args:
        text: As written; not blank.
        accepted: Statements of the manifest, letter by letter.
    """
    if grants_nothing(text):
        return Licence(fault=_NOTHING)
    return Licence() if text in accepted else _expression(text)


def grants_nothing(text: str) -> bool:
    """Say whether a statement is a word such as `unknown`, however it is spelled."""
    letters = _NO_LETTER.sub("", unicodedata.normalize("NFKC", text).casefold())
    return letters.removeprefix(_REF) in _GRANT_NOTHING


@lru_cache(maxsize=256)
def _expression(text: str) -> Licence:
    from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression  # noqa: PLC0415 - start-up

    if len(text) > _MAX_CHARS:
        return Licence(fault=tr("is too long for an SPDX expression"))
    try:
        normal = str(canonicalize_license_expression(text))
    except InvalidLicenseExpression:
        return Licence(fault=tr("is no SPDX expression"))
    if any(map(grants_nothing, _PARTS.split(normal))):
        return Licence(fault=_NOTHING)
    return Licence(normal=None if normal == text else normal)
