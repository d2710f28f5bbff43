"""What a path stands for is told by what lies there."""

from pathlib import Path

import pytest

from skill_evaluator.formats.target_folders import holds_cases
from skill_evaluator.formats.targets import find_targets
from tests.suite_files import Files, lay_out

CASE = "prompt.md"


@pytest.mark.parametrize(
    ("files", "named", "targets"),
    [
        (["a.md"], "a.md", ["other a.md"]),
        (["SKILL.md"], "SKILL.md", ["other SKILL.md"]),
        (["prompt.md"], "prompt.md", ["suite prompt.md"]),
        (["case.yaml"], "case.yaml", ["suite case.yaml"]),
        (["case.yml"], "case.yml", ["other case.yml"]),
        ([], "gone", ["other gone"]),
        (["x"], ".", ["other ."]),
        (["SKILL.md"], ".", ["skill ."]),
        (["SKILL.md", "evals/evals.json"], ".", ["skill ."]),
        (["SKILL.md", "evals/a/prompt.md"], ".", ["skill .", "suite evals"]),
        (["SKILL.md", "prompt.md"], ".", ["skill ."]),
        (["c/prompt.md"], ".", ["suite ."]),
        (["c/d/case.yaml"], ".", ["suite ."]),
        (["c/prompt.md"], "c", ["suite c"]),
        (["evals/x"], "evals", ["suite evals"]),
        (["plugin.json", "qa/x"], "qa", ["other qa"]),
        (["plugin.json"], ".", ["suite ."]),
        (
            [".claude-plugin/plugin.json", "skills/b/SKILL.md", "skills/a/SKILL.md"],
            ".",
            ["skill skills/a", "skill skills/b", "suite ."],
        ),
        (["plugin.json", "SKILL.md", "evals/c/prompt.md"], ".", ["skill .", "suite ."]),
        (
            ["b/plugin.json", "a/.claude-plugin/plugin.json", "a/skills/s/SKILL.md"],
            ".",
            ["skill a/skills/s", "suite a", "suite b"],
        ),
        (["b/SKILL.md", "a/SKILL.md", "a/evals/c/prompt.md", "x/y"], ".", ["skill a", "suite a/evals", "skill b"]),
        (["a/b/SKILL.md"], ".", ["other ."]),
        (["a.jsonl"], "a.jsonl", ["cases a.jsonl"]),
        ([], "gone.jsonl", ["other gone.jsonl"]),
        (["evals/c/mocks/a.jsonl"], "evals/c/mocks/a.jsonl", ["other evals/c/mocks/a.jsonl"]),
        (["cases/dev/a.jsonl"], ".", ["cases ."]),
        (["cases/locked/a.jsonl"], ".", ["cases ."]),
        (["cases/a.jsonl"], ".", ["cases ."]),
        (["manifest.yaml", "cases/x"], ".", ["cases ."]),
        (["cases/x"], ".", ["other ."]),
        (["cases/dev/prompt.md"], ".", ["suite ."]),
        (["a/cases/dev/x", "b/cases/dev/x", "c/x"], ".", ["cases a", "cases b"]),
        (["a/cases/dev/x", "c/prompt.md"], ".", ["suite .", "cases a"]),
        (["SKILL.md", "evals/i18n/cases/dev/a.jsonl"], ".", ["skill .", "cases evals/i18n"]),
        (["SKILL.md", "evals/cases/dev/a.jsonl"], ".", ["skill .", "cases evals"]),
        (
            ["SKILL.md", "evals/i18n/cases/dev/x", "evals/c/prompt.md"],
            ".",
            ["skill .", "suite evals", "cases evals/i18n"],
        ),
        (["plugin.json", "evals/i18n/cases/dev/x"], ".", ["cases evals/i18n"]),
        (["plugin.json", "evals/i18n/cases/dev/x", "evals/c/prompt.md"], ".", ["suite .", "cases evals/i18n"]),
        (["a/SKILL.md", "t/cases/dev/x"], ".", ["skill a", "cases t"]),
    ],
)
def test_by_content(tmp_path: Path, files: list[str], named: str, targets: list[str]) -> None:
    lay_out(tmp_path, dict.fromkeys(files, ""))
    found = find_targets(tmp_path / named)

    assert [f"{target.kind} {target.path.relative_to(tmp_path)}" for target in found] == targets


def test_with_an_eval_directory_the_folder_is_a_plugin(tmp_path: Path) -> None:
    lay_out(tmp_path, {"SKILL.md": "", "qa/c/prompt.md": ""})

    assert [target.kind for target in find_targets(tmp_path, eval_dir="qa")] == ["skill", "suite"]


@pytest.mark.parametrize("link", ["skills", "skills/a", "skills/a/SKILL.md", "evals"])
def test_links_that_lead_out_are_not_followed(tmp_path: Path, link: str) -> None:
    files: Files = {
        "out/SKILL.md": "",
        "out/a/SKILL.md": "",
        "out/c/prompt.md": "",
        "p/SKILL.md": "",
        "p/plugin.json": "",
    }
    path = lay_out(tmp_path, files) / "p" / link
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(tmp_path / "out" / ("SKILL.md" if link.endswith(".md") else ""))

    assert [target.path for target in find_targets(tmp_path / "p")] == [tmp_path / "p", tmp_path / "p"]
    assert not holds_cases(tmp_path / "p")
