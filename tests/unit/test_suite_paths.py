"""What suites mean by paths where JavaScript and Python differ; all of it was recorded with the real program."""

import pytest

from skill_evaluator.graders.suite import FileTarget, Regex
from skill_evaluator.graders.suite.globs import glob_matches
from skill_evaluator.model import Run, SeenFile


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("?.txt", "😀.txt", False),
        ("??.txt", "😀.txt", True),
        ("na?ve.md", "naïve.md", True),
        ("**/top.log", "top.log", True),
        ("**/top.log", "x/top.log", True),
        ("**/top.log", "xtop.log", False),
        ("**/op.log", "x/top.log", False),
        ("**op.log", "x/top.log", True),
        ("x/**/top.log", "x/top.log", True),
        ("**/", "a.txt", False),
        ("**/**/top.log", "top.log", True),
    ],
)
def test_glob_goes_by_code_units_and_whole_folders(glob: str, path: str, *, matches: bool) -> None:
    assert glob_matches(glob, path) is matches


def test_new_files_are_listed_in_the_order_of_code_units() -> None:
    """U+1F600 is written as two units that come before U+FF5E."""
    run = Run(case_id="c", created_files=("a", "～", "😀"))

    assert Regex(pattern="^a\n😀\n～$", target="files").check(run).passed


@pytest.mark.parametrize(
    ("path", "content", "pattern"),
    [("a.txt", b"\xef\xbb\xbfzero", "^zero$"), ("../cwd/a.txt", b"zero", "zero"), ("a.txt", b"\xff", "^\\ufffd$")],
)
def test_file_is_read_without_its_mark_and_wherever_the_path_leads(path: str, content: bytes, pattern: str) -> None:
    run = Run(case_id="c", seen_files={path: SeenFile.of(content)})

    assert Regex(pattern=pattern, target=FileTarget(path=path)).check(run).passed
