"""The line that says what a suite takes, before any money is spent."""

from collections.abc import Iterator, Sequence

from skill_evaluator.api.plugin_eval.options import PlannedCase, SuiteOptions
from skill_evaluator.cli.plugin_eval_numbers import ceiling_text
from skill_evaluator.cli.wording import listed, names_listed, together
from skill_evaluator.grading import left_out
from skill_evaluator.model import VOTES, Arm, JudgedCheck
from skill_evaluator.texts import ntr, tr


def plan_text(cases: Sequence[PlannedCase], asked: SuiteOptions) -> str:
    """Say how many runs and calls of the judge there are, who is asked, and what bounds the cost.

    Args:
        cases: What is going to be run.
        asked: What the command line says.
    """
    runs = sum(case.runs * len(case.arms) for case in cases)
    votes = sum(_votes(case) for case in cases)
    judge = ntr("up to {n} call of the judge", "up to {n} calls of the judge", votes) if votes else ""
    judged_by = tr("judged by {model}", model=asked.judge_model) if votes and asked.judge_model else ""
    how_often = listed([ntr("{n} run", "{n} runs", runs), judge])
    return tr("Plan: {plan}", plan=together([how_often, listed([_models(cases, asked), judged_by]), _ceiling(asked)]))


def _votes(planned: PlannedCase) -> int:
    return sum(_votes_of_run(planned, arm) * planned.runs for arm in planned.arms)


def _votes_of_run(planned: PlannedCase, arm: Arm) -> int:
    """Count the calls about one run: graders that only the plugin can satisfy are not asked about runs without it."""
    out = left_out(planned.case) if planned.has_two_arms and arm is Arm.WITHOUT else frozenset()
    return VOTES * sum(isinstance(one.check, JudgedCheck) and one.name not in out for one in planned.case.graders)


def _models(cases: Sequence[PlannedCase], asked: SuiteOptions) -> str:
    named = (asked.model,) if asked.model else tuple(dict.fromkeys(_own_models(cases, asked)))
    return tr("model {model}", model=named[0]) if len(named) == 1 else tr("models {models}", models=names_listed(named))


def _own_models(cases: Sequence[PlannedCase], asked: SuiteOptions) -> Iterator[str]:
    of_messages, of_program = tr("of ANTHROPIC_MODEL"), tr("as Claude Code has it (--model names one)")
    usual = of_messages if asked.agent == "messages" else of_program
    for planned in cases:
        yield (planned.case.setup.model if planned.case.setup else None) or usual


def _ceiling(asked: SuiteOptions) -> str:
    if asked.max_cost_usd is None:
        return tr("no ceiling on costs (--max-cost-usd sets one)")
    return tr("nothing more is started once {cost} are spent", cost=ceiling_text(asked.max_cost_usd))
