"""No name reaches the judge, and no ordinary word is lost."""

import re
import time
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.formats.skill_md import read_skill
from skill_evaluator.judging import hidden_names, plan_panels
from skill_evaluator.judging.names import Hidden, parts_of
from skill_evaluator.judging.scrub import PLACEHOLDER, Scrubber
from skill_evaluator.model import Skill
from tests.unit.judges import case, runs

NAMES = hidden_names(
    skills=["map", "level-maker", "Control Mapping"],
    identities=[
        "Lim Leesol (5lim@leesol.example)",
        "https://github.com/rust/stop-slop-ko",
        "rust",
        "NewsLeopard",
        "https://www.acme.example/tools",
        "电子豹科技",
    ],
    models=["acme/large-model-2:beta", "tiny", None],
)
SCRUBBER = Scrubber(NAMES)


@pytest.mark.parametrize(
    "written",
    [
        "level-maker",
        "Level Maker",
        "LEVEL_MAKER",
        "level.maker",
        "LevelMaker",
        "levelMaker",
        "level\u2011maker",
        "level\u00a0maker",
        "level-\nmaker",
        "ｌｅｖｅｌ－ｍａｋｅｒ",
        "lev\u200bel-mak\u2060er",
        "l\u0336e\u0336v\u0336e\u0336l-maker",
        "𝗅𝖾𝗏𝖾𝗅-𝗆𝖺𝗄𝖾𝗋",
        "skillhub:level-maker",
        "control mapping",
        "controlMapping",
        "Lim Leesol",
        "LIM-LEESOL",
        "5lim@leesol.example",
        "rust/stop-slop-ko",
        "https://github.com/rust/stop-slop-ko",
        "https://github.com/rust/stop-slop-ko.git",
        "Stop Slop KO",
        "newsleopard",
        "news leopard",
        "News-Leopard",
        "acme.example",
        "https://acme.example",
        "电子豹科技",
        "acme/large-model-2:beta",
        "Large Model 2",
        "claude-sonnet-4-5",
        "claude-sonnet-4-5-20250929",
        "claude-3-5-sonnet@20240620",
        "Claude Sonnet 4.5",
        "Claude Code",
        "Claude",
        "CLAUDE",
        "gpt-4o",
        "gpt-4.1-mini",
        "GPT 4",
        "gpt4",
        "o3-mini",
        "gemini-2.5-pro",
        "Gemini 2.5 Pro",
        "Gemini Pro",
        "llama-3.1-70b-instruct",
        "Llama 3",
        "qwen2.5:7b",
        "deepseek-r1",
        "mistral-large-latest",
        "command-r-plus",
        "phi-4",
        "kimi-k2",
        "OpenAI",
        "Anthropic",
        "ANTHROPIC",
        "ChatGPT",
        "Hugging Face",
        "通义千问",
        "ＯｐｅｎＡＩ",
    ],
)
def test_a_name_is_replaced_wherever_it_stands(written: str) -> None:
    for before, after in (
        ("Made with ", " today."),
        ("（", "）。"),
        ("使用", "吧"),
        ("", ""),
        ('"', '",'),
    ):
        assert SCRUBBER.scrub(f"{before}{written}{after}") == f"{before}{PLACEHOLDER}{after}"


@pytest.mark.parametrize(
    ("text", "scrubbed"),
    [
        ("my_level_maker_v2", "my_[name]_v2"),
        ("acme/large-model-2", "[name]/[name]"),
        ("使用plugin:map吧", "使用[name]吧"),
        ("gpt-4o-based", "[name]"),
        ("run /map now", "run /[name] now"),
        ("/map", "/[name]"),
        ("用/map生成", "用/[name]生成"),
        ("skillhub:map is", "[name] is"),
        ("map:draw it", "[name]:draw it"),
        ("the `map` helps", "the `[name]` helps"),
        ("see skills/map/SKILL.md", "see skills/[name]/SKILL.md"),
        ("in .tools/skills/map", "in .tools/skills/[name]"),
        ("map/SKILL.md", "[name]/SKILL.md"),
        ("/opt/map/x.py", "/opt/[name]/x.py"),
        ("C:\\skills\\map\\x", "C:\\skills\\[name]\\x"),
        ("the map skill drew", "the [name] skill drew"),
        ('the "map" skill', 'the "[name]" skill'),
        ("the skill map drew", "the skill [name] drew"),
        ('Skill("map")', 'Skill("[name]")'),
        ('{"skill": "map"}', '{"skill": "[name]"}'),
        ("**Skill:** map drew", "**Skill:** [name] drew"),
        ('{"skill_name": "map"}', '{"skill_name": "[name]"}'),
        ("<skill>map</skill>", "<skill>[name]</skill>"),
        ("<name>map</name>", "<name>[name]</name>"),
        ("技能名称：map", "技能名称：[name]"),
        ("名为map的技能", "名为[name]的技能"),
        ("---\r\nname: map\r\n---", "---\r\nname: [name]\r\n---"),
        ("ran map/scripts/x.py", "ran [name]/scripts/x.py"),
        ("Co-authored-by: Rust <x>", "Co-authored-by: [name] <x>"),
        ("--model tiny", "--model [name]"),
        ("map 技能", "[name] 技能"),
        ("技能：map", "技能：[name]"),
        ("使用“map”技能", "使用“[name]”技能"),
        ("---\nname: map\n---", "---\nname: [name]\n---"),
        ('{"name": "map", "x": 1}', '{"name": "[name]", "x": 1}'),
        ("author: rust", "author: [name]"),
        ("Author: Rust <r@x.example>", "Author: [name] <r@x.example>"),
        ("作者：rust", "作者：[name]"),
        ("by @rust,", "by @[name],"),
        ("github.com/rust", "github.com/[name]"),
        ("rust/tools is", "[name]/tools is"),
        ("rust/map", "[name]/[name]"),
        ("written by rust.", "written by [name]."),
        ("© 2024 Rust", "© 2024 [name]"),
        ("ｓｋｉｌｌ ｍａｐ", "ｓｋｉｌｌ [name]"),
        ("/m\u200bap", "/[name]"),
        ("I am Gemini, trained by Google.", "I am [name], trained by [name]."),
        ("我是豆包", "我是[name]"),
        ("model: tiny", "model: [name]"),
        ("the Mistral model", "the [name] model"),
    ],
)
def test_a_single_word_is_replaced_where_it_is_an_identifier(text: str, scrubbed: str) -> None:
    assert SCRUBBER.scrub(text) == scrubbed


@pytest.mark.parametrize(
    "text",
    [
        "A map of the level, and map it to the maps. Map!",
        "filter/map/reduce, map/reduce and mapping",
        "name: map of Europe",
        "画一张 map，再画地图",
        "What a skill\n\nMap it. 一项技能\nmap it",
        "a meta-skill, the Opus skill, .github/copilot-instructions",
        "written in Rust; Rust/Go; rust never sleeps; caused by rust",
        "The maker of the level; levels-maker; level-makers; levelmaker",
        "control the mapping",
        "map skills, research skills and skills. Map it",
        "src/map.py, src/map/x and <b>map</b>",
        "Claude Monet, Claude Shannon, Jean-Claude and Claude Lévi-Strauss",
        "The sign of Gemini, a llama in the mistral, Sonnet 18, Opus 27, a haiku.",
        "Put it on Google Maps; an apple; Meta tags; a GPT partition table",
        "The ozone O3, o1 and o2 are variables",
        "a tiny house",
        "他吃了一个豆包",
        "See [name] and [the name].",
        "Stop! Slop.",
        "we acme the tools",
    ],
)
def test_ordinary_words_of_the_same_spelling_stay(text: str) -> None:
    assert SCRUBBER.scrub(text) == text


def test_nothing_but_the_names_is_changed() -> None:
    text = "Ａ\u200b ｔｅｘｔ \u0065\u0301 level-maker \ufb01ne…\r\n\tkept\x00"

    assert SCRUBBER.scrub(text) == text.replace("level-maker", PLACEHOLDER)


def test_all_names_are_replaced_by_the_same_word() -> None:
    said = {SCRUBBER.scrub(text) for text in ("level-maker", "Lim Leesol", "gpt-4o", "Anthropic", "acme.example")}

    assert said == {PLACEHOLDER}


def test_names_of_which_source_does_not_matter_to_the_words_left() -> None:
    """A name that only the baseline's skill has is replaced in every text."""
    both = Scrubber(hidden_names(skills=["level-maker", "stage-maker"]))

    assert both.scrub("level-maker or stage-maker") == "[name] or [name]"


@pytest.mark.parametrize(
    ("identity", "whole", "people", "skills"),
    [
        ("Ann Lee <ann@lee.example>", {"ann@lee.example", "lee.example"}, {"Ann Lee"}, set()),
        ("Ann Lee, Bo Chan and Cy", set(), {"Ann Lee", "Bo Chan", "Cy"}, set()),
        ("git@github.com:annlee/tool.git", {"github.com/annlee/tool", "annlee/tool"}, {"annlee"}, {"tool"}),
        ("git+https://gitlab.com/annlee/tool/tree/x", {"gitlab.com/annlee/tool", "annlee/tool"}, {"annlee"}, {"tool"}),
        ("github.com/annlee", set(), {"annlee"}, set()),
        ("https://tool.example/x?y", {"tool.example"}, {"tool"}, set()),
        ("someone@gmail.com", {"someone@gmail.com"}, set(), set()),
        ("@annlee", set(), {"annlee"}, set()),
        ("", set(), set(), set()),
        ("-", set(), set(), set()),
    ],
)
def test_what_an_identity_is_taken_apart_into(
    identity: str, whole: set[str], people: set[str], skills: set[str]
) -> None:
    assert hidden_names(skills=[], identities=[identity]) == Hidden(
        whole=frozenset(whole), people=frozenset(people), skills=frozenset(skills)
    )


WORDS = st.sampled_from(
    [
        *(
            "map",
            "rust",
            "level-maker",
            "Level",
            "maker",
            "skill",
            "技能",
            "Claude",
            "gpt-4",
            "Gemini",
            "name",
            "author",
        ),
        *(
            "/",
            ":",
            "`",
            "@",
            " ",
            "\n",
            "-",
            "_",
            ".",
            "[name]",
            "\u200b",
            "ｍａｐ",
            "github.com",
            "é",
            "e\u0301",
            "地图",
        ),
        *(
            "Lim",
            "Leesol",
            "acme.example",
            "https://",
            "git@",
            "skills",
            "SKILL.md",
            "owner",
            "by",
            "I am",
            "½",
            "\ufb01",
        ),
    ]
)


@given(st.lists(WORDS, max_size=30).map("".join))
def test_scrubbing_twice_is_scrubbing_once(text: str) -> None:
    once = SCRUBBER.scrub(text)

    assert SCRUBBER.scrub(once) == once


@given(st.text())
def test_text_without_names_is_unchanged(text: str) -> None:
    nobody = Scrubber(hidden_names(skills=["brindlewick-tide-word"]))

    assert nobody.scrub(text) == text


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "map ",
            "map:",
            "/map",
            "`map",
            "level-",
            "level-maker ",
            "claude-a",
            "claude ",
            "a.",
            "./",
            "/a",
            "skill ",
            "@",
        ),
        *(
            "e\u0301",
            "\u0301",
            "\u200b",
            "地图level-maker，",
            " ",
            "https://",
            "x@",
            "gpt-4-",
            "author: ",
            "\n",
            "豆包",
        ),
    ],
)
def test_no_shape_of_a_long_text_takes_long(piece: str) -> None:
    text = piece * (50_000 // len(piece))
    started = time.process_time()

    SCRUBBER.scrub(text)

    assert time.process_time() - started < 6


def skills_in(corpus: Path) -> Iterator[Skill]:
    for path in sorted(corpus.rglob("SKILL.md")):
        skill = read_skill(path).skill
        if skill is not None:
            yield skill


def planted(name: str) -> list[str]:
    """Write a name in every form in which it is an identifier."""
    return [
        *(f"/{name}", f"plugin:{name}", f"{name}:thing", f"`{name}`", f"skills/{name}/SKILL.md"),
        *(f".agent/skills/{name}", f"the {name} skill", f"the skill {name} did", f"技能 {name}", f"{name}技能"),
        *(f"---\nname: {name}\n---", f'"skill": "{name}"', f"@{name}", f"github.com/{name}"),
        f"/{name[0]}\u200b{name[1:]}",
        "/" + "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in name),
    ]


def folded(text: str) -> str:
    return re.sub(r"[\u200b\u2060]", "", unicodedata.normalize("NFKC", text)).casefold()


def test_no_identifier_of_any_real_skill_reaches_the_judge(corpus: Path) -> None:
    """All that is planted is gone, and the ordinary words around it are all there."""
    skills = list(skills_in(corpus))
    assert len(skills) >= 15
    for skill in skills:
        owner = "duthaho"
        added = (f"https://github.com/{owner}/{skill.name}", "Vera Vendor", "vera@vendor.example")
        model = "claude-sonnet-4-5"
        hidden = hidden_names(skills=[skill.name], identities=(*skill.identities, *added), models=[model, "gpt-4o"])
        plants = [
            *planted(skill.name),
            *(f"@{owner}", f"github.com/{owner}", f"{owner}/tools", f"author: {owner}"),
            *("Vera Vendor", "VERA_VENDOR", "vera@vendor.example", model, "Claude Sonnet 4.5", "gpt-4o", "Anthropic"),
        ]
        ordinary = "The ordinary research and map of a blueprint, to revisit and ideate, has no priorart."
        output = "\n".join(("<start>", *plants, ordinary, "<end>"))
        plans = plan_panels(
            [case(prompt=output, rubric={f"uses /{skill.name} well": 3})],
            {"p0": runs((output, f"short: {output}"))},
            hidden=hidden,
            seed=0,
        )
        for question in (plans[0].forward, plans[0].backward):
            sent = folded(question.system + question.text)
            name = re.escape(folded(skill.name))
            for shape in (f"/{name}", f":{name}", f"`{name}`", f"skill {name}", f"{name} ?(skill|技能)", f"{name}:t"):
                assert not re.search(rf"{shape}(?![a-z0-9])", sent), (skill.name, shape)
            if len(parts_of(skill.name)) > 1:
                assert not re.search(rf"(?<![a-z0-9]){name}(?![a-z0-9])", sent), skill.name
            for gone in (
                "claude",
                "sonnet-4",
                "gpt-4o",
                "anthropic",
                "vera vendor",
                "vera_v",
                "vera@",
                "@duthaho",
                "com/duthaho",
                ": duthaho",
            ):
                assert gone not in sent, (skill.name, gone)
            for identity in skill.identities:
                assert folded(identity) not in sent
            assert sent.count(folded(ordinary)) == 3
