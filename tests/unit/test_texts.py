"""What the repository tells people must be so: commands, links, examples, pins, its own skill and test set."""

import json
import os
import re
import shlex
import shutil
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from skill_evaluator.cli import main
from skill_evaluator.cli.parser import build_parser
from skill_evaluator.formats.skill_md import read_skill
from skill_evaluator.formats.testset import read_testset
from skill_evaluator.model import Skill, Split, Suite

ROOT = Path(__file__).resolve().parents[2]
READMES = ("README.md", "README.zh.md")
TEXTS = (
    *READMES,
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SKILL.md",
    *sorted(page.relative_to(ROOT).as_posix() for page in ROOT.glob("docs/**/*.md")),
)
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def tokens(name: str) -> Iterator[Token]:
    """All tokens of a Markdown file, those inside a line included; without the frontmatter."""
    source = re.sub(r"\A---\n.*?\n---\n", "", text(name), flags=re.DOTALL)
    for token in MarkdownIt().enable("table").parse(source):
        yield token
        yield from token.children or ()


def fences(name: str, language: str) -> list[str]:
    return [token.content for token in tokens(name) if token.type == "fence" and token.info == language]


def commands(name: str) -> list[str]:
    return [line for block in fences(name, "sh") for line in block.splitlines()]


def evaluator_calls(name: str) -> list[str]:
    """The calls of the program itself, alone on a line or at the end of a chain of commands."""
    calls = (call.strip().removeprefix(".venv/bin/") for line in commands(name) for call in line.split("&&"))
    return [call for call in calls if call.startswith("skill-evaluator ")]


def test_both_readmes_show_the_same_commands() -> None:
    assert commands("README.md") == commands("README.zh.md")
    assert len(evaluator_calls("README.md")) >= 10


@pytest.mark.parametrize("call", dict.fromkeys(evaluator_calls("README.md")))
def test_readme_calls_are_understood(call: str) -> None:
    options = build_parser().parse_args(shlex.split(call)[1:])

    assert options.module


def test_skill_md_calls_are_understood() -> None:
    inline = [token.content for token in tokens("SKILL.md") if token.type == "code_inline"]
    calls = [content for content in inline if content.startswith("skill-evaluator ")]

    assert len(calls) >= 5
    for call in calls:
        assert build_parser().parse_args(shlex.split(call)[1:]).module


def by_age(folder: Path, pattern: str) -> list[str]:
    return [str(path) for path in sorted(folder.glob(pattern), key=lambda path: path.stat().st_mtime_ns)]


def filled(call: str, folder: Path) -> list[str]:
    """A call's arguments; capitals stand for the newest report, the oldest, and the newest folder of runs."""
    reports = by_age(folder / "reports", "*Z*.json") or ["none yet"]
    runs = by_age(folder / ".skill-evaluator" / "runs", "*") or ["none yet"]
    values = {"OLD.json": reports[0], "NEW.json": reports[-1], ".skill-evaluator/runs/RUN": runs[-1]}
    for name, path in values.items():
        call = call.replace(name, path)
    return shlex.split(call)[1:]


def test_readme_calls_work_in_the_order_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("SKILL.md", ".gitignore"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "testsets", tmp_path / "testsets")
    monkeypatch.chdir(tmp_path)
    for call in evaluator_calls("README.md"):
        status = main(filled(call, tmp_path))

        assert status == 0, f"{call}\n{capsys.readouterr().err[-2000:]}"


def test_ci_finds_one_test_command() -> None:
    pattern = re.search(r"^pattern='(.*)'$", text(".ci/run"), re.MULTILINE)

    assert pattern
    assert len(re.findall(pattern[1], text("README.md"), re.MULTILINE)) == 1


def slug(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def anchors(name: str) -> set[str]:
    listed = list(tokens(name))
    return {slug(listed[n + 1].content) for n, token in enumerate(listed) if token.type == "heading_open"}


@pytest.mark.parametrize("name", TEXTS)
def test_links_inside_the_repository_resolve(name: str) -> None:
    targets = [str(token.attrs["href"]) for token in tokens(name) if token.type == "link_open"]
    for target in targets:
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = unquote(target).partition("#")
        file = (ROOT / name).parent / path if path else ROOT / name

        assert file.exists(), target
        assert not anchor or anchor in anchors(os.path.relpath(file, ROOT)), target


@pytest.mark.parametrize(
    ("name", "report"), [("README.md", "skill-evaluator.md"), ("README.zh.md", "skill-evaluator.zh.md")]
)
def test_excerpt_is_taken_from_the_example_report(name: str, report: str) -> None:
    excerpt, *others = fences(name, "text")

    assert not others
    assert excerpt in text(f"reports/example/{report}")


@pytest.mark.parametrize("name", READMES)
def test_example_test_set_can_be_read(name: str, tmp_path: Path) -> None:
    """It is too short to be scored, and that is all that may be said against it."""
    (example,) = fences(name, "json")
    path = tmp_path / "testset.json"
    path.write_text(example, encoding="utf-8")
    loaded = read_testset(path, enforce_floors=False)

    assert loaded.suite
    assert [case.expect_trigger for case in loaded.suite.cases] == [True, False]


@pytest.mark.parametrize("target", re.findall(r"^make (\w+)", text("CONTRIBUTING.md"), re.MULTILINE))
def test_make_targets_exist(target: str) -> None:
    assert re.search(rf"^{target}:", text("Makefile"), re.MULTILINE)


def pins() -> dict[str, str]:
    lines = [line for line in text("requirements-dev.txt").splitlines() if line and not line.startswith("#")]
    return {str(canonicalize_name(name)): version for name, version in (line.split("==") for line in lines)}


@pytest.mark.parametrize("dependency", PYPROJECT["project"]["dependencies"])
def test_each_dependency_is_pinned_within_its_range(dependency: str) -> None:
    requirement = Requirement(dependency)

    assert requirement.specifier.contains(pins()[str(canonicalize_name(requirement.name))])


def test_build_backend_is_pinned_within_its_range() -> None:
    (requirement,) = (Requirement(line) for line in PYPROJECT["build-system"]["requires"])

    assert requirement.specifier.contains(pins()[requirement.name])


def own_skill() -> Skill:
    loaded = read_skill(ROOT / "SKILL.md")
    assert loaded.skill
    return loaded.skill


def test_version_is_the_same_everywhere() -> None:
    version = PYPROJECT["project"]["version"]
    changes = re.search(r"^## \[(.+?)\]", text("CHANGELOG.md"), re.MULTILINE)

    assert own_skill().version == version
    assert changes
    assert changes[1] == version


@pytest.mark.parametrize(
    "phrase",
    [
        *("score this skill", "hit rate", "false triggers", "two versions", "worse", "how fast", "how expensive"),
        *("打分", "准不准", "变差", "新旧版本", "乱触发", "命中率", "误触率", "快不快", "花多少"),
    ],
)
def test_skill_says_when_it_fires(phrase: str) -> None:
    said, _, _ = own_skill().description.partition("Do not use")

    assert phrase in said


@pytest.mark.parametrize(
    "phrase",
    [
        *("write a new skill", "game level", "asset files", "how skills are written"),
        *("新建", "关卡", "素材", "怎么写"),
    ],
)
def test_skill_says_when_it_stays_quiet(phrase: str) -> None:
    _, _, not_for = own_skill().description.partition("Do not use")

    assert phrase in not_for


def test_skill_refuses_what_a_scorer_must_not_do() -> None:
    body = own_skill().body

    assert "Never guess a score" in body
    assert "Never edit the skill under test" in body
    assert "Never quote an acceptance case" in body


def own_suite() -> Suite:
    loaded = read_testset(ROOT / "testsets" / "skill-evaluator.json", skill=own_skill())
    assert loaded.suite, loaded.findings
    return loaded.suite


def test_own_test_set_covers_both_classes_languages_and_splits() -> None:
    cells = Counter(
        (case.split, case.expect_trigger, language)
        for case in own_suite().cases
        for language in ("en", "zh")
        if language in case.tags
    )

    assert cells.total() == len(own_suite().cases) >= 44
    assert set(cells) == {(split, fires, lang) for split in Split for fires in (True, False) for lang in ("en", "zh")}
    assert {key: count for key, count in cells.items() if key[2] == "en"} == {
        (split, fires, "en"): count for (split, fires, language), count in cells.items() if language == "zh"
    }


def test_own_test_set_speaks_both_languages_of_the_format() -> None:
    rows = json.loads(text("testsets/skill-evaluator.json"))

    assert {row["type"] for row in rows} == {"should_trigger", "should_not_trigger", "应触发", "不应触发"}
    assert {row["split"] for row in rows} == {"tuning", "acceptance", "调优集", "验收集"}


def test_nothing_can_be_said_against_the_own_test_set() -> None:
    """It leaks neither across the splits nor from SKILL.md, and is large enough for the bounds it is held to."""
    loaded = read_testset(ROOT / "testsets" / "skill-evaluator.json", skill=own_skill())

    assert loaded.findings == ()
    assert not [case.id for case in own_suite().cases if own_skill().name in case.prompt.lower()]


def test_set_of_siblings_uses_what_a_real_model_is_needed_for() -> None:
    """Its two neighbours lie beside it, and are expected to fire; every key that they need is tried."""
    loaded = read_testset(ROOT / "testsets" / "siblings.json", skill=own_skill())
    assert loaded.suite
    cases = loaded.suite.cases
    folders = sorted((ROOT / "testsets" / "neighbours").iterdir())
    neighbours = [read_skill(folder) for folder in folders]

    assert {finding.code for finding in loaded.findings} == {"class-too-small", "rubric-not-scored"}
    assert [one.findings for one in neighbours] == [(), ()]
    assert {case.expected_skill for case in cases} - {None} == {one.skill.name for one in neighbours if one.skill}
    for split in Split:
        for key in ("context", "expected_skill", "human_scores"):
            assert any(getattr(case, key) for case in cases if case.split is split), key
    assert not {case.prompt for case in cases} & {case.prompt for case in own_suite().cases}


def test_trigger_set_is_large_enough_to_import() -> None:
    rows = json.loads(text("testsets/trigger-set.json"))
    classes = Counter(row["should_trigger"] for row in rows)

    assert set(classes) == {True, False}
    assert len(rows) >= 10
    assert min(classes.values()) >= 3
    assert not {row["query"] for row in rows} & {case.prompt for case in own_suite().cases}


@pytest.mark.parametrize("name", TEXTS)
def test_rows_stand_in_tables(name: str) -> None:
    """A row without a head, or right below a paragraph, is shown as it is written."""
    shown = [token.content for token in tokens(name) if token.type == "inline"]

    assert [content for content in shown if re.search(r"^\|.*\|$", content, re.MULTILINE)] == []
