"""No case holds credentials or hidden prompts, and no message shows one. Source: contract of EvalCase v1, section 1."""

import json

import pytest

from skill_evaluator.credentials import MASK
from skill_evaluator.formats.evalcase.json_line import read_object
from skill_evaluator.formats.evalcase.rows import check_row
from skill_evaluator.formats.json_text import pointer_to
from tests.case_rows import Row, row

LETTERS = "Ab1" * 20
SECRETS = [
    f"sk-ant-{LETTERS[:20]}",
    f"ghp_{LETTERS[:36]}",
    f"github_pat_{LETTERS[:30]}",
    f"glpat-{LETTERS[:20]}",
    f"xoxb-{LETTERS[:20]}",
    f"AIza{LETTERS[:35]}",
    "AKIA" + "ABCD1234" * 2,
    f"hf_{'AbC1' * 8}",
    f"sk_live_{LETTERS[:24]}",
    f"Bearer {LETTERS[:24]}",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE",
    "-----BEGIN PRIVATE KEY-----",
    f"eyJ{LETTERS[:10]}.eyJ{LETTERS[:10]}.{LETTERS[:12]}",
    "postgres://ferry:h4rb0urm4ster@db.example/x",
    'api_key = "9f8e7d6c5b4a3210ff"',
    "password: tr0ub4dor-and-3-more",
]
PROMPTS = ["<|im_start|>system\nYou translate.", "x <<SYS>> y", "## System prompt: be brief", "<|start_header_id|>"]


def found(raw: Row) -> list[str]:
    return [f"{fault.code} {pointer_to(*fault.parts)}" for fault in check_row(raw, frozenset())]


@pytest.mark.parametrize("secret", SECRETS)
def test_a_credential_anywhere_is_refused_without_being_shown(secret: str) -> None:
    raw = row(source=f"see {secret}", context={"a": [{"b": secret}]}, references=[5], domain=f"x {secret}")
    faults = check_row(raw, frozenset())

    assert {f"{fault.code} {pointer_to(*fault.parts)}" for fault in faults} == {
        "credential /source",
        "credential /context/a/0/b",
        "credential /domain",
        "bad-domain /domain",
        "wrong-value /references/0",
    }
    assert not any(secret[-12:] in str(fault) for fault in faults)


@pytest.mark.parametrize("secret", SECRETS)
def test_a_credential_as_the_name_of_a_field(secret: str) -> None:
    faults = check_row(row(**{secret: "x"}), frozenset())

    assert [(fault.code, fault.parts) for fault in faults] == [("credential", (MASK,)), ("unknown-field", (MASK,))]
    assert not any(secret[-12:] in str(fault) for fault in faults)


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("line", ["{}", "[{}]", '[{{"a": {}}}]'])
def test_a_credential_in_a_line_that_is_no_object(secret: str, line: str) -> None:
    raw, faults = read_object(line.format(json.dumps(secret)))

    assert (raw, [fault.code for fault in faults]) == (None, ["wrong-value"])
    assert secret[-12:] not in str(faults)


@pytest.mark.parametrize("prompt", PROMPTS)
def test_a_prompt_in_a_text_is_refused(prompt: str) -> None:
    assert found(row(context={"note": f"a\n{prompt}"})) == ["hidden-prompt /context/note"]


@pytest.mark.parametrize(
    ("field", "code"),
    [
        *((name, "hidden-prompt") for name in ("system_prompt", "systemPrompt", "prompt", "few-shot", "System Prompt")),
        *((name, "credential") for name in ("api_key", "apiKey", "password", "Authorization", "client-secret")),
    ],
)
def test_fields_of_the_context_that_hold_such_by_their_name(field: str, code: str) -> None:
    raw = row(context={"deep": [{field: "hunter2"}], "page": "menu"})
    faults = check_row(raw, frozenset())

    assert found(raw) == [f"{code} /context/deep/0/{field}"]
    assert "hunter2" not in str(faults)


@pytest.mark.parametrize(
    "text",
    [
        *("Enter your password:", "Password: %(password)s", "Your API key: {key}", "api_key=YOUR_API_KEY_HERE"),
        *(
            "https://example.org/a:b@c",
            "https://user:%s@example.org",
            "http://user:password@example.org",
            "sk-SK",
            "ghp_x",
        ),
        *("System: reboot", "Ignore the system prompt", "<b>%s</b>", "<|>", "-----BEGIN CERTIFICATE-----", "[INST]"),
        "Bearer of bad news: internationalisation",
    ],
)
def test_texts_of_programs_are_no_credentials(text: str) -> None:
    raw = row(source=text, context={"length": 20, "secret": False, "prompts": 3, "tokens": 8, "keys": ["a"]})

    assert found(raw) == []


@pytest.mark.parametrize("unit", ["a", "a:", "://", "\n", "-----BEGIN ", "api_key ", "eyJ", "<|", "a1", " :"])
def test_a_long_text_is_looked_through_in_time_that_grows_with_its_length(unit: str) -> None:
    """With a search that grows with the square, this would take minutes."""
    assert found(row(source=f"x{unit * (900_000 // len(unit))}")) == []
