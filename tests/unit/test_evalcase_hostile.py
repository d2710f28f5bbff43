"""Damaged and hostile files of translation cases: no traceback, no control character shown, no half-read case."""

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.errors import InputError
from skill_evaluator.formats.evalcase.reading import open_cases
from skill_evaluator.graders.translation import ASSERTIONS
from tests.case_rows import asserting, case_folder, row, written
from tests.hostile import bounded, damaged_bytes, damaged_json

ROWS = [
    row(1, context={"page": "menu", "limit": 3}, references=["x"], tags=["a"], difficulty="basic"),
    asserting("protocol_complete", expected_items=3, terminator="<END>", format="json") | {"id": "a.b.002"},
    asserting("forbidden_renderings", renderings=["x", {"pattern": "y+"}]) | {"id": "a.b.003"},
    asserting("placeholder_integrity", syntax="custom", pattern=r"\$\w+") | {"id": "a.b.004"},
    asserting("max_chars", limit=8, unit="bytes") | {"id": "a.b.005"},
    asserting("required_tokens") | {"id": "a.b.006", "required_tokens": ["x"]},
]
MANIFEST = b"schema_version: 1\naccepted_licenses:\n- May be passed on\n"


def read(factory: pytest.TempPathFactory, files: Mapping[str, bytes]) -> None:
    folder = case_folder(factory.getbasetemp() / "hostile", files)
    source = open_cases(folder, since=folder)

    assert all(str(finding).isprintable() for finding in source.findings)
    if not source.is_sound:
        with pytest.raises(InputError):
            list(source)
        return
    cases = list(source)
    assert len(cases) == source.count
    assert all(isinstance(one.check, ASSERTIONS[one.name]) for case in cases for one in case.assertions)


@bounded(150)
@given(content=damaged_bytes(written(*ROWS)))
def test_damaged_files_of_cases(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    read(tmp_path_factory, {"cases/dev/a.jsonl": content, "manifest.yaml": MANIFEST})


@bounded(150)
@given(rows=st.sampled_from(ROWS).flatmap(damaged_json))
def test_damaged_cases(tmp_path_factory: pytest.TempPathFactory, rows: object) -> None:
    read(tmp_path_factory, {"cases/dev/a.jsonl": json.dumps(rows).encode(), "manifest.yaml": MANIFEST})


@bounded(80)
@given(content=damaged_bytes(MANIFEST))
def test_damaged_manifests(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    read(tmp_path_factory, {"cases/dev/a.jsonl": written(ROWS[0]), "manifest.yaml": content})
