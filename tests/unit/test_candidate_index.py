"""Where candidates stand, by the id of their case."""

from array import array

from skill_evaluator.formats.evalcase.candidate_index import CandidateIndex, Row


def row(line: int) -> Row:
    return Row(offset=line * 1_000_000_007, line=line, checksum=line * 7)


def test_finds_every_id_among_many_after_growing_often() -> None:
    index = CandidateIndex()

    assert all(index.add(f"case.{number:06}", row(number)) is None for number in range(20_000))

    assert len(index) == 20_000
    assert [index.find(f"case.{number:06}") for number in range(20_000)] == list(range(20_000))
    assert index[19_999] == row(19_999)
    assert index.find("case.020000") is None


def test_a_second_row_of_an_id_is_refused_and_the_first_one_named() -> None:
    index = CandidateIndex()
    index.add("a", row(1))
    index.add("b", row(2))

    assert index.add("a", row(3)) == 0
    assert len(index) == 2
    assert index[0].line == 1


def test_an_empty_index_holds_nothing() -> None:
    assert CandidateIndex().find("") is None


def test_takes_some_dozen_bytes_a_candidate() -> None:
    index = CandidateIndex()
    for number in range(10_000):
        index.add("x" * 1_000 + str(number), row(number + 1))

    parts = [getattr(index, name) for name in CandidateIndex.__slots__]
    size = sum(len(part) * (part.itemsize if isinstance(part, array) else 1) for part in parts)
    assert size < 60 * 10_000
