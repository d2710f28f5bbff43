"""What is told of runs under way: counts, cost as far as it is known, and the time they still take."""

from collections.abc import Callable

import pytest

from skill_evaluator.api.review import ReviewNews
from skill_evaluator.cli.bar import foot_of
from skill_evaluator.cli.language import speak
from skill_evaluator.cli.news import review_text
from skill_evaluator.cli.tally import ERROR, SILENT, STATES_OF_RUNS, TRIGGERED, Tally
from skill_evaluator.report.escape import display_width
from skill_evaluator.texts import localized


def at(*times: float) -> Callable[[], float]:
    """A clock that stands at each of these times once, and then at the last."""
    left = list(times)
    return lambda: left.pop(0) if len(left) > 1 else left[0]


def tally(*, total: int = 40, seconds: float = 30.0, cost_usd: float | None = 0.001) -> Tally:
    """Ten runs: six triggered, three did not, one failed."""
    made = Tally(total, STATES_OF_RUNS, clock=at(0.0, seconds))
    for state, number in ((TRIGGERED, 6), (SILENT, 3)):
        for _ in range(number):
            made.add(state, cost_usd)
    made.add(ERROR, None, may_lack_cost=True)
    return made


def test_all_of_it_stands_in_one_line() -> None:
    """Ten runs in 30 s leave 30 others for 90 s."""
    assert tally().line() == "10/40 runs: 6 triggered, 3 not triggered, 1 error; $0.0090 so far; 0:30, about 1:30 to go"
    assert localized(tally().line(), "zh") == (
        "10/40 次运行：触发 6，未触发 3，出错 1；目前 $0.0090；已用 0:30，约剩 1:30"
    )


def test_an_unknown_cost_is_not_shown_as_nothing() -> None:
    assert "$" not in tally(cost_usd=None).line()


def test_a_cost_that_some_runs_do_not_tell_is_at_least_what_the_others_do() -> None:
    made = tally()
    made.add(SILENT, None)
    assert made.cost() == "at least $0.0090 so far"


def test_the_first_seconds_and_the_end_tell_no_remaining_time() -> None:
    assert tally(seconds=4.0).times() == ""
    assert tally(total=10).times() == "0:30"
    assert Tally(3, STATES_OF_RUNS, clock=at(0.0, 30.0)).times() == "0:30"


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("width", [20, 40, 60, 80, 100, 120, 200])
def test_the_foot_fits_the_terminal(width: int, language: str) -> None:
    speak("zh" if language == "zh" else "en")
    try:
        lines = foot_of(tally(), width).split("\n")
    finally:
        speak("en")
    assert all(display_width(line) < width for line in lines)
    assert "10/40" in lines[0]


def test_a_wide_terminal_has_all_in_one_line_with_a_bar() -> None:
    """A quarter of 30 columns is 7."""
    assert foot_of(tally(), 120) == (
        f"{'━' * 7}{'─' * 23} 10/40 · 6 triggered, 3 not triggered, 1 error · $0.0090 so far · 0:30, about 1:30 to go"
    )


def test_a_narrow_one_has_counts_and_cost_below() -> None:
    assert foot_of(tally(), 60).split("\n")[1] == "6 triggered, 3 not triggered, 1 error · $0.0090 so far"


def test_without_runs_to_go_nothing_is_divided_by() -> None:
    assert foot_of(Tally(0, STATES_OF_RUNS), 80).endswith(" 0/0")


def test_calls_of_the_judge_stand_beside_the_runs() -> None:
    news = review_text(ReviewNews(who="judge", answered=3, failed=1, not_asked=0, planned=12))
    assert foot_of(tally(), 60, besides=news).split("\n")[1:] == [
        "6 triggered, 3 not triggered, 1 error · $0.0090 so far ·",
        "  judge: 4/12 calls: 3 answered, 1 failed",
    ]
    assert localized(news, "zh") == "评审：4/12 次调用：已回答 3，失败 1"
