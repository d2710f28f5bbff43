"""The values of a frontmatter that tell whose skill it is, so that a judge can be kept from seeing them."""

from collections.abc import Iterator, Mapping
from typing import Final

from skill_evaluator.formats.frontmatter import Fields
from skill_evaluator.formats.visible import encodable

_KEYS: Final = frozenset(
    (
        *("author", "authors", "owner", "owners", "maintainer", "maintainers", "creator", "created-by", "contact"),
        *("vendor", "organization", "organisation", "org", "publisher", "company", "team", "provider", "email"),
        *("homepage", "repository", "repo", "url", "website", "github", "gitlab", "gitee", "source", "namespace"),
    )
)
_INSIDE: Final = frozenset(("name", "email", "url", "web", "homepage", "login", "handle", "username", "github"))


def find_identities(fields: Fields) -> tuple[str, ...]:
    """List authors, owners, vendors, addresses and links, as written, each once, in the order written.

    Looked for at the top of the frontmatter and under `metadata`; lists and mappings such as `{name, email}` are
    followed one level down.
    """
    metadata = fields.values.get("metadata")
    places = [fields.values, metadata if isinstance(metadata, dict) else {}]
    found = (text for place in places for text in _named(place, _KEYS))
    return tuple(dict.fromkeys(encodable(text) for text in found))


def _named(place: Mapping[object, object], keys: frozenset[str]) -> Iterator[str]:
    for key, value in place.items():
        if isinstance(key, str) and key.strip().lower().replace("_", "-") in keys:
            for item in value if isinstance(value, list) else [value]:
                yield from _named(item, _INSIDE) if isinstance(item, dict) else _texts(item)


def _texts(value: object) -> Iterator[str]:
    match value:
        case bool():
            return
        case str() | int() if text := str(value).strip():
            yield text
