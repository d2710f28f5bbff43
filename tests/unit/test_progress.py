"""What a run tells while it is under way."""

import pytest

from skill_evaluator.api.review import ReviewNews
from skill_evaluator.cli.news import telling_canary, telling_retries, telling_review
from skill_evaluator.cli.progress import plain_progress
from skill_evaluator.model import Failure, FailureKind, Run

FAILED = Run(case_id="a", failure=Failure(kind=FailureKind.CRASH, message="exit status 1:\nboom"))


def test_each_kind_of_failure_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    tell = telling_retries(quiet=False)
    tell(FAILED, 1.2)
    tell(FAILED, 2.4)

    assert capsys.readouterr().err == "a call failed (crash: exit status 1:\\nboom); it is tried again in 1 s\n"


def test_the_canary_gives_a_sign_of_life(capsys: pytest.CaptureFixture[str]) -> None:
    tell = telling_canary(quiet=False)
    tell(1, None)
    tell(1, Run(case_id="canary-by-name", triggered=True))
    tell(2, None)
    tell(2, FAILED)
    telling_canary(quiet=True)(1, None)

    assert capsys.readouterr().err.splitlines() == [
        "canary: question 1 of 2 is asked ...",
        "canary: question 1 of 2 was answered",
        "canary: question 2 of 2 is asked ...",
        "canary: question 2 of 2 failed (crash: exit status 1:\\nboom)",
    ]


def test_a_log_of_slow_runs_is_not_silent_for_long(capsys: pytest.CaptureFixture[str]) -> None:
    """Of 100 runs every tenth is told, and one that comes a minute or more after the last line."""
    times = iter([0.0, 59.0, 60.0, 119.0])
    advance = plain_progress(100, clock=lambda: next(times))
    for _ in range(3):
        advance(Run(case_id="a", triggered=True))

    assert capsys.readouterr().err == "2/100 runs: 2 triggered; 1:00, about 49:00 to go\n"


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ((12, 0, 0), "judge: 12/12 calls: 12 answered\n"),
        ((7, 1, 0), "judge: 8/12 calls: 7 answered, 1 failed\n"),
        ((3, 1, 8), "judge: 12/12 calls: 3 answered, 1 failed, 8 not asked\n"),
        ((7, 0, 0), ""),
    ],
)
def test_calls_of_the_judge_are_told_by_what_came_of_them(
    counts: tuple[int, int, int], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answered, failed, not_asked = counts
    news = ReviewNews(who="judge", answered=answered, failed=failed, not_asked=not_asked, planned=12)
    telling_review(quiet=False)(news)

    assert capsys.readouterr().err == told


def test_nothing_is_told_where_quiet_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    telling_retries(quiet=True)(FAILED, 1.2)

    assert capsys.readouterr().err == ""
