"""BCP-47 tags in their normal form."""

import re
from functools import lru_cache
from typing import Final

_MAX_CHARS: Final = 100
# Language, extended language, script, region, variants, extensions, private use; in the usual upper and lower case.
NORMAL_FORM: Final = (
    r"[a-z]{2,3}(-[a-z]{3})?(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*"
    r"(-[a-wyz0-9](-[a-z0-9]{2,8})+)*(-x(-[a-z0-9]{1,8})+)?"
)
_NORMAL: Final = re.compile(NORMAL_FORM)


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
    if len(tag) > _MAX_CHARS:
        return "is too long for a BCP-47 tag"
    normal = _normal(tag)  # an underscore is taken for a hyphen there, so it has to be looked for here
    if normal is None:
        return "is no BCP-47 tag"
    if "_" in tag:
        return f'has an underscore, where BCP-47 has a hyphen; write "{normal}"'
    if normal != tag:
        return f'is not in its normal form; write "{normal}"'
    return None if _NORMAL.fullmatch(tag) else "is no BCP-47 tag of a language"


def _normal(tag: str) -> str | None:
    import langcodes  # noqa: PLC0415 - start-up
    from langcodes.tag_parser import LanguageTagError  # noqa: PLC0415

    if not tag.isascii() or not langcodes.tag_is_valid(tag):
        return None
    try:
        normal = str(langcodes.standardize_tag(tag))
        written = str(langcodes.Language.get(tag, normalize=False).to_tag())
    except LanguageTagError:
        return None
    # A script that goes without saying may stay, and so may variants in their order: only subtags are replaced.
    same = sorted(written.split("-")) == sorted(normal.split("-"))
    return written if same or _without_script(written) == normal else normal


def _without_script(tag: str) -> str:
    return re.sub(r"^([a-z]{2,3})-[A-Z][a-z]{3}(?=-|$)", r"\1", tag)
