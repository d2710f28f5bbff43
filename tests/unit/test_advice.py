"""Suggestions in a whole report: nothing of the acceptance split is in them, and nothing in them is trusted."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from skill_evaluator.api.saved import load_report
from skill_evaluator.cli import main
from skill_evaluator.errors import InputError
from skill_evaluator.report.advice import foremost
from skill_evaluator.report.render import render
from skill_evaluator.report.serialize import report_from_json
from skill_evaluator.report.words import Lang

LANGS: tuple[Lang, ...] = ("en", "zh")
MARKERS = ("zanzibar", "quokka", "鹦鹉螺")
Row = tuple[str, bool, str, Mapping[str, object]]
TUNING: tuple[Row, ...] = (
    ("t0", True, "draw a dungeon for my heroes", {}),
    ("t1", True, "my dungeon needs traps", {}),
    ("t2", True, "做个最终关", {"text": "好的"}),
    ("t3", True, "a level with ice", {"skills_invoked": ["level-maker"], "text": "no field"}),
    ("t4", True, "one puzzle level please", {"skills_invoked": ["map-maker"]}),
    ("t5", False, "review this pull request", {"skills_invoked": ["level-maker"]}),
    ("t6", False, "is the pull request fine?", {"skills_invoked": ["level-maker"]}),
    ("t7", False, "what is the capital of Portugal?", {}),
)
ACCEPTANCE: tuple[Row, ...] = (
    ("a0", True, "a new level", {"skills_invoked": ["level-maker"]}),
    ("a1", True, "a stage with water", {}),
    ("a2", False, "translate this letter", {}),
    ("a3", False, "book a table", {"skills_invoked": ["level-maker"]}),
)
OTHER_ACCEPTANCE: tuple[Row, ...] = (
    ("zanzibar-3", False, "zanzibar dungeon 鹦鹉螺", {"skills_invoked": ["level-maker"]}),
    ("zanzibar-2", True, "quokka level 鹦鹉螺 pull request", {"skills_invoked": ["quokka"], "text": "zanzibar"}),
    ("zanzibar-1", True, "做个鹦鹉螺关 quokka", {}),
    ("zanzibar-0", False, "zanzibar quokka 最终关", {"skills_invoked": ["level-maker"]}),
    ("zanzibar-9", True, "quokka draw zanzibar", {}),
)

Measure = Callable[[Sequence[Row]], Any]


@pytest.fixture
def measure(
    skill_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Measure:
    """Ask a skill all this, from recordings; gives the report's JSON."""
    monkeypatch.chdir(tmp_path)

    def run(rows: Sequence[Row]) -> Any:  # noqa: ANN401 - JSON
        tuning = {row[0] for row in rows if row[0].startswith("t")}
        cases = [
            {
                "id": id_,
                "type": "should_trigger" if expect else "should_not_trigger",
                "split": "tuning" if id_ in tuning else "acceptance",
                "input": prompt,
                **({"expected_output_contains": ["level_id"]} if expect else {}),
                **({} if id_ in tuning else {"tag": id_}),
            }
            for id_, expect, prompt, _ in rows
        ]
        (skill_dir / "testset.json").write_text(json.dumps(cases), "utf-8")
        recorded = [{"case_id": row[0], "index": n, "skills_invoked": [], **row[3]} for row in rows for n in range(3)]
        Path("r.jsonl").write_text("\n".join(map(json.dumps, recorded)), "utf-8")
        main(["run", str(skill_dir), "--agent", "replay", "--recordings", "r.jsonl", "--json", "--quiet"])
        return json.loads(capsys.readouterr().out)

    return run


def page(content: object, lang: Lang) -> str:
    return render(report_from_json(json.dumps(content), name="r.json"), "md", lang)


def advice_of(text: str) -> str:
    """The two sections on suggestions."""
    return "".join(re.findall(r"^## 🔄.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))


def test_nothing_of_the_acceptance_cases_changes_a_word_of_the_advice(measure: Measure) -> None:
    one = measure([*TUNING, *ACCEPTANCE])
    other = measure([*OTHER_ACCEPTANCE, *reversed(TUNING)])

    assert one["suggestions"] == other["suggestions"]
    assert one["metrics"] != other["metrics"]
    for lang in LANGS:
        assert advice_of(page(one, lang)) == advice_of(page(other, lang))


def test_no_mark_of_an_acceptance_case_is_in_the_advice(measure: Measure) -> None:
    content = measure([*TUNING, *OTHER_ACCEPTANCE])

    assert {one["cause"] for one in content["suggestions"]} == {
        *("missed_words", "answered_directly", "sibling_fired", "false_triggers", "output")
    }
    told = json.dumps(content["suggestions"], ensure_ascii=False) + "".join(
        advice_of(page(content, lang)) for lang in LANGS
    )
    assert [mark for mark in MARKERS if mark in told] == []
    assert all(mark in page(content, "en") for mark in MARKERS)


def test_the_log_has_the_seeds_form(measure: Measure) -> None:
    told = advice_of(page(measure([*TUNING, *ACCEPTANCE]), "zh"))

    order = (
        "🔄 改进建议",
        "1. ",
        "🔄 改进建议日志",
        "第 1/3 轮",
        "❌ 失败原因归类",
        "样例输入",
        "分析",
        "建议",
        "依据题目",
    )
    places = [told.index(words, told.index("日志") if n > 2 else 0) for n, words in enumerate(order)]
    assert places == sorted(places)
    assert "在描述里补充触发词：`dungeon`。（2 道题）" in told
    assert "不触发条件" in told
    assert "`pull request`" in told


def test_hostile_texts_have_no_power_in_the_advice(measure: Measure) -> None:
    hostile = "draw <script>alert(1)</script> `dungeon` | [l](http://e.org)\n# dungeon \x1b[31m\u202e {} {}"
    rows = [
        *((f"t{n}", True, hostile.format("kraken", n), {}) for n in range(2)),
        *TUNING[3:],
        *ACCEPTANCE,
    ]
    rows[2] = ("t3", True, "a level", {"skills_invoked": ["</details><b>evil</b>"], "text": "x"})

    content = measure(rows)

    assert "kraken" in json.dumps(content["suggestions"])
    for lang in LANGS:
        tokens = MarkdownIt("js-default", {"html": True}).parse(advice_of(page(content, lang)))
        kinds = {child.type for token in tokens for child in token.children or ()}
        assert kinds <= {"text", "code_inline", "strong_open", "strong_close", "softbreak"}
        assert not re.search(r"[\x1b\u202e]", advice_of(page(content, lang)))


def test_a_graded_again_report_has_the_same_advice(measure: Measure, capsys: pytest.CaptureFixture[str]) -> None:
    content = measure([*TUNING, *ACCEPTANCE])

    main(["regrade", content["volatile"]["run_dir"], "--json"])

    assert json.loads(capsys.readouterr().out)["suggestions"] == content["suggestions"]


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (TUNING[3:4], "too few"),
        (
            [("t0", True, "a level", {"skills_invoked": ["level-maker"], "text": "level_id"}), *TUNING[7:]],
            "2 cases in all are too few",
        ),
        ([], "there are no tuning cases"),
    ],
)
def test_a_report_without_advice_says_why(measure: Measure, rows: Sequence[Row], why: str) -> None:
    right = {"skills_invoked": ["level-maker"], "text": "level_id"}
    fillers = [(f"a{n}", n % 2 == 0, f"filler {n}", right if n % 2 == 0 else {}) for n in range(12)]
    sound = [(id_, expect, prompt, right if expect else {}) for id_, expect, prompt, _ in rows]

    content = measure([*sound, *fillers])

    assert content["suggestions"] == []
    assert why in advice_of(page(content, "en"))
    assert not re.search("[A-Za-z]", re.sub("`.*?`|F1", "", advice_of(page(content, "zh"))))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("round", 4),
        ("round", 2),
        ("cases", ["a1"]),  # of the acceptance split
        ("cases", ["t7"]),  # went well
        ("cases", []),
        ("cases", ["t0", "t0"]),
        ("cause", "false_triggers"),
        ("samples", ["a stage with water"]),
        ("proposal", {"code": "add_words", "values": {"words": list("abcdef")}}),
    ],
)
def test_advice_that_no_run_can_give_is_refused(measure: Measure, key: str, value: object) -> None:
    content = measure([*TUNING, *ACCEPTANCE])
    content["suggestions"][0][key] = value

    with pytest.raises(InputError) as caught:
        report_from_json(json.dumps(content), name="r.json")

    pointer = f"/suggestions/0/{'cases' if key == 'cause' else key}"
    assert pointer in [finding.pointer for finding in caught.value.findings]


def test_advice_that_was_not_called_for_is_refused(measure: Measure) -> None:
    content = measure([*TUNING, *ACCEPTANCE])
    golden = json.loads((Path(__file__).parents[1] / "golden" / "passing.json").read_text("utf-8"))
    golden["suggestions"] = content["suggestions"][:1]

    with pytest.raises(InputError) as caught:
        report_from_json(json.dumps(golden), name="r.json")

    assert "/suggestions" in [finding.pointer for finding in caught.value.findings]


def test_what_most_failed_cases_speak_for_is_to_be_tried_first() -> None:
    report = load_report(Path(__file__).parents[1] / "golden" / "failing.json")
    one, *_ = report.suggestions
    many = replace(one, cases=("p02", "n06"), round=2)

    assert foremost(replace(report, suggestions=(one, many))) is many
    assert foremost(replace(report, suggestions=(one, replace(one, round=2)))) is one
    assert foremost(replace(report, suggestions=())) is None
