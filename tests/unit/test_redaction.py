"""Credentials never reach what is stored."""

import pytest

from skill_evaluator.redaction import MASK, blacken, secrets_of


def test_values_of_variables_named_like_credentials_are_secrets() -> None:
    environment = {
        "ANTHROPIC_API_KEY": "key-of-the-user",
        "GITHUB_TOKEN": "token-of-the-user-longer",
        "DB_PASSWORD": "short",
        "PATH": "/usr/bin:/usr/local/bin",
        "TOKENIZERS_PARALLELISM": "false-but-long-enough",
    }

    assert secrets_of(environment) == ("token-of-the-user-longer", "key-of-the-user")


def test_a_secret_that_contains_another_is_masked_whole() -> None:
    assert blacken("a=abcdefgh1234 b=abcdefgh", ["abcdefgh1234", "abcdefgh"]) == f"a={MASK} b={MASK}"


@pytest.mark.parametrize(
    "key",
    ["sk-ant-api03-abcdefghijklmnop_qrst", "ghp_abcdefghijklmnopqrstuvwxyz", "AKIAABCDEFGHIJKLMNOP"],
)
def test_well_known_key_shapes_are_masked_without_being_told(key: str) -> None:
    assert blacken(f'{{"output":"{key}"}}', []) == f'{{"output":"{MASK}"}}'


def test_ordinary_text_stays() -> None:
    text = "The risk-based task: bearer of news, sk-1, 令牌"

    assert blacken(text, ["unseen-secret"]) == text
