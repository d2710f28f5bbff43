"""The list of assertions of a case: objects with a known name, a severity and the params of that name."""

import difflib
import json
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from skill_evaluator.formats.evalcase import keys
from skill_evaluator.formats.evalcase.form import Form
from skill_evaluator.formats.evalcase.params import EXPECTED, check_params
from skill_evaluator.formats.testset_form import shown
from skill_evaluator.texts import tr

_KEY: Final = "assertions"


def check_assertions(form: Form) -> None:
    """Note what is wrong with the assertions of a case."""
    items = form.items(_KEY)
    if form.raw.get(_KEY) == []:
        form.wrong([], (_KEY,))
    for index, item in enumerate(items):
        if isinstance(item, dict):
            _check(form, Form(item, keys.ASSERTION, (*form.above, _KEY, index), form.faults))
        elif isinstance(item, str) and item.strip():
            _bare(form, index, item)
        else:
            form.wrong(
                item, (_KEY, index), tr('an object such as {{"name": "placeholder_integrity", "severity": "hard"}}')
            )

    _doubt_repeats(form, items)


def _doubt_repeats(form: Form, items: Sequence[object]) -> None:
    seen: set[str] = set()
    for index, item in enumerate(items):
        if (written := json.dumps(item, sort_keys=True)) in seen:
            message = tr('item {index} of "{key}" stands there already; remove it', index=index + 1, key=_KEY)
            form.doubt("repeated-assertion", (_KEY, index), message)
        seen.add(written)


def _bare(form: Form, index: int, name: str) -> None:
    meant = next(iter(difflib.get_close_matches(name, keys.NAMES, n=1)), keys.NAMES[0])
    written = f'{{"name": "{meant}", "severity": "hard"}}'
    message = tr(
        'item {index} of "{key}" is the text {name}; an assertion is an object, so write {written}',
        index=index + 1,
        key=_KEY,
        name=shown(name),
        written=written,
    )
    form.fault("wrong-value", (_KEY, index), message, {"found": shown(name)})


def _check(case: Form, form: Form) -> None:
    name = form.raw.get("name")
    form = _gathered(form, EXPECTED.get(name, {}) if isinstance(name, str) else {})
    form.check_keys(("name", "severity"))
    form.choice("severity", keys.SEVERITIES)
    if isinstance(name, str) and name.strip() and name not in keys.NAMES:
        form.unknown(
            tr("unknown assertion {name}", name=shown(name)), name, keys.NAMES, "unknown-assertion", at=("name",)
        )
        form.inner("params", {})
        return
    if form.choice("name", keys.NAMES) is None:
        return
    params = form.inner("params", EXPECTED[str(name)]) if "params" in form.raw else _no_params(form, str(name))
    if params is not None:
        check_params(str(name), params)
    if name == "required_tokens" and not case.raw.get("required_tokens"):
        message = tr('the assertion looks at the "required_tokens" of its case, which has none; add them to the case')
        form.fault("no-tokens", ("name",), message)


def _gathered(form: Form, params: Collection[str]) -> Form:
    """Note params that stand beside `params`, and read on as if they stood in it, so that none is missing."""
    astray = {key: value for key, value in form.raw.items() if key in params and key not in form.expected}
    inside = form.raw.get("params", {})
    if not astray or not isinstance(inside, dict):
        return form
    for key, value in astray.items():
        written = f'"params": {{"{key}": {shown(value)}}}'
        form.fault(
            "unknown-field",
            (key,),
            tr('"{key}" is a param of the assertion; write it inside: {written}', key=key, written=written),
        )
    kept = {key: value for key, value in form.raw.items() if key not in astray}
    return Form({**kept, "params": {**astray, **inside}}, form.expected, form.above, form.faults)


def _no_params(form: Form, name: str) -> Form:
    empty: Mapping[str, object] = {}
    return Form(empty, EXPECTED[name], form.above, form.faults)
