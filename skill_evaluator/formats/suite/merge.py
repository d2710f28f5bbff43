"""prompt.md and case.yaml -> one mapping: what prompt.md says wins, and only what is left over is checked.

Source: Suites recorded with Claude Code 2.1.332.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from skill_evaluator.formats.suite import keys
from skill_evaluator.formats.suite.case_files import CASE_YAML, PROMPT_MD, CaseFiles, PlacedFault
from skill_evaluator.formats.suite.faults import KeyPath, SuiteFault, Values
from skill_evaluator.formats.suite.form import described
from skill_evaluator.texts import tr

_EXECUTION, _CONTEXT = "execution", "context"
PROMPT: Final = "prompt"


@dataclass(frozen=True, kw_only=True, slots=True)
class Merged:
    """What a case says, whichever file says it.

    Attributes:
        values: By key, without the sections of case.yaml; `prompt` among them where prompt.md has no text.
        places: File and place in it of each key.
        graders: The list `graders` of case.yaml; empty where there is none.
        faults: What is wrong with the files as wholes.
    """

    values: Values
    places: Mapping[str, tuple[str, KeyPath]]
    graders: tuple[object, ...]
    faults: tuple[PlacedFault, ...]

    def place(self, path: KeyPath) -> tuple[str | None, KeyPath]:
        """Give the file and the place in it of a place in `values`; None where no file has the key."""
        if path and (found := self.places.get(str(path[0]))) is not None:
            return found[0], (*found[1], *path[1:])
        return None, ()


def merge(files: CaseFiles) -> Merged:
    """Join what the files of a case say."""
    values: dict[str, object] = {}
    places: dict[str, tuple[str, KeyPath]] = {}
    faults: list[PlacedFault] = []
    for section, known in (((), keys.TOP_KEYS), ((_EXECUTION,), _execution_keys()), ((_CONTEXT,), keys.CONTEXT_KEYS)):
        written = _section(files, section, faults)
        for key in known:
            if key in written:
                values[key], places[key] = written[key], (CASE_YAML, (*section, key))
    prompt_md = files.prompt_md
    for key in prompt_md.values if prompt_md else ():
        if prompt_md and key in keys.PROMPT_MD_KEYS:
            values[key], places[key] = prompt_md.values[key], (PROMPT_MD, (key,))
    if prompt_md and prompt_md.body:
        values[PROMPT], places[PROMPT] = prompt_md.body, (PROMPT_MD, ())
    return Merged(values=values, places=places, graders=_graders(files, faults), faults=tuple(faults))


def _execution_keys() -> tuple[str, ...]:
    return (PROMPT, *keys.EXECUTION_KEYS)


def _section(files: CaseFiles, section: tuple[str, ...], faults: list[PlacedFault]) -> Values:
    """Give a section of case.yaml; an `execution` that is no mapping counts for nothing, a `context` must be one."""
    whole = files.case_yaml.values if files.case_yaml else {}
    if not section:
        return whole
    value = whole.get(section[0], {})
    if isinstance(value, dict):
        return value
    if section[0] == _CONTEXT:
        message = tr("'context' is {found}; expected a mapping, or leave the key out", found=described(value))
        faults.append((CASE_YAML, SuiteFault(code="wrong-value", path=section, message=message)))
    return {}


def _graders(files: CaseFiles, faults: list[PlacedFault]) -> tuple[object, ...]:
    value = files.case_yaml.values.get("graders", []) if files.case_yaml else []
    if isinstance(value, list):
        return tuple(value)
    if not files.grader_files:
        message = tr("'graders' is {found}; expected a list of graders", found=described(value))
        faults.append((CASE_YAML, SuiteFault(code="wrong-value", path=("graders",), message=message)))
    return ()
