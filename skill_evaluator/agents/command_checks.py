"""What can be told before a program is started: settings that have no effect, prompts that cannot be handed over."""

import os
from collections.abc import Iterator, Sequence
from typing import Final

from skill_evaluator.agents.command_config import CommandConfig
from skill_evaluator.agents.command_template import placeholders
from skill_evaluator.file_names import shown
from skill_evaluator.model import Case, Finding, Level, Skill
from skill_evaluator.sandbox.installed import folder_name
from skill_evaluator.texts import joined, tr

MAX_ARGUMENT: Final = 128 * 1024 - 1  # bytes of one argument on Linux; other systems take less


def model_faults(config: CommandConfig, model: str | None) -> Iterator[Finding]:
    """Whether the model that was named reaches the program, and whether one is named where it is asked for."""
    asked = "model" in placeholders(config.argv)
    if model is not None and not asked:
        message = tr(
            "{model!r} would change nothing, since {{model}} does not stand in argv of {path}; add it",
            model=model,
            path=shown(config.path),
        )
        yield Finding(level=Level.FAIL, code="option", message=joined(": ", ["--model", message]))
    if asked and model is None and config.model is None:
        message = tr("{{model}} stands there, and no model is named; add the key model, or name one with --model")
        yield Finding(level=Level.FAIL, code="agent-config", file=shown(config.path), pointer="argv", message=message)


def name_faults(skill: Skill, others: Sequence[Skill]) -> Iterator[Finding]:
    """Whether every skill gets a folder of its own."""
    taken = {folder_name(skill).casefold(): skill}
    for other in others:
        first = taken.setdefault(folder_name(other).casefold(), other)
        if first is not other:
            message = tr(
                "the skill {name!r} of {path} has the same name as that of {other}, so "
                "they cannot be installed side by side; leave one out",
                name=other.name,
                path=shown(other.path),
                other=shown(first.path),
            )
            yield Finding(level=Level.FAIL, code="option", message=joined(": ", ["--neighbours", message]))


def prompt_faults(config: CommandConfig, cases: Sequence[Case]) -> Iterator[Finding]:
    """Whether the prompts can be handed over as arguments."""
    if "prompt" not in placeholders(config.argv):
        return
    for case in cases:
        size = len(case.prompt.encode(errors="replace"))
        longest = max(len(part.encode()) for part in config.argv) + size
        if "\0" in case.prompt:
            yield _prompt(
                case, Level.FAIL, "prompt-holds-nul", tr("the input holds a NUL character, which no argument can")
            )
        elif longest > MAX_ARGUMENT and os.name == "posix":
            message = tr("the input has {size:,} bytes, too many for an argument of a program", size=size)
            yield _prompt(case, Level.FAIL, "prompt-too-long", message)
    yield from _dashes(config, cases)


def context_faults(cases: Sequence[Case]) -> Iterator[Finding]:
    """Refuse what a program that is started anew for each run cannot know: what was said before."""
    talks = [case for case in cases if case.context]
    if talks:
        message = tr(
            "{talks}: these cases go on with a conversation, and the program has "
            "no way to be handed earlier turns; leave them out with --case or --tag, or ask another agent",
            talks=", ".join(repr(case.id) for case in talks),
        )
        values = {"cases": [case.id for case in talks]}
        yield Finding(
            level=Level.FAIL, code="context-not-carried", message=message, file=talks[0].source.path, values=values
        )


def _dashes(config: CommandConfig, cases: Sequence[Case]) -> Iterator[Finding]:
    bare = config.argv.index("{prompt}") if "{prompt}" in config.argv else None
    if bare is None or "--" in config.argv[1:bare]:
        return
    for case in cases:
        if case.prompt.startswith("-"):
            message = tr("the input starts with '-', which the program may take for an option")
            yield _prompt(case, Level.WARN, "prompt-looks-like-option", message, tr(', or put "--" before {{prompt}}'))


def _prompt(case: Case, level: Level, code: str, message: str, other: str = "") -> Finding:
    remedy = tr('; hand it over with stdin = "prompt" or {{prompt_file}}{other}', other=other)
    return Finding(
        level=level,
        code=code,
        message=joined("", [message, remedy]),
        file=case.source.path,
        case=case.id,
        line=case.source.line,
        values={"case": case.id},
    )
