"""Shows, before anything is scored, that the way to the agent works: a skill asked for by name must fire.

A harness that hands the skills over wrongly measures a recall of 0 for any skill; the probe skill, whose name is made
up, tells that from a description that nobody follows.
"""

import hashlib
from collections.abc import Awaitable, Callable

from skill_evaluator.model import AgentInfo, Arm, Case, FailureKind, Run, Skill, Source, Split
from skill_evaluator.results import Canary, CanaryState, Note
from skill_evaluator.runner.terms import Asked, OnProbe, unseen
from skill_evaluator.skill_names import is_target

CANARY_CALLS = 2  # if both are answered at once
_SHOWN = 300  # characters of an answer
_MODEL_ITSELF = "messages"  # the agent with no program between the model and the canary
LISTING, NOT_CHECKED = "listing", "not checked"  # what an agent says in its settings that hears of no listing

Ask = Callable[[Case, Arm, int], Awaitable[Asked | None]]


async def check_canary(ask: Ask, probe: Skill, info: AgentInfo, *, on_probe: OnProbe = unseen) -> Canary:
    """Ask for the probe skill by name, then for something that takes no skill.

    Args:
        ask: Asks the agent, with retries; None where it may not be asked any more.
        probe: A skill that is installed beside the target.
        info: Who is asked.
        on_probe: Told of each question before and after it is asked.

    Returns:
        UNFINISHED where the agent could not be asked to the end; else PASSED, or FAILED with all that went wrong.
    """
    listed = checks_listing(info)
    named = await _asked(ask, _by_name(probe), 1, on_probe)
    if named is None:
        return Canary(state=CanaryState.UNFINISHED, listing_checked=listed)
    faults = _faults_of_the_call(named.run, probe, info)
    if named.run.failure is None:
        plain = await _asked(ask, _sum(probe), 2, on_probe)
        if plain is None:
            return Canary(state=CanaryState.UNFINISHED, listing_checked=listed)
        faults += _faults_of_the_sum(plain.run, probe, info)
    state = CanaryState.FAILED if faults else CanaryState.PASSED
    return Canary(state=state, faults=faults, listing_checked=listed)


async def _asked(ask: Ask, case: Case, number: int, on_probe: OnProbe) -> Asked | None:
    on_probe(number, None)
    asked = await ask(case, Arm.WITH, 0)
    if asked is not None:
        on_probe(number, asked.run)
    return asked


def checks_listing(info: AgentInfo) -> bool:
    """Whether the agent says which skills it offers."""
    return info.settings.get(LISTING) != NOT_CHECKED


def _by_name(probe: Skill) -> Case:
    return _case("canary-by-name", f"Please use the skill {probe.name} and tell me its word.", probe, fires=True)


def _sum(probe: Skill) -> Case:
    return _case("canary-sum", "What is 17 + 25? Answer with the number only.", probe, fires=False)


def _case(id_: str, prompt: str, probe: Skill, *, fires: bool) -> Case:
    sha256 = hashlib.sha256(prompt.encode()).hexdigest()
    return Case(
        id=id_,
        prompt=prompt,
        split=Split.TUNING,
        expect_trigger=fires,
        sha256=sha256,
        prompt_sha256=sha256,
        source=Source(path=str(probe.path)),
    )


def _faults_of_the_call(run: Run, probe: Skill, info: AgentInfo) -> tuple[Note, ...]:
    if run.failure is not None:
        return _failed(run)
    if _fired(run, probe):
        return ()
    values = {"probe": probe.name, "asked": _by_name(probe).prompt, "invoked": list(run.skills_invoked)}
    return (Note(code=_code("canary_silent", info), values={**values, "said": _said(run)}),)


def _faults_of_the_sum(run: Run, probe: Skill, info: AgentInfo) -> tuple[Note, ...]:
    if run.failure is not None:
        return _failed(run)
    if not _fired(run, probe):
        return ()
    values = {"probe": probe.name, "asked": _sum(probe).prompt, "said": _said(run)}
    return (Note(code=_code("canary_fired_on_sum", info), values=values),)


def _code(code: str, info: AgentInfo) -> str:
    """Where the model itself is asked, what to look at is the model; else it is the program around it."""
    return f"{code}_model" if info.name == _MODEL_ITSELF else code


def _failed(run: Run) -> tuple[Note, ...]:
    assert run.failure is not None  # noqa: S101 - its callers looked
    failed = Note(code="canary_failed", values={"kind": str(run.failure.kind), "message": run.failure.message})
    if run.failure.kind is FailureKind.SKILL_NOT_LISTED:
        return (Note(code="skill_not_listed"), failed)
    return (failed,)


def _said(run: Run) -> str | None:
    """The start of the agent's answer; None where it gave none."""
    return run.output[:_SHOWN] if run.output else None


def _fired(run: Run, probe: Skill) -> bool:
    return any(is_target(name, probe.name) for name in run.skills_invoked)
