"""One placeholder of a translation dropped, doubled, changed, swapped or added, with the code each must be found by."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from tests.po_messages import Message

# Simple on purpose, and not the product's: what it does not see is not mutated.
_TOKENS = {
    "c-format": re.compile(r"%%|%(?:\d+\$)?[-+#0']*(?:\d+|\*)?(?:\.\d+)?(?:hh?|ll?|[zjt])?[diouxXeEfgGcsp]"),
    "python-format": re.compile(r"%%|%(?:\(\w+\))?[-+#0]*\d*(?:\.\d+)?[diouxXeEfgGcrs]"),
    "python-brace-format": re.compile(r"\{\{|\}\}|\{\w+\}"),
}
_ESCAPES = {"%%", "{{", "}}"}
_ADDED = {"c-format": "%Lg", "python-format": "%(zz)s", "python-brace-format": "{zz}"}


@dataclass(frozen=True, kw_only=True)
class Mutation:
    """A translation made wrong, or, by a swap that changes nothing, left right.

    `codes` are those that may be the result, `ok` where it must pass.
    """

    kind: str
    message: Message
    codes: frozenset[str]


def mutations_of(message: Message, number: int, seed: int) -> list[Mutation]:
    """Make some mutations of one sound translation, the same for the same seed."""
    chance = random.Random(f"{seed} {message.place} {message.form}")  # noqa: S311 - must come again
    made = list(_all(message, chance))
    chance.shuffle(made)
    return made[:number]


def _all(message: Message, chance: random.Random) -> Iterator[Mutation]:
    text, spans = message.target, _spans(message)
    tokens = [text[start:end] for start, end in spans]

    def mutated(kind: str, *codes: str, **pieces: str) -> Mutation:
        new = text
        for at in sorted((int(key[1:]) for key in pieces), reverse=True):
            start, end = spans[at]
            new = new[:start] + pieces[f"_{at}"] + new[end:]
        return Mutation(kind=kind, message=message.with_target(new), codes=frozenset(codes))

    for at, token in enumerate(tokens):
        here = f"_{at}"
        rest = tokens.count(token) - 1
        yield mutated("drop", "placeholder_count_mismatch" if rest else "placeholder_missing", **{here: ""})
        yield mutated("double", "placeholder_count_mismatch", **{here: f"{token} {token}"})
        yield mutated("change type", "placeholder_mutated", **{here: _other_type(token)})
        yield mutated("malform", "placeholder_malformed", **{here: token[:-1] if token[0] == "{" else f"{token} %!"})
        if (other := _other_name(token)) is not None:
            yield mutated("change name", "placeholder_mutated", **{here: other})
    for at, (one, other) in enumerate(pairwise(tokens)):
        if one != other:
            is_free = one[0] == "{" or "(" in one or "$" in one
            codes = ["ok"] if is_free else ["placeholder_reordered"]
            yield mutated("swap", *codes, **{f"_{at}": other, f"_{at + 1}": one})
    if tokens:
        at = chance.randrange(len(tokens))
        is_named = "(" in tokens[at] or tokens[at][0] == "{"
        added = _ADDED[message.flag] if is_named or message.flag != "python-format" else "%X"
        if not (message.flag == "c-format" and "$" in tokens[at]):
            yield mutated("add", "placeholder_extra", **{f"_{at}": f"{tokens[at]} {added}"})


def _spans(message: Message) -> list[tuple[int, int]]:
    """Give the places of all placeholders, or none where the simple patterns may be wrong."""
    pattern, text = _TOKENS[message.flag], message.target
    found = [match for match in pattern.finditer(text) if match[0] not in _ESCAPES]
    if sorted(one[0] for one in found) != sorted(one for one in pattern.findall(message.source) if one not in _ESCAPES):
        return []  # numbers where the source has none, or a plural form without: told in other tests
    if message.flag == "python-brace-format" and "{" in pattern.sub("", text):
        return []  # one stands in another, in the template language of another program
    return [match.span() for match in found]


def _other_type(token: str) -> str:
    if token[0] == "{":
        return token[:-1] + "!r}"
    return token[:-1] + "d" if token[-1] in "scrfgeEG" else re.sub(r"(?:hh?|ll?|[zjt])?.$", "s", token)


def _other_name(token: str) -> str | None:
    if "$" in token:
        return re.sub(r"\d+\$", "8$", token)
    if token[0] == "{":
        return "{" + token[1:-1] + "x}" if not token[1].isdigit() else "{88}"
    return token.replace(")", "x)", 1) if "(" in token else None
