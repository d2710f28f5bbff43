import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from statsmodels.stats.proportion import proportion_confint

from skill_evaluator.formats.testset import read_testset
from skill_evaluator.formats.testset_doubts import find_doubts, names_skill, smallest_to_show
from skill_evaluator.model import Finding, Level, Skill

SKILL = Skill(
    name="map-maker",
    description="Draws maps. Use for 'draw me the old harbour at night'.",
    body="## When to use\n- 画一张港口的地图\n",
    path=Path("SKILL.md"),
    sha256="0" * 64,
    files=("SKILL.md",),
)
REQUESTS = (
    *("where is the nearest bakery", "who won the final", "plan a round trip by train", "cook rice without a lid"),
    *("mark each well in the valley", "explain the offside rule", "contour lines up north please", "mend my bike"),
    *("add a legend in French", "choose a birthday present", "print it on A3", "a limerick about rain"),
)


def rows(**changes: Mapping[str, object]) -> list[dict[str, object]]:
    """Twelve cases c0..c11, six of each class, three of each in each split; changes by id."""
    return [
        {
            "id": f"c{number}",
            "type": "should_not_trigger" if number % 2 else "should_trigger",
            "split": "acceptance" if number % 4 < 2 else "tuning",
            "input": words,
            **changes.get(f"c{number}", {}),
        }
        for number, words in enumerate(REQUESTS)
    ]


def doubts(
    folder: Path,
    content: Sequence[Mapping[str, object]],
    code: str,
    *,
    skill: Skill | None = SKILL,
    threshold: float = 0.85,
) -> list[Finding]:
    path = folder / "testset.json"
    path.write_text(json.dumps(content, ensure_ascii=False), "utf-8")
    loaded = read_testset(path, skill=skill, pass_threshold=threshold)
    assert loaded.suite, loaded.findings
    assert all(finding.level is Level.WARN for finding in loaded.findings)
    return [finding for finding in loaded.findings if finding.code == code]


def test_a_plain_set_has_only_the_doubt_of_size(tmp_path: Path) -> None:
    path = tmp_path / "testset.json"
    path.write_text(json.dumps(rows()), "utf-8")

    assert {finding.code for finding in read_testset(path, skill=SKILL).findings} == {"class-too-small"}


@pytest.mark.parametrize(
    ("acceptance", "tuning", "alike"),
    [
        ("please draw a map of the old harbour", "please draw a map of the new harbour", True),
        ("Draw a map of the harbour!", "draw a map of the harbour", True),
        ("请帮我画一张老港口附近的详细地图", "请帮我画一张新港口附近的详细地图", True),
        ("draw a map of the harbour", "explain the rules of chess", False),
        ("draw a map of the harbour", "draw a picture of my dog", False),
        ("请帮我画一张地图", "请帮我写一首诗", False),
    ],
)
def test_near_duplicates_across_the_splits(tmp_path: Path, acceptance: str, tuning: str, alike: bool) -> None:
    content = rows(c0={"input": acceptance}, c2={"input": tuning})
    found = doubts(tmp_path, content, "near-duplicate-across-splits")

    assert [(finding.values["case"], finding.values["other"]) for finding in found] == ([("c0", "c2")] if alike else [])


def test_near_duplicates_inside_a_split_are_fine(tmp_path: Path) -> None:
    content = rows(c0={"input": "draw a map of harbour one"}, c4={"input": "draw a map of harbour two"})

    assert not doubts(tmp_path, content, "near-duplicate-across-splits")


def test_the_same_input_in_both_splits_is_said_once(tmp_path: Path) -> None:
    content = rows(c0={"input": "draw a map"}, c2={"input": "draw a  map"})

    assert not doubts(tmp_path, content, "near-duplicate-across-splits")
    assert len(doubts(tmp_path, content, "duplicate-input")) == 1


@pytest.mark.parametrize(
    ("request_text", "split", "quoted"),
    [
        ("draw me the old harbour at night", "acceptance", True),
        ("Draw me the OLD harbour, at night!", "acceptance", True),
        ("画一张港口的地图", "acceptance", True),
        ("draw me the old harbour at night", "tuning", False),
        ("draw me the old harbour at nigh", "acceptance", False),
        ("maps", "acceptance", False),
        ("a map of the old harbour", "acceptance", False),
    ],
)
def test_acceptance_input_that_the_skill_quotes(tmp_path: Path, request_text: str, split: str, quoted: bool) -> None:
    content = rows(c0={"input": request_text, "split": split})
    found = doubts(tmp_path, content, "acceptance-input-in-skill")

    assert [finding.values for finding in found] == ([{"case": "c0"}] if quoted else [])


@pytest.mark.parametrize(
    ("text", "name", "named"),
    [
        ("use map-maker on this", "map-maker", True),
        ("/map-maker", "map-maker", True),
        ("用 Map-Maker 画一张", "map-maker", True),
        ("please use the map maker here", "map-maker", False),
        ("is there a map-maker-pro?", "map-maker", False),
        ("map this repository", "map", False),
        ("run /map here", "map", True),
        ("use the map skill", "map", True),
        ("use the skill map", "map", True),
        ("用 map 技能", "map", True),
        ("use `map` on it", "map", True),
        ("the /maps folder", "map", False),
        ("score it with C++ rules", "c++ rules", True),
    ],
)
def test_naming_the_skill(text: str, name: str, named: bool) -> None:
    assert names_skill(text, name) is named


def test_only_positives_that_name_the_skill_are_doubted(tmp_path: Path) -> None:
    content = rows(c0={"input": "run map-maker"}, c1={"input": "explain map-maker to me"})
    found = doubts(tmp_path, content, "positive-names-skill")

    assert [finding.values for finding in found] == [{"case": "c0", "skill": "map-maker"}]
    assert not doubts(tmp_path, content, "positive-names-skill", skill=None)


@pytest.mark.parametrize("share", [0.5, 0.75, 0.8, 0.85, 0.9, 0.95, 0.99])
def test_smallest_number_is_where_a_perfect_result_first_shows_it(share: float) -> None:
    """Against the Wilson interval of statsmodels."""
    smallest = smallest_to_show(share)
    assert smallest is not None
    low = [proportion_confint(count, count, method="wilson")[0] for count in (smallest - 1, smallest)]

    assert low[0] < share <= low[1]


def test_smallest_numbers_of_the_usual_limits() -> None:
    assert (smallest_to_show(0.85), smallest_to_show(0.9)) == (22, 35)
    assert (smallest_to_show(1.0), smallest_to_show(0.0)) == (None, 1)


def test_small_classes_name_the_number_that_would_do(tmp_path: Path) -> None:
    found = doubts(tmp_path, rows(), "class-too-small")

    assert [finding.values for finding in found] == [
        {"split": "acceptance", "class": "positive", "cases": 3, "smallest": 22},
        {"split": "acceptance", "class": "negative", "cases": 3, "smallest": 35},
    ]
    assert "that takes 22" in found[0].message
    loose = doubts(tmp_path, rows(), "class-too-small", threshold=0.4)
    assert [finding.values["class"] for finding in loose] == ["negative"]


def test_large_classes_are_not_doubted(tmp_path: Path) -> None:
    content = [
        {"id": f"{kind}{number}", "type": kind, "split": "acceptance", "input": f"{kind} {number * 7919} {number}"}
        for kind, count in (("should_trigger", 22), ("should_not_trigger", 35))
        for number in range(count)
    ]

    assert not doubts(tmp_path, content, "class-too-small")
    assert len(doubts(tmp_path, content[1:], "class-too-small")) == 1


def test_one_sided_tags(tmp_path: Path) -> None:
    four = {f"c{number}": {"tag": ["nav", "all"]} for number in (0, 2, 4, 6)}
    found = doubts(tmp_path, rows(**four, c1={"tag": "all"}), "one-sided-tag")

    assert [finding.values for finding in found] == [{"tag": "nav", "class": "positive"}]
    assert not doubts(tmp_path, rows(**dict(list(four.items())[:3])), "one-sided-tag")


def test_a_slash_and_a_rubric_are_said(tmp_path: Path) -> None:
    content = rows(c0={"input": " /deploy now", "rubric": {"clarity": 4}}, c2={"rubric": {"clarity": 4}})

    assert [finding.values for finding in doubts(tmp_path, content, "prompt-starts-with-slash")] == [{"case": "c0"}]
    assert [finding.values for finding in doubts(tmp_path, content, "rubric-not-scored")] == [{"cases": 2}]


def test_a_rubric_that_a_judge_scores_is_no_doubt(tmp_path: Path) -> None:
    path = tmp_path / "testset.json"
    path.write_text(json.dumps(rows(c0={"rubric": {"clarity": 4}})), "utf-8")
    suite = read_testset(path).suite
    assert suite

    for judge, codes in ((None, {"rubric-not-scored"}), ("judge-1", set())):
        found = find_doubts(suite.cases, "t.json", skill=None, pass_threshold=0.85, judge_model=judge)
        assert {finding.code for finding in found} - {"class-too-small"} == codes
