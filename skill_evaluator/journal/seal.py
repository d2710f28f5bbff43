"""Tells whether a JSON object in a run folder is what was written there: its last key is a hash of all before it.

A bit that a disk turned, or a digit that an editor changed, may leave sound JSON with another number in it.
"""

import hashlib
import re

_LENGTH = 90  # of the last key and all that may follow it
_SEAL = re.compile(rb',\s*"seal": ?"([0-9a-f]{64})"\s*}\s*\Z')


def sealed(text: bytes) -> bytes:
    """Add the hash to the text of a JSON object that has at least one key, as its last key."""
    body, _, end = text.rpartition(b"}")
    kept = body.rstrip()
    key = b',"seal":"' if kept == body else b',\n  "seal": "'
    return kept + key + _hash(kept) + b'"' + body[len(kept) :] + b"}" + end


def was_changed(text: bytes) -> bool:
    """Whether the text has a hash that is not its own; False without any, as older versions wrote it."""
    seal = _SEAL.search(text)
    return b'"seal"' in text[-_LENGTH:] if seal is None else _hash(text[: seal.start()]) != seal[1]


def _hash(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest().encode()
