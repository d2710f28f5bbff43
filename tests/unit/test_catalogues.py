"""Every sentence of ours can be said in Chinese, with the same values in it."""

import ast
import string
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

import skill_evaluator
from skill_evaluator.locales import catalogue
from skill_evaluator.locales.update import templates, updated
from skill_evaluator.texts import Text, changed, clause, joined, listed, localized, ntr, tr

PACKAGE = Path(skill_evaluator.__file__).parent
KEYS = [key for keys in templates().values() for key in keys]


def names(template: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(template) if field is not None}


def test_every_template_has_words_and_no_words_are_left_over() -> None:
    stale = {path.name: text for path, text in updated("zh") if path.read_text("utf-8") != text}
    assert not stale, f"run python -m skill_evaluator.locales.update, and write words in {sorted(stale)}"
    singular = {key if isinstance(key, str) else key[0] for key in KEYS}
    assert set(catalogue("zh")) == singular


def test_a_template_has_the_same_words_in_every_catalogue() -> None:
    said: dict[str, set[str]] = {}
    for path in (PACKAGE / "locales" / "zh").glob("*.po"):
        with path.open(encoding="utf-8") as file:
            for message in read_po(file):
                key = message.id if isinstance(message.id, str) else message.id[0]
                said.setdefault(key, set()).add(str(message.string))
    said.pop("")
    assert {key: words for key, words in said.items() if len(words) > 1} == {}


def test_words_name_the_same_values() -> None:
    known = catalogue("zh")
    wrong = {}
    for key in KEYS:
        one, many = (key, key) if isinstance(key, str) else key
        if names(known.get(one, "")) != names(many) | (names(one) - {"n"}):
            wrong[one] = known.get(one)
    assert not wrong


def test_templates_are_written_out_as_literals() -> None:
    loose = []
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"tr", "ntr"}:
                literals = node.args[:1] if node.func.id == "tr" else node.args[:2]
                if not all(isinstance(one, ast.Constant) for one in literals):
                    loose.append(f"{path.relative_to(PACKAGE)}:{node.lineno}")
    assert not loose


@pytest.mark.parametrize(("number", "english"), [(1, "1 case"), (0, "0 cases"), (2, "2 cases")])
def test_numbers_choose_the_form(number: int, english: str) -> None:
    assert ntr("{n} case", "{n} cases", number) == english


def test_values_are_said_in_the_other_language_too() -> None:
    text = joined(" ", [tr("case {case!r}", case="a"), "x"])
    assert localized(text, "en") == "case 'a' x"
    assert localized(text, "zh") == "题目 'a' x"


def test_only_texts_of_others_are_changed() -> None:
    text = changed(tr("case {case!r}", case="a"), str.upper)
    assert isinstance(text, Text)
    assert localized(text, "en") == "case 'A'"
    assert localized(text, "zh") == "题目 'A'"
    assert changed("plain", str.upper) == "PLAIN"


def test_texts_of_others_are_escaped_once_where_they_are_quoted() -> None:
    text = tr("case {case!r}", case="a\n")
    assert changed(text, lambda shown: shown.replace("\n", "\\n")) == r"case 'a\n'"
    assert changed(changed(text, str.upper), str.lower) == r"case 'a\n'"


def test_paths_and_errors_among_the_values_are_changed_too() -> None:
    assert changed(tr("{path}: {error}", path=Path("a"), error=ValueError("b")), str.upper) == "A: B"


def test_a_changed_text_is_what_a_change_of_the_whole_would_give() -> None:
    """`repr` shows control characters by signs itself; a change before it would have the signs shown once more."""

    def shown(text: str) -> str:
        return text.replace("\n", "\\n")

    text = tr("case {case!r} of {file}: {names}", case="a\nb", file="c\nd", names=listed(["e\n", tr("{x!r}", x="f\n")]))
    assert changed(text, shown) == shown(text) == r"case 'a\nb' of c\nd: e\n, 'f\n'"
    assert changed(changed(text, shown), shown) == shown(text)


def test_texts_among_parts_stay_texts_when_they_are_changed() -> None:
    assert localized(changed(joined(": ", [tr("case {case!r}", case="a"), "x"]), str.upper), "zh") == "题目 'A'：X"
    assert localized(changed(listed(["a", "b"]), str.upper), "zh") == "A、B"


def test_a_clause_has_no_full_stop_in_either_language() -> None:
    text = tr("{said}.", said=tr("case {case!r}", case="a"))
    assert clause(text) == "case 'a'"
    assert localized(clause(text), "zh") == "题目 'a'"
    assert localized(changed(clause(text), str.upper), "zh") == "题目 'A'"


def test_chinese_words_and_latin_ones_meet_with_a_space_and_chinese_ones_without() -> None:
    known = {"{a} or {b}": "{a} 或 {b}", "not {a}": "不是{a}", "one": "文本", "two": "JSON 数组", "three": "列表 [x]"}

    def said(text: Text) -> str:
        return text.in_words_of(lambda key, _: known[key])

    assert said(tr("{a} or {b}", a=tr("one"), b=tr("one"))) == "文本或文本"
    assert said(tr("{a} or {b}", a=tr("two"), b=tr("one"))) == "JSON 数组或文本"
    assert said(tr("not {a}", a=tr("two"))) == "不是 JSON 数组"
    assert said(tr("not {a}", a=tr("one"))) == "不是文本"
    assert said(tr("{a} or {b}", a=tr("three"), b=tr("{a} or {b}", a="x", b=tr("two")))) == "列表 [x] 或 x 或 JSON 数组"
    assert said(tr("{a} or {b}", a="龙 ", b="茶")) == "龙  或 茶", "names of others stay as they are"
