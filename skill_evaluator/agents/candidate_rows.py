"""The line format of candidate JSONL, and the words for what is wrong with a line."""

import difflib
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from skill_evaluator.model import Failure, FailureKind, Finding, Level, Run, ToolCall, Usage

_SHOWN = 80


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


class _ToolCall(_Part):
    name: str
    arguments: dict[str, object] = {}
    result: str | None = None


class _Error(_Part):
    kind: Annotated[FailureKind, Field(strict=False)]
    message: str


class _Usage(_Part):
    input_tokens: Annotated[int | None, Field(ge=0)] = None
    output_tokens: Annotated[int | None, Field(ge=0)] = None
    cost_usd: Annotated[float | None, Field(ge=0)] = None


def _named(call: object) -> object:
    return {"name": call} if isinstance(call, str) else call


class CandidateRow(_Part):
    """One recorded answer; whatever is absent was not recorded."""

    case_id: Annotated[str, Field(min_length=1)]
    text: str | None = None
    raw_response: str | None = None
    index: Annotated[int | None, Field(ge=0)] = None
    triggered: bool | None = None
    skills_invoked: list[str] | None = None
    tool_calls: list[Annotated[_ToolCall, BeforeValidator(_named)]] | None = None
    error: _Error | None = None
    duration_s: Annotated[float | None, Field(ge=0)] = None
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


_PARTS: dict[object, type[_Part]] = {"tool_calls": _ToolCall, "error": _Error, "usage": _Usage}


def row_findings(error: ValidationError, *, file: str, line: int, case: str | None) -> list[Finding]:
    """Word every fault of a line."""
    findings = []
    for details in error.errors(include_url=False):
        code, message = _worded(details["type"], details["loc"], details["msg"], details["input"])
        pointer = "".join(f"/{part}" for part in details["loc"])
        findings.append(
            Finding(level=Level.FAIL, code=code, message=message, file=file, line=line, case=case, pointer=pointer)
        )
    return findings


def _worded(sort: str, place: tuple[int | str, ...], expected: str, found: object) -> tuple[str, str]:
    key = str(place[-1])
    known = list(_PARTS.get(place[0], CandidateRow).model_fields if len(place) > 1 else CandidateRow.model_fields)
    match sort:
        case "extra_forbidden":
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
            return "unknown-key", f"unknown key {key!r}; {hint}"
        case "missing":
            return "missing-key", f"the key {key!r} is missing"
        case _:
            shown = repr(found)
            shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
            return "wrong-value", f"{expected[:1].lower()}{expected[1:]}, found {shown}"
