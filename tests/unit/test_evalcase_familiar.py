"""The short ways of checking cases give what the long ones do, or give way to them."""

import re
import sys
from collections.abc import Mapping

import pytest

from skill_evaluator.formats.evalcase.familiar import Familiar
from skill_evaluator.formats.evalcase.locales import _COMMON, _NORMAL, _normal
from skill_evaluator.formats.evalcase.rows import check_row
from skill_evaluator.formats.evalcase.secrets import has_hint, hidden_material

CASE: Mapping[str, object] = {
    "schema_version": 1,
    "id": "a.1",
    "source_locale": "en-US",
    "target_locale": "de",
    "domain": "web",
    "source": "%s files",
    "assertions": [{"name": "placeholder_integrity", "severity": "hard", "params": {"syntax": "python"}}],
    "provenance": {"kind": "synthetic", "license": "CC0-1.0"},
}


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"schema_version": True},
        {"schema_version": 1.0},
        {"required_tokens": []},
        {"assertions": [{"name": "required_tokens", "severity": "hard"}], "required_tokens": ["a"]},
        {"assertions": [{"name": "required_tokens", "severity": "hard"}]},
        {"assertions": [{"name": "max_chars", "severity": "hard", "params": {"limit": True}}]},
        {"assertions": [{"name": "max_chars", "severity": "hard", "params": {"limit": 1}}]},
        {"assertions": []},
        {"target_locale": "en-US"},
        {"id": "A"},
        {"source": " "},
        {"context": {"prompt": "do"}},
        {"references": [""]},
        {"tags": ["A"]},
        {"provenance": {"kind": "synthetic", "license": "unknown"}},
        {"colour": "red"},
        {"domain": "sk-" + "a" * 40},
        {"source": "sk-" + "a" * 40},
    ],
)
@pytest.mark.parametrize("without", [None, *CASE])
def test_a_familiar_case_has_the_faults_of_any_other(changed: Mapping[str, object], without: str | None) -> None:
    familiar = Familiar()
    row = {key: value for key, value in {**CASE, **changed}.items() if key != without}
    for one in (CASE, row, CASE, row):
        assert familiar.faults_of(one) == check_row(one, ())


@pytest.mark.parametrize("letters", ["keytoken", "secretpassword", "systemprompt"])
def test_no_letter_that_counts_as_one_of_a_hint_is_overlooked(letters: str) -> None:
    for letter in set(letters):
        alike = re.compile(letter, re.IGNORECASE)
        others = [chr(code) for code in range(sys.maxunicode + 1) if alike.fullmatch(chr(code))]
        assert {one.casefold() for one in others} == {letter}


@pytest.mark.parametrize(
    "text",
    [
        *("-----BEGIN RSA PRIVATE KEY-----", "github_pat_" + "a" * 22, "glpat-" + "a" * 20, "xoxb-" + "1" * 12),
        *("sk_live_" + "a" * 20, "AIza" + "a" * 35, "ya29." + "a" * 22, "hf_" + "a" * 30, "npm_" + "a" * 36),
        *("pypi-" + "a" * 50, "ASIA" + "A" * 16, f"SG.{'a' * 20}.{'b' * 20}", f"eyJ{'a' * 9}.eyJ{'b' * 9}.{'c' * 9}"),
        *("API-KEY=abcdefghij12", "\u212aey: x secret_\u212aey: abcdefghij12", "Pa\u017fsword: abcdefghij12"),
        *("access_token: abcdefghij12", "sk-ant-" + "a" * 20, "ghp_" + "a" * 20, "gho_" + "a" * 20, "ghs_" + "a" * 20),
        *("ghu_" + "a" * 20, "ghr_" + "a" * 20, "AKIA" + "A" * 16, "Bearer " + "a" * 20, "ftp://me:hunter2@host"),
        *("<|im_start|>", "<|EOT_ID|>", "<<sys>>", "System Prompt:", "# hidden system prompt\uff1a"),
    ],
)
def test_whatever_is_hidden_has_a_hint(text: str) -> None:
    assert has_hint(text)
    assert hidden_material({**CASE, "source": f"so {text}" if text[0] not in "S#" else text})


@pytest.mark.parametrize("tag", sorted(_COMMON))
def test_locales_that_are_not_looked_up_are_valid(tag: str) -> None:
    assert _NORMAL.fullmatch(tag)
    assert _normal(tag) == tag
