"""A case as its files say it -> `Case`, with the hashes that say when two of them are the same."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

from skill_evaluator.formats.suite import keys
from skill_evaluator.formats.suite.case_fields import CaseFields
from skill_evaluator.formats.suite.case_files import CASE_YAML, PROMPT_MD, CaseFiles
from skill_evaluator.formats.suite.expected import trigger_of
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.reading import read_bytes_inside
from skill_evaluator.graders.suite import GRADER_TYPES, Baseline, FileTarget, Selector, needs_of
from skill_evaluator.model import Case, Grader, Metadata, MockTool, Setup, Source, Split

_TYPE_NAMES: Final = MappingProxyType({check: name for name, check in GRADER_TYPES.items()})
_MAX_BYTES = 16 * 1024 * 1024


def make_setup(fields: CaseFields, folder: Path, plugins: tuple[Path, ...]) -> Setup:
    """Give what the runs of a case need, without stand-ins."""
    return Setup(
        folder=folder,
        plugins=plugins,
        model=fields.model,
        allowed_tools=fields.allowed_tools,
        disallowed_tools=fields.disallowed_tools,
        append_system_prompt=fields.append_system_prompt,
        env=fields.env,
        scaffold_script=fields.scaffold_script,
        history_file=fields.history_file,
        add_dirs=fields.add_dirs,
    )


def build_case(  # noqa: PLR0913 - the parts of a case
    fields: CaseFields,
    graders: tuple[Grader, ...],
    setup: Setup,
    files: CaseFiles,
    *,
    folder: str,
    source: Path,
    root: Path,
) -> Case:
    """Make a case of sound parts.

    Args:
        fields: What it says about itself.
        graders: Its graders.
        setup: What its runs need.
        files: What its files say.
        folder: Its folder relative to the root of the suite, POSIX style.
        source: Its folder as the user would name it.
        root: The outermost folder that may be read.
    """
    asked = _asked(fields, setup, root)
    file = PROMPT_MD if files.prompt_md else CASE_YAML
    trigger = trigger_of(graders)
    scored = {
        **asked,
        "limits": asdict(fields.limits),
        "tags": sorted(set(fields.tags)),
        "expect_trigger": trigger,
        "graders": [_grader(grader) for grader in graders],
    }
    return Case(
        id=fields.name,
        prompt=fields.prompt,
        split=Split.ACCEPTANCE,
        expect_trigger=trigger,
        sha256=_hash(scored),
        prompt_sha256=_hash(asked),
        source=Source(path=str(source / file), line=1),
        graders=graders,
        tags=tuple(dict.fromkeys(fields.tags)),
        limits=fields.limits,
        setup=setup,
        needs=needs_of(graders),
        metadata=Metadata(
            name=fields.name,
            folder=folder,
            written_as=_written_as(files),
            description=fields.description,
            expected_outcome=fields.expected_outcome,
        ),
    )


def _written_as(files: CaseFiles) -> Literal["prose", "case_yaml", "mixed"]:
    if files.case_yaml is None:
        return "prose"
    return "mixed" if files.prompt_md is not None else "case_yaml"


def _asked(fields: CaseFields, setup: Setup, root: Path) -> Mapping[str, object]:
    """What the agent is shown and may do; absent and empty are one."""
    whole: dict[str, object] = {
        "input": fields.prompt,
        "model": setup.model,
        "allowed_tools": sorted(setup.allowed_tools),
        "disallowed_tools": sorted(setup.disallowed_tools),
        "append_system_prompt": setup.append_system_prompt,
        "env": setup.env,
        "add_dirs": sorted(setup.add_dirs),
        "scaffold": _content(setup, setup.scaffold_script, root),
        "history": _content(setup, setup.history_file, root),
        "mocks": [
            {"name": server.name, "tools": [_tool(tool) for tool in server.tools], "listing": list(server.listing)}
            for server in setup.mocks
        ],
    }
    return {key: value for key, value in whole.items() if value not in (None, "", [], {})}


def _content(setup: Setup, written: str | None, root: Path) -> str | None:
    """Give the hash of a file that a case names, or its name where it cannot be read."""
    if not written:
        return None
    content = read_bytes_inside(setup.folder / written, root=root, max_bytes=_MAX_BYTES)
    return written if isinstance(content, SuiteFault) else hashlib.sha256(content).hexdigest()


def _tool(tool: MockTool) -> Mapping[str, object]:
    return {key: value for key, value in asdict(tool).items() if key != "path"}


def _grader(grader: Grader) -> Mapping[str, object]:
    """Give a grader as the format writes it, with the session that it compares with."""
    name = _TYPE_NAMES[type(grader.check)]
    options: dict[str, object] = {key: _wire(getattr(grader.check, key)) for key in keys.GRADERS[name].options}
    if isinstance(grader.check, Baseline) and grader.check.content is not None:
        options["baseline_content"] = hashlib.sha256(grader.check.content.encode("utf-8", "surrogatepass")).hexdigest()
    return {
        "name": grader.name,
        "type": name,
        "weight": repr(grader.weight),
        "arm": grader.arm.value if grader.arm else None,
        "options": options,
    }


def _wire(value: object) -> object:
    match value:
        case FileTarget():
            return {"source": "file", "path": value.path}
        case Selector():
            return {"tool": value.tool, "input_match": value.input_match}
        case _:
            return value


def _hash(value: Mapping[str, object]) -> str:
    text = json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"), default=repr)
    return hashlib.sha256(text.encode()).hexdigest()
