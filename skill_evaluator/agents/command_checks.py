"""What can be told before a program is started: settings that have no effect, prompts that cannot be handed over."""

import os
from collections.abc import Iterator, Sequence
from typing import Final

from skill_evaluator.agents.command_config import CommandConfig
from skill_evaluator.agents.command_template import placeholders
from skill_evaluator.file_names import shown
from skill_evaluator.model import Case, Finding, Level, Skill
from skill_evaluator.sandbox.installed import folder_name

MAX_ARGUMENT: Final = 128 * 1024 - 1  # bytes of one argument on Linux; other systems take less


def model_faults(config: CommandConfig, model: str | None) -> Iterator[Finding]:
    """Whether the model that was named reaches the program, and whether one is named where it is asked for."""
    asked = "model" in placeholders(config.argv)
    if model is not None and not asked:
        message = (
            f"{model!r} would change nothing, since {{model}} does not stand in argv of {shown(config.path)}; add it"
        )
        yield Finding(level=Level.FAIL, code="option", message=f"--model: {message}")
    if asked and model is None and config.model is None:
        message = "{model} stands there, and no model is named; add the key model, or name one with --model"
        yield Finding(level=Level.FAIL, code="agent-config", file=shown(config.path), pointer="argv", message=message)


def name_faults(skill: Skill, others: Sequence[Skill]) -> Iterator[Finding]:
    """Whether every skill gets a folder of its own."""
    taken = {folder_name(skill).casefold(): skill}
    for other in others:
        first = taken.setdefault(folder_name(other).casefold(), other)
        if first is not other:
            message = (
                f"the skill {other.name!r} of {shown(other.path)} has the same name as that of {shown(first.path)}, so "
                "they cannot be installed side by side; leave one out"
            )
            yield Finding(level=Level.FAIL, code="option", message=f"--neighbours: {message}")


def prompt_faults(config: CommandConfig, cases: Sequence[Case]) -> Iterator[Finding]:
    """Whether the prompts can be handed over as arguments."""
    if "prompt" not in placeholders(config.argv):
        return
    for case in cases:
        size = len(case.prompt.encode(errors="replace"))
        longest = max(len(part.encode()) for part in config.argv) + size
        if "\0" in case.prompt:
            yield _prompt(
                case, Level.FAIL, "prompt-holds-nul", "the input holds a NUL character, which no argument can"
            )
        elif longest > MAX_ARGUMENT and os.name == "posix":
            message = f"the input has {size:,} bytes, too many for an argument of a program"
            yield _prompt(case, Level.FAIL, "prompt-too-long", message)
    yield from _dashes(config, cases)


def context_faults(cases: Sequence[Case]) -> Iterator[Finding]:
    """Refuse what a program that is started anew for each run cannot know: what was said before."""
    talks = [case for case in cases if case.context]
    if talks:
        message = (
            f"{', '.join(repr(case.id) for case in talks)}: these cases go on with a conversation, and the program has "
            "no way to be handed earlier turns; leave them out with --case or --tag, or ask another agent"
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
            message = "the input starts with '-', which the program may take for an option"
            yield _prompt(case, Level.WARN, "prompt-looks-like-option", message, ', or put "--" before {prompt}')


def _prompt(case: Case, level: Level, code: str, message: str, other: str = "") -> Finding:
    remedy = f'; hand it over with stdin = "prompt" or {{prompt_file}}{other}'
    return Finding(
        level=level,
        code=code,
        message=message + remedy,
        file=case.source.path,
        case=case.id,
        line=case.source.line,
        values={"case": case.id},
    )
