"""Globs of suites mean what the real program was seen to mean by them."""

import re
import time

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from skill_evaluator.graders.suite.globs import glob_matches

PATHS = ("a.txt", "sub/b.md", ".hidden", "sub/deep/c.json", "a+b.txt", "p(1).txt", "x[1].txt", "sp ace.txt")


@pytest.mark.parametrize(
    ("glob", "meant"),
    [
        ("*", {"a.txt", ".hidden", "a+b.txt", "p(1).txt", "x[1].txt", "sp ace.txt"}),
        ("**", set(PATHS)),
        ("**/*", set(PATHS)),
        ("**/*.txt", {"a.txt", "a+b.txt", "p(1).txt", "x[1].txt", "sp ace.txt"}),
        ("**/*.json", {"sub/deep/c.json"}),
        ("*.json", set()),
        ("c.json", set()),
        ("sub", set()),
        ("sub/", set()),
        ("sub/*", {"sub/b.md"}),
        ("sub/**", {"sub/b.md", "sub/deep/c.json"}),
        ("sub**", {"sub/b.md", "sub/deep/c.json"}),
        ("sub/**/b.md", {"sub/b.md"}),
        ("sub/**/c.json", {"sub/deep/c.json"}),
        ("*/*/c.json", {"sub/deep/c.json"}),
        ("**/sub/*", {"sub/b.md"}),
        ("s*b/b.md", {"sub/b.md"}),
        ("sub?b.md", {"sub/b.md"}),
        ("?.txt", {"a.txt"}),
        (".*", {".hidden"}),
        ("*hidden", {".hidden"}),
        ("./a.txt", set()),
        ("/a.txt", set()),
        ("A.TXT", set()),
        ("!nope.txt", set()),
        ("{a,z}.txt", set()),
        ("[ab].txt", set()),
        ("x[1].txt", {"x[1].txt"}),
        ("@(a|b).txt", set()),
        ("p(1).txt", {"p(1).txt"}),
        ("a+b.txt", {"a+b.txt"}),
        ("a\\.txt", set()),
        ("^a.txt", set()),
        ("a.txt$", set()),
        ("aXtxt", set()),
        ("sp ace.txt", {"sp ace.txt"}),
        ("**/", set()),
        ("", set()),
    ],
)
def test_globs_mean_these_paths(glob: str, meant: set[str]) -> None:
    assert {path for path in PATHS if glob_matches(glob, path)} == meant


def as_pattern(glob: str) -> str:
    """Translate by replacing in the text, which the program does not do."""
    pattern = re.escape(glob).replace(r"\*\*/", "\0").replace(r"\*\*", "\1").replace(r"\*", "[^/]*")
    return pattern.replace(r"\?", ".").replace("\0", "(.*/)?").replace("\1", ".*")


_GLOBS = st.lists(st.sampled_from(["*", "**", "**/", "?", "/", "a", "b", "."]), max_size=8).map("".join)


@settings(max_examples=500)
@given(glob=_GLOBS, path=st.text(alphabet="ab./", max_size=10))
def test_globs_mean_what_their_translation_means(glob: str, path: str) -> None:
    assume("***" not in glob)  # nobody has seen what the program makes of it

    assert glob_matches(glob, path) == (re.fullmatch(as_pattern(glob), path, re.DOTALL) is not None)


def test_no_glob_takes_long() -> None:
    """A pattern of as many stars would try for years."""
    started = time.process_time()

    assert not glob_matches("**a" * 60 + "b", "a" * 4_000)
    assert not glob_matches("*a*a" * 30 + "**/b", "a/a" * 1_000)
    assert time.process_time() - started < 10
