"""Why the system refused something, in two languages."""

import errno
import os

import pytest

from skill_evaluator.reasons import reason_of, told
from skill_evaluator.texts import localized, tr


@pytest.mark.parametrize("number", [errno.ENOENT, errno.EACCES, errno.EISDIR, errno.ENOSPC])
def test_common_reasons_are_said_in_both(number: int) -> None:
    reason = reason_of(OSError(number, os.strerror(number)))
    assert localized(reason, "en") == os.strerror(number)
    assert not localized(reason, "zh").isascii()


def test_rare_reasons_stay_as_they_are() -> None:
    assert localized(reason_of(OSError(errno.EXDEV, "Invalid cross-device link")), "zh") == "Invalid cross-device link"
    assert localized(reason_of(OSError(errno.ENOENT, "gone")), "zh") == "gone"


def test_what_an_error_says_as_a_text_is_kept() -> None:
    assert localized(reason_of(ValueError(tr("a list"))), "zh") == localized(tr("a list"), "zh") != "a list"
    assert reason_of(ValueError("odd", 1)) == str(ValueError("odd", 1))
    assert reason_of(OSError("odd")) == "odd"


def test_an_error_is_told_whole() -> None:
    error = FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "a b")
    assert told(error) == str(error)
    assert localized(told(error), "zh") == "[Errno 2] 没有这个文件或文件夹：'a b'"
    assert localized(told(OSError(errno.ENOENT, os.strerror(errno.ENOENT))), "zh") == "[Errno 2] 没有这个文件或文件夹"
    assert told(OSError("odd")) == "odd"
