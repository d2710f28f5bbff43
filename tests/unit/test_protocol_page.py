"""The examples of each code in docs/formats.md get that code."""

import json
import re
from pathlib import Path

import pytest

from skill_evaluator.formats.evalcase.checks import check_of
from skill_evaluator.graders.translation.protocol.faults import GRAVITY
from skill_evaluator.model import Run

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "formats.md").read_text("utf-8")
ROW = re.compile(r"^\| `(\w+)` \| `(.+)` \| (?:`(.+)`|.+) \|$", re.MULTILINE)
LONG = "a" * 5_000 + "!"


def examples(name: str) -> list[tuple[str, str, str]]:
    """Give the rows of the table of codes: code, params, text; a text that is only described is the long one."""
    section = PAGE.split(f"\n### {name}\n")[1].split("\n### ")[0].split("example: ")[1]
    return [(code, params.replace("\\|", "|"), text or json.dumps(LONG)) for code, params, text in ROW.findall(section)]


@pytest.mark.parametrize(("code", "params", "text"), examples("protocol_complete"))
def test_protocol_complete(code: str, params: str, text: str) -> None:
    run = Run(case_id="c", output="", raw_response=json.loads(text))
    assert check_of("protocol_complete", json.loads(params), {}).check(run).code == code


@pytest.mark.parametrize(("code", "params", "text"), examples("max_chars"))
def test_max_chars(code: str, params: str, text: str) -> None:
    run = Run(case_id="c", output=json.loads(text))
    assert check_of("max_chars", json.loads(params), {}).check(run).code == code


@pytest.mark.parametrize(("code", "tokens", "text"), examples("required_tokens"))
def test_required_tokens(code: str, tokens: str, text: str) -> None:
    run = Run(case_id="c", output=json.loads(text))
    assert check_of("required_tokens", {}, {"required_tokens": json.loads(tokens)}).check(run).code == code


@pytest.mark.parametrize(("code", "renderings", "text"), examples("forbidden_renderings"))
def test_forbidden_renderings(code: str, renderings: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skill_evaluator.graders.translation.forbidden_renderings.MATCH_LIMIT_S", 0.05)
    run = Run(case_id="c", output=json.loads(text))
    assert check_of("forbidden_renderings", {"renderings": json.loads(renderings)}, {}).check(run).code == code


def test_every_code_has_an_example_in_the_order_of_gravity() -> None:
    assert list(dict.fromkeys(code for code, _, _ in examples("protocol_complete"))) == ["ok", *GRAVITY]
    assert {code for code, _, _ in examples("required_tokens")} == {"ok", "token_missing", "token_count_mismatch"}
    assert {code for code, _, _ in examples("forbidden_renderings")} == {
        "ok",
        "forbidden_rendering_found",
        "rendering_timeout",
    }
    assert {code for code, _, _ in examples("max_chars")} == {"ok", "too_long"}
