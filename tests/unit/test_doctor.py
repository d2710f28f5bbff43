import importlib.metadata

import pytest

from skill_evaluator.api.doctor import Diagnosis, doctor


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
    assert messages({}).fine
    assert messages({"ANTHROPIC_API_KEY": ""}).detail.endswith("no credentials: set ANTHROPIC_API_KEY to ask it")


@pytest.mark.parametrize("url", ["localhost:8080", "not an address"])
def test_doctor_fails_a_base_url_that_is_none(url: str) -> None:
    seen = messages({"ANTHROPIC_BASE_URL": url})

    assert not seen.fine
    assert seen.detail.startswith("ANTHROPIC_BASE_URL is no HTTP address")
