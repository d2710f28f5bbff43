"""Credentials and hidden prompts, which no case may hold: found without ever being shown."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from skill_evaluator import credentials
from skill_evaluator.credentials import MASK, mask_credentials
from skill_evaluator.formats.evalcase.form import Fault, Parts
from skill_evaluator.texts import tr

# The first line of a private key; masks want the key itself, a case has no reason to hold even this.
_KEY_BEGINS: Final = re.compile(r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----")
_PROMPT: Final = re.compile(
    r"""(?xim)
    <\|(?:im_start|im_end|system|user|assistant|start_header_id|end_header_id|begin_of_text|eot_id|endofprompt)\|>
    | <<SYS>> | ^[^\w\n]{0,8}(?:hidden\ |secret\ )?system\ prompt[^\w\n]{0,8}[:：]
    """
)
# Names of fields in `context`, without case and marks.
_PROMPT_FIELDS: Final = frozenset(
    {"prompt", "prompts", "systemprompt", "hiddenprompt", "prompttemplate", "systemmessage", "systeminstruction"}
    | {"systeminstructions", "developerprompt", "developermessage", "fewshot", "fewshots", "fewshotexamples"}
)
_SECRET_FIELDS: Final = frozenset(
    {"apikey", "apikeys", "accesstoken", "authtoken", "bearertoken", "refreshtoken", "secret", "secrets", "secretkey"}
    | {"clientsecret", "password", "passwd", "credential", "credentials", "privatekey", "authorization", "cookie"}
)
_FIELDS: Final = _PROMPT_FIELDS | _SECRET_FIELDS


def hidden_material(raw: Mapping[str, object]) -> list[Fault]:
    """Find credentials and hidden prompts anywhere in a case.

    Args:
        raw: The object of a line.

    Returns:
        One fault a place, which says what was found by its kind alone.
    """
    context = raw.get("context")
    names = {_squashed(key) for key in _names(context)} if context else set()
    words = "\n".join(_texts(raw))
    if names.isdisjoint(_FIELDS) and not has_hint(words):
        return []  # as in nearly all cases: one search in all texts at once is far cheaper than one in each
    return [fault for parts, key, value in _places(raw) for fault in _at(parts, key, value)]


def _texts(value: object) -> Iterator[str]:
    """Give all texts, names of fields among them."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str() as text:
                yield text
            case dict() as table:
                yield from table
                waiting.extend(table.values())
            case list() as items:
                waiting.extend(items)
            case _:
                pass


def _names(value: object) -> Iterator[str]:
    for _, key, _ in _places(value):
        yield from () if key is None else (key,)


def _places(value: object) -> Iterator[tuple[Parts, str | None, object]]:
    """Give each value with its place and, for a member of an object, its name, in the order in which they stand."""
    waiting: list[tuple[Parts, str | None, object]] = [((), None, value)]
    while waiting:
        parts, key, inner = waiting.pop()
        yield parts, key, inner
        match inner:
            case dict():
                waiting.extend(((*parts, _shown_key(name)), name, item) for name, item in reversed(inner.items()))
            case list():
                waiting.extend(((*parts, index), None, inner[index]) for index in reversed(range(len(inner))))
            case _:
                pass


def _at(parts: Parts, key: str | None, value: object) -> Iterator[Fault]:
    if isinstance(value, str):
        yield from _of_text(value, parts)
    if key is not None:
        yield from _of_key(key, value, parts)


def without_secrets(value: object) -> dict[str, object]:
    """Copy a case with a mask in place of each text that holds a credential, so that no message can show one."""
    masked = _masked(value)
    return masked if isinstance(masked, dict) else {}


def has_hint(text: str) -> bool:
    """Say whether a text may hold a credential or a mark of a prompt; where it says no, there is none."""
    return credentials.has_hint(text) or _may_be_prompt(text)


def _may_be_prompt(text: str) -> bool:
    return "<|" in text or "<<" in text or ((":" in text or "\uff1a" in text) and "prompt" in text.casefold())


def holds_secret(text: str) -> bool:
    """Say whether a text holds what looks like a credential."""
    return credentials.has_hint(text) and (mask_credentials(text) != text or _KEY_BEGINS.search(text) is not None)


def _masked(value: object) -> object:
    match value:
        case str():
            return MASK if holds_secret(value) else value
        case dict():
            return {
                _shown_key(key): MASK if _is_secret_field(key, item) else _masked(item) for key, item in value.items()
            }
        case list():
            return [_masked(item) for item in value]
        case _:
            return value


def _shown_key(key: str) -> str:
    return MASK if holds_secret(key) else key


def _of_text(text: str, parts: Parts) -> Iterator[Fault]:
    if holds_secret(text):
        message = tr("holds what looks like a credential; take it out, and revoke it if it is real")
        yield Fault(code="credential", parts=parts, message=message)
    if _may_be_prompt(text) and _PROMPT.search(text):
        message = tr(
            "holds a mark of a prompt, such as those of a chat template; a case holds no prompts, so take it out"
        )
        yield Fault(code="hidden-prompt", parts=parts, message=message)


def _of_key(key: str, item: object, parts: Parts) -> Iterator[Fault]:
    if holds_secret(key):
        message = tr("a name of a field holds what looks like a credential; take it out, and revoke it if it is real")
        yield Fault(code="credential", parts=parts, message=message)
    if parts[0] != "context" or len(parts) == 1:
        return
    if _is_secret_field(key, item):
        message = tr("a field of this name holds a credential, and a case holds none; remove it")
        yield Fault(code="credential", parts=parts, message=message)
    if _squashed(key) in _PROMPT_FIELDS and item and isinstance(item, (str, list, dict)):
        message = tr("a field of this name holds a prompt, and a case holds none; remove it")
        yield Fault(code="hidden-prompt", parts=parts, message=message)


def _is_secret_field(key: str, item: object) -> bool:
    return _squashed(key) in _SECRET_FIELDS and isinstance(item, (str, list, dict)) and bool(item)


def _squashed(key: str) -> str:
    return re.sub(r"[\W_]+", "", key).casefold()
