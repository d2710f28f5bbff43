"""The values of a frontmatter that tell whose skill it is, so that a judge can be kept from seeing them."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from skill_evaluator.formats.frontmatter import Fields
from skill_evaluator.formats.visible import encodable

_NAMES: Final = frozenset(
    (
        *("author", "authors", "owner", "owners", "maintainer", "maintainers", "creator", "created-by", "contact"),
        *("vendor", "organization", "organisation", "org", "publisher", "company", "team", "provider", "namespace"),
        *("plugin", "display-name"),
    )
)
# Prose under one of these is no name: `source: adapted from a book`.
_ADDRESSES: Final = frozenset(
    ("email", "homepage", "repository", "repo", "url", "website", "github", "gitlab", "gitee", "source")
)
_BLANK: Final = re.compile(r"\s")
_INSIDE: Final = frozenset(("name", "email", "url", "web", "homepage", "login", "handle", "username", "github"))


def find_identities(fields: Fields) -> tuple[str, ...]:
    """List authors, owners, vendors, addresses and links, as written, each once, in the order written.

    Looked for at the top of the frontmatter and under `metadata`; lists and mappings such as `{name, email}` are
    followed one level down.
    """
    metadata = fields.values.get("metadata")
    places = [fields.values, metadata if isinstance(metadata, dict) else {}]
    found = (text for place in places for text in _named(place, _NAMES | _ADDRESSES))
    return tuple(dict.fromkeys(encodable(text) for text in found))


def _named(place: Mapping[object, object], keys: frozenset[str]) -> Iterator[str]:
    for key, value in place.items():
        name = key.strip().lower().replace("_", "-") if isinstance(key, str) else ""
        if name not in keys:
            continue
        for item in value if isinstance(value, list) else [value]:
            texts = _named(item, _INSIDE) if isinstance(item, dict) else _texts(item)
            yield from (text for text in texts if name not in _ADDRESSES or not _BLANK.search(text))


def _texts(value: object) -> Iterator[str]:
    match value:
        case bool():
            return
        case str() | int() if text := str(value).strip():
            yield text
