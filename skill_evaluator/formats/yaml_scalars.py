"""A YAML scalar as it was written -> its value in the core schema."""

import re
from types import MappingProxyType
from typing import Final

PREFIX: Final = "tag:yaml.org,2002:"
# Source: YAML 1.2.2, chapter 10.3.2.
PATTERNS: Final = MappingProxyType(
    {
        "null": re.compile(r"(?:~|null|Null|NULL|)\Z"),
        "bool": re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"),
        "int": re.compile(r"(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)\Z"),
        "float": re.compile(
            r"(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z"
        ),
    }
)
WORDS: Final = MappingProxyType(
    dict.fromkeys(("", "~", "null", "Null", "NULL"), None)
    | dict.fromkeys(("true", "True", "TRUE"), True)
    | dict.fromkeys(("false", "False", "FALSE"), False)
)
NUMBER_STARTS: Final = frozenset("+-.0123456789")


def plain_value(text: str) -> object:
    """Give the value of a scalar without quotes and tag.

    Raises:
        ValueError: If it has more digits than Python converts.
    """
    if text in WORDS:
        return WORDS[text]
    if text[0] not in NUMBER_STARTS:
        return text
    if PATTERNS["int"].match(text):
        return int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))
    return float_value(text) if PATTERNS["float"].match(text) else text


def tagged_value(text: str, tag: str) -> object:
    """Give the value of a scalar with a tag of the core schema, quoted or not.

    Args:
        text: The scalar.
        tag: Its tag without the prefix of the core schema.

    Raises:
        LookupError: If the tag is of no core type, or does not fit the text.
        ValueError: If it has more digits than Python converts.
    """
    if tag == "str":
        return text
    if not PATTERNS[tag].match(text):
        raise LookupError(tag)
    return float_value(text) if tag == "float" else plain_value(text)


def float_value(text: str) -> float:
    """Give the value of a text that PATTERNS takes for a float."""
    return float(text if text[-1].isdigit() else re.sub(r"\.(?=inf|nan)", "", text.lower()))
