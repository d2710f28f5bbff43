"""An id stands for one case for ever: what changed its meaning is told beside the earlier folder."""

import tracemalloc
from pathlib import Path

import pytest

from skill_evaluator.formats.evalcase.case_files import find_case_files
from skill_evaluator.formats.evalcase.reading import open_cases
from skill_evaluator.formats.evalcase.since import read_earlier
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


def test_what_hides_whole_files_of_the_earlier_folder_is_told(tmp_path: Path) -> None:
    """Ids that nobody has read could be used again unseen."""
    old = case_folder(tmp_path / "old", {"cases/dev/a.jsonl": [row(1)], "cases/b.jsonl": [row(2)]})
    elsewhere = case_folder(tmp_path / "elsewhere", {"c.jsonl": [row(3)]})
    (old / "cases/dev/more").symlink_to(elsewhere)
    new = case_folder(tmp_path / "new", {"cases/dev/a.jsonl": [row(1), row(2), row(3)]})
    findings = open_cases(new, since=old).findings

    assert [(one.code, one.file) for one in findings] == [
        ("misplaced-file", str(old / "cases/b.jsonl")),
        ("folder-link", str(old / "cases/dev/more")),
    ]


@pytest.mark.parametrize(
    "files",
    [
        {"cases/dev/a.jsonl": b""},
        {"cases/dev/notes.md": b"none"},
        {"cases/dev/a.jsonl": b'{"case_id": "a", "text": "a candidate"}\n'},
    ],
)
def test_an_earlier_folder_without_any_id_is_hardly_the_one_that_was_meant(
    tmp_path: Path, files: dict[str, bytes]
) -> None:
    old = case_folder(tmp_path / "old", files)
    (finding,) = open_cases(case_folder(tmp_path / "new", {"cases/dev/a.jsonl": [row(1)]}), since=old).findings

    assert (finding.code, finding.file) == ("no-cases", str(old))
    assert "holds no case with an id" in finding.message


def test_locked_cases_that_may_not_be_opened_are_no_fault_of_the_earlier_folder(tmp_path: Path) -> None:
    old = case_folder(tmp_path / "old", {"cases/locked/a.jsonl": [row(1)]})
    new = case_folder(tmp_path / "new", {"cases/dev/a.jsonl": [row(1, source="another")]})

    assert not open_cases(new, since=old, include_locked=False).findings


def test_ten_thousand_earlier_ids_take_little_memory(tmp_path: Path) -> None:
    """A hash of 40 bytes and its place for each; objects and a dictionary took 280 bytes."""
    old = case_folder(tmp_path / "old", {"cases/dev/a.jsonl": [row(number) for number in range(10_000)]})
    files = find_case_files(old)
    assert files is not None
    tracemalloc.start()
    earlier = read_earlier(files, include_locked=True)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert earlier.fault_of("no such id", row()) is None
    assert kept < 150 * 10_000
