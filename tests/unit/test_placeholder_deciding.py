"""The syntax is decided from the source, and said; what cannot be told is left open."""

import pytest

from skill_evaluator.graders.translation import PlaceholderIntegrity
from skill_evaluator.model import Outcome, Run


def checked(source: str, target: str) -> Outcome:
    check = PlaceholderIntegrity(source=source, target_locale="de", syntax="auto")
    return check.check(Run(case_id="one", output=target))


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        ("%1$s", ["printf"]),
        ("%<PRId64> %s", ["printf"]),
        ("%zu", ["printf"]),
        ("%(name)s", ["python %"]),
        ("%r", ["python %"]),
        ("%s %d", ["printf or python %"]),
        ("{name}", ["python {}"]),
        ("{} {.a}", ["python {}"]),
        ("%s {name}", ["printf or python %", "python {}"]),
        ("%(a)s {b:>3}", ["python %", "python {}"]),
        ("{count, plural, one {a ship} other {# ships}}", ["icu"]),
        ("{count, plural, one {a ship of %s} other {# ships}}", ["icu"]),
    ],
)
def test_kinds_are_said(source: str, kinds: list[str]) -> None:
    outcome = checked(source, source)

    assert outcome.code == "ok"
    assert outcome.evidence == {"syntax": kinds}


@pytest.mark.parametrize(
    "source", ["plain", "100% sure", "50%% off", "{{name}}", "a {", "{ color: red }", "100%", "%", "}", "{% load %}"]
)
def test_nothing_is_said_to_be_a_placeholder_where_none_is_sure(source: str) -> None:
    outcome = checked(source, source)

    assert outcome.code == "ok"
    assert outcome.evidence == {}
    assert outcome.message == "The source has no placeholder that is known here, and none came."


@pytest.mark.parametrize(
    ("source", "target", "code"),
    [
        ("%s {name}", "{name} %s", "ok"),
        ("%s {name}", "%s", "placeholder_missing"),
        ("%s {name}", "{name}", "placeholder_missing"),
        ("%s %d", "%d %s", "placeholder_reordered"),
        ("%s", "%(name)s", "placeholder_mutated"),
        ("%(a)s", "%s", "placeholder_mutated"),
        ("%1$s %2$s", "%2$s %1$s", "ok"),
        ("%s left", "%s, 100% sicher", "placeholder_extra"),  # `% s` is one to both
        ("%s left", "%s, 100%", "placeholder_malformed"),
        ("plain", "%s", "placeholder_extra"),
        ("plain", "{name}", "placeholder_extra"),
        ("%s", "%s {name}", "placeholder_extra"),
        ("{name}", "{name} %s", "placeholder_extra"),
        ("plain", "100% sicher", "ok"),
        ("%1 of %2", "%2 von %1", "ok"),
        ("%@ waits", "Es wartet %@", "ok"),
        ("99%, 5%", "99 %, 5", "ok"),
        ("{name} is 100% sure", "{name} ist gewiss", "ok"),  # braces are used, so a percent sign is text
        ("{name} pays 5%", "%5e ödüyor {name}", "ok"),
        ("%s is 100% sure", "gewiss", "placeholder_missing"),
        ("20%! %s left", "20%!", "placeholder_missing"),
    ],
)
def test_each_kind_is_compared(source: str, target: str, code: str) -> None:
    assert checked(source, target).code == code


@pytest.mark.parametrize(
    ("source", "target", "why"),
    [
        ("%s %d", "%2$d %1$s", "right for printf is not for Python"),
        ("%s is 100% sure", "%s ist gewiss", "% s may be a placeholder and may be prose"),
        ("100% sure", "gewiss", "prose or begins a placeholder"),
        ("50%% off", "50% de", "prose or begins a placeholder"),
        ("100% sure", "%100s", "prose or begins a placeholder"),
        ("%1 of %2", "%1", "%2 may be a placeholder of another program"),
        ("%L1 of %2", "%2", "%L1 may be a placeholder of another program"),
        ("%@ waits", "wartet", "%@ may be a placeholder of another program"),
        ("%1$@ and %2$@", "%1$@", "%2$@ may be a placeholder of another program"),
        ("{name} of %1", "{name}", "%1 may be a placeholder of another program"),
        ("20%! %s left", "20%! %s", "cannot be formatted itself"),
        ("{{name}} left", "{{nom}}", "prose or hold placeholders"),
        ("{a} {{name}}", "{a} {{nom}}", "a placeholder to some programs"),
        ("{name} waits", "l'{name}", "to ICU"),
        ("{name} {", "{name}", "cannot be formatted itself"),
        ("{ color }", "{ couleur }", "prose or hold placeholders"),
    ],
)
def test_what_cannot_be_told_is_left_open(source: str, target: str, why: str) -> None:
    outcome = checked(source, target)

    assert outcome.passed is None
    assert outcome.code == "placeholder_undecided"
    assert why in outcome.message
