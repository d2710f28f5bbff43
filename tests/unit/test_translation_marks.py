"""What pages show as the input of a translation case: its text, found again in the request that an agent got."""

import pytest

from skill_evaluator.formats.evalcase.marks import marked, marked_text

BEFORE, AFTER = "Translate the text between the marks.", "Answer with the translation alone."


@pytest.mark.parametrize(
    "text",
    ["Save", "two\nlines\n", "\r\n%s\r\n", " ", "<text-0123456789abcdef>\na\n</text-0123456789abcdef>", "a\n\n```\nb"],
)
def test_a_text_is_found_as_it_was_put_in(text: str) -> None:
    assert marked_text(f"{BEFORE}\n\n{marked(text)}\n\n{AFTER}") == text


@pytest.mark.parametrize(
    "prompt", ["", "Save", "<text-0123456789abcdef>\na\n</text-0123456789abcdef>", f"Quoted: {marked('Save')}"]
)
def test_other_requests_hold_no_marked_text(prompt: str) -> None:
    assert marked_text(prompt) is None
