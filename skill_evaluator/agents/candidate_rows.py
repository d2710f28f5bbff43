"""The line format of candidate JSONL, and the words for what is wrong with a line."""

import difflib
import json
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from skill_evaluator.agents.json_lines import MAX_DEPTH, nests_deeper
from skill_evaluator.model import Failure, FailureKind, Finding, Level, Run, ToolCall, Usage
from skill_evaluator.results import MAX_RUNS
from skill_evaluator.texts import tr

_MAX_TOKENS = 10**12
_MAX_NUMBER = 10**9  # seconds: 31 years
_SHOWN = 80


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


def _shallow(arguments: dict[str, object] | None) -> dict[str, object] | None:
    if nests_deeper(arguments, MAX_DEPTH):
        raise ValueError("nested too deep")
    return arguments


_Tokens = Annotated[int | None, Field(ge=0, le=_MAX_TOKENS)]
_Number = Annotated[float | None, Field(ge=0, le=_MAX_NUMBER)]


class _ToolCall(_Part):
    name: str
    arguments: Annotated[dict[str, object] | None, AfterValidator(_shallow)] = None
    result: str | None = None


class _Error(_Part):
    kind: Annotated[FailureKind, Field(strict=False)]
    message: str


class _Usage(_Part):
    input_tokens: _Tokens = None
    output_tokens: _Tokens = None
    cost_usd: _Number = None


def _named(call: object) -> object:
    return {"name": call} if isinstance(call, str) else call


class CandidateRow(_Part):
    """One recorded answer; whatever is absent was not recorded."""

    case_id: Annotated[str, Field(min_length=1)]
    text: str | None = None
    raw_response: str | None = None
    index: Annotated[int | None, Field(ge=0, lt=MAX_RUNS)] = None
    triggered: bool | None = None
    skills_invoked: list[str] | None = None
    tool_calls: list[Annotated[_ToolCall, BeforeValidator(_named)]] | None = None
    error: _Error | None = None
    duration_s: _Number = None
    usage: _Usage | None = None

    def as_run(self, *, index: int, triggered: bool | None) -> Run:
        """Turn the row into a run with the skill."""
        return Run(
            case_id=self.case_id,
            index=index,
            triggered=triggered,
            output=self.text,
            raw_response=self.raw_response,
            skills_invoked=tuple(self.skills_invoked or ()),
            tool_calls=self._tool_calls(),
            failure=Failure(kind=self.error.kind, message=self.error.message) if self.error else None,
            duration_s=self.duration_s,
            usage=Usage(**self.usage.model_dump()) if self.usage else None,
        )

    def _tool_calls(self) -> tuple[ToolCall, ...] | None:
        if self.tool_calls is None:
            return None
        return tuple(ToolCall(name=call.name, arguments=call.arguments, result=call.result) for call in self.tool_calls)


_EXPECTED = {
    ("case_id",): tr("text that is not empty"),
    ("index",): tr("a whole number from 0 to {most}", most=MAX_RUNS - 1),
    ("triggered",): tr("true or false"),
    ("skills_invoked",): tr("a list of names"),
    ("tool_calls",): tr("a list of calls"),
    ("tool_calls", "*"): tr("a name, or an object with name, arguments and result"),
    ("tool_calls", "*", "arguments"): tr("an object, nested {max_depth} levels deep at most", max_depth=MAX_DEPTH),
    ("error",): tr("an object with kind and message"),
    ("error", "kind"): tr("one of {kinds}", kinds=", ".join(FailureKind)),
    ("duration_s",): tr("a number of seconds from 0 to {max_number:,}", max_number=_MAX_NUMBER),
    ("usage",): tr("an object"),
    ("usage", "input_tokens"): tr("a whole number from 0 to {max_tokens:,}", max_tokens=_MAX_TOKENS),
    ("usage", "output_tokens"): tr("a whole number from 0 to {max_tokens:,}", max_tokens=_MAX_TOKENS),
    ("usage", "cost_usd"): tr("a number from 0 to {max_number:,}", max_number=_MAX_NUMBER),
}  # else: text
_PARTS: dict[object, type[_Part]] = {"tool_calls": _ToolCall, "error": _Error, "usage": _Usage}


def row_findings(error: ValidationError, *, file: str, line: int, case: str | None) -> list[Finding]:
    """Word every fault of a line."""
    findings = []
    for details in error.errors(include_url=False):
        code, message = _worded(details["type"], details["loc"], details["input"])
        pointer = "".join(f"/{part}" for part in details["loc"])
        findings.append(
            Finding(level=Level.FAIL, code=code, message=message, file=file, line=line, case=case, pointer=pointer)
        )
    return findings


def _worded(sort: str, place: tuple[int | str, ...], found: object) -> tuple[str, str]:
    key = str(place[-1])
    known = list(_PARTS.get(place[0], CandidateRow).model_fields if len(place) > 1 else CandidateRow.model_fields)
    match sort:
        case "extra_forbidden":
            near = difflib.get_close_matches(key, known, n=1)
            hint = (
                tr("did you mean {name!r}?", name=near[0]) if near else tr("known are {known}", known=", ".join(known))
            )
            return "unknown-key", tr("unknown key {key!r}; {hint}", key=key, hint=hint)
        case "missing":
            return "missing-key", tr("the key {key!r} is missing", key=key)
        case _:
            expected = _EXPECTED.get(tuple("*" if isinstance(part, int) else part for part in place), tr("text"))
            named = "/".join(str(part) for part in place)
            return "wrong-value", tr(
                "`{named}` should be {expected}, found {found}", named=named, expected=expected, found=shown(found)
            )


def shown(found: object) -> str:
    """Show a value in a message, cut to a readable length."""
    match found:
        case None | bool():
            return json.dumps(found)
        case list():
            return tr("a list")
        case dict():
            return tr("an object")
        case _:
            text = repr(found)
            return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
