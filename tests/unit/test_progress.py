"""What a run tells while it is under way."""

import pytest

from skill_evaluator.cli.progress import telling_retries
from skill_evaluator.model import Failure, FailureKind, Run

FAILED = Run(case_id="a", failure=Failure(kind=FailureKind.CRASH, message="exit status 1:\nboom"))


def test_each_kind_of_failure_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    tell = telling_retries(quiet=False)
    tell(FAILED, 1.2)
    tell(FAILED, 2.4)

    assert capsys.readouterr().err == "a call failed (crash: exit status 1:\\nboom); it is tried again in 1 s\n"


def test_nothing_is_told_where_quiet_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    telling_retries(quiet=True)(FAILED, 1.2)

    assert capsys.readouterr().err == ""
