"""The params of the six assertions: which each has, and what they may hold."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, get_args

from skill_evaluator.formats.evalcase.form import Form
from skill_evaluator.formats.testset_form import shown
from skill_evaluator.graders.patterns import PatternError, compile_pattern
from skill_evaluator.graders.translation.max_chars import Unit
from skill_evaluator.graders.translation.placeholder_integrity import Syntax
from skill_evaluator.graders.translation.protocol_complete import Format
from skill_evaluator.texts import listed, tr

SYNTAXES: Final = tuple(get_args(Syntax))
FORMATS: Final = tuple(get_args(Format))
UNITS: Final = tuple(get_args(Unit))
_FLAG: Final = tr("true or false, without quotes")
EXPECTED: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "protocol_complete": {
            "expected_items": tr("a whole number from 1 up"),
            "terminator": tr('the literal text that ends a response, such as "<END>"'),
            "allow_extra_items": _FLAG,
            "format": listed(f'"{word}"' for word in FORMATS),
        },
        "placeholder_integrity": {
            "syntax": listed(f'"{word}"' for word in SYNTAXES),
            "allow_reorder": _FLAG,
            "pattern": tr('a regular expression, together with "syntax": "custom"'),
        },
        "number_fidelity": {},
        "required_tokens": {},
        "forbidden_renderings": {
            "renderings": tr('a list of at least one text or {{"pattern": "a regular expression"}}'),
        },
        "max_chars": {
            "limit": tr("a whole number from 1 up"),
            "unit": listed(f'"{word}"' for word in UNITS),
        },
    }
)
# What counts where a param is left out; only those that have a fixed value.
DEFAULTS: Final[Mapping[str, Mapping[str, object]]] = MappingProxyType(
    {
        "protocol_complete": {"allow_extra_items": False, "format": "auto"},
        "placeholder_integrity": {"syntax": "auto", "allow_reorder": True},
        "max_chars": {"unit": "graphemes"},
    }
)
REQUIRED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"forbidden_renderings": ("renderings",), "max_chars": ("limit",)}
)


def check_params(name: str, form: Form) -> None:
    """Note what is wrong with the params of an assertion.

    Args:
        name: A known name.
        form: The params; empty where they were left out.
    """
    form.check_keys(REQUIRED.get(name, ()))
    if name in _CHECKS:
        _CHECKS[name](form)


def _protocol(form: Form) -> None:
    form.whole("expected_items")
    if not isinstance(terminator := form.raw.get("terminator", "x"), str) or not terminator:
        form.wrong(terminator, ("terminator",))
    form.flag("allow_extra_items")
    form.choice("format", FORMATS)


def _placeholders(form: Form) -> None:
    form.choice("syntax", SYNTAXES)
    form.flag("allow_reorder")
    is_custom = form.raw.get("syntax") == "custom"
    if "pattern" not in form.raw:
        if is_custom:
            message = tr('"syntax" is "custom", but "pattern" is missing; add the regular expression of a placeholder')
            form.fault("missing-field", (), message, {"key": "pattern"})
        return
    if not is_custom:
        message = tr('"pattern" is for "syntax": "custom" alone; write that syntax, or remove the pattern')
        form.fault("misplaced-pattern", ("pattern",), message)
    _pattern(form)


def _renderings(form: Form) -> None:
    items = form.items("renderings")
    if form.raw.get("renderings") == []:
        form.wrong([], ("renderings",))
    for index, item in enumerate(items):
        if isinstance(item, dict):
            inner = Form(item, {"pattern": tr("a regular expression")}, (*form.above, "renderings", index), form.faults)
            inner.check_keys(("pattern",))
            if "pattern" in item:
                _pattern(inner)
        elif not (isinstance(item, str) and item):
            form.wrong(item, ("renderings", index), tr('a text, or {{"pattern": "a regular expression"}}'))


def _length(form: Form) -> None:
    form.whole("limit")
    form.choice("unit", UNITS)


def _pattern(form: Form) -> None:
    pattern = form.raw["pattern"]
    if not isinstance(pattern, str) or not pattern:
        form.wrong(pattern, ("pattern",))
        return
    try:
        compile_pattern(pattern)
    except PatternError as error:
        message = tr(
            '"pattern" {pattern} cannot be used: it {reason}; mend the expression',
            pattern=shown(pattern),
            reason=error.reason,
        )
        form.fault("bad-pattern", ("pattern",), message)


_CHECKS: Final[Mapping[str, Callable[[Form], None]]] = MappingProxyType(
    {
        "protocol_complete": _protocol,
        "placeholder_integrity": _placeholders,
        "forbidden_renderings": _renderings,
        "max_chars": _length,
    }
)
