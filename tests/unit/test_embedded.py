"""The router without a model: what makes it fire, and that nothing but its inputs does."""

import asyncio
import json
import math
import os
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skill_evaluator.agents import embedded
from skill_evaluator.agents.catalogue import catalogue, lexicon
from skill_evaluator.agents.embedded import EmbeddedAgent
from skill_evaluator.agents.embedded_text import features, shorten, split_exclusions
from skill_evaluator.model import Arm, Case, Run, Skill, Source, Split

KNITTING = (
    "Design knitting patterns: stitch counts, yarn amounts, gauge and sizes. Use for sweaters, socks and scarves."
)
KNIT_PROMPT = "I want to knit a scarf, what stitch count do I need for this yarn and gauge?"
TEA_ZH = "茶叶品鉴与冲泡建议：绿茶、红茶、乌龙茶的水温、投茶量和冲泡时间。当用户问怎么泡茶时使用。"
PROBE = """
import asyncio, pickle, sys
from skill_evaluator.agents.embedded import EmbeddedAgent
from skill_evaluator.model import Arm
skill, cases = pickle.load(sys.stdin.buffer)
agent = EmbeddedAgent(skill, seed=3)
sys.stdout.buffer.write(pickle.dumps([asyncio.run(agent.run(case, Arm.WITH, at)) for at, case in enumerate(cases)]))
"""


def skill(description: str, *, name: str = "probe", body: str = "", non_triggers: tuple[str, ...] = ()) -> Skill:
    return Skill(
        name=name,
        description=description,
        body=body,
        path=Path("SKILL.md"),
        sha256="0" * 64,
        files=("SKILL.md",),
        non_triggers=non_triggers,
    )


def case(prompt: str, case_id: str = "c1") -> Case:
    return Case(
        id=case_id,
        prompt=prompt,
        split=Split.TUNING,
        expect_trigger=None,
        sha256="0" * 64,
        prompt_sha256="0" * 64,
        source=Source(path="testset.json"),
    )


def answer(agent: EmbeddedAgent, prompt: str, index: int = 0, arm: Arm = Arm.WITH) -> Run:
    return asyncio.run(agent.run(case(prompt), arm, index))


def cosine(left: dict[str, float], right: dict[str, float]) -> float:
    product = sum(weight * right.get(term, 0.0) for term, weight in left.items())
    lengths = math.hypot(*left.values()) * math.hypot(*right.values())
    return product / lengths if lengths else 0.0


def tfidf(text: str, texts: Sequence[str]) -> dict[str, float]:
    """Weigh by the book: 1 + ln tf, times ln((1 + n) / (1 + df)) + 1; terms of no text are unknown."""
    found = Counter(term for each in texts for term in set(features(each)))
    counts = Counter(term for term in features(text) if term in found)
    return {
        term: (1 + math.log(count)) * (math.log((1 + len(texts)) / (1 + found[term])) + 1)
        for term, count in counts.items()
    }


@pytest.mark.parametrize(
    ("description", "prompt", "fires"),
    [
        (KNITTING, KNIT_PROMPT, True),
        (KNITTING, "the login page returns a 500 error after the last deploy, please debug it", False),
        (TEA_ZH, "乌龙茶应该用多少度的水冲泡，投茶量多少？", True),
        (TEA_ZH, "帮我把这个 Python 脚本的报错修一下", False),
        ("하이킹 코스를 추천하고 등산 장비와 소요 시간을 알려줍니다.", "등산 코스 추천해줘, 장비는 뭐가 필요해?", True),
        ("하이킹 코스를 추천하고 등산 장비와 소요 시간을 알려줍니다.", "이 코드에서 오류를 찾아서 고쳐줘", False),
    ],
)
def test_fires_on_a_prompt_for_the_skill_and_not_on_another_task(description: str, prompt: str, fires: bool) -> None:
    agent = EmbeddedAgent(skill(description))

    assert [answer(agent, prompt, index).triggered for index in range(3)] == [fires] * 3


def test_a_run_that_fired_says_so_and_claims_nothing_else() -> None:
    agent = EmbeddedAgent(skill(KNITTING, name="knitting"))

    run = answer(agent, KNIT_PROMPT, 2)

    assert run.skills_invoked == ("knitting",)
    assert (run.case_id, run.arm, run.index) == ("c1", Arm.WITH, 2)
    assert (run.output, run.tool_calls, run.duration_s, run.usage, run.failure) == (None,) * 5


def test_a_run_that_did_not_fire_names_no_skill_and_shows_its_margin() -> None:
    agent = EmbeddedAgent(skill(KNITTING))

    run = answer(agent, "")

    assert run.skills_invoked == ()
    assert run.raw_response == f"margin 0.000, fires above {embedded.THRESHOLD}"


def test_without_the_skill_nothing_fires() -> None:
    agent = EmbeddedAgent(skill(KNITTING))

    assert answer(agent, KNIT_PROMPT, arm=Arm.WITHOUT).triggered is False


def test_margin_is_the_textbook_tfidf_cosine_less_three_quarters_of_the_three_best_neighbours() -> None:
    """Worked out in plain Python from the formula in docs/agents.md."""
    wanted = f"probe. {KNITTING}"
    shipped = [f"{name.replace('-', ' ')}. {text}" for name, text in catalogue().neighbours]
    texts = [wanted, "", *shipped, *catalogue().smalltalk]
    prompt = tfidf(KNIT_PROMPT, texts)
    rivals = sorted((cosine(prompt, tfidf(text, texts)) for text in shipped), reverse=True)[:3]

    margin = EmbeddedAgent(skill(KNITTING)).margin(KNIT_PROMPT)

    assert margin == pytest.approx(cosine(prompt, tfidf(wanted, texts)) - 0.75 * sum(rivals) / 3)


@pytest.mark.parametrize(
    ("description", "exclusion", "prompt"),
    [
        (KNITTING, " Do not use for crochet or macrame.", "help me with a crochet and macrame project"),
        (KNITTING, "\nDo not use when:\n- the user asks for crochet\n- macrame", "a macrame wall hanging"),
        (KNITTING, " Designs knitwear, not for crochet or macrame.", "crochet a bag with macrame straps"),
        (TEA_ZH, "不触发：咖啡拉花。", "教我做咖啡拉花"),
        (TEA_ZH, "不要用于咖啡豆选购。", "选购咖啡豆"),
        ("為茶葉寫介紹文。", "不適用：咖啡豆的烘焙。", "咖啡豆怎麼烘焙"),
        ("차를 우리는 방법을 알려줍니다.", " 커피 로스팅에는 사용하지 마세요.", "커피 로스팅 방법"),
        ("お茶の淹れ方を教えます。", "コーヒーの焙煎には使わないでください。", "コーヒーの焙煎をしたい"),
    ],
)
def test_what_a_description_excludes_lowers_the_margin(description: str, exclusion: str, prompt: str) -> None:
    silent = EmbeddedAgent(skill(description)).margin(prompt)

    assert EmbeddedAgent(skill(description + exclusion)).margin(prompt) < silent - 0.02


def test_an_exclusion_found_by_the_reader_counts_against_too() -> None:
    described = f"{KNITTING} Crochet is somebody else's job."
    prompt = "crochet is somebody else's job"

    told = EmbeddedAgent(skill(described, non_triggers=("Crochet is somebody else's job",))).margin(prompt)

    assert told < EmbeddedAgent(skill(described)).margin(prompt) - 0.1


def test_a_refused_word_is_not_cut_out_of_what_is_wanted() -> None:
    described = f'{KNITTING} Not for "yarn" shopping.'

    told = EmbeddedAgent(skill(described, non_triggers=("yarn",))).margin(KNIT_PROMPT)

    assert told == EmbeddedAgent(skill(described)).margin(KNIT_PROMPT)


def test_what_is_refused_in_words_that_are_wanted_is_not_held_against_the_skill() -> None:
    """ "Fills PDF forms. Not for merging PDF files" still wants PDF forms."""
    described = "Fills PDF forms."

    refusing = EmbeddedAgent(skill(f"{described} Not for PDF forms.")).margin("PDF forms")

    assert refusing == pytest.approx(EmbeddedAgent(skill(described)).margin("PDF forms"), abs=0.05)


@pytest.mark.parametrize(
    ("description", "wanted", "refused"),
    [
        ("Use this instead of grep.", "Use this instead of grep.", ""),
        ("Use when a build does not finish.", "Use when a build does not finish.", ""),
        ("It is not only for PDFs but for Word.", "It is not only for PDFs but for Word.", ""),
        ("Use it even if they don't use the word chart.", "Use it even if they don't use the word chart.", ""),
        ("Use it even if they never use Git.", "Use it even if they never use Git.", ""),
        ("Audits pages - don’t use for apps.", "Audits pages", "- don’t use for apps."),
        ("Audits pages but should not be used on apps.", "Audits pages", "but should not be used on apps."),
        ("For review, not for writing code.", "For review", "not for writing code."),
        ("Audits pages. Use the deploy skill instead.", "Audits pages.", "Use the deploy skill instead."),
        ("Audits pages. It doesn't apply to apps.", "Audits pages.", "It doesn't apply to apps."),
        ("Not for:\n- apps\n- games\nAudits pages.", "Audits pages.", "Not for: - apps - games"),
        ("检查网页。闲聊时不要触发。", "检查网页。", "闲聊时不要触发。"),
        ("", "", ""),
    ],
)
def test_a_description_is_parted_into_wanted_and_refused(description: str, wanted: str, refused: str) -> None:
    assert split_exclusions(description) == (wanted, refused)


def test_only_what_a_model_sees_when_it_chooses_counts() -> None:
    bare = EmbeddedAgent(skill(KNITTING)).margin(KNIT_PROMPT)

    assert EmbeddedAgent(skill(KNITTING, body=KNIT_PROMPT)).margin(KNIT_PROMPT) == bare


def test_an_installed_neighbour_that_fits_better_takes_the_prompt() -> None:
    rival = ("scarf-helper", "Knit a scarf: stitch count, yarn and gauge. Not for sweaters.")

    alone = EmbeddedAgent(skill(KNITTING)).margin(KNIT_PROMPT)

    assert EmbeddedAgent(skill(KNITTING), neighbours=[rival]).margin(KNIT_PROMPT) < alone - 0.02


def test_a_shipped_neighbour_with_the_same_job_is_no_rival() -> None:
    """Else a translation skill would lose every prompt to the shipped one."""
    described = (
        "Translates documents and messages between languages, keeping tone. Use when something must be translated."
    )
    agent = EmbeddedAgent(skill(described, name="translator"))

    assert "translate-text" not in agent._names
    assert len(agent._names) == len(catalogue().neighbours) - 1
    assert answer(agent, "translate this letter into French, same tone").triggered


def test_a_prompt_meets_a_description_in_another_language_through_the_lexicon() -> None:
    agent = EmbeddedAgent(skill("Translates contracts and invoices."))

    assert agent.margin("翻译合同") > agent.margin("晚饭吃什么") + 0.05


def test_each_repetition_competes_with_another_sixty_percent() -> None:
    agent = EmbeddedAgent(skill(KNITTING))
    total = len(catalogue().neighbours)
    samples = [agent._sample(KNIT_PROMPT, index) for index in range(200)]

    assert {len(set(sample)) for sample in samples} == {round(0.6 * total)}
    assert samples[0] == agent._sample(KNIT_PROMPT, 0)
    assert len({frozenset(sample) for sample in samples}) == len(samples)
    drawn = Counter(place for sample in samples for place in sample)
    assert all(0.6 - 0.17 < drawn[place] / 200 < 0.6 + 0.17 for place in range(total))  # 5 standard errors


def test_the_sample_depends_on_seed_and_prompt() -> None:
    first, other = EmbeddedAgent(skill(KNITTING), seed=1), EmbeddedAgent(skill(KNITTING), seed=2)

    assert set(first._sample("a", 0)) != set(other._sample("a", 0))
    assert set(first._sample("a", 0)) != set(first._sample("b", 0))


def test_neither_order_nor_concurrency_changes_an_answer() -> None:
    asked = [(case(f"{KNIT_PROMPT} {number}", f"c{number}"), index) for number in range(6) for index in range(3)]

    async def at_once(agent: EmbeddedAgent) -> list[Run]:
        return await asyncio.gather(*(agent.run(one, Arm.WITH, index) for one, index in reversed(asked)))

    first = EmbeddedAgent(skill(KNITTING))
    in_order = [asyncio.run(first.run(one, Arm.WITH, index)) for one, index in asked]

    assert asyncio.run(at_once(EmbeddedAgent(skill(KNITTING))))[::-1] == in_order


def test_another_process_gives_the_same_answers() -> None:
    """Python salts `hash()` per process; nothing here may depend on it."""
    cases = [case(f"yarn for socks {number}") for number in range(5)]
    agent = EmbeddedAgent(skill(KNITTING), seed=3)

    elsewhere = subprocess.run(
        [sys.executable, "-c", PROBE],
        check=True,
        capture_output=True,
        input=pickle.dumps((skill(KNITTING), cases)),
        env=os.environ | {"PYTHONHASHSEED": "1"},
    ).stdout

    here = [asyncio.run(agent.run(one, Arm.WITH, at)) for at, one in enumerate(cases)]
    assert pickle.loads(elsewhere) == here  # noqa: S301 - written by the lines above


@given(st.text(max_size=300))
@example("")
@example(" \n\t")
@example("\0")
@example("👩‍💻🧶🏳️‍🌈")
@example("\ud800 lone surrogate")
@example("x" * 100_000)
@example("织毛衣" * 33_000)
def test_any_prompt_gets_an_answer(prompt: str) -> None:
    run = answer(AGENT, prompt)

    assert run.triggered is not None
    assert -1.0 <= AGENT.margin(prompt) <= 1.0


@pytest.mark.parametrize("description", ["", "\0", "🧶", "Do not use for anything.", "\ud800", "x" * 50_000])
def test_any_description_gives_an_agent(description: str) -> None:
    assert answer(EmbeddedAgent(skill(description)), KNIT_PROMPT).triggered is False


def test_a_long_prompt_keeps_both_ends() -> None:
    text = shorten("start " + "pasted " * 20_000 + "end")

    assert (text[:5], text[-3:], len(text)) == ("start", "end", 20_001)


def test_reports_can_show_the_settings_as_json() -> None:
    info = EmbeddedAgent(skill(KNITTING), seed=7, neighbours=[("scarf-helper", "Knit a scarf.")]).info

    assert (info.name, info.model, info.estimate) == ("embedded", "embedded-1", True)
    settings = json.loads(json.dumps(dict(info.settings)))
    assert settings["seed"] == 7
    assert [entry.split("@")[0] for entry in settings["neighbours"]] == ["scarf-helper"]


def test_the_shipped_texts_are_whole() -> None:
    names = [name for name, _ in catalogue().neighbours]

    assert len(set(names)) == len(names)
    assert all(text.strip() for _, text in catalogue().neighbours)
    assert lexicon().stems["translat"] & {notion for word, notion in lexicon().inside if word == "翻译"}


def test_the_documentation_names_the_constants() -> None:
    text = " ".join((Path(__file__).parents[2] / "docs" / "agents.md").read_text("utf-8").split())

    assert f"above {embedded.THRESHOLD}**" in text
    assert f"- {embedded.REFUSAL_WEIGHT} · cos(prompt, refused) - {embedded.RIVAL_WEIGHT} · mean of the three" in text
    assert f"Neighbours are {len(catalogue().neighbours)} short" in text
    assert f"`{embedded.MODEL}`" in text


AGENT = EmbeddedAgent(skill(KNITTING))
