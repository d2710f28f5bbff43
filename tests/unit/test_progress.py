"""What a run tells while it is under way."""

import pytest

from skill_evaluator.api.review import ReviewNews
from skill_evaluator.cli.progress import telling_retries, telling_review
from skill_evaluator.model import Failure, FailureKind, Run

FAILED = Run(case_id="a", failure=Failure(kind=FailureKind.CRASH, message="exit status 1:\nboom"))


def test_each_kind_of_failure_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    tell = telling_retries(quiet=False)
    tell(FAILED, 1.2)
    tell(FAILED, 2.4)

    assert capsys.readouterr().err == "a call failed (crash: exit status 1:\\nboom); it is tried again in 1 s\n"


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
