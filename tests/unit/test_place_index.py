"""Where many things stand, by their names."""

from array import array

from skill_evaluator.formats.evalcase.place_index import Place, PlaceIndex


def place(line: int) -> Place:
    return Place(line=line, where=line * 1_000_000_007, mark=line * 7)


def test_finds_every_name_among_many_after_growing_often() -> None:
    index = PlaceIndex()

    assert all(index.add(f"case.{number:06}", place(number)) is None for number in range(20_000))

    assert len(index) == 20_000
    assert [index.find(f"case.{number:06}") for number in range(20_000)] == list(range(20_000))
    assert index[19_999] == place(19_999)
    assert index.find("case.020000") is None


def test_a_second_place_of_a_name_is_refused_and_the_first_one_named() -> None:
    index = PlaceIndex()
    index.add("a", place(1))
    index.add("b", place(2))

    assert index.add("a", place(3)) == 0
    assert len(index) == 2
    assert index[0].line == 1


def test_an_empty_index_holds_nothing() -> None:
    assert PlaceIndex().find("") is None


def test_takes_some_dozen_bytes_a_name() -> None:
    index = PlaceIndex()
    for number in range(10_000):
        index.add("x" * 1_000 + str(number), place(number + 1))

    parts = [getattr(index, name) for name in PlaceIndex.__slots__]
    size = sum(len(part) * (part.itemsize if isinstance(part, array) else 1) for part in parts)
    assert size < 60 * 10_000
