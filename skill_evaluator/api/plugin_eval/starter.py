"""Starts the suite of a plugin: a bare case, or cases proposed from the texts of its skills."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from skill_evaluator.api.plugin_eval.plugin_skills import plugin_skills
from skill_evaluator.api.plugin_eval.starter_files import Proposal, bare_files, files_of, write_cases
from skill_evaluator.api.plugin_eval.starter_names import free_name
from skill_evaluator.api.plugin_eval.starter_place import StarterPlace
from skill_evaluator.api.plugin_eval.starter_templates import propose
from skill_evaluator.errors import InputError
from skill_evaluator.model import Failure, Finding, Level, PluginSkill
from skill_evaluator.runner.loop import run_alone
from skill_evaluator.texts import tr

if TYPE_CHECKING:
    from skill_evaluator.agents.messages.completer import ModelCompleter

MODEL = "ANTHROPIC_MODEL"


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposed:
    """What is proposed.

    Attributes:
        proposals: By skill, those that should start it first.
        notes: Where a model was to be asked and could not, why, one sentence each; those come from templates.
    """

    proposals: tuple[Proposal, ...]
    notes: tuple[str, ...] = ()


def write_bare(place: StarterPlace, name: str) -> tuple[Path, ...]:
    """Write a case that its author is to fill in; see `write_cases`."""
    named = next((skill.plain_name for skill in plugin_skills(place.plugin) if skill.is_listed), None)
    return write_cases(place, {name: bare_files(place.plugin.name, named)})


def write_proposals(place: StarterPlace, proposals: Sequence[Proposal], *, is_draft: bool) -> tuple[Path, ...]:
    """Write proposals as cases under names of their own; see `write_cases`.

    Args:
        place: Where.
        proposals: What to write.
        is_draft: Whether nobody has read them yet.
    """
    taken = set(place.taken)
    cases: dict[str, Mapping[str, str]] = {}
    for one in proposals:
        name = free_name(f"{one.skill}-{one.kind}", taken)
        taken.add(name.casefold())
        cases[name] = files_of(one, place.plugin.name, is_draft=is_draft)
    return write_cases(place, cases)


def skills_to_start(place: StarterPlace) -> tuple[PluginSkill, ...]:
    """Read the skills for which cases can be proposed.

    Raises:
        InputError: If there is none.
    """
    skills = tuple(skill for skill in plugin_skills(place.plugin) if skill.is_listed)
    if not skills:
        message = tr(
            "holds no skill with a description, so nothing can be proposed; write skills/<name>/SKILL.md first, or "
            "start from a blank case with `plugin-eval init --bare NAME`"
        )
        raise InputError([Finding(level=Level.FAIL, code="no-skill", message=message, file=str(place.plugin.root))])
    return skills


def model_to_ask(named: str | None, environ: Mapping[str, str] = os.environ) -> str | None:
    """Name the model that may be asked: the one given, or the environment's; None without one or without a key.

    Raises:
        InputError: If a model is given that nothing says how to reach.
    """
    from skill_evaluator.agents.messages.credentials import can_ask  # noqa: PLC0415 - most need no model

    model = named or environ.get(MODEL)
    if not model or can_ask(environ):
        return model or None
    if named is None:
        return None
    message = tr(
        "--model needs a key: set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, or ANTHROPIC_BASE_URL for a server that "
        "takes none; or leave --model out for proposals from templates"
    )
    raise InputError([Finding(level=Level.FAIL, code="credential-missing", message=message)])


def propose_all(skills: Sequence[PluginSkill], model: str | None) -> Proposed:
    """Propose cases for all skills.

    Args:
        skills: The skills.
        model: Who is asked; None for templates.
    """
    notes: list[str] = []
    heard = run_alone(_asked(skills, model)) if model else [None] * len(skills)
    proposals: list[Proposal] = []
    for skill, answer in zip(skills, heard, strict=True):
        if isinstance(answer, Failure):
            notes.append(
                tr(
                    "{plain_name}: {message}; its cases come from templates",
                    plain_name=skill.plain_name,
                    message=answer.message,
                )
            )
        usable = None if isinstance(answer, Failure) else answer
        proposals += usable or propose(skill, _others(skill, skills))
    return Proposed(proposals=tuple(proposals), notes=tuple(notes))


async def _asked(skills: Sequence[PluginSkill], model: str) -> list[tuple[Proposal, ...] | Failure | None]:
    from skill_evaluator.api.plugin_eval.starter_model import ask_for_cases  # noqa: PLC0415 - loads pydantic

    async with _completer(model) as completer:
        return [await ask_for_cases(completer, skill, _others(skill, skills)) for skill in skills]


def _completer(model: str) -> "ModelCompleter":
    from skill_evaluator.agents.messages.api import MessagesApi  # noqa: PLC0415 - loads the SDK
    from skill_evaluator.agents.messages.completer import ModelCompleter  # noqa: PLC0415 - loads the SDK

    return ModelCompleter(MessagesApi(model))


def _others(skill: PluginSkill, skills: Sequence[PluginSkill]) -> list[PluginSkill]:
    return [other for other in skills if other is not skill]
