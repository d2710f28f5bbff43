"""Cases of an eval suite -> prompts of a test set: whether the skill should fire, and how its output is graded.

A case says that by graders of the tool `Skill`. One that says nothing of the skill under test is left out; that and
whatever else finds no place is named, each kind in one sentence.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skill_evaluator.formats.suite_claims import Claim, skill_checks
from skill_evaluator.formats.suite_options import written_options
from skill_evaluator.formats.trigger_prompts import Prompt
from skill_evaluator.formats.trigger_rows import counted
from skill_evaluator.graders.suite import ToolUsed
from skill_evaluator.model import Case, Grader, Limits, Setup
from skill_evaluator.skill_names import SKILL_TOOL
from skill_evaluator.texts import listed, tr

_OF_SETUP: Final = (
    "model", "allowed_tools", "disallowed_tools", "append_system_prompt", "env", "scaffold_script", "history_file",
    "add_dirs",
)  # fmt: skip

_LIMITS: Final = {"runs": "runs", "max_turns": "max_turns", "timeout_seconds": "timeout_s"}
_USUAL: Final = Limits()


@dataclass(frozen=True, kw_only=True, slots=True)
class SuitePrompts:
    """What came out of a suite.

    Attributes:
        prompts: Labelled, in the order of the suite; those of positives carry their graders.
        notes: What was left out, one sentence for each kind.
    """

    prompts: tuple[Prompt, ...]
    notes: tuple[str, ...]


def suite_prompts(cases: Sequence[Case], claim_of: Callable[[Case], Claim]) -> SuitePrompts:
    """Take the cases of a suite as a test set can hold them.

    Args:
        cases: The cases.
        claim_of: Says what a case claims about the skill under test.
    """
    claims = [(case, claim_of(case)) for case in cases]
    labelled = [(case, claim) for case, claim in claims if claim.fires is not None]
    kept = [case for case, _ in labelled]
    return SuitePrompts(
        prompts=tuple(_prompt(case, place, claim) for place, (case, claim) in enumerate(labelled)),
        notes=(
            *_silent(claims),
            *_unlooked(case for case, claim in labelled if not claim.fires),
            *_unwritable(case for case, claim in labelled if claim.fires),
            *_dropped(kept),
        ),
    )


def _prompt(case: Case, place: int, claim: Claim) -> Prompt:
    written = [written_options(grader) for grader in _others(case)] if claim.fires else []
    graders = [dict(options) for options in written if not isinstance(options, str)]
    carried: dict[str, object] = {"graders": graders} if graders else {}
    if claim.instead is not None:
        carried["expected_skill"] = claim.instead
    return Prompt(parts=(place,), text=case.prompt, label=claim.fires, id=_name(case), tags=case.tags, carried=carried)


def _others(case: Case) -> list[Grader]:
    return [grader for grader in case.graders if not _is_of_skill(grader.check)]


def _is_of_skill(check: object) -> bool:
    return isinstance(check, ToolUsed) and check.tool == SKILL_TOOL


def _silent(claims: Sequence[tuple[Case, Claim]]) -> Iterator[str]:
    for why in dict.fromkeys(claim.why for _, claim in claims if claim.fires is None):
        names = [_name(case) for case, claim in claims if claim.fires is None and claim.why == why]
        cases = counted(len(names), "case")
        yield tr("{cases} left out, {why}: {names}", cases=cases, why=why, names=listed(names))


def _unlooked(negatives: Iterable[Case]) -> Iterator[str]:
    """Name the graders of cases whose output nobody looks at."""
    found = [(_name(case), [grader.name for grader in _others(case)]) for case in negatives]
    named = [tr("{name} ({graders})", name=name, graders=listed(graders)) for name, graders in found if graders]
    if named:
        number = sum(len(graders) for _, graders in found)
        yield tr(
            "{graders} left out, since the output of a case that should not trigger is not looked at: {named}",
            graders=counted(number, "grader"),
            named=listed(named),
        )


def _unwritable(positives: Iterable[Case]) -> Iterator[str]:
    """Name the graders that a test set cannot have."""
    found = [(case, grader, written_options(grader)) for case in positives for grader in _others(case)]
    refused = [
        (tr("{grader} of {case}", grader=grader.name, case=_name(case)), why)
        for case, grader, why in found
        if isinstance(why, str)
    ]
    for why in dict.fromkeys(why for _, why in refused):
        names = [name for name, reason in refused if reason == why]
        graders = counted(len(names), "grader")
        yield tr("{graders} left out ({names}): {why}", graders=graders, names=listed(names), why=why)


def _dropped(cases: Sequence[Case]) -> Iterator[str]:
    """Name what the cases ask for that no test set has."""
    skill = [case for case in cases if any(_is_of_skill(grader.check) for grader in case.graders)]
    if skill:
        yield tr(
            "graders of the tool Skill decided the type of {cases}, should_trigger or "
            "should_not_trigger, and are no graders any more",
            cases=counted(len(skill), "case"),
        )
    kinds = Counter(key for case in cases for key in _asked_for(case))
    keys = [tr("{part} of {whole}", part=key, whole=counted(count, "case")) for key, count in kinds.items()]
    if dropped := [*keys, *_stand_ins(cases)]:
        yield tr("not carried over, since a test set has no place for it: {dropped}", dropped=listed(dropped))


def _stand_ins(cases: Sequence[Case]) -> Iterator[str]:
    """Name stand-in servers: those of the suite once, those that a case has for itself with it."""
    shared: dict[str, None] = {}
    own: dict[str, list[str]] = {}
    for case in cases:
        setup = case.setup
        for server in setup.mocks if setup else ():
            if setup and any(_is_below(tool.path, setup.folder) for tool in server.tools):
                own.setdefault(_name(case), []).append(server.name)
            else:
                shared[server.name] = None
    if shared:
        yield tr('the stand-ins in "mocks" of the suite ({servers})', servers=listed(shared))
    for name, servers in own.items():
        yield tr('the stand-ins in "mocks" of {name} ({servers})', name=name, servers=listed(servers))


def _is_below(path: Path, folder: Path) -> bool:
    return path.is_relative_to(folder)


def _asked_for(case: Case) -> Iterator[str]:
    if any(grader.weight != 1 for grader in case.graders):
        yield '"weight"'
    if any(grader.arm is not None for grader in case.graders):
        yield '"arm"'
    if any(check.min not in {None, 0, 1} or check.max not in {None, 0} for check in skill_checks(case)):
        yield tr("how often Skill is called (min, max)")
    setup = case.setup
    if isinstance(setup, Setup):
        yield from (f'"{key}"' for key in _OF_SETUP if getattr(setup, key))
    if case.limits is not None:
        yield from (f'"{key}"' for key, name in _LIMITS.items() if getattr(case.limits, name) != getattr(_USUAL, name))
    if case.metadata is not None:
        yield from (f'"{key}"' for key in ("description", "expected_outcome") if getattr(case.metadata, key))


def _name(case: Case) -> str:
    return case.metadata.name if case.metadata else case.id
