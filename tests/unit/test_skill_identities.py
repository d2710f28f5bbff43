"""Who made a skill is read from its frontmatter, to be kept from the judge."""

from pathlib import Path

import pytest

from skill_evaluator.formats.skill_md import read_skill


@pytest.mark.parametrize(
    ("yaml", "identities"),
    [
        ("", ()),
        ("author: Ann Lee <ann@lee.example>", ("Ann Lee <ann@lee.example>",)),
        (
            "metadata:\n  author: Ann Lee\n  github: https://github.com/annlee/tool",
            ("Ann Lee", "https://github.com/annlee/tool"),
        ),
        ("author: {name: Ann Lee, email: ann@lee.example, role: boss}", ("Ann Lee", "ann@lee.example")),
        ("authors: [Ann, {name: Bo}, Ann]", ("Ann", "Bo")),
        ("repository: {type: git, url: git@github.com:annlee/tool.git}", ("git@github.com:annlee/tool.git",)),
        ("Vendor: Acme\nmaintainer: Bo\ncompany: Firm\npublisher: House", ("Acme", "Bo", "Firm", "House")),
        ("organization: 123\nowner: true\nhomepage: null\nteam: ''", ("123",)),
        ("created_by: Bo", ("Bo",)),
        ("display-name: Level Maker Skill\nplugin: toolbox", ("Level Maker Skill", "toolbox")),
        ("source: adapted from a book\nwebsite: tool.example", ("tool.example",)),
        ("license: MIT\nversion: 1.0", ()),
    ],
)
def test_identities(tmp_path: Path, yaml: str, identities: tuple[str, ...]) -> None:
    (tmp_path / "SKILL.md").write_text(f"---\nname: tool\ndescription: A tool.\n{yaml}\n---\n# Tool\n", "utf-8")

    skill = read_skill(tmp_path).skill

    assert skill is not None
    assert skill.identities == identities


def test_the_author_of_a_real_skill_is_found(corpus: Path) -> None:
    skill = read_skill(corpus / "triggersets" / "limleesol+stop-slop-ko").skill

    assert skill is not None
    assert skill.identities == ("Lim Leesol (5limleesol5@gmail.com)", "https://github.com/limleesol/stop-slop-ko")
