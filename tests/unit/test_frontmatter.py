import pytest

from skill_evaluator.formats.frontmatter import parse_frontmatter
from skill_evaluator.formats.yaml12 import PARSERS
from skill_evaluator.model import Finding

AFTER_QUOTE = "goes on after a closing quote or bracket"
RESERVED = "starts with a character that YAML keeps for itself"


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("written", "line", "words"),
    [
        ("Use when: x", 2, "holds ': ' without quotes"),
        ("b\n  c: d", 3, "holds ': ' without quotes"),
        ('"b" c', 2, AFTER_QUOTE),
        ('"b" c\nx: y', 2, AFTER_QUOTE),
        ("'Don't'\nx: y", 2, AFTER_QUOTE),
        ("[b] c\nx: y", 2, AFTER_QUOTE),
        ('"b', 2, "opens a quote that is never closed"),
        ("b\nc d", 3, "goes on in a line that is not indented"),
        ("b\n\tc: d", 3, "is followed by a line indented with a tab"),
        ("\n\tb", 3, "is followed by a line indented with a tab"),
        ("\n\t- b", 3, "is followed by a line indented with a tab"),
        ("@b", 2, RESERVED),
        ("`b`", 2, RESERVED),
        ("%b", 2, RESERVED),
        ("*b* c", 2, RESERVED),
        ("** c", 2, RESERVED),
        ("*b c", 2, RESERVED),
        ("& c", 2, RESERVED),
        ("- b", 2, "starts like a list item"),
    ],
)
def test_remedy_is_found_whichever_parser_found_the_fault(written: str, line: int, words: str, parser: str) -> None:
    finding = parse_frontmatter(f"\ndescription: {written}", "SKILL.md", parser=parser)

    assert isinstance(finding, Finding)
    assert finding.line == line
    assert f"the value of 'description' {words}" in finding.message
