"""What `run` and `translation candidates` do alike before the first call: take the options, show the plan, ask."""

import argparse
from pathlib import Path

from skill_evaluator.api.request import Prepared, Request
from skill_evaluator.cli.console import say
from skill_evaluator.cli.language import spoken
from skill_evaluator.cli.plan import plan_text, resumption_text
from skill_evaluator.cli.writing import agreed_to_calls


def asking_request(options: argparse.Namespace, testset: Path | None) -> Request:
    """Take the options that say who is asked, which cases, and within what bounds; all others are as usual.

    Args:
        options: Of a command that has them.
        testset: The cases, or None for those beside the skill.
    """
    return Request(
        skill=options.skill,
        testset=testset,
        agent=options.agent,
        agent_config=options.agent_config,
        model=options.model,
        timeout_s=options.timeout_s,
        max_turns=options.max_turns,
        prices=options.prices,
        recordings=options.recordings,
        neighbours=tuple(options.neighbours),
        concurrency=options.concurrency,
        tags=tuple(options.tag),
        case_globs=tuple(options.case),
        seed=options.seed,
        max_calls=options.max_calls,
        max_cost_usd=options.max_cost_usd,
        no_canary=options.no_canary,
        resume=options.resume,
    )


def agreed_to_plan(prepared: Prepared, options: argparse.Namespace) -> bool:
    """Show warnings and the plan, and ask before calls that cost money where nobody has named the agent."""
    for warning in prepared.warnings:
        say(warning.worded(spoken()))
    must_ask = prepared.unasked and not options.yes
    if must_ask or not options.quiet:
        say(plan_text(prepared))
    if options.resume:
        say(resumption_text(prepared))
    return not must_ask or agreed_to_calls(options)
