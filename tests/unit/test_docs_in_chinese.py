"""Each page of the docs stands in Chinese too, and says as much: same sections, tables, code and links."""

import os
import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# The decisions are for people who work on the program, as CONTRIBUTING.md is.
PAGES = sorted(path.name for path in (ROOT / "docs").glob("*.md") if path.name != "decisions.md")
PAIRS = [
    *((ROOT / "docs" / name, ROOT / "docs" / "zh" / name) for name in PAGES),
    (ROOT / "README.md", ROOT / "README.zh.md"),
]
FENCE = re.compile(r"^( *)(`{3,})(\w*)[^\n]*\n(.*?)^\1\2`*$", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
COPIED = {"sh", "toml", "yaml", "python", "pycon", "console"}
ENGLISH = re.compile(r"(?:\b[a-z]{2,}\b[ ,]+){4,}[a-z]{2,}")


def text(path: Path) -> str:
    return path.read_text("utf-8")


def prose(page: str) -> str:
    """A page without its blocks of code."""
    return FENCE.sub("", page)


def plain(code: str) -> str:
    """Code without comments, which are translated, and without what depends on the layout."""
    return "\n".join(line for row in code.splitlines() if (line := re.sub(r"(^|\s)#\s.*$", "", row).rstrip()))


def blocks(page: str) -> list[tuple[str, str]]:
    """The code that people copy, whole; of examples of data and of what a program prints the kind alone."""
    found = [(kind, code) for _, _, kind, code in FENCE.findall(page)]
    return [(kind, plain(code) if kind in COPIED else "") for kind, code in found]


def headings(page: str) -> list[int]:
    return [len(marks) for marks in re.findall(r"^(#+) ", prose(page), re.MULTILINE)]


def tables(page: str) -> list[tuple[int, int]]:
    """Rows and columns of each table."""
    found = re.findall(r"(?:^\|.*\n?)+", prose(page), re.MULTILINE)
    return [(len(one.strip().splitlines()), one.splitlines()[0].replace(r"\|", "").count("|")) for one in found]


def spans(page: str) -> Counter[str]:
    return Counter(" ".join(code.split()) for _, code in SPAN.findall(prose(page)))


@pytest.mark.parametrize(("english", "chinese"), PAIRS, ids=lambda path: path.name)
class TestPage:
    def test_has_the_same_sections_and_tables(self, english: Path, chinese: Path) -> None:
        assert headings(text(chinese)) == headings(text(english))
        assert tables(text(chinese)) == tables(text(english))

    def test_has_the_same_code_to_copy(self, english: Path, chinese: Path) -> None:
        assert blocks(text(chinese)) == blocks(text(english))

    def test_names_all_that_the_other_names(self, english: Path, chinese: Path) -> None:
        missing = set(spans(text(english))) - set(spans(text(chinese)))
        assert not {name for name in missing if name not in text(chinese)}

    def test_leaves_no_sentence_in_english(self, english: Path, chinese: Path) -> None:
        del english
        words = re.sub(r"\]\([^)]*\)|\"[^\"]*\"|“[^”]*”", "]", SPAN.sub("", prose(text(chinese))))
        assert ENGLISH.findall(words) == []

    def test_leads_to_the_other_language_and_back(self, english: Path, chinese: Path) -> None:
        there, back = (os.path.relpath(to, start.parent) for start, to in ((english, chinese), (chinese, english)))
        assert text(english).split("\n\n")[1] == f"[中文]({there})"
        assert text(chinese).split("\n\n")[1] == f"[English]({back})"

    def test_links_to_what_is_there(self, english: Path, chinese: Path) -> None:
        del english
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", prose(text(chinese))):
            if "://" not in target:
                assert (chinese.parent / target).exists(), target
