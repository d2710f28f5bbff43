"""manifest.yaml of a folder of cases."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from skill_evaluator.formats.evalcase import keys
from skill_evaluator.formats.evalcase.form import Fault, Form
from skill_evaluator.formats.evalcase.licences import grants_nothing
from skill_evaluator.formats.evalcase.secrets import hidden_material
from skill_evaluator.formats.evalcase.spots import finding_of
from skill_evaluator.formats.evalcase.versions import check_version
from skill_evaluator.formats.testset_form import shown
from skill_evaluator.formats.text_file import read_text
from skill_evaluator.model import Finding
from skill_evaluator.texts import tr

if TYPE_CHECKING:
    from skill_evaluator.formats.yaml12 import YamlText

_STATEMENTS: Final = "accepted_licenses"
_MAX_BYTES: Final = 1024 * 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class Manifest:
    """What a manifest says.

    Attributes:
        accepted_licenses: Statements that are taken besides SPDX expressions, letter by letter.
        findings: What is wrong with it.
    """

    accepted_licenses: frozenset[str] = frozenset()
    findings: tuple[Finding, ...] = ()


def read_manifest(path: Path | None) -> Manifest:
    """Read a manifest.

    Args:
        path: The file, or None where there is none.

    Returns:
        What it says; with findings, only as much as could be read.
    """
    if path is None:
        return Manifest()
    text = read_text(path, max_bytes=_MAX_BYTES)
    return Manifest(findings=(text,)) if isinstance(text, Finding) else _parsed(text, path)


def _parsed(text: str, path: Path) -> Manifest:
    from skill_evaluator.formats.yaml12 import YamlError, read_yaml  # noqa: PLC0415 - few folders have a manifest

    try:
        yaml = read_yaml(text)
    except YamlError as error:
        fault = Fault(code="not-yaml", parts=(), message=tr("is no valid YAML: {message}", message=error.message))
        return Manifest(findings=(finding_of(fault, path, error.line),))
    if not isinstance(yaml.value, dict):
        message = tr(
            "holds no keys; write `schema_version: 1`, and `{statements}:` with a list where there are any",
            statements=_STATEMENTS,
        )
        return Manifest(findings=(finding_of(Fault(code="wrong-value", parts=(), message=message), path, 1),))
    raw = {str(key): value for key, value in yaml.value.items()}
    form = Form(raw, keys.MANIFEST, (), hidden_material(raw))
    accepted = _accepted(form)
    findings = tuple(finding_of(fault, path, _line(yaml, fault)) for fault in form.faults)
    return Manifest(accepted_licenses=accepted, findings=findings)


def _accepted(form: Form) -> frozenset[str]:
    """Check all keys, and give the statements."""
    if any(fault.code == "credential" for fault in form.faults):
        return frozenset()
    form.check_keys(("schema_version",))
    check_version(form)
    return frozenset(_statements(form))


def _statements(form: Form) -> Iterator[str]:
    for index, statement in enumerate(form.items(_STATEMENTS)):
        if not (isinstance(statement, str) and statement.strip()):
            form.wrong(statement, (_STATEMENTS, index), tr("a text"))
        elif grants_nothing(statement):
            message = tr(
                'item {index} of "{statements}" is {statement}, which grants nothing; remove it',
                index=index + 1,
                statements=_STATEMENTS,
                statement=shown(statement),
            )
            form.fault("bad-license", (_STATEMENTS, index), message, {"found": shown(statement)})
        else:
            yield statement


def _line(yaml: "YamlText", fault: Fault) -> int:
    path: tuple[object, ...] = fault.parts
    while path and path not in yaml.entries:
        path = path[:-1]
    return yaml.entries[path].line if path else 1
