"""Texts that can be sent: half a surrogate pair, which JSON may hold, has no UTF-8."""

from collections.abc import Mapping


def sendable(text: str) -> str:
    r"""Put a question mark for every half of a surrogate pair; all other texts stay as they are.

    >>> sendable("plain"), sendable("half \ud83d here")
    ('plain', 'half ? here')
    """
    return text if text.isascii() else text.encode(errors="replace").decode()


def all_sendable(value: object) -> object:
    """Do the same to every text in a JSON value."""
    match value:
        case str():
            return sendable(value)
        case Mapping():
            return {sendable(str(key)): all_sendable(item) for key, item in value.items()}
        case list() | tuple():
            return [all_sendable(item) for item in value]
        case _:
            return value
