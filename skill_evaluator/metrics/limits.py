"""The bounds that decide, compared in whole numbers: exactly a tenth is never above a tenth."""

TENTH = 0.10
MIN_VALID_RUNS = 3
MIN_VALID_RUNS_DRAFT = 1


def above_a_tenth(part: int, whole: int) -> bool:
    """Whether `part` is more than 10 % of `whole`; False where there is nothing.

    >>> above_a_tenth(1, 10), above_a_tenth(2, 19), above_a_tenth(0, 0)
    (False, True, False)
    """
    return part * 10 > whole


def above_a_fifth(part: int, whole: int) -> bool:
    """Whether `part` is more than 20 % of `whole`; False where there is nothing.

    >>> above_a_fifth(1, 5), above_a_fifth(2, 9), above_a_fifth(0, 0)
    (False, True, False)
    """
    return part * 5 > whole
