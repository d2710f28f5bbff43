"""Advice names what the failed tuning cases have in common, and what to change."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from skill_evaluator.advise import MOST_WORDS, ROUNDS, TuningCase, TuningEvidence, advise
from skill_evaluator.graders.params import Params
from skill_evaluator.graders.text import Contains, Matches, NotContains
from skill_evaluator.graders.trace import ToolOrder
from skill_evaluator.grading import grade_run
from skill_evaluator.metrics.cases import case_result
from skill_evaluator.model import Aspect, Case, Check, Grader, Run, Source, Split, ToolCall
from skill_evaluator.results import CaseResult, Cause, SkillInfo, Suggestion

RUNS = 3


def asked(  # noqa: PLR0913 - all by name
    id_: str,
    prompt: str,
    *,
    expect: bool = True,
    fired: bool = True,
    split: Split = Split.TUNING,
    output: str | None = None,
    skills: Sequence[str] = (),
    tools: Sequence[str] | None = None,
    graders: Sequence[Grader] = (),
    tags: Sequence[str] = (),
) -> CaseResult:
    """Three equal runs of one case."""
    case = Case(
        id=id_,
        prompt=prompt,
        split=split,
        expect_trigger=expect,
        sha256="0" * 64,
        prompt_sha256="0" * 64,
        source=Source(path="t.json"),
        graders=tuple(graders),
        tags=tuple(tags),
    )
    runs = [
        Run(
            case_id=id_,
            index=index,
            triggered=fired,
            output=output,
            skills_invoked=tuple(skills),
            tool_calls=None if tools is None else tuple(ToolCall(name=name) for name in tools),
        )
        for index in range(RUNS)
    ]
    return case_result(case, [(run, grade_run(case, run)) for run in runs], planned_runs=RUNS)


LEVELS = "Designs levels for puzzle games. Do not use for checking asset files."


def skill(description: str = LEVELS, *, name: str = "level-maker", when_to_use: str | None = None) -> SkillInfo:
    return SkillInfo(
        name=name, version="1", description=description, sha256="0" * 64, files=("SKILL.md",), when_to_use=when_to_use
    )


def advice(cases: Sequence[CaseResult], about: SkillInfo | None = None, threshold: float = 0.85) -> list[Suggestion]:
    return list(advise(TuningEvidence.of(about or skill(), cases, pass_threshold=threshold)))


def proposed(suggestion: Suggestion) -> list[str]:
    words = suggestion.proposal.values.get("words", [])
    assert isinstance(words, list)
    return words


def misses(*prompts: str, **options: Any) -> list[CaseResult]:  # noqa: ANN401 - options of `asked`
    return [asked(f"m{number}", prompt, fired=False, **options) for number, prompt in enumerate(prompts)]


def hits(*prompts: str) -> list[CaseResult]:
    return [asked(f"p{number}", prompt) for number, prompt in enumerate(prompts)]


def quiet(*prompts: str) -> list[CaseResult]:
    return [asked(f"n{number}", prompt, expect=False, fired=False) for number, prompt in enumerate(prompts)]


def false(*prompts: str) -> list[CaseResult]:
    return [asked(f"f{number}", prompt, expect=False) for number, prompt in enumerate(prompts)]


HITS = ("design a level with three rooms", "a puzzle level please", "one more hard level")
QUIET = ("what is the capital of Portugal?", "translate this letter", "book a table for two on Friday")


def test_words_that_missed_requests_share_and_the_description_lacks_are_proposed() -> None:
    [found] = advice([*misses("draw a dungeon for my heroes", "my dungeon needs traps"), *hits(*HITS), *quiet(*QUIET)])

    assert (found.cause, found.round, found.cases) == (Cause.MISSED_WORDS, 1, ("m0", "m1"))
    assert proposed(found) == ["dungeon"]
    assert found.samples == ("draw a dungeon for my heroes", "my dungeon needs traps")
    assert (found.analysis.code, found.proposal.code) == ("shared_words", "add_words")


def test_all_forms_of_a_word_are_one_word() -> None:
    [found] = advice([*misses("translating a riddle", "the riddles were translated"), *quiet("book a table")])

    assert sorted(proposed(found)) == ["riddle", "translated"]


@pytest.mark.parametrize(
    ("about", "prompts", "words"),
    [
        (skill("生成关卡。"), ("帮我做个最终迷宫", "请设计一下最终迷宫的地图"), ["最终迷宫"]),
        (skill("生成关卡。"), ("上传三张海报图片", "几张海报图片要上传到哪里"), ["海报图片", "上传"]),
        (skill("生成关卡。"), ("看看是否支持多人", "想知道是否支持多人"), ["支持多人"]),
        (skill("生成关卡。"), ("三年级的数学题", "我要三年级数学题"), ["三年级", "数学题"]),
        (skill("生成关卡。"), ("把这串对话印成图册", "我那串对话要印成图册"), ["图册", "对话"]),
        (skill("ゲームのステージを作る。"), ("ダンジョンを作って", "このダンジョンの地図がほしい"), ["ダンジョン"]),
        (skill("게임 레벨을 만듭니다."), ("던전을 그려줘", "던전에 함정이 필요해"), ["던전"]),
        (skill("게임 레벨을 만듭니다."), ("줄여줄래, 이 단락을", "이 단락인데 줄여주세요"), ["단락", "줄여"]),
        (skill("Erstellt Rätsel."), ("zeichne einen Kerker", "mein Kerker braucht Fallen"), ["Kerker"]),
    ],
)
def test_words_come_whole_in_the_language_of_the_requests(
    about: SkillInfo, prompts: tuple[str, ...], words: list[str]
) -> None:
    [found] = advice([*misses(*prompts), *quiet(*QUIET)], about)

    assert proposed(found) == words


@pytest.mark.parametrize(
    ("prompt", "other"),
    [
        ("make the thing with you", "make it the same way for me"),  # stop words
        ("level-maker please", "try level-maker now"),  # the name of the skill
        ("the 2024 in report_final.csv", "some 2024 of report_final.csv"),  # digits, a file
        ('say "my aunt Berta" in it', 'with "my aunt Berta" again'),  # quoted
        ("use sk-ant-abcdefghijklmnop1234 here", "with sk-ant-abcdefghijklmnop1234 too"),  # a key
        ("the a.b@example.com about it", "is a.b@example.com there"),
        ("see https://example.com/dungeon", "at https://example.com/dungeon"),
        ("把“张三的日记”给我", "请帮我看一下“张三的日记”吧"),
    ],
)
def test_what_nobody_should_put_into_a_description_is_never_proposed(prompt: str, other: str) -> None:
    found = advice([*misses(prompt, other), *quiet("book a table for two")])

    assert [proposed(one) for one in found] == [[]]
    assert [one.proposal.code for one in found] == ["widen"]


def test_a_word_that_rightly_quiet_requests_use_is_not_proposed() -> None:
    found = advice([*misses("a dungeon map", "dungeon map now"), *quiet("dungeon cleaning", "the dungeon history")])

    assert all("dungeon" not in proposed(one) for one in found)


def test_a_word_of_the_description_or_of_when_to_use_is_not_missing() -> None:
    about = skill(when_to_use="Also for a dungeon.")

    found = advice([*misses("draw a dungeon", "my dungeon"), *quiet(*QUIET)], about)

    assert all("dungeon" not in proposed(one) for one in found)


def test_an_agent_that_answered_itself_is_told_from_missing_words() -> None:
    """The description says `level` already: more keywords are no help."""
    [found] = advice([*misses("a level with ice", "my level is dull", output="Here you are"), *hits(*HITS)])

    assert found.cause is Cause.ANSWERED_DIRECTLY
    assert proposed(found) == []
    assert (found.analysis.code, found.proposal.code) == ("answered_covered", "say_when_needed")


def test_a_direct_answer_to_a_request_that_the_description_never_speaks_of_says_so() -> None:
    [found] = advice([*misses("做个最终关", output="好"), *hits(*HITS), *quiet(*QUIET)], threshold=0.9)

    assert (found.cause, found.proposal.code) == (Cause.ANSWERED_DIRECTLY, "say_when_needed_words")
    assert proposed(found) == ["最终关"]


def test_words_explain_direct_answers_only_where_chance_does_not() -> None:
    """Four of four against none of four: 1/70 by chance. Two of two against none of two: 1/6."""
    named = [f"dungeon level {word}" for word in ("ice", "fire", "mud", "fog")]
    plain = [f"puzzle level {word}" for word in ("tall", "wide", "dark", "odd")]

    many = advice([*misses(*named, output="Here"), *hits(*plain), *quiet(*QUIET)])
    few = advice([*misses(*named[:2], output="Here"), *hits(*plain[:2]), *quiet(*QUIET)])

    assert [(one.cause, proposed(one)) for one in many] == [(Cause.MISSED_WORDS, ["dungeon"])]
    assert [one.cause for one in few] == [Cause.ANSWERED_DIRECTLY]


def test_a_sibling_that_fired_instead_is_named_with_what_to_delimit() -> None:
    cases = misses("a maze with three exits", "draw a maze", output="x", skills=["map-maker", "pen"])

    [found] = advice([*cases, *hits(*HITS), *quiet(*QUIET)])

    assert found.cause is Cause.SIBLING_FIRED
    assert found.proposal.values == {"skill": "map-maker", "words": ["maze"]}


def test_false_triggers_of_one_kind_are_gathered_by_their_words() -> None:
    cases = false("review the pull request", "is this pull request fine?", "make me a sandwich")

    found = advice([*cases, *hits(*HITS), *quiet(*QUIET)])

    assert [(one.cause, one.round, one.cases) for one in found] == [
        (Cause.FALSE_TRIGGERS, 1, ("f0", "f1")),
        (Cause.FALSE_TRIGGERS, 2, ("f2",)),
    ]
    assert proposed(found[0]) == ["pull request"]
    assert found[0].proposal.code == "exclude_words"


@pytest.mark.parametrize(
    ("prompt", "word"),
    [
        ("check the rhymes of the water tank", "water tank"),
        ("send the newsletter of our Rails application with SendGrid", "SendGrid"),
    ],
)
def test_a_request_that_stands_alone_is_excluded_by_its_most_telling_words(prompt: str, word: str) -> None:
    [found] = advice([*false(prompt), *hits("a new level")], skill("Makes levels."))

    assert proposed(found) == [word]


def test_a_word_that_the_skill_claims_is_narrowed_not_excluded() -> None:
    found = advice([*false("puzzle books to buy", "who sells puzzle books?", "puzzle history"), *hits("a new level")])

    assert found[0].analysis.values["broad"] == ["puzzle"]
    assert proposed(found[0]) == ["puzzle books"]


def test_an_exclusion_that_stands_there_already_is_told_to_be_stressed() -> None:
    [found] = advice([*false("asset files are broken", "list asset files"), *hits(*HITS), *quiet(*QUIET)])

    assert found.proposal.code == "stress_exclusion"


def grader(check: Check, aspect: Aspect = Aspect.OUTPUT) -> Grader:
    return Grader(name="g", check=check, aspect=aspect)


@pytest.mark.parametrize(
    ("check", "aspect", "cause", "codes", "values"),
    [
        (Contains(text="id"), Aspect.OUTPUT, Cause.OUTPUT, "contains_missing", {"missing": "id"}),
        (NotContains(text="sorry"), Aspect.OUTPUT, Cause.OUTPUT, "not_contains_found", {"found": "sorry"}),
        (Matches(pattern="^x$"), Aspect.OUTPUT, Cause.OUTPUT, "regex_missing", {"pattern": "^x$"}),
        (
            Params(expected={"a": {"b": 1}}),
            Aspect.PARAMS,
            Cause.FIELDS,
            "field_type",
            {"path": "a.b", "expected": 1, "actual": "1"},
        ),
        (Params(expected={"c": 1}), Aspect.PARAMS, Cause.FIELDS, "field_missing", {"path": "c", "expected": 1}),
        (
            Params(expected={"d": 4}),
            Aspect.PARAMS,
            Cause.FIELDS,
            "field_value",
            {"path": "d", "expected": 4, "actual": 5},
        ),
        (ToolOrder(names=("read", "write")), Aspect.TOOL_ORDER, Cause.TOOLS, "tools_missing", {"missing": ["write"]}),
        (ToolOrder(names=("look", "read")), Aspect.TOOL_ORDER, Cause.TOOLS, "tools_out_of_order", {}),
        (ToolOrder(names=("read",), match="exact"), Aspect.TOOL_ORDER, Cause.TOOLS, "tools_extra", {"extra": ["look"]}),
    ],
)
def test_a_check_that_several_cases_fail_is_one_suggestion(
    check: Check, aspect: Aspect, cause: Cause, codes: str, values: dict[str, object]
) -> None:
    output = 'sorry {"a": {"b": "1"}, "d": 5}'
    cases = [
        asked(f"p{number}", HITS[number], output=output, tools=["read", "look"], graders=[grader(check, aspect)])
        for number in range(3)
    ]

    [found] = advice([*cases, *quiet(*QUIET)])

    assert (found.cause, found.cases) == (cause, ("p0", "p1", "p2"))
    assert (found.analysis.code, found.proposal.code) == (f"found_{codes}", f"mend_{codes}")
    assert values.items() <= found.proposal.values.items()


def test_output_without_any_field_is_told_as_such() -> None:
    case = asked("p0", HITS[0], output="no", graders=[grader(Params(expected={"a": 1}), Aspect.PARAMS)])

    assert [one.proposal.code for one in advice([case])] == ["mend_params_no_json"]


def test_many_single_faults_are_told_together() -> None:
    cases = [asked(f"p{n}", HITS[0], output="x", graders=[grader(Contains(text=f"word {n}"))]) for n in range(9)]

    [found] = advice(cases)

    assert found.analysis.values["faults"] == 9
    assert len(found.cases) == 9
    assert found.proposal.values["names"] == [f"word {n}" for n in range(5)]


def test_later_rounds_look_at_what_is_left_and_end_early() -> None:
    siblings = [asked(f"s{n}", f"level {n}", fired=False, output="x", skills=[f"sibling-{n}"]) for n in range(5)]

    found = advice([*siblings, *hits(*HITS)])

    assert [one.round for one in found] == [1, 1, 1, 2, 2]
    assert [one.proposal.values["skill"] for one in found] == [f"sibling-{n}" for n in range(5)]


def test_the_last_round_leaves_nothing_out() -> None:
    siblings = [asked(f"s{n:02}", f"level {n}", fired=False, output="x", skills=[f"sibling-{n:02}"]) for n in range(20)]

    found = advice(siblings)

    assert {one.round for one in found} == set(range(1, ROUNDS + 1))
    assert sorted(case for one in found for case in one.cases) == [f"s{n:02}" for n in range(20)]


@pytest.mark.parametrize(
    ("cases", "due"),
    [
        ([*hits(*HITS), *quiet(*QUIET)], False),
        ([*misses("x"), *hits(*(f"level {n}" for n in range(9)))], False),  # F1 = 18/19
        ([*misses("x"), *hits("level")], True),  # F1 = 2/3
        (
            [*false("x"), *quiet(*(f"no {n}" for n in range(9))), *hits(*(f"level {n}" for n in range(9)))],
            False,
        ),  # 1/10
        ([*false("x"), *quiet(*(f"no {n}" for n in range(8))), *hits(*(f"level {n}" for n in range(9)))], True),  # 1/9
        ([asked("p", "level", output="", graders=[grader(Contains(text="a"))])], True),
        ([], False),
    ],
)
def test_advice_is_made_when_scores_or_checks_of_tuning_cases_call_for_it(cases: list[CaseResult], due: bool) -> None:
    assert TuningEvidence.of(skill(), cases, pass_threshold=0.85).is_due is due
    assert bool(advice(cases)) is due


def test_acceptance_cases_cannot_be_evidence() -> None:
    case = asked("a0", "a level", split=Split.ACCEPTANCE)

    with pytest.raises(ValueError, match="'a0' is of the acceptance split"):
        TuningCase(case)
    with pytest.raises(ValueError, match="advice rests on tuning alone"):
        TuningEvidence.of(skill(), [*hits("a level"), case], pass_threshold=0.85)


texts = st.text(max_size=60) | st.text(alphabet="关卡设计最终迷宫的我请帮审查合同", max_size=30)
answers = st.tuples(
    texts, st.booleans(), st.booleans(), st.sampled_from([None, "", "out"]), st.sampled_from([(), ("s",)])
)


@settings(max_examples=60)
@given(st.lists(answers, max_size=8), texts, st.randoms(use_true_random=False))
@example([("\ud800\x00", True, False, None, ()), ("“" * 5000, True, False, None, ())], "\udfff", random.Random(0))  # noqa: S311
@example([("关" * 30_000, True, False, "x", ()), ("a1" * 9000, False, True, None, ())], "关", random.Random(0))  # noqa: S311
def test_any_text_gives_advice_that_rests_on_failed_tuning_cases_in_any_order(
    given_: list[tuple[str, bool, bool, str | None, tuple[str, ...]]], description: str, chance: random.Random
) -> None:
    cases = [
        asked(f"c{n}", text, expect=expect, fired=fired, output=output, skills=skills)
        for n, (text, expect, fired, output, skills) in enumerate(given_)
    ]
    shuffled = chance.sample(cases, len(cases))

    found = advice(cases, skill(description), threshold=1.0)

    assert found == advice(shuffled, skill(description), threshold=1.0)
    failed = {case.id for case in cases if case.decision is not case.expect_trigger}
    assert {case for one in found for case in one.cases} == (failed if found else set())
    assert all(len(proposed(one)) <= MOST_WORDS and 1 <= one.round <= ROUNDS for one in found)
