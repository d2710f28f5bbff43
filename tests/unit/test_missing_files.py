"""New graders on saved runs: a file that was not kept is missing where all new files are listed, and else open."""

import pytest

from skill_evaluator.graders.suite import FileTarget, Regex
from skill_evaluator.grading import grade_run
from skill_evaluator.model import Case, Grader, Run, SeenFile, Source, Split


def passed(path: str, *, created: tuple[str, ...] | None, kept: str | None = None, **more: str) -> tuple[object, str]:
    case = Case(
        id="a",
        prompt="p",
        split=Split.TUNING,
        expect_trigger=True,
        sha256="",
        prompt_sha256="",
        source=Source(path="t"),
        files={"in/notes.md": "x", **more},
        graders=(Grader(name="g", check=Regex(pattern="x", target=FileTarget(path=path))),),
    )
    seen = {path: SeenFile.of(kept.encode())} if kept is not None else {}
    (verdict,) = grade_run(case, Run(case_id="a", triggered=True, created_files=created, seen_files=seen))
    return verdict.outcome.passed, verdict.outcome.code


@pytest.mark.parametrize(
    ("path", "created", "found"),
    [
        ("out.md", ("other.md",), (False, "file_missing")),
        ("./out.md", (), (False, "file_missing")),
        ("out.md", ("out.md",), (None, "not_run")),
        ("./out.md", ("out.md",), (None, "not_run")),
        ("out.md", None, (None, "not_run")),
        ("in/notes.md", (), (None, "not_run")),
        ("in", (), (None, "not_run")),
        (".claude/settings.json", (), (None, "not_run")),
        ("skills/a/SKILL.md", (), (None, "not_run")),
        ("a/.git/HEAD", (), (None, "not_run")),
    ],
)
def test_a_file_that_was_not_kept(path: str, created: tuple[str, ...] | None, found: tuple[object, str]) -> None:
    assert passed(path, created=created) == found


def test_a_file_that_was_kept_is_looked_at() -> None:
    assert passed("out.md", created=("out.md",), kept="xyz")[0] is True
