"""The table `[read]` of a command agent's file -> `Reading`: where the output tells what."""

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from skill_evaluator.agents.command_config import Reading
from skill_evaluator.agents.command_form import TomlForm
from skill_evaluator.texts import tr

if TYPE_CHECKING:
    import regex
    from jmespath.parser import ParsedResult

_EXPRESSION: Final = tr("a JMESPath expression in quotes")
_EXPRESSIONS: Final = (
    "start",
    "listed",
    "skill",
    "tool_calls",
    "tool_results",
    "text",
    "input_tokens",
    "output_tokens",
    "cost_usd",
    "error",
)
_READ: Final = MappingProxyType(
    {
        **dict.fromkeys(_EXPRESSIONS, _EXPRESSION),
        "text_mode": tr('"last" or "joined"'),
        "usage_mode": tr('"last" or "sum"'),
        "skill_pattern": tr("a regular expression with a group (?P<skill>...)"),
    }
)


def read_reading(form: TomlForm, format_: str | None) -> Reading:
    """Read the table, and gather what is wrong with it in the form.

    Args:
        form: The whole file.
        format_: What it says of the format, or None where that is no format.
    """
    read = form.inner("read", _READ)
    read.check_keys()
    compiled = {key: _expression(read, key) for key in _EXPRESSIONS}
    pattern = _pattern(read)
    joined = read.choice("text_mode", ("last", "joined")) == "joined"
    summed = read.choice("usage_mode", ("last", "sum")) == "sum"
    if format_ == "text":
        _check_text_form(read)
    elif format_ is not None:
        _check_event_form(read)
    return Reading(**compiled, joined=joined, summed=summed, skill_pattern=pattern)


def _check_text_form(read: TomlForm) -> None:
    for key in read.table:
        if key in _READ and key != "skill_pattern":
            read.fault(
                key, tr("{key!r} reads JSON, and the format is text; only skill_pattern can be used there", key=key)
            )
    if "skill_pattern" not in read.table:
        message = tr(
            "is missing, so nothing would say which skill fired; give {pattern}, "
            "or '(?P<skill>(?!))', which finds none, where only outputs count",
            pattern=_READ["skill_pattern"],
        )
        read.fault("skill_pattern", message)


def _check_event_form(read: TomlForm) -> None:
    if "skill_pattern" in read.table:
        read.fault("skill_pattern", tr('is for format = "text"; in JSON, skill and tool_calls say which skill fired'))
    if "skill" not in read.table and "tool_calls" not in read.table:
        message = tr(
            "nothing would say which skill fired; give skill (names invoked), tool_calls (SKILL.md opened) or both"
        )
        read.fault("", message)
    if "tool_results" in read.table and "tool_calls" not in read.table:
        read.fault("tool_results", tr("results belong to calls; give tool_calls with an id as well"))


def _expression(read: TomlForm, key: str) -> "ParsedResult | None":
    import jmespath  # noqa: PLC0415 - loaded only for this agent
    from jmespath.exceptions import JMESPathError  # noqa: PLC0415 - likewise

    text = read.text(key)
    if text is None:
        return None
    try:
        return jmespath.compile(text)
    except JMESPathError as error:
        why = " ".join(str(error).split())
        read.fault(key, tr("{text!r} is no JMESPath expression ({why}); see jmespath.org", text=text, why=why))
        return None


def _pattern(read: TomlForm) -> "regex.Pattern[str] | None":
    import regex  # noqa: PLC0415 - loaded only for this agent

    text = read.text("skill_pattern")
    if text is None:
        return None
    try:
        pattern = regex.compile(text)
    except (regex.error, RecursionError, OverflowError) as error:
        read.fault("skill_pattern", tr("{text!r} is no regular expression: {error}; mend it", text=text, error=error))
        return None
    if "skill" not in pattern.groupindex:
        read.fault(
            "skill_pattern", tr("{text!r} has no group (?P<skill>...), which gives the name of the skill", text=text)
        )
    return pattern
