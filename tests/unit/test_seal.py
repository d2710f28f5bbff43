"""A sealed object that was changed anywhere is told; one without a seal is not."""

import hashlib
import json

import pytest

from skill_evaluator.journal.seal import sealed, was_changed

TEXTS = (b'{"a":1,"b":{"c":"x"}}', b'{\n  "a": 1\n}', '{"题":"图"}\n'.encode())


@pytest.mark.parametrize("text", TEXTS)
def test_seal_is_the_last_key_and_hashes_all_before_it(text: bytes) -> None:
    found = sealed(text)

    content = json.loads(found)
    assert list(content)[-1] == "seal"
    assert content == json.loads(text) | {"seal": hashlib.sha256(text.rstrip().removesuffix(b"}").rstrip()).hexdigest()}
    assert not was_changed(found)


def is_json(text: bytes) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("text", TEXTS)
def test_any_other_byte_before_the_seal_is_told(text: bytes) -> None:
    found = sealed(text)
    for place in range(found.index(b'"seal"')):
        changed = bytearray(found)
        changed[place] ^= 1
        assert was_changed(bytes(changed)) or not is_json(bytes(changed)), place


def test_text_without_a_seal_passes() -> None:
    assert not was_changed(b'{"a": 1, "sha256": "x"}')


def test_seal_that_is_none_any_more_is_told() -> None:
    found = sealed(b'{"a":1}')

    assert was_changed(found.replace(found[-10:-2], b""))
    assert was_changed(found[:-2] + b'G"}')
