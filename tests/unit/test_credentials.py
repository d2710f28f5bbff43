"""What has the shape of a credential is masked wherever an agent wrote it, and nothing beside it."""

import json

import pytest

from skill_evaluator.credentials import MASK, has_hint, mask_credentials
from skill_evaluator.model import Run
from skill_evaluator.redaction import blacken_run

LETTERS = "Ab1" * 20
BODY = "\n".join(["MIIEvQ" + LETTERS, LETTERS, "Zz9=", ""])
KEY = f"-----BEGIN PRIVATE KEY-----\n{BODY}-----END PRIVATE KEY-----"
PGP = f"-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: Quay 2\n\n{BODY}=aB3d\n-----END PGP PRIVATE KEY BLOCK-----"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        *((f"a {token} b", f"a {MASK} b") for token in (KEY, PGP, f"glpat-{LETTERS[:20]}", f"hf_{'AbC1' * 8}")),
        (f"a {KEY[:120]}", f"a {MASK}"),
        (f"eyJ{LETTERS[:10]}.eyJ{LETTERS[:10]}.{LETTERS[:12]}", MASK),
        (f'x = "{KEY.splitlines()[0]}\\n"\n    "{LETTERS}\\n"\n    "{LETTERS}"\ny = 1', f'x = "{MASK}"\ny = 1'),
        ("postgres://ferry:h4rb0urm4ster@db.example/x", f"postgres://ferry:{MASK}@db.example/x"),
        ('api_key = "9f8e7d6c5b4a3210ff" # mine', f'api_key = "{MASK}" # mine'),
        ("the password: tr0ub4dor-and-3-more", f"the password: {MASK}"),
    ],
)
def test_a_credential_is_masked_and_nothing_else(text: str, masked: str) -> None:
    assert mask_credentials(text) == masked
    assert mask_credentials(masked) == masked


@pytest.mark.parametrize(
    "text",
    [
        "A file that begins with -----BEGIN PRIVATE KEY----- is a key; it ends with -----END PRIVATE KEY-----.",
        'if "-----BEGIN RSA PRIVATE KEY-----" in text:\n    warn("a private key")\n',
        "password = base64.b64decode(kept)",
        "Your password: at least twelve letters and 2 digits",
        "https://user:password@example.org and https://user:${PASSWORD}@example.org",
        '{"url":"https://example.org","who":"a@example.org"}',
        "The token: see page 12. 密码：请输入您的密码123456",
    ],
)
def test_what_people_write_about_credentials_stays(text: str) -> None:
    assert has_hint(text)
    assert mask_credentials(text) == text


@pytest.mark.parametrize("said", [f"so: {KEY} end", f"cut: {KEY[:90]}"])
def test_a_line_of_json_stays_one(said: str) -> None:
    lines = (
        json.dumps({"text": said, "after": ["kept"]}),
        json.dumps({"text": json.dumps({"inner": said}), "after": ["kept"]}),
    )
    kept = blacken_run(Run(case_id="c", trace=lines), ()).trace or ()

    assert [json.loads(line)["after"] for line in kept] == [["kept"]] * 2
    assert all(MASK in line for line in kept)
    assert not any(secret in line for line in kept for secret in ("MIIEvQ", "Ab1Ab1"))


@pytest.mark.parametrize("said", ["DATABASE=amqp://me:h4rb0ur1@x/", "password: tr0ub4dor-and-3"])
def test_an_output_keeps_passwords_that_may_be_examples(said: str) -> None:
    """A skill that writes settings is graded by them."""
    assert mask_credentials(said) != said
    assert blacken_run(Run(case_id="c", output=said), ()).output == said


def test_a_line_that_was_cut_is_masked_too() -> None:
    line = json.dumps({"text": f"so: {KEY}"})[:100]

    assert blacken_run(Run(case_id="c", trace=(line,)), ()).trace == (f'{{"text": "so: {MASK}',)


@pytest.mark.parametrize("unit", ["-----BEGIN PRIVATE KEY-----", f"{KEY[:60]}\\", "a://b:", "password=1", "eyJ", "sk-"])
def test_a_long_text_is_looked_through_in_time_that_grows_with_its_length(unit: str) -> None:
    """With a search that grows with the square, this would take minutes."""
    mask_credentials(unit * (900_000 // len(unit)))
