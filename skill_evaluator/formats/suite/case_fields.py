"""What a case says about itself and its runs -> typed values, or all that is wrong with them.

Source: Suites recorded with Claude Code 2.1.332.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from skill_evaluator.formats.suite import keys
from skill_evaluator.formats.suite.blanks import JS_BLANKS, trimmed
from skill_evaluator.formats.suite.faults import SuiteFault, Values
from skill_evaluator.formats.suite.form import Form, described
from skill_evaluator.formats.suite.merge import PROMPT
from skill_evaluator.model import Limits
from skill_evaluator.texts import tr

# How JavaScript's parseInt finds the major version: what follows the digits does not matter.
_MAJOR: Final = re.compile(rf"[{JS_BLANKS}]*([+-]?)([0-9]+)")


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseFields:
    """What a case says; None and empty where it says nothing.

    Attributes:
        name: Its name.
        prompt: The user's words, trimmed.
        tags: As written.
        plugins: Folders of plugins as written, relative to the case.
        limits: How often and how long it runs.
    """

    name: str
    prompt: str
    limits: Limits
    tags: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()
    description: str | None = None
    expected_outcome: str | None = None
    model: str | None = None
    allowed_tools: tuple[str, ...] = ()
    disallowed_tools: tuple[str, ...] = ()
    append_system_prompt: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    scaffold_script: str | None = None
    history_file: str | None = None
    add_dirs: tuple[str, ...] = ()


def read_fields(values: Values, *, folder_name: str, has_case_yaml: bool) -> tuple[CaseFields, tuple[SuiteFault, ...]]:
    """Read what a case says about itself and its runs.

    Args:
        values: By key, whichever file says it.
        folder_name: Its name where it needs to say none.
        has_case_yaml: Whether a case.yaml with content stands there: then `schema_version` and `name` must be written.

    Returns:
        The values, and all faults with paths in `values`; a missing thing has an empty path. What is at fault has the
        value that holds without it.
    """
    form = Form(values)
    _check_version(form, is_needed=has_case_yaml)
    name = read_name(form, folder_name=folder_name, has_case_yaml=has_case_yaml)
    form.flag("artifact_publish")
    _check_overrides(form)
    fields = CaseFields(
        name=name or folder_name,
        prompt=_prompt(form),
        limits=_limits(form),
        tags=form.texts("tags") or (),
        plugins=form.texts("plugins") or (),
        description=form.text("description"),
        expected_outcome=form.text("expected_outcome"),
        model=form.text("model"),
        allowed_tools=form.texts("allowed_tools") or (),
        disallowed_tools=form.texts("disallowed_tools") or (),
        append_system_prompt=form.text("append_system_prompt"),
        env=form.texts_by_key("env") or {},
        scaffold_script=form.text("scaffold_script"),
        history_file=form.text("history_file"),
        add_dirs=form.texts("add_dirs") or (),
    )
    return fields, tuple(form.faults)


def read_name(form: Form, *, folder_name: str, has_case_yaml: bool) -> str | None:
    """Give the name of a case; None where it is wrong or missing, which the form notes."""
    if "name" not in form.values:
        if has_case_yaml:
            form.fault("missing-name", (), tr("a case with a case.yaml needs 'name'; add it there or in prompt.md"))
            return None
        return folder_name
    name = form.text("name")
    if name == "":
        form.fault("empty-name", ("name",), tr("'name' is empty; write one, or leave the key out of prompt.md"))
    return name or None


def _check_version(form: Form, *, is_needed: bool) -> None:
    if "schema_version" not in form.values:
        if is_needed:
            message = tr(
                "a case with a case.yaml needs 'schema_version'; write schema_version: \"{version}\"",
                version=keys.SCHEMA_VERSION,
            )
            form.fault("missing-schema-version", (), message)
        return
    version = form.values["schema_version"]
    major = _MAJOR.match(version) if isinstance(version, str) else None
    if major is None:
        expected = tr('a version in quotes, such as "{version}"', version=keys.SCHEMA_VERSION)
        message = tr("'schema_version' is {found}; expected {expected}", found=described(version), expected=expected)
        form.fault("bad-schema-version", ("schema_version",), message)
    elif major[1] == "-":
        return
    elif len(digits := major[2].lstrip("0")) > 1 or int(digits or "0") > keys.NEWEST_MAJOR:
        message = tr(
            "'schema_version' is {found}, newer than the {major}.x that Claude Code reads; write \"{version}\"",
            found=described(version),
            major=keys.NEWEST_MAJOR,
            version=keys.SCHEMA_VERSION,
        )
        form.fault("newer-schema-version", ("schema_version",), message)


def _check_overrides(form: Form) -> None:
    for key, value in (form.mapping("growthbook_overrides") or {}).items():
        is_nan = isinstance(value, float) and value != value  # noqa: PLR0124 - NaN alone differs from itself
        if is_nan or not (value is None or isinstance(value, str | bool | int | float)):
            place = tr("{key!r} of 'growthbook_overrides'", key=key)
            form.wrong(value, ("growthbook_overrides", key), place, tr("text, a number, true, false or null"))


def _prompt(form: Form) -> str:
    written = form.text(PROMPT)
    prompt = trimmed(written or "")
    if not prompt and (written is not None or PROMPT not in form.values):
        message = tr("the case has no prompt; write it into prompt.md below the '---' block, or as execution.prompt")
        form.fault("no-prompt", (), message)
    return prompt


def _limits(form: Form) -> Limits:
    numbers = {key: form.whole(key, bounds.least, bounds.most) or bounds.default for key, bounds in keys.BOUNDS.items()}
    return Limits(runs=numbers["runs"], max_turns=numbers["max_turns"], timeout_s=numbers["timeout_seconds"])
