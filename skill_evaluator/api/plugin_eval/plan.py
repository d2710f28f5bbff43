"""What is going to be run of a suite: which arms of which cases, how often.

Source: Claude Code manual, "Test plugins with evals", and runs of Claude Code 2.1.332.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from skill_evaluator.api.plugin_eval.granting import advisories, not_granted
from skill_evaluator.api.plugin_eval.options import Ablation, PlannedCase, SuiteOptions
from skill_evaluator.formats.suite.blocked import NOTHING_BLOCKED, Blocked
from skill_evaluator.model import Arm, Case, Limits, Setup
from skill_evaluator.texts import tr

_BOTH = (Arm.WITH, Arm.WITHOUT)


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """One run to make: `error` where it fails before it starts, `is_unbegun` where it is not even begun."""

    planned: PlannedCase
    arm: Arm
    index: int
    error: str | None = None
    is_unbegun: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class SuitePlan:
    """What is going to be run.

    Attributes:
        cases: In the order of the suite.
        jobs: All runs: those of a case with the plugin, then those without, then the next case.
        ablation: What the suite as a whole is.
        is_default: Whether nobody said so.
        refused: Why cases are not run that load, one sentence each.
    """

    cases: tuple[PlannedCase, ...]
    jobs: tuple[Job, ...]
    ablation: Ablation
    is_default: bool
    refused: tuple[str, ...] = ()


def plan_suite(options: SuiteOptions) -> SuitePlan:
    """Lay out what is run."""
    fitting = [case for case in options.suite.suite.cases if not _lacks_plugin(case, options)]
    blocked = {case.id: options.suite.blocked.get(case.id, NOTHING_BLOCKED) for case in fitting}
    cases = tuple(_planned(case, options, blocked[case.id]) for case in fitting)
    has_plugin = any(setup_of(case).plugins for case in fitting)
    return SuitePlan(
        cases=cases,
        jobs=tuple(job for case in cases for job in _jobs(case, options, blocked)),
        ablation=options.ablation or ("with-without" if has_plugin else "none"),
        is_default=options.ablation is None,
        refused=tuple(_no_plugin(case) for case in options.suite.suite.cases if _lacks_plugin(case, options)),
    )


def setup_of(case: Case) -> Setup:
    """Give what the runs of a case of a suite need.

    Raises:
        ValueError: If it is no case of a suite.
    """
    if case.setup is None:
        raise ValueError(f"{case.id!r} is no case of an eval suite")
    return case.setup


def _planned(case: Case, options: SuiteOptions, blocked: Blocked) -> PlannedCase:
    arms = _arms(case, options)
    unbegun = _unbegun(options, blocked)
    return PlannedCase(
        case=case,
        arms=arms,
        runs=options.runs or (case.limits or Limits()).runs,
        error=unbegun or _error(options, blocked, arms[-1]),
        advisories=advisories(case, options),
        not_granted=not_granted(case, options),
    )


def _arms(case: Case, options: SuiteOptions) -> tuple[Arm, ...]:
    setup = setup_of(case)
    if options.ablation == "none" or not setup.plugins:
        return (Arm.WITH,)
    goes_on = bool(setup.history_file) and not options.is_named
    return (Arm.WITH,) if goes_on and options.ablation is None else _BOTH


def _lacks_plugin(case: Case, options: SuiteOptions) -> bool:
    return options.ablation == "with-without" and not setup_of(case).plugins


def _no_plugin(case: Case) -> str:
    return tr(
        "case {id!r} is not run: --ablation with-without compares runs with and without a plugin, and none was "
        'found around it; name the plugin\'s folder as the target, write `plugins: ["../.."]` into the case, or pass '
        "--ablation none",
        id=case.id,
    )


def _jobs(planned: PlannedCase, options: SuiteOptions, blocked: Mapping[str, Blocked]) -> Iterator[Job]:
    known = blocked[planned.case.id]
    if (unbegun := _unbegun(options, known)) is not None:
        yield Job(planned=planned, arm=Arm.WITH, index=0, error=unbegun, is_unbegun=True)
        return
    for arm in planned.arms:
        for index in range(planned.runs):
            yield Job(planned=planned, arm=arm, index=index, error=_error(options, known, arm))


def _unbegun(options: SuiteOptions, blocked: Blocked) -> str | None:
    """Say why the stand-ins cannot be made, where there are to be any; only the first fault is named."""
    if options.mocks == "off":
        return None
    return next(iter(blocked.mocks if options.allow_real_servers else (*blocked.mocks, *blocked.servers)), None)


def _error(options: SuiteOptions, blocked: Blocked, arm: Arm) -> str | None:
    of_plugin = blocked.with_plugin if arm is Arm.WITH else ()
    of_scaffold = blocked.scaffold if options.scaffold else ()
    return next(iter((*blocked.runs, *of_scaffold, *of_plugin)), None)
