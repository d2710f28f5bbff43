"""The skill under test is told from its siblings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.skill_names import is_target


@pytest.mark.parametrize("invoked", ["level-maker", "demo:level-maker"])
def test_skill_goes_by_its_name_or_that_of_its_plugin_and_its_own(invoked: str) -> None:
    assert is_target(invoked, "level-maker")


@pytest.mark.parametrize(
    "invoked",
    [
        "level-maker-pro",
        "level",
        "demo:level-maker-pro",
        "level-maker:other",
        "a:b:level-maker",
        ":level-maker",
        "level-maker:",
        "Level-Maker",
        " level-maker",
        "/level-maker",
        "",
    ],
)
def test_other_names_are_other_skills(invoked: str) -> None:
    assert not is_target(invoked, "level-maker")


@given(st.text(min_size=1), st.text("abc-", min_size=1), st.text("abc-", min_size=1))
def test_longer_name_is_never_taken_for_its_beginning_or_end(name: str, more: str, plugin: str) -> None:
    assert is_target(name, name)
    assert is_target(f"{plugin}:{name}", name)
    assert not is_target(name + more, name)
    assert not is_target(f"{plugin}:{name}{more}", name)
    assert not is_target(f"{plugin}{name}", name)
