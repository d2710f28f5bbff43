"""An id stands for one case for ever: what changed its meaning is told beside the earlier folder."""

from pathlib import Path

import pytest

from skill_evaluator.formats.evalcase.reading import open_cases
from tests.case_rows import Row, asserting, case_folder, row

TWO = [
    {"name": "number_fidelity", "severity": "hard"},
    {"name": "placeholder_integrity", "severity": "hard", "params": {"syntax": "printf"}},
]


@pytest.mark.parametrize(
    ("before", "now", "changed"),
    [
        (row(), row(), None),
        (row(), row(source="another"), '"source"'),
        (row(), row(source_locale="en-GB"), '"source_locale"'),
        (row(), row(target_locale="de"), '"target_locale"'),
        (row(), row(required_tokens=["%d"]), '"required_tokens"'),
        (row(), row(source="another", assertions=TWO), '"source", "assertions"'),
        (asserting("max_chars", limit=3), asserting("max_chars", limit=4), '"assertions"'),
        (asserting("max_chars", limit=3), asserting("max_chars", limit=3, unit="graphemes"), None),
        (asserting("number_fidelity"), row(assertions=[{"name": "number_fidelity", "severity": "hard"}]), None),
        (
            asserting("number_fidelity"),
            row(assertions=[{"name": "number_fidelity", "severity": "report"}]),
            '"assertions"',
        ),
        (row(assertions=TWO), row(assertions=TWO[::-1]), None),
        (row(required_tokens=["a", "b"]), row(required_tokens=["b", "a"]), None),
        (row(), row(required_tokens=[], references=["x"], tags=["a"], domain="other", context={"a": 1}), None),
    ],
)
def test_what_changes_the_meaning_of_a_case(tmp_path: Path, before: Row, now: Row, changed: str | None) -> None:
    """Section 3.3: an id is not used again for another meaning."""
    old = case_folder(tmp_path / "old", {"cases/dev/a.jsonl": [row(7), before]})
    new = case_folder(tmp_path / "new", {"cases/locked/b.jsonl": [now, row(8)]})
    findings = open_cases(new, since=old).findings

    assert [one.code for one in findings] == (["reused-id"] if changed else [])
    if changed:
        (finding,) = findings
        assert (finding.file, finding.line) == (str(new / "cases/locked/b.jsonl"), 1)
        assert f"({old / 'cases/dev/a.jsonl'}:2): {changed} changed; give this case a new id" in finding.message


def test_ids_that_are_gone_and_new_ones_are_fine(tmp_path: Path) -> None:
    old = case_folder(tmp_path / "old", {"cases/dev/a.jsonl": [row(1), row(2)]})
    new = case_folder(tmp_path / "new", {"cases/dev/a.jsonl": [row(2), row(3)]})

    assert not open_cases(new, since=old).findings


def test_of_the_earlier_folder_only_what_hides_ids_is_told(tmp_path: Path) -> None:
    """It may have been sound for its time."""
    old = case_folder(tmp_path / "old", {"cases/dev/a.jsonl": b'{"id": \n' + b'{"id": "a", "novel": 1}\n'})
    new = case_folder(tmp_path / "new", {"cases/dev/a.jsonl": [row(1)]})
    findings = open_cases(new, since=old).findings

    assert [(one.code, one.file, one.line) for one in findings] == [("not-json", str(old / "cases/dev/a.jsonl"), 1)]
    assert [one.code for one in open_cases(new, since=tmp_path / "gone").findings] == ["not-found"]
