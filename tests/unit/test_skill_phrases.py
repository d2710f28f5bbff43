"""What a skill says it fires for, what not, and when it claims too much. Expected values: read by a person."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.formats.skill_body import find_body_phrases
from skill_evaluator.formats.skill_phrases import find_phrases
from skill_evaluator.formats.skill_wording import catch_all_wording


@pytest.mark.parametrize(
    ("text", "triggers", "non_triggers"),
    [
        ('Use when the user says "tidy my notes" or “sort them”.', ["tidy my notes", "sort them"], []),
        ("当用户说「整理笔记」或『归档』时触发。", ["整理笔记", "归档"], []),
        (
            "Trigger for 'clean up' and ‘sort out’. Don't use for users' mail.",
            ["clean up", "sort out"],
            ["users' mail"],
        ),
        ('A tool for "the busy". Use for lists.', [], []),
        ('Use for e.g. "a", "b". The "slogan" stays.', ["a", "b"], []),
        ('Use for "is it done?", "stop. now" and "go".', ["is it done?", "stop. now", "go"], []),
        ('Use on "deep dive / review / 复查".', ["deep dive", "review", "复查"], []),
        ('Use for "A". Use for "a".', ["A"], []),
        ("", [], []),
        ('Use for "x". Do NOT use for "y" or "z".', ["x"], ["y", "z"]),
        ("Makes maps. Not for globes; charts; or plans.", [], ["globes", "charts", "plans"]),
        ("Does A. Do not trigger for: (1) b c, (2) d e.", [], ["b c", "d e"]),
        ("生成关卡。不要用于检查素材，也不要用于聊天。", [], ["检查素材", "聊天"]),
        ("不触发：闲聊、问答；单文件小改。", [], ["闲聊、问答", "单文件小改"]),
        ("用于写诗，普通聊天时不触发。", [], ["普通聊天时"]),
        ("번역은 해당 안 됨.", [], ["번역은"]),
        ('This skill should not be used for "y".', [], ["y"]),
        ('Use it even if the user does not use the word "map" but says "chart".', ["map", "chart"], []),
        ('Use when the user says "do not use tabs".', ["do not use tabs"], []),
        ("Makes maps. Triggers: map, town plan; atlas. Keywords: x.", ["map", "town plan", "atlas", "x"], []),
        ("画图。触发词：地图、平面图，图集。", ["地图", "平面图", "图集"], []),
        ('Trigger phrases: "map, please", "atlas".', ["map, please", "atlas"], []),
        ("用「地图」时使用；普通聊天时不要触发。", ["地图"], ["普通聊天时"]),
        ('当用户说"搜论文""查文献"时加载。', ["搜论文", "查文献"], []),
        ('Use when told "stop; do not use tabs".', ["stop; do not use tabs"], []),
        ('Use for "a\n  b" here.\n\n- "c" when asked\n', ["a b", "c"], []),
    ],
)
def test_phrases_of_a_description(text: str, triggers: list[str], non_triggers: list[str]) -> None:
    found = find_phrases(text)

    assert list(found.triggers) == triggers
    assert list(found.non_triggers) == non_triggers


@pytest.mark.parametrize(
    ("body", "triggers", "non_triggers"),
    [
        ("## When to use\n\n- draw a map\n- Any chart\n\n## Steps\n- go", ["draw a map", "Any chart"], []),
        ('## When to Use This Skill\n* The user says "hi" or "yo"\n', ["hi", "yo"], []),
        ("## When NOT to use\n- old maps → atlas-skill\n", [], ["old maps"]),
        ("# A\n## Triggers\n### More\n1. one\n2) two\n## Else\n- no", ["one", "two"], []),
        ("## Trigger phrases\n- one\n  goes on\n- **two**\n", ["one goes on", "two"], []),
        ("## When to use / when not to use\n- a\n- Do not use for toys\n", ["a"], ["toys"]),
        ("## 触发条件\n- 「打分」\n## 不触发条件\n- 闲聊\n", ["打分"], ["闲聊"]),
        ("## 三、何时使用\n- 画地图\n", ["画地图"], []),
        (
            "触发条件\n\n当用户说：\n\n• “打分” / “测一下”\n\n不触发条件\n\n• 写文档 → 别的\n\n输入\n• x",
            ["打分", "测一下"],
            ["写文档"],
        ),
        ("**触发词：**\n- 打分\n\n然后做事。\n- 别的", ["打分"], []),
        ("## When to use\nUse it if somebody says “map it”. Not for globes.\n", ["map it"], ["globes"]),
        ("```\n## When to use\n- code\n```\n", [], []),
        ("## 故障排除\n- x\n## Webhook triggers\n- y\n## Do not use raw SQL\n- z", [], []),
        ("## When to use\nUse it when:\n- a\n\nDo not use it for:\n- b\n\nMore.\n- c", ["a"], ["b"]),
        ("## When to use\nDo not use it for toys.\n- a\n", ["a"], ["toys"]),
        ("## Non-triggers\n- a\n## Out of scope\n- b\n", [], ["a", "b"]),
    ],
)
def test_phrases_of_a_body(body: str, triggers: list[str], non_triggers: list[str]) -> None:
    found = find_body_phrases(body)

    assert list(found.triggers) == triggers
    assert list(found.non_triggers) == non_triggers


@pytest.mark.parametrize(
    "text",
    [
        "Use for any request.",
        "Use this skill for every task",
        "Always use this skill.",
        "Invoke it every time.",
        "Handles everything, no matter what.",
        "Helps with anything the user asks for.",
        "Answers all user questions",
        "Use whenever the user has any question.",
        "任何请求都会触发。",
        "用于所有请求。",
        "处理任何问题",
        "适用于一切任务。",
        "总是使用本技能。",
        "万能助手",
    ],
)
def test_wording_that_claims_everything(text: str) -> None:
    assert catch_all_wording(f"Makes maps. {text}")


@pytest.mark.parametrize(
    "text",
    [
        "Use for any of the following: maps, charts.",
        "Use for any request about maps.",
        "Use when the user asks any question about React.",
        "Always use this skill when a PDF is mentioned.",
        "Any recall or synthesis task grounded in old mail.",
        "Scans everything you parked to look at later.",
        "Do not use for any other task.",
        "Trigger on 'any request'-like wording such as \"any request\".",
        "Review all tasks, then report.",
        "Use for anything related to git.",
        "任何关于地图的请求",
        "在任何情况下都不要删除文件。",
        "汇总所有任务，生成报告。",
        "以下任何一种情况：画图、制表。",
        "",
    ],
)
def test_wording_that_only_sounds_so(text: str) -> None:
    assert catch_all_wording(text) is None


PIECES = st.sampled_from([*"ab .,;:!?\n\"'“”「」#-*`→()1", "不触发", "用于", "use for ", "e.g. ", "Do not use "])


@given(st.lists(PIECES, max_size=40).map("".join))
def test_phrases_of_any_text_are_clean(text: str) -> None:
    for found in (find_phrases(text), find_body_phrases(text)):
        assert all(phrase.strip() == phrase != "" for phrase in (*found.triggers, *found.non_triggers))


@given(st.text(alphabet=list('ab ,;:"“”「」用于#-*`→()1'), max_size=40))
def test_nothing_behind_an_exclusion_is_a_trigger(text: str) -> None:
    assert not find_phrases(f"Do not use for {text}").triggers


@pytest.mark.parametrize(
    "unit", ['"', "“a", "use for ", "不触发", "- a\n", "## When to use\n", "(1", "'a ", "any ", "。", "e.g. "]
)
def test_long_texts_take_no_time(unit: str) -> None:
    text = unit * (40_000 // len(unit))
    started = time.process_time()

    find_phrases(text)
    find_body_phrases(text)
    catch_all_wording(text)

    assert time.process_time() - started < 3
