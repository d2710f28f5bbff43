"""Folders and files of translation cases: what is read, every fault of every line at once, and nothing kept."""

import codecs
import json
import os
import tracemalloc
from pathlib import Path

import pytest

from skill_evaluator.errors import InputError
from skill_evaluator.formats.evalcase.lines import MAX_LINE_BYTES, read_lines
from skill_evaluator.formats.evalcase.reading import CaseSource, open_cases
from tests.case_rows import Row, case_folder, row, written

ROOT = Path(__file__).parents[2]


def said(source: CaseSource, root: Path) -> list[str]:
    """Findings as `LEVEL code file:line pointer`."""
    return [
        f"{one.level} {one.code} {str(one.file).removeprefix(f'{root}').lstrip('/')}"
        f"{'' if one.line is None else f':{one.line}'} {one.pointer or ''}".strip()
        for one in source.findings
    ]


def test_the_folder_of_section_2(tmp_path: Path) -> None:
    """manifest.yaml, cases/dev, cases/locked; rubrics and baselines are left alone."""
    folder = case_folder(
        tmp_path,
        {
            "manifest.yaml": b"schema_version: 1\n",
            "cases/dev/protocol.jsonl": [row(1)],
            "cases/dev/placeholders.jsonl": [row(2), row(3)],
            "cases/dev/more/deep.jsonl": [row(4)],
            "cases/locked/x.jsonl": [row(5)],
            "rubrics/a.md": b"\xff",
            "baselines/b.jsonl": b"{",
        },
    )
    source = open_cases(folder)

    assert (source.findings, source.count, source.left_out) == ((), 5, 0)
    assert [(case.id[-1], case.locked, Path(case.place.path).name, case.place.line) for case in source] == [
        ("4", False, "deep.jsonl", 1),
        ("2", False, "placeholders.jsonl", 1),
        ("3", False, "placeholders.jsonl", 2),
        ("1", False, "protocol.jsonl", 1),
        ("5", True, "x.jsonl", 1),
    ]
    assert [case.id for case in source] == [case.id for case in source]


def test_all_faults_of_all_files_at_once(tmp_path: Path) -> None:
    """Malformed lines, mixed encodings, an overlong line, an unknown assertion, ids that stand twice."""
    unknown = row(4, assertions=[{"name": "placeholder_set", "severity": "hard"}])
    overlong = b'{"source": "' + b"x" * (50 * 1024 * 1024) + b'"}\n'
    latin = written(row(2, source="café %d")).decode().encode("latin-1")
    folder = case_folder(
        tmp_path,
        {
            "cases/dev/a.jsonl": written(row(1)) + b'{"id": \n' + latin + written(row(3, sorce="x", tags=["A"])),
            "cases/dev/b.jsonl": codecs.BOM_UTF8 + written(unknown) + overlong + b"\r\n" + written(row(5)),
            "cases/dev/c.jsonl": written(row(6)).decode().encode("utf-16"),
            "cases/dev/d.jsonl": written(row(7)).decode().encode("utf-32-le"),
            "cases/locked/e.jsonl": [row(8, source="x %d"), row(1, source="y %d")],
            "manifest.yaml": b"schema_version: 1\nacepted_licenses: []\n",
        },
    )
    tracemalloc.start()
    source = open_cases(folder)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert said(source, folder) == [
        "FAIL unknown-field manifest.yaml:2 /acepted_licenses",
        "FAIL not-json cases/dev/a.jsonl:2",
        "FAIL not-utf8 cases/dev/a.jsonl:3",
        "FAIL unknown-field cases/dev/a.jsonl:4 /sorce",
        "FAIL bad-tag cases/dev/a.jsonl:4 /tags/0",
        "FAIL unknown-assertion cases/dev/b.jsonl:1 /assertions/0/name",
        "FAIL line-too-long cases/dev/b.jsonl:2",
        "FAIL not-utf8 cases/dev/c.jsonl:1",
        "FAIL not-utf8 cases/dev/d.jsonl:1",
        "FAIL duplicate-id cases/locked/e.jsonl:2 /id",
    ]
    duplicate = source.findings[-1]
    assert f"first in {folder / 'cases/dev/a.jsonl'}:1" in duplicate.message
    assert peak < 12 * MAX_LINE_BYTES
    with pytest.raises(InputError) as caught:
        list(source)
    assert caught.value.findings == source.findings


def test_lines_at_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    full = b"x" * MAX_LINE_BYTES
    path.write_bytes(b"\n".join([full, full + b"x", full + b"\r", full + b"xx", b"a" * (3 * MAX_LINE_BYTES), b"end"]))

    assert [(line.number, line.text is not None) for line in read_lines(path)] == [
        (1, True),
        (2, False),
        (3, True),
        (4, False),
        (5, False),
        (6, True),
    ]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_line_ends_blank_lines_and_a_byte_order_mark(tmp_path: Path, end: bytes) -> None:
    lines = [codecs.BOM_UTF8 + written(row(1)).strip(), b"", b" \t", written(row(2)).strip()]
    folder = case_folder(tmp_path, {"cases/dev/a.jsonl": end.join(lines)})
    source = open_cases(folder)

    assert not source.findings
    assert [case.place.line for case in source] == [1, 4]


def test_a_text_keeps_line_separators_of_other_kinds(tmp_path: Path) -> None:
    r"""U+2028 and U+0085 end no line of JSON Lines."""
    odd = row(1, source="a\u2028b\u0085c %d")
    folder = case_folder(tmp_path, {"cases/dev/a.jsonl": [odd]})

    assert [case.source for case in open_cases(folder)] == ["a\u2028b\u0085c %d"]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"cases/x.jsonl": [row(1)], "cases/dev/a.jsonl": [row(2)]}, ["FAIL misplaced-file cases/x.jsonl"]),
        ({"cases/test/x.jsonl": [row(1)], "cases/dev/a.jsonl": [row(2)]}, ["FAIL misplaced-file cases/test/x.jsonl"]),
        ({"cases/dev/a.jsonl": [row(2)], "cases/dev/a.json": b"[]"}, ["WARN not-read cases/dev/a.json"]),
        ({"cases/dev/a.jsonl": [row(2)], "cases/locked/B.JSONL": b"[]"}, ["WARN not-read cases/locked/B.JSONL"]),
        ({"cases/dev/a.jsonl": [row(2)], "cases/dev/.gitkeep": b"", "cases/README.md": b""}, []),
        ({"cases/dev/.gitkeep": b""}, ["FAIL no-cases "]),
        ({"cases/dev/a.jsonl": b"\n\n"}, ["FAIL no-cases "]),
        ({"manifest.yaml": b"schema_version: 1"}, ["FAIL no-cases "]),
    ],
)
def test_what_lies_in_a_folder(tmp_path: Path, files: dict[str, bytes | list[Row]], expected: list[str]) -> None:
    assert said(open_cases(case_folder(tmp_path, files)), tmp_path) == [one.strip() for one in expected]


def test_links_and_what_is_no_file(tmp_path: Path) -> None:
    folder = case_folder(tmp_path / "f", {"cases/dev/a.jsonl": [row(1)], "cases/locked/l.jsonl": [row(2)]})
    dev = folder / "cases/dev"
    (tmp_path / "elsewhere.jsonl").write_bytes(written(row(3)))
    (dev / "b.jsonl").symlink_to(tmp_path / "elsewhere.jsonl")
    (dev / "c.jsonl").symlink_to("nowhere.jsonl")
    (dev / "d").symlink_to("../locked")
    (dev / "e.jsonl").symlink_to("../locked/l.jsonl")
    (dev / "f.jsonl").hardlink_to(folder / "cases/locked/l.jsonl")
    os.mkfifo(dev / "g.jsonl")
    found = said(open_cases(folder, include_locked=False), folder)

    assert [one for one in found if "duplicate" not in one] == [
        "FAIL folder-link cases/dev/d",
        "FAIL link-to-locked cases/dev/e.jsonl",
        "FAIL link-to-locked cases/dev/f.jsonl",
        "FAIL not-found cases/dev/c.jsonl",
        "FAIL not-regular cases/dev/g.jsonl",
    ]


@pytest.mark.parametrize("name", ["cases/dev", "cases/locked"])
def test_a_file_where_a_folder_of_cases_is_wanted_is_told_as_one(tmp_path: Path, name: str) -> None:
    folder = case_folder(tmp_path, {"cases/other/a.jsonl": b"", name: written(row(1))})
    (folder / "cases/other/a.jsonl").unlink()
    (finding,) = open_cases(folder).findings

    assert (finding.code, finding.file) == ("misplaced-file", str(folder / name))
    assert finding.message == "is no folder; make a folder of that name, and put the files of cases into it"


@pytest.mark.parametrize("name", ["cases", "cases/dev"])
def test_a_link_out_of_the_folder_is_told_in_words_of_cases(tmp_path: Path, name: str) -> None:
    elsewhere = case_folder(tmp_path / "elsewhere", {"dev/a.jsonl": [row(1)]})
    (tmp_path / "f" / name).parent.mkdir(parents=True)
    (tmp_path / "f" / name).symlink_to(elsewhere)
    findings = open_cases(tmp_path / "f").findings

    assert {one.code for one in findings} == {"leads-outside"}
    assert all("out of the folder that was named" in one.message for one in findings)
    assert not any("plugin" in one.message or "suite" in one.message for one in findings)


def test_a_folder_of_dev_that_leads_to_locked(tmp_path: Path) -> None:
    folder = case_folder(tmp_path, {"cases/locked/l.jsonl": [row(2)]})
    (folder / "cases/dev").symlink_to("locked")

    assert said(open_cases(folder, include_locked=False), folder) == ["FAIL link-to-locked cases/dev/l.jsonl"]


def test_whoever_makes_prompts_never_opens_a_locked_file(tmp_path: Path) -> None:
    """Section 2: what is in it would be a fault for whoever reads it."""
    folder = case_folder(tmp_path, {"cases/dev/a.jsonl": [row(1)], "cases/locked/more/x.jsonl": b"\xff"})
    locked = folder / "cases/locked/more/x.jsonl"
    source = open_cases(folder, include_locked=False)

    assert (source.findings, source.count, source.left_out) == ((), 1, 1)
    assert [case.id for case in source] == ["placeholder.printf.001"]
    assert said(open_cases(locked, include_locked=False), folder) == ["FAIL locked-cases cases/locked/more/x.jsonl"]


def test_a_locked_file_by_another_name_is_locked(tmp_path: Path) -> None:
    folder = case_folder(tmp_path, {"cases/locked/x.jsonl": [row(1)]})
    (tmp_path / "y.jsonl").symlink_to(folder / "cases/locked/x.jsonl")

    assert said(open_cases(tmp_path / "y.jsonl", include_locked=False), tmp_path) == ["FAIL locked-cases y.jsonl"]
    assert [case.locked for case in open_cases(tmp_path / "y.jsonl")] == [True]


def test_a_dev_case_that_gives_away_a_locked_answer(tmp_path: Path) -> None:
    """Section 1: no case holds answers of locked ones."""
    files = {
        "cases/dev/a.jsonl": [row(1, source="a %d"), row(2, source="b %d", references=["x %d"]), row(3, source="c %d")],
        "cases/locked/b.jsonl": [
            row(4, source="a %d"),
            row(5, source="b %d"),
            row(6, source="c %d", target_locale="de"),
        ],
    }
    folder = case_folder(tmp_path, files)

    assert said(open_cases(folder), folder) == [
        "WARN locked-answer cases/locked/b.jsonl:1 /source",
        "FAIL locked-answer cases/locked/b.jsonl:2 /source",
    ]


def test_one_file_with_the_manifest_of_its_folder(tmp_path: Path) -> None:
    mine = row(1, provenance={"kind": "synthetic", "license": "Ferry terms 2"})
    manifest = b"schema_version: 1\naccepted_licenses:\n- Ferry terms 2\n"
    folder = case_folder(tmp_path, {"manifest.yaml": manifest, "cases/dev/in/a.jsonl": [mine]})

    assert not open_cases(folder).findings
    assert not open_cases(folder / "cases/dev/in/a.jsonl").findings
    (folder / "manifest.yaml").unlink()
    assert [one.code for one in open_cases(folder).findings] == ["bad-license"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"", ["wrong-value:1"]),
        (b"- a\n", ["wrong-value:1"]),
        (b"accepted_licenses: []\n", ["missing-field:1"]),
        (b"schema_version: '1'\n", ["wrong-value:1"]),
        (b"schema_version: true\n", ["wrong-value:1"]),
        (b"schema_version: 2\n", ["other-version:1"]),
        (b"schema_version: 1\nname: x\n", ["unknown-field:2"]),
        (b"schema_version: 1\naccepted_licenses: mine\n", ["wrong-value:2"]),
        (b"schema_version: 1\naccepted_licenses:\n- mine\n- Fair Use\n- 3\n", ["bad-license:4", "wrong-value:5"]),
        (b"schema_version: 1\nschema_version: 1\n", ["not-yaml:2"]),
        (b"schema_version: 1\naccepted_licenses: [\xff]\n", ["not-utf8:2"]),
    ],
)
def test_manifests_that_are_refused(tmp_path: Path, text: bytes, expected: list[str]) -> None:
    folder = case_folder(tmp_path, {"manifest.yaml": text, "cases/dev/a.jsonl": [row(1)]})

    assert [f"{one.code}:{one.line}" for one in open_cases(folder).findings] == expected


def test_a_file_of_candidates_is_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_bytes(written({"case_id": "a.b", "text": "x"}, {"case_id": "a.c", "text": "x", "raw_response": None}))
    (finding,) = open_cases(path).findings

    assert (finding.code, finding.line) == ("candidates-file", 1)
    assert "translation check" in finding.message


def test_paths_that_lead_nowhere(tmp_path: Path) -> None:
    assert said(open_cases(tmp_path / "gone.jsonl"), tmp_path) == ["FAIL not-found gone.jsonl"]
    assert said(open_cases(tmp_path), tmp_path) == ["FAIL no-cases"]


@pytest.mark.parametrize("change", ["other", "more", "less", "gone"])
def test_a_file_that_changed_after_it_was_checked_is_refused(tmp_path: Path, change: str) -> None:
    folder = case_folder(tmp_path, {"cases/dev/a.jsonl": [row(1), row(2)]})
    path = folder / "cases/dev/a.jsonl"
    source = open_cases(folder)
    match change:
        case "other":
            path.write_bytes(written(row(1), row(3)))
        case "more":
            path.write_bytes(written(row(1), row(2), row(3)))
        case "less":
            path.write_bytes(written(row(1)))
        case _:
            path.unlink()
    with pytest.raises(InputError) as caught:
        list(source)

    assert [one.code for one in caught.value.findings] == ["not-found" if change == "gone" else "changed-file"]


def test_memory_does_not_grow_with_the_number_of_cases(tmp_path: Path) -> None:
    def peak(count: int) -> int:
        rows = [row(number, source=f"{number} %d " + "x" * 2000) for number in range(count)]
        folder = case_folder(tmp_path / str(count), {"cases/dev/a.jsonl": rows})
        del rows
        tracemalloc.start()
        assert sum(1 for _ in open_cases(folder)) == count
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    peak(10)  # loads what is loaded once

    assert peak(1000) - peak(20) < 1000 * 400  # ids and hashes, not the 2,500 characters of each case


def test_the_cases_of_this_project_are_sound() -> None:
    source = open_cases(ROOT / "testsets" / "translation")

    assert not source.findings
    assert any(case.locked for case in source)


def test_a_case_is_written_back_as_it_was(tmp_path: Path) -> None:
    odd = row(1, context={"a": [1, 2.5, None, {"b": True}]}, references=["é\u202e"], tags=["游戏"])
    folder = case_folder(tmp_path, {"cases/dev/a.jsonl": [odd]})

    assert [json.loads(json.dumps(case.row)) for case in open_cases(folder)] == [odd]
