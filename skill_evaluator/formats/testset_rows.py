"""One object of a test set -> a `Row`, or everything that is wrong with it.

The values of JSON are untyped; past this module they are not.
"""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from skill_evaluator.formats import testset_keys as keys
from skill_evaluator.formats.testset_context import read_context
from skill_evaluator.formats.testset_files import read_files
from skill_evaluator.formats.testset_form import Form, Graders, RowFault
from skill_evaluator.graders.patterns import PatternError
from skill_evaluator.graders.text import Matches
from skill_evaluator.model import JsonObject, Split, Turn
from skill_evaluator.texts import listed, tr

# Keys of neighbouring formats, whose counterpart here has another name altogether.
_OFTEN_MEANT = {"prompt": "input", "query": "input", "should_trigger": "expected_trigger", "category": "tag"}


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolCalls:
    """Tool names in the order expected, and whether other calls may stand between them."""

    names: tuple[str, ...]
    match: Literal["subsequence", "exact"] = "subsequence"


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One case as written, with typed values; what is absent is empty."""

    id: str
    input: str
    split: Split
    expect_trigger: bool
    contains: tuple[str, ...] = ()
    not_contains: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    params: JsonObject = field(default_factory=dict)
    tool_calls: ToolCalls | None = None
    context: tuple[Turn, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    expected_skill: str | None = None
    rubric: Mapping[str, int] = field(default_factory=dict)
    human_scores: Mapping[str, int] = field(default_factory=dict)
    graders: Graders = field(default_factory=Graders)
    tags: tuple[str, ...] = ()


def read_row(raw: Mapping[str, object]) -> Row | tuple[RowFault, ...]:
    """Read one object of the array.

    Args:
        raw: The object as JSON gives it.

    Returns:
        The row, or all its faults; never both.
    """
    form = Form(raw)
    _check_keys(form)
    expect_trigger = _expectation(form)
    rubric = _scores(form, "rubric")
    row = Row(
        id=form.text("id"),
        input=form.text("input"),
        split=form.choice("split", keys.SPLITS) or Split.TUNING,
        expect_trigger=expect_trigger is True,
        contains=_distinct(form.texts("expected_output_contains")),
        not_contains=_distinct(form.texts("expected_output_not_contains")),
        patterns=_patterns(form),
        params=form.mapping("expected_params"),
        tool_calls=_tool_calls(form),
        context=read_context(form),
        files=read_files(form),
        expected_skill=_expected_skill(form, expect_trigger=expect_trigger),
        rubric=rubric,
        human_scores=_human_scores(form, expect_trigger=expect_trigger),
        graders=_graders(form),
        tags=_distinct(form.texts("tag", single=True)),
    )
    if expect_trigger is False:
        _refuse_checks(form)
    return tuple(form.faults) or row


def read_expectation(raw: Mapping[str, object]) -> bool | None:
    """Say whether a row expects a trigger, without minding any other fault; None where it cannot be told."""
    return _expectation(Form(raw))


def _check_keys(form: Form) -> None:
    for key in form.raw:
        form.check_key(key, keys.KEYS, _OFTEN_MEANT)


def _expectation(form: Form) -> bool | None:
    kind, flag = form.choice("type", keys.TYPES), form.flag("expected_trigger")
    if kind is not None and flag is not None and kind != flag:
        message = tr(
            '"type" is "{type}" but "expected_trigger" is {flag}; make them agree, or leave one out',
            type=form.raw["type"],
            flag=str(flag).lower(),
        )
        form.fault("type-disagrees", ("expected_trigger",), message)
        return None
    if "type" not in form.raw and "expected_trigger" not in form.raw:
        form.missing("type")
    return flag if kind is None else kind


def _patterns(form: Form) -> tuple[str, ...]:
    patterns = form.texts("expected_output_regex", single=True)
    for index, pattern in enumerate(patterns):
        try:
            Matches(pattern=pattern)
        except PatternError as error:
            is_list = isinstance(form.raw["expected_output_regex"], list)
            parts = ("expected_output_regex", index) if is_list else ("expected_output_regex",)
            remedy = tr("mend it, and remember that JSON wants every backslash twice")
            form.fault("bad-regex", parts, tr("{found}; {remedy}", found=error.message, remedy=remedy))
    return _distinct(patterns)


def _graders(form: Form) -> Graders:
    if "graders" not in form.raw:
        return Graders()
    from skill_evaluator.formats.testset_graders import read_graders  # noqa: PLC0415 - loads the readers of suites

    return read_graders(form)


def _tool_calls(form: Form) -> ToolCalls | None:
    key = "expected_tool_calls"
    value = form.raw.get(key)
    if not isinstance(value, dict):
        names = form.texts(key)
        return ToolCalls(names=names) if names else None
    inner = Form(value, above=(key,), expected=keys.TOOL_CALLS_EXPECTED, faults=form.faults)
    for other in value.keys() - keys.TOOL_CALLS_EXPECTED.keys():
        unknown = tr('{found} in "{inside}"', found=tr('unknown key "{key}"', key=other), inside=key)
        remedy = tr("known are {known}", known=listed(["names", "match"]))
        inner.fault("unknown-key", (other,), tr("{found}; {remedy}", found=unknown, remedy=remedy))
    names = inner.texts("names", required=True)
    match = inner.choice("match", {"subsequence": "subsequence", "exact": "exact"})
    # No names at all still mean something where exactly these calls are allowed: none.
    return ToolCalls(names=names, match="exact") if match == "exact" else ToolCalls(names=names) if names else None


def _expected_skill(form: Form, *, expect_trigger: bool | None) -> str | None:
    key = "expected_skill"
    if key not in form.raw:
        return None
    if expect_trigger:
        message = tr(
            '"{key}" says which skill should fire instead, but this case is to trigger the skill itself; remove it',
            key=key,
        )
        form.fault("sibling-on-positive", (key,), message, {"key": key})
    return form.text(key) or None


def _scores(form: Form, key: str) -> Mapping[str, int]:
    """Give the whole numbers by rubric item."""
    scores = form.mapping(key)
    for item, score in scores.items():
        if isinstance(score, bool) or not isinstance(score, int) or not 1 <= score <= keys.MAX_TARGET:
            form.wrong(score, (key, item))
    return {item: score for item, score in scores.items() if isinstance(score, int)}


def _human_scores(form: Form, *, expect_trigger: bool | None) -> Mapping[str, int]:
    """Give what a person scored; there is nothing to hold a score against whose item no judge is asked about."""
    key = "human_scores"
    scores, rubric = _scores(form, key), form.raw.get("rubric", {})
    if isinstance(rubric, dict) and expect_trigger is not False:
        items = [str(item) for item in rubric]
        for item in (item for item in scores if item not in rubric):
            nearest = next(iter(difflib.get_close_matches(item, items, n=1)), None)
            remedy = (
                tr('did you mean "{nearest}"?', nearest=nearest) if nearest else tr("add it there, or remove the score")
            )
            message = tr('"{item}" of "{key}" is no item of "rubric"; {remedy}', item=item, key=key, remedy=remedy)
            form.fault("score-without-item", (key, item), message, {"item": item, "nearest": nearest})
    return scores


def _refuse_checks(form: Form) -> None:
    for key in keys.OUTPUT_KEYS:
        if form.raw.get(key):
            message = tr(
                '"{key}" can never be looked at, since this case must not trigger; remove it, or change the type',
                key=key,
            )
            form.fault("check-on-negative", (key,), message, {"key": key})


def _distinct(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
