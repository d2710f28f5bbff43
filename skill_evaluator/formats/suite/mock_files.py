"""One file of `mocks/<server>/` -> what it says, or all that keeps it from loading.

A case whose mock files do not load is still run, and every run of it fails.

Source: Suites recorded with Claude Code 2.1.332.
"""

import re
from dataclasses import dataclass, replace
from typing import Final, Literal

from skill_evaluator.formats.suite.expect_guards import Guard, read_guards
from skill_evaluator.formats.suite.faults import SuiteFault, Values
from skill_evaluator.formats.suite.form import Form
from skill_evaluator.formats.suite.frontmatter import SuiteText, read_suite_text
from skill_evaluator.texts import tr

MOCK_KEYS: Final = ("type", "expect", "error", "tools", "abort_when")
MOCK_TYPES: Final = ("fixed", "agent")
SERVER_FILE: Final = "_server.md"
NAME_WORDS: Final = tr("letters, digits, _ and -, without __")
_NAME: Final = re.compile(r"(?!.*__)[A-Za-z0-9_-]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class MockFile:
    """What a mock file says.

    Attributes:
        kind: `fixed` gives the body; `agent` lets a model answer as the body tells it.
        body: The text below the frontmatter, trimmed.
        expect: What the input of a call must be, as written.
        is_error: Whether the body is a tool error.
        tools: The tools that `_server.md` answers; empty in the file of one tool.
        abort_when: When the model may end the run, or None.
    """

    kind: Literal["fixed", "agent"]
    body: str
    expect: Values
    is_error: bool
    tools: tuple[str, ...]
    abort_when: str | None


def is_mock_name(name: str) -> bool:
    """Say whether a server or tool of this name can be stood in for.

    >>> [is_mock_name(name) for name in ("list_issues", "_", "a__b", "a.b", "")]
    [True, True, False, False, False]
    """
    return _NAME.fullmatch(name) is not None


def read_mock_file(text: str, *, is_server: bool) -> MockFile | tuple[SuiteFault, ...]:
    """Read a mock file.

    Args:
        text: The whole file, without a byte order mark.
        is_server: Whether it is a `_server.md`, where one model answers several tools.

    Returns:
        What it says, or all its faults; their effect is `fails`.
    """
    parts = read_suite_text(text)
    if isinstance(parts, SuiteFault):
        return (replace(parts, effect="fails"),)
    form = Form(parts.values)
    form.check_keys(MOCK_KEYS, "mock-unknown-key", tr("key of a mock file"))
    mock = MockFile(
        kind="agent" if form.choice("type", MOCK_TYPES) == "agent" else "fixed",
        body=parts.body,
        expect=_expect(form),
        is_error=form.flag("error") or False,
        tools=form.texts("tools") or (),
        abort_when=form.text("abort_when"),
    )
    if not form.faults:
        _check_kind(form, mock)
        _check_tools(form, mock, is_server=is_server)
    return tuple(_placed(fault, parts) for fault in form.faults) or mock


def _expect(form: Form) -> Values:
    expect = form.mapping(
        "expect", tr("a mapping of parts of the input to what they must be, such as {{title: string}}")
    )
    if expect is None:
        return {}
    form.faults.extend(fault for fault in read_guards(expect) if not isinstance(fault, Guard))
    return expect


def _check_kind(form: Form, mock: MockFile) -> None:
    if mock.kind == "agent":
        if "error" in form.values:
            _note(
                form,
                "error",
                tr("`error` works with `type: fixed` alone; let the body say when the model answers `ERROR: ...`"),
            )
        if not mock.body:
            _note(
                form, None, tr("the text below the frontmatter is empty; a model needs it to know what server it plays")
            )
    elif "abort_when" in form.values:
        _note(
            form, "abort_when", tr("`abort_when` works with `type: agent` alone; use `expect`, or write `type: agent`")
        )


def _check_tools(form: Form, mock: MockFile, *, is_server: bool) -> None:
    for index, tool in enumerate(mock.tools):
        if not is_mock_name(tool):
            form.fault(
                "mock-name",
                ("tools", index),
                tr("{tool!r} is no name of a tool; a name has {words}", tool=tool, words=NAME_WORDS),
            )
    if not is_server:
        if "tools" in form.values:
            _note(
                form,
                "tools",
                tr("`tools` stands in {file} alone; this file answers the tool it is named after", file=SERVER_FILE),
            )
    elif mock.kind != "agent":
        _note(
            form,
            "type",
            tr("{file} needs `type: agent`; a fixed answer stands in a file named after its tool", file=SERVER_FILE),
        )
    elif not mock.tools:
        _note(form, "tools", tr("{file} needs `tools: [...]` with the tools that it answers", file=SERVER_FILE))
    elif "expect" in form.values and len(mock.tools) > 1:
        message = tr(
            "`expect` would hold for every tool of `tools`; put it into a file named after the tool it is meant for"
        )
        _note(form, "expect", message)


def _note(form: Form, key: str | None, message: str) -> None:
    form.fault("mock-combination", () if key is None else (key,), message)


def _placed(fault: SuiteFault, parts: SuiteText) -> SuiteFault:
    return replace(fault, effect="fails", line=parts.line(fault.path) if fault.line is None else fault.line)
