r"""Blanks as JavaScript knows them: `str.strip` takes U+001C..1F and U+0085 too, and leaves U+FEFF.

Source: ECMA-262, chapters 12.2 (white space) and 12.3 (line terminators).
"""

from typing import Final

JS_BLANKS: Final = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


def trimmed(text: str) -> str:
    r"""Take the blanks around a text away, as JavaScript does.

    >>> trimmed("\ufeff a\x85\n")
    'a\x85'
    """
    return text.strip(JS_BLANKS)
