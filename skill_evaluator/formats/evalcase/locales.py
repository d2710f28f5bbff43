"""BCP-47 tags in their normal form."""

import re
from functools import lru_cache
from typing import Final

from skill_evaluator.texts import tr

_MAX_CHARS: Final = 100
# Language, extended language, script, region, variants, extensions, private use; in the usual upper and lower case.
NORMAL_FORM: Final = (
    r"[a-z]{2,3}(-[a-z]{3})?(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*"
    r"(-[a-wyz0-9](-[a-z0-9]{2,8})+)*(-x(-[a-z0-9]{1,8})+)?"
)
_NORMAL: Final = re.compile(NORMAL_FORM)
_SCRIPT: Final = re.compile(r"^([a-z]{2,3})-[A-Z][a-z]{3}(?=-|$)")
# Known to be valid: the library that knows all tags takes longer to load than the rest of the program.
_COMMON: Final = frozenset(
    (
        *("ar", "bg", "bn", "ca", "cs", "da", "de", "de-DE", "el", "en", "en-AU", "en-CA", "en-GB", "en-US"),
        *("es", "es-ES", "es-MX", "et", "fa", "fi", "fr", "fr-CA", "fr-FR", "he", "hi", "hr", "hu", "id"),
        *("it", "it-IT", "ja", "ja-JP", "ko", "ko-KR", "lt", "lv", "ms", "nb", "nl", "nl-NL", "pl", "pl-PL"),
        *("pt", "pt-BR", "pt-PT", "ro", "ru", "ru-RU", "sk", "sl", "sr", "sv", "sw", "ta", "th", "tr", "tr-TR"),
        *("uk", "ur", "vi", "zh", "zh-CN", "zh-HK", "zh-Hans", "zh-Hant", "zh-TW"),
    )
)
_REGION_CHARS: Final = 2
_SCRIPT_CHARS: Final = 4


@lru_cache(maxsize=4096)
def locale_fault(tag: str) -> str | None:
    """Say what is wrong with a tag.

    Args:
        tag: As written.

    Returns:
        The fault with what to write instead, or None for a valid tag in its normal form.

    Source:
        RFC 5646, sections 2.1 (syntax), 2.1.1 (upper and lower case) and 4.5 (replaced subtags).
    """
    if tag in _COMMON:
        return None
    if len(tag) > _MAX_CHARS:
        return tr("is too long for a BCP-47 tag")
    normal = _normal(tag)  # an underscore is taken for a hyphen there, so it has to be looked for here
    if normal is None:
        return tr("is no BCP-47 tag")
    if "_" in tag:
        return tr('has an underscore, where BCP-47 has a hyphen; write "{normal}"', normal=normal)
    if normal != tag:
        return tr('is not in its normal form; write "{normal}"', normal=normal)
    return None if _NORMAL.fullmatch(tag) else tr("is no BCP-47 tag of a language")


def _normal(tag: str) -> str | None:
    import langcodes  # noqa: PLC0415 - start-up
    from langcodes.tag_parser import LanguageTagError  # noqa: PLC0415

    if not tag.isascii():
        return None
    if not langcodes.tag_is_valid(tag):
        return _known_to_cldr(_cased(tag))
    try:
        normal = str(langcodes.standardize_tag(tag))
    except LanguageTagError:
        return None
    cased = _cased(tag)
    # A script that goes without saying may stay, and so may variants in their order: what matters are the subtags.
    is_same = sorted(cased.split("-")) == sorted(normal.split("-")) or _SCRIPT.sub(r"\1", cased) == normal
    return cased if is_same else normal


def _known_to_cldr(tag: str) -> str | None:
    """Give a tag that is newer than the list of the library; `tok` is one."""
    from babel.localedata import exists  # noqa: PLC0415 - start-up

    return tag if _NORMAL.fullmatch(tag) and exists(tag.replace("-", "_")) else None


def _cased(tag: str) -> str:
    """Write a tag in the usual case: scripts like `Hans` and regions like `CN`, but neither after a single letter."""
    language, *others = tag.replace("_", "-").lower().split("-")
    cased, is_open = [language], True
    for part in others:
        is_open = is_open and len(part) > 1
        title = part.title() if len(part) == _SCRIPT_CHARS and part.isalpha() else part
        cased.append((part.upper() if len(part) == _REGION_CHARS else title) if is_open else part)
    return "-".join(cased)
