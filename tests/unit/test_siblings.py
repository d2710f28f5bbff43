"""Which skill fired: the table, the rate and the failures of several skills that are installed side by side."""

import pytest
from statsmodels.stats.proportion import proportion_confint

from skill_evaluator.metrics.cases import case_result
from skill_evaluator.metrics.failed import failed_cases
from skill_evaluator.metrics.paired import paired_result
from skill_evaluator.metrics.pairing import pair_cases
from skill_evaluator.metrics.siblings import as_scored, expected_skill_rate, fired_table
from skill_evaluator.metrics.split import split_result
from skill_evaluator.model import AgentInfo, Case, Failure, FailureKind, Run, Source, Split
from skill_evaluator.results import CaseResult, Evidence
from skill_evaluator.skill_names import neighbour_names, plain_name, scored_siblings

TARGET = "map-maker"
FAILURE = Failure(kind=FailureKind.CRASH, message="exit 1")
FIRED: dict[str, tuple[str, ...]] = {
    "t": ("map-maker",),
    "T": ("atlas:map-maker",),
    "h": ("town-history",),
    "H": ("towns:town-history", "map-maker"),
    "w": ("weather", "town-history"),
    "o": (),  # opened the SKILL.md of the target, which this agent does not name
    "-": (),
}


def asked(id_: str, *, expect: bool, sibling: str | None = None) -> Case:
    return Case(
        id=id_,
        prompt=f"words of {id_}",
        split=Split.ACCEPTANCE,
        expect_trigger=expect,
        sha256="a",
        prompt_sha256="b",
        source=Source(path="t.json"),
        expected_skill=sibling,
    )


def case(id_: str, letters: str, *, expect: bool = False, sibling: str | None = None) -> CaseResult:
    """Runs by letter, see `FIRED`; e is an error, ? does not say."""
    runs = [
        Run(
            case_id=id_,
            index=index,
            triggered=None if letter in "e?" else letter in "tTHo",
            failure=FAILURE if letter == "e" else None,
            skills_invoked=FIRED.get(letter, ()),
        )
        for index, letter in enumerate(letters)
    ]
    return case_result(asked(id_, expect=expect, sibling=sibling), [(run, ()) for run in runs], planned_runs=len(runs))


CASES = (
    case("p1", "tTo", expect=True),
    case("p2", "t-h", expect=True),
    case("n1", "hhe", sibling="town-history"),
    case("n2", "hw-", sibling="town-history"),
    case("n3", "?t-"),
    case("n4", "-Hw", sibling="towns:town-history"),
)


def test_the_table_counts_valid_runs_by_what_should_have_fired_and_what_did() -> None:
    """By hand: p1 fires 3 times, p2 once, once nothing, once history; n1 has 2 valid runs; n3 has 2."""
    rows = [(row.expected, row.fired, row.runs) for row in fired_table(CASES, TARGET)]

    assert rows == [
        ("map-maker", "map-maker", 4),
        ("map-maker", "town-history", 1),
        ("map-maker", None, 1),
        ("town-history", "town-history", 4),
        ("town-history", "weather", 2),
        ("town-history", None, 2),
        (None, "map-maker", 1),
        (None, None, 1),
    ]
    assert sum(runs for *_, runs in rows) == sum(one.valid_runs for one in CASES)


def test_the_order_of_cases_does_not_matter() -> None:
    mixed = CASES[3:] + CASES[2::-1]

    assert fired_table(mixed, TARGET) == fired_table(CASES, TARGET)
    assert expected_skill_rate(mixed) == expected_skill_rate(CASES)


@pytest.mark.parametrize(
    ("letters", "right"),
    [
        ("hhh", True),
        ("hh-", True),
        ("hH-", True),  # under another name, and before the target
        ("hwt", False),
        ("h-", False),  # a tie
        ("he", True),  # an error decides nothing
        ("h?", True),
        ("ww-", False),  # there, but not first
        ("tto", False),
        ("eee", None),
        ("???", None),
    ],
)
def test_the_expected_skill_is_right_where_it_is_first_in_most_valid_runs(letters: str, right: bool | None) -> None:
    assert case("n", letters, sibling="town-history").right_skill is right


def test_a_case_that_expects_no_skill_is_in_no_count() -> None:
    metric = expected_skill_rate([case("p", "ttt", expect=True), case("n", "hhh")])

    assert (metric.value, metric.interval, metric.numerator, metric.denominator) == (None, None, 0, 0)


def test_the_rate_is_a_share_of_the_measured_cases_that_name_a_skill() -> None:
    """n1 is right, n2 and n4 are not, and a case of errors is not measured."""
    metric = expected_skill_rate([*CASES, case("n5", "eee", sibling="town-history")])
    low, high = proportion_confint(1, 3, method="wilson")

    assert (metric.value, metric.numerator, metric.denominator) == (1 / 3, 1, 3)
    assert metric.interval
    assert (metric.interval.low, metric.interval.high) == pytest.approx((low, high))


def test_a_split_holds_the_table_only_where_the_skill_is_named() -> None:
    assert split_result(CASES, seed=0).fired == ()
    assert split_result(CASES, seed=0, target=TARGET).fired == fired_table(CASES, TARGET)


def test_a_wrong_skill_is_a_failure_with_what_fired_in_each_run() -> None:
    (failed,) = failed_cases([case("n2", "hw-", sibling="town-history")])

    assert (failed.sort, failed.expected) == ("wrong_skill", {"skill": "town-history"})
    assert (failed.actual["right_runs"], failed.actual["valid_runs"]) == (1, 3)
    runs = failed.actual["runs"]
    assert isinstance(runs, list)
    assert [run["skills_invoked"] for run in runs] == [["town-history"], ["weather", "town-history"], []]


def test_a_false_trigger_in_place_of_a_sibling_is_both() -> None:
    found = failed_cases([case("n", "ttt", sibling="town-history"), case("e", "eee", sibling="town-history")])

    assert [(failed.id, failed.sort) for failed in found] == [
        ("n", "false_trigger"),
        ("n", "wrong_skill"),
        ("e", "unmeasured"),
    ]


def test_lost_siblings_are_paired_evidence_and_one_more_way_to_lose() -> None:
    """Five cases that all changed alike are enough; the 5 % are then shared by four ways: 1 - 2 * 0.05 / 4."""
    old, new = (
        [case(f"n{number}", letters, sibling="town-history") for number in range(5)] for letters in ("hh", "ww")
    )
    result = paired_result(pair_cases(new, old), seed=0)
    change = result.changes["expected_skill_rate"]

    assert (change.cases, change.difference, change.interval, change.evidence) == (5, -1.0, None, Evidence.REGRESSED)
    assert result.gate_level == pytest.approx(0.975)
    assert (result.worsened, result.mcnemar_p) == ((), None)  # none of them fired the skill under test


@pytest.mark.parametrize(
    ("invoked", "plain"),
    [("a", "a"), ("p:a", "a"), ("p:a:b", "a:b"), (":a", ":a"), ("p:", "p:"), ("", "")],
)
def test_a_plugin_is_no_part_of_a_name(invoked: str, plain: str) -> None:
    assert plain_name(invoked) == plain


def agent(neighbours: object = None, *, estimate: bool = False) -> AgentInfo:
    settings = {} if neighbours is None else {"neighbours": neighbours}
    return AgentInfo(name="x", estimate=estimate, settings=settings)


@pytest.mark.parametrize(
    ("info", "names", "scored"),
    [
        (agent(), None, None),
        (agent(30), None, None),
        (agent([]), (), frozenset()),
        (
            agent(["town-history@0f0f", "a:weather@00", "odd@name@00", "bare", 7]),
            ("town-history", "a:weather", "odd@name", "bare"),
            frozenset({"town-history", "weather", "odd@name", "bare"}),
        ),
        (agent(["town-history@0f0f"], estimate=True), ("town-history",), frozenset()),
    ],
)
def test_installed_skills_are_told_by_the_settings(
    info: AgentInfo, names: tuple[str, ...] | None, scored: frozenset[str] | None
) -> None:
    assert neighbour_names(info) == names
    assert scored_siblings(info) == scored


@pytest.mark.parametrize(
    ("info", "counts"),
    [
        (agent(), True),  # recordings do not tell what was installed
        (agent(["town-history@0f"]), True),
        (agent(["weather@0f"]), False),
        (agent([]), False),
        (agent(["town-history@0f"], estimate=True), False),  # an estimate is about the target alone
    ],
)
def test_a_sibling_counts_where_it_could_have_fired(info: AgentInfo, counts: bool) -> None:
    scored = as_scored(asked("n", expect=False, sibling="towns:town-history"), info)

    assert (scored.expected_skill is not None) is counts
