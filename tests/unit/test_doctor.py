import importlib.metadata

import pytest

from skill_evaluator.api.doctor import VARIABLES, Diagnosis, doctor
from skill_evaluator.cli import main


def messages(environment: dict[str, str]) -> Diagnosis:
    (seen,) = [one for one in doctor(environment) if one.subject == "agent messages"]
    return seen


def test_doctor_names_the_sdk_the_server_and_the_variable_of_the_key() -> None:
    environment = {
        "ANTHROPIC_AUTH_TOKEN": "a-secret-token",
        "ANTHROPIC_BASE_URL": "https://user:a-secret-word@gateway.example:8443/llm?key=a-secret-key",
    }
    version = importlib.metadata.version("anthropic")

    assert messages(environment) == Diagnosis(
        subject="agent messages",
        fine=True,
        detail=f"anthropic {version}; server gateway.example:8443; credentials from ANTHROPIC_AUTH_TOKEN",
    )
    assert "secret" not in repr(doctor(environment))


def test_doctor_names_the_variable_that_counts_where_several_are_set() -> None:
    environment = {"ANTHROPIC_AUTH_TOKEN": "x", "ANTHROPIC_API_KEY": "y"}

    assert messages(environment).detail.endswith("server api.anthropic.com; credentials from ANTHROPIC_API_KEY")


def test_doctor_says_that_credentials_are_missing() -> None:
    seen = messages({"ANTHROPIC_API_KEY": ""})

    assert seen == messages({})
    assert (seen.fine, seen.ready) == (True, False)
    assert seen.detail.endswith(
        "no credentials: set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a server of your own, to ask it"
    )


def test_what_waits_for_a_key_is_not_called_ok(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)

    assert main(["doctor"]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "agent messages" in line]
    assert line.startswith("need ")


def test_a_server_of_ones_own_may_take_no_key() -> None:
    seen = messages({"ANTHROPIC_BASE_URL": "http://127.0.0.1:8080"})

    assert seen.ready
    assert seen.detail.endswith("server 127.0.0.1:8080; no credentials: none is set, which is fine where it takes none")


@pytest.mark.parametrize("url", ["localhost:8080", "not an address"])
def test_doctor_fails_a_base_url_that_is_none(url: str) -> None:
    seen = messages({"ANTHROPIC_BASE_URL": url})

    assert not seen.fine
    assert seen.detail.startswith("ANTHROPIC_BASE_URL is no HTTP address")
