import json
import os
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.formats.skill_creator import Imported, import_triggers
from skill_evaluator.formats.testset import read_testset
from skill_evaluator.model import Level, Loaded

Row = Mapping[str, object]


def load(folder: Path, content: object, *, skill: str | None = None, seed: int = 0) -> Imported:
    path = folder / "triggers.json"
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, indent=1)
    path.write_text(text, "utf-8")
    return import_triggers(path, skill=skill, seed=seed)


def only_set(imported: Imported) -> Sequence[Row]:
    assert not imported.findings
    (rows,) = imported.sets.values()
    return rows


def read_back(folder: Path, rows: Sequence[Row], *, enforce_floors: bool = True) -> Loaded:
    path = folder / "testset.json"
    path.write_text(json.dumps(rows, ensure_ascii=False), "utf-8")
    return read_testset(path, enforce_floors=enforce_floors)


def labelled(positives: int, negatives: int, **extra: object) -> list[dict[str, object]]:
    labels = [True] * positives + [False] * negatives
    return [{"query": f"request {n}", "should_trigger": label, **extra} for n, label in enumerate(labels)]


def cells(rows: Sequence[Row]) -> Counter[tuple[object, object]]:
    return Counter((row["type"], row["split"]) for row in rows)


def test_a_bare_list_is_split_in_halves(tmp_path: Path) -> None:
    imported = load(tmp_path, labelled(6, 5))
    rows = only_set(imported)

    assert list(imported.sets) == ["triggers"]
    assert rows[0] == {"id": "q001", "type": "should_trigger", "split": rows[0]["split"], "input": "request 0"}
    assert [row["input"] for row in rows] == [f"request {n}" for n in range(11)]
    assert cells(rows) == {
        ("should_trigger", "acceptance"): 3,
        ("should_trigger", "tuning"): 3,
        ("should_not_trigger", "acceptance"): 3,
        ("should_not_trigger", "tuning"): 2,
    }
    assert imported.notes == (
        "11 prompts had no id and got one (q001 to q011)",
        "no split was given, so one was drawn (seed 0): 6 for acceptance, 5 for tuning, half of each type",
    )


@pytest.mark.parametrize(
    "content",
    [
        {"skill_name": "s", "queries": labelled(2, 1)},
        {"skill_name": "s", "evals": labelled(2, 1)},
        {"skill_name": "s", "cases": labelled(2, 1)},
        {"skill": "s", "anything": labelled(2, 1)},
        {
            "skill_name": "s",
            "should_trigger": ["request 0", {"query": "request 1"}],
            "should_not_trigger": ["request 2"],
        },
        {"skill_name": "s", "queries": [{"prompt": row["query"], **row} for row in labelled(2, 1)]},
        {
            "skill_name": "s",
            "tests": [{"input": row["query"], "should_trigger": row["should_trigger"]} for row in labelled(2, 1)],
        },
    ],
)
def test_shapes_met_in_the_wild(tmp_path: Path, content: object) -> None:
    imported = load(tmp_path, content)

    assert list(imported.sets) == ["s"]
    assert [(row["input"], row["type"]) for row in only_set(imported)] == [
        ("request 0", "should_trigger"),
        ("request 1", "should_trigger"),
        ("request 2", "should_not_trigger"),
    ]


def test_labels_become_tags_and_remarks_are_named(tmp_path: Path) -> None:
    content = {
        "skill_name": "s",
        "version": 1,
        "description": "d",
        "cases": [
            {**row, "id": number, "category": "direct", "tags": ["a", "b"], "locale": "zh-TW", "reason": "long talk"}
            for number, row in enumerate(labelled(3, 3), 1)
        ],
    }
    content["cases"][0]["note"] = "once"  # type: ignore[index]
    imported = load(tmp_path, content)
    first = only_set(imported)[0]

    assert (first["id"], first["tag"]) == ("1", ["direct", "a", "b", "zh-TW"])
    assert {key for row in only_set(imported) for key in row} == {"id", "type", "split", "input", "tag"}
    assert '"reason" of 6 prompts is not carried over: a test set has no place for it' in imported.notes
    assert '"note" of 1 prompt is not carried over: a test set has no place for it' in imported.notes
    assert 'at the top of the file, not carried over: "version", "description"' in imported.notes
    assert "6 ids given as a number, written as text" in imported.notes


def test_a_sentence_under_a_label_key_is_no_label(tmp_path: Path) -> None:
    imported = load(tmp_path, labelled(1, 1, category="because the user asks for a map of the old harbour"))

    assert "tag" not in only_set(imported)[0]
    assert any(note.startswith('"category" of 2 prompts is not carried over') for note in imported.notes)


def test_ids_are_made_unique_and_said(tmp_path: Path) -> None:
    ids = ("a", "a", "a-2", "", "q001", None, 7, "7")
    content = [{"id": name, **row} for name, row in zip(ids, labelled(4, 4), strict=True)]
    imported = load(tmp_path, content)

    assert [row["id"] for row in only_set(imported)] == ["a", "a-3", "a-2", "q002", "q001", "q003", "7", "7-2"]
    assert "2 ids stood twice: 'a' is now 'a-3', '7' is now '7-2'" in imported.notes


def test_a_repeated_prompt_is_kept_once(tmp_path: Path) -> None:
    imported = load(tmp_path, [*labelled(2, 2), {"query": " request  0 ", "should_trigger": True}])

    assert len(only_set(imported)) == 4
    assert "1 prompt left out as a repeat of an earlier one" in imported.notes


@pytest.mark.parametrize(("positives", "negatives"), [(1, 1), (2, 1), (1, 2), (2, 2), (3, 2), (5, 5), (9, 3), (26, 26)])
def test_both_splits_hold_each_class_where_they_can(tmp_path: Path, positives: int, negatives: int) -> None:
    found = cells(only_set(load(tmp_path, labelled(positives, negatives))))

    for kind, count in (("should_trigger", positives), ("should_not_trigger", negatives)):
        assert found[kind, "acceptance"] == (count + 1) // 2
        assert found[kind, "tuning"] == count // 2


def test_each_label_is_halved_too(tmp_path: Path) -> None:
    content = [
        {"query": f"{label} {lang} {number}", "should_trigger": label, "category": lang}
        for label in (True, False)
        for lang in ("en", "ko", "zh")
        for number in range(5)
    ]
    found = Counter((row["type"], str(row["tag"]), row["split"]) for row in only_set(load(tmp_path, content)))

    assert set(found.values()) == {2, 3}


def test_the_draw_depends_on_the_seed_alone(tmp_path: Path) -> None:
    def splits(content: Sequence[Row], seed: int) -> dict[object, object]:
        return {row["input"]: row["split"] for row in only_set(load(tmp_path, content, seed=seed))}

    content = labelled(10, 10)
    assert splits(content, 1) == splits(content[::-1], 1)
    assert splits(content, 1) != splits(content, 2)


def test_a_given_split_is_kept(tmp_path: Path) -> None:
    names = ("train", "dev", "tuning", "test", "val", "holdout", "acceptance", "验收集")
    content = [{**row, "split": name} for name, row in zip(names, labelled(4, 4), strict=True)]
    imported = load(tmp_path, content)

    assert [row["split"] for row in only_set(imported)] == ["tuning"] * 3 + ["acceptance"] * 5
    assert not any("drawn" in note for note in imported.notes)
    content[0]["split"] = "mine"
    assert any(note.startswith("only 7 of 8 prompts have a split") for note in load(tmp_path, content).notes)
    assert any(note.startswith('"split" of 1 prompt is not carried over') for note in load(tmp_path, content).notes)


def test_too_small_sets_are_written_and_said(tmp_path: Path) -> None:
    imported = load(tmp_path, labelled(4, 2))

    assert len(only_set(imported)) == 6
    assert imported.notes[-1] == (
        "too small to be scored, validate will refuse it until cases are added: "
        "6 cases of 10, 2 should_not_trigger of 3"
    )
    assert read_back(tmp_path, only_set(imported)).suite is None
    assert read_back(tmp_path, only_set(imported), enforce_floors=False).suite


ROUTES = [
    ("draw it", "map"),
    ("chart it", "map"),
    ("who made it", "atlas"),
    ("when is it", "atlas"),
    ("cook it", "none"),
]


@pytest.mark.parametrize("key", ["expect", "expected", "expected_primary", "target"])
def test_routing_sets_become_one_set_per_skill(tmp_path: Path, key: str) -> None:
    content = {"cases": [{"prompt": words, key: skill, "route": "not that"} for words, skill in ROUTES]}
    imported = load(tmp_path, content)

    assert list(imported.sets) == ["map", "atlas"]
    for skill, rows in imported.sets.items():
        assert {row["input"] for row in rows if row["type"] == "should_trigger"} == {
            words for words, route in ROUTES if route == skill
        }
        assert len(rows) == len(ROUTES)
    assert (
        "no truth values: for each skill its own prompts should trigger, the others' not (map, atlas)" in imported.notes
    )
    assert "5 prompts had no id and got one (q001 to q005)" in imported.notes
    assert imported.notes[-1].startswith("atlas: ") or imported.notes[-1].startswith("too small")


def test_one_skill_of_a_routing_set(tmp_path: Path) -> None:
    content = [{"prompt": words, "expect": skill} for words, skill in ROUTES]

    assert list(load(tmp_path, content, skill="atlas").sets) == ["atlas"]
    (fault,) = load(tmp_path, content, skill="atlass").findings
    assert (fault.code, fault.level) == ("unknown-skill", Level.FAIL)
    assert "did you mean 'atlas'?" in fault.message
    (fault,) = load(tmp_path, content, skill="zzz").findings
    assert "it names map, atlas" in fault.message


def test_a_skill_that_may_fire_too_is_left_out(tmp_path: Path) -> None:
    content = {
        "skills": ["map", "atlas", "none"],
        "cases": [
            {"prompt": "a", "expected_primary": "map", "acceptable": ["atlas"]},
            {"prompt": "b", "expected_primary": "atlas", "acceptable": []},
            {"prompt": "c", "expected_primary": None},
        ],
    }
    imported = load(tmp_path, content)

    assert [row["input"] for row in imported.sets["map"]] == ["a", "b", "c"]
    assert [row["input"] for row in imported.sets["atlas"]] == ["b", "c"]
    assert "atlas: 1 prompt left out, since it may fire there as well" in imported.notes


def test_targets_of_another_skill_become_negatives_on_demand(tmp_path: Path) -> None:
    content = [{"query": words, "should_trigger": skill != "none", "target": skill} for words, skill in ROUTES]
    both, one = load(tmp_path, content), load(tmp_path, content, skill="map")

    assert [row["type"] for row in only_set(both)] == ["should_trigger"] * 4 + ["should_not_trigger"]
    assert "the prompts are meant for 2 skills (map, atlas); --skill keeps one apart" in both.notes
    assert list(one.sets) == ["map"]
    assert [row["type"] for row in only_set(one)] == ["should_trigger"] * 2 + ["should_not_trigger"] * 3
    assert "2 prompts meant for another skill became should_not_trigger" in one.notes
    assert load(tmp_path, content, skill="mop").findings[0].code == "unknown-skill"


TWO = labelled(1, 1)
OWN = {"id": "a", "type": "should_trigger", "split": "tuning", "input": "x"}
OTHER = "not-a-trigger-set"
FAULTS: list[tuple[object, list[tuple[str, str | None, str]]]] = [
    (
        [{"query": "a", "should_trigger": "false"}, *TWO],
        [("wrong-value", "/0/should_trigger", '"false" (text); expected')],
    ),
    ([{"query": "a"}, *TWO], [("missing-key", "/0", '"should_trigger" is missing')]),
    ([{"should_trigger": True, "words": "a"}, *TWO], [("missing-key", "/0", "found should_trigger, words")]),
    ([{"query": " ", "should_trigger": True}, *TWO], [("wrong-value", "/0/query", "an empty text")]),
    ({"evals": [{"query": 3, "should_trigger": True}, *TWO]}, [("wrong-value", "/evals/0/query", "3")]),
    ([*TWO, 3, None], [("wrong-value", "/2", "a number"), ("wrong-value", "/3", "null")]),
    (
        [{"id": "x", "query": "a", "should_trigger": True}, {"query": " a", "should_trigger": False}],
        [("contradictory-input", "/1", "the same prompt as case 'x'")],
    ),
    (
        [{"prompt": "a", "expect": "map"}, {"prompt": "a", "expect": "atlas"}],
        [("contradictory-input", "/1", "the same prompt as the one at 0")],
    ),
    (
        [{"prompt": "a", "expect": "map"}, {"prompt": "b"}, {"prompt": "c", "expect": 3}],
        [("missing-key", "/1", "no skill is named"), ("wrong-value", "/2/expect", "the name of the skill")],
    ),
    (
        [{"query": "a", "should_trigger": 1}, {"query": "", "should_trigger": None}],
        [
            ("wrong-value", "/0/should_trigger", "1 (a number)"),
            ("wrong-value", "/1/query", "an empty text"),
            ("wrong-value", "/1/should_trigger", "null"),
        ],
    ),
    ('[{"query": "a", "should_trigger": true, "query": "b"}]', [("duplicate-key", "/0/query", "stands twice")]),
    ("[", [("not-json", None, "ends in the middle")]),
    ("{}", [(OTHER, None, "no prompts were found")]),
    ("[]", [(OTHER, None, "no prompts were found")]),
    ("3", [(OTHER, None, "no prompts were found")]),
    ([OWN], [(OTHER, None, "test set already")]),
    ({"cases": [OWN]}, [(OTHER, None, "keep only the list")]),
    ([{"prompt": "a", "expected_output": "a long answer", "expectations": ["x"]}], [(OTHER, None, "outputs")]),
    (
        [{"prompt": "a", "expected": "an answer of several words"}],
        [("missing-key", "/0", '"should_trigger" is missing')],
    ),
    ([{"prompt": "a", "expect": "none"}], [("unknown-skill", None, "no prompt says which skill should fire")]),
    ({"schema_version": 1, "verdict": "PASS"}, [(OTHER, None, "a report")]),
]


@pytest.mark.parametrize(("content", "expected"), FAULTS)
def test_faults_are_one_clear_list(
    tmp_path: Path, content: object, expected: Sequence[tuple[str, str | None, str]]
) -> None:
    imported = load(tmp_path, content)

    assert not imported.sets
    assert [(finding.code, finding.pointer) for finding in imported.findings] == [
        (code, at) for code, at, _ in expected
    ]
    for finding, (_, _, words) in zip(imported.findings, expected, strict=True):
        assert words in finding.message
        assert (finding.level, finding.file) == (Level.FAIL, str(tmp_path / "triggers.json"))


def test_faults_carry_their_line(tmp_path: Path) -> None:
    imported = load(tmp_path, [*labelled(1, 1), {"query": "a", "should_trigger": "false"}])

    assert [finding.line for finding in imported.findings] == [12]


def test_every_real_set_reads_back(tmp_path: Path, corpus: Path) -> None:
    paths = sorted((corpus / "triggersets").glob("*/*.json"))
    assert len(paths) >= 12
    for path in paths:
        imported = import_triggers(path)
        assert not imported.findings, path
        for name, rows in imported.sets.items():
            refused = any("too small" in note and name in note for note in imported.notes) or (
                len(imported.sets) == 1 and any(note.startswith("too small") for note in imported.notes)
            )
            loaded = read_back(tmp_path, rows)
            assert (loaded.suite is None) == refused, (path, name, loaded.findings)
            assert read_back(tmp_path, rows, enforce_floors=False).suite, (path, name)


def test_real_sets_keep_their_labels(corpus: Path) -> None:
    """Against the truth values as they stand in the file."""
    for path in sorted((corpus / "triggersets").glob("*/trigger.json")):
        value = json.loads(path.read_text("utf-8-sig"))
        entries = value if isinstance(value, list) else next(item for item in value.values() if isinstance(item, list))
        if "should_trigger" not in entries[0]:
            continue
        (rows,) = import_triggers(path).sets.values()
        assert [row["type"] == "should_trigger" for row in rows] == [entry["should_trigger"] for entry in entries]
        assert [row["input"] for row in rows] == [entry.get("query") or entry["prompt"] for entry in entries]


def test_the_two_odd_real_sets(corpus: Path) -> None:
    """One has fewer cases than a score needs, one names skills instead of truth values."""
    (small,) = (corpus / "triggersets").glob("allsmog*/trigger.json")
    (routing,) = (corpus / "triggersets").glob("duthaho*/trigger.json")

    assert cells(only_set(import_triggers(small)))["should_not_trigger", "acceptance"] == 1
    assert any("6 cases of 10, 2 should_not_trigger of 3" in note for note in import_triggers(small).notes)
    sets = import_triggers(routing).sets
    assert len(sets) == 17
    assert sum(row["type"] == "should_trigger" for row in sets["priorart"]) == 5
    assert all(len(rows) == 40 for rows in sets.values())


Scalars = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "a", "b", "none", "map", "zh", "train"])
Keys = ("query", "prompt", "should_trigger", "expect", "target", "id", "tags", "split", "acceptable", "note")
Items = st.dictionaries(st.sampled_from(Keys), Scalars | st.lists(Scalars, max_size=2), max_size=5) | Scalars
Lists = st.lists(Items, max_size=6)
Tops = st.sampled_from(["cases", "should_trigger", "should_not_trigger", "skills", "skill_name"])
Sound = st.fixed_dictionaries(
    {"query": st.sampled_from("abcdef"), "should_trigger": st.booleans()},
    optional={"id": Scalars, "tags": Scalars, "target": st.sampled_from(["map", "none"]), "split": Scalars},
)
Files = Lists | st.dictionaries(Tops, Lists | Scalars, max_size=3) | st.lists(Sound, max_size=6)
Bytes = st.binary(max_size=80) | Files.map(lambda value: json.dumps(value).encode())


@given(content=Bytes, skill=st.sampled_from([None, "map"]))
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, skill: str | None
) -> None:
    """And whatever is read, the reader of test sets takes."""
    folder = tmp_path_factory.getbasetemp() / "any-triggers"
    folder.mkdir(exist_ok=True)
    path = folder / "triggers.json"
    path.write_bytes(content)
    imported = import_triggers(path, skill=skill)

    assert bool(imported.findings) != bool(imported.sets)
    for rows in imported.sets.values():
        found = read_back(folder, rows, enforce_floors=False)
        assert found.suite, found.findings


@pytest.mark.parametrize("words", [" A map ", "Ａ map", "a\u200b map", "\ufeffa m\u00adap"])
def test_the_same_words_with_opposite_labels_are_a_fault(tmp_path: Path, words: str) -> None:
    content = [{"query": "a map", "should_trigger": True}, {"query": words, "should_trigger": False}]
    imported = load(tmp_path, content)

    assert not imported.sets
    assert [finding.code for finding in imported.findings] == ["contradictory-input"]
    content[1]["should_trigger"] = True
    assert len(only_set(load(tmp_path, content))) == 1


def test_thousands_of_equal_ids_are_told_apart_quickly(tmp_path: Path) -> None:
    content = [{"id": "x", **row} for row in labelled(2000, 2000)]
    started = time.process_time()
    rows = only_set(load(tmp_path, content))

    assert time.process_time() - started < 10  # of this process, whatever else the machine does
    assert [row["id"] for row in rows[:3]] == ["x", "x-2", "x-3"]
    assert len({row["id"] for row in rows}) == 4000


def test_a_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "t.json")

    assert [finding.code for finding in import_triggers(tmp_path / "t.json").findings] == ["not-regular"]
