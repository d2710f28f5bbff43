"""Who is asked in a suite: the agent, and the judge where there is something to judge."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from skill_evaluator.agents.claude_code.grants import read_grants
from skill_evaluator.agents.claude_code.login import check_login, login_secrets
from skill_evaluator.agents.messages.credentials import base_url_of, can_ask, check_credentials, check_model
from skill_evaluator.agents.messages.late import LateCompleter
from skill_evaluator.agents.messages.usual_models import judge_model
from skill_evaluator.api.plugin_eval.evaluation import Parts
from skill_evaluator.api.plugin_eval.options import SuiteOptions
from skill_evaluator.api.plugin_eval.plan import SuitePlan, setup_of
from skill_evaluator.api.plugin_eval.votes import is_judged
from skill_evaluator.api.plugin_eval.watched import WatchedStandIns
from skill_evaluator.errors import InputError
from skill_evaluator.model import Case, Completer, Finding, Level, SuiteAgent
from skill_evaluator.redaction import secrets_of
from skill_evaluator.texts import joined, tr

_WITHOUT_IT = tr(
    "or name one with --program PATH, or do without it where a suite only reads: --agent messages --model NAME"
)


def make_parts(options: SuiteOptions, plan: SuitePlan) -> Parts:
    """Make the agent and the judge of a suite.

    Raises:
        InputError: If one of them cannot be asked.
    """
    judge = make_judge(options, plan)
    stand_ins = make_stand_ins(options, plan, judge)
    agent = _agent(options, plan, stand_ins)
    recordings = stand_ins.recordings if stand_ins else {}
    secrets = (*secrets_of(os.environ), *login_secrets())
    return Parts(agent=agent, judge=judge, secrets=secrets, recordings=recordings)


def make_judge(options: SuiteOptions, plan: SuitePlan) -> Completer | None:
    """Give who votes, and answers for stand-ins that a model plays; None where nobody need be asked.

    Its libraries take a second to load, so they are loaded while the first run goes on.

    Raises:
        InputError: If it cannot be asked.
    """
    asking = [planned.case.id for planned in plan.cases if _asks_a_model(planned.case, options)]
    if not asking:
        return None
    _check(asking)
    model = judge_model(options.judge_model)
    check_model(model)
    return LateCompleter(model, lambda: _completer(model))


def _completer(model: str) -> Completer:
    from skill_evaluator.agents.messages.api import MessagesApi  # noqa: PLC0415 - loads the SDK
    from skill_evaluator.agents.messages.completer import ModelCompleter  # noqa: PLC0415 - likewise

    return ModelCompleter(MessagesApi(model))


def _asks_a_model(case: Case, options: SuiteOptions) -> bool:
    has_played = any(tool.kind == "agent" for server in setup_of(case).mocks for tool in server.tools)
    return is_judged(case) or (has_played and options.mocks == "record")


def _check(asking: list[str]) -> None:
    """Refuse to begin where the program may have a login of its own, but nobody could be asked for a vote."""
    if not can_ask():
        cases = (
            tr("case {first!r} has", first=asking[0])
            if len(asking) == 1
            else tr("{n} cases, {first!r} first, have", n=len(asking), first=asking[0])
        )
        message = tr(
            "{cases} graders that a model judges, or mocks that a model plays, and these are asked through the "
            "Messages API alone: set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN (a login of Claude Code, Bedrock and "
            "Vertex are not enough), leave such cases out with --case, or use graders that need no model (regex, "
            "tool_used, tool_order, file_exists)",
            cases=cases,
        )
        raise InputError([Finding(level=Level.FAIL, code="no-judge", message=message)])
    check_credentials()
    base_url_of()


def _agent(options: SuiteOptions, plan: SuitePlan, stand_ins: WatchedStandIns | None) -> SuiteAgent:
    if options.agent == "messages":
        from skill_evaluator.api.plugin_eval.messages_agent import make_suite_agent  # noqa: PLC0415 - takes long to load

        return make_suite_agent(options, [planned.case for planned in plan.cases if planned.error is None])
    return _claude_code(options, stand_ins)


def _claude_code(options: SuiteOptions, stand_ins: WatchedStandIns | None) -> SuiteAgent:
    from skill_evaluator.agents.claude_code.program import open_program  # noqa: PLC0415 - only this agent starts it
    from skill_evaluator.agents.claude_code.suite_agent import ClaudeCodeSuiteAgent  # noqa: PLC0415 - likewise

    check_login()
    try:
        program = open_program(None if options.program is None else Path(options.program))
    except InputError as error:
        raise InputError(
            [replace(one, message=joined("; ", [one.message, _WITHOUT_IT])) for one in error.findings]
        ) from error
    grants = read_grants(options.allow_tools)
    return ClaudeCodeSuiteAgent(
        program=program.path,
        version=program.version,
        model=options.model,
        grants=grants,
        disallow=options.disallow_tools,
        stand_ins=stand_ins,
        scaffold=options.scaffold,
        keep_temp=options.keep_temp,
        eval_dir=options.suite.eval_dir.absolute(),
        results=tuple(_results(options)),
    )


def _results(options: SuiteOptions) -> Iterator[Path]:
    yield options.output_dir.absolute()
    yield options.suite.eval_dir.absolute() / "results"
    files = (options.report, options.json_file, *options.side_files.values())
    yield from (file.absolute() for file in files if file is not None)


def make_stand_ins(options: SuiteOptions, plan: SuitePlan, judge: Completer | None) -> WatchedStandIns | None:
    """Give the stand-ins; None where no case has any, and no plugin a server, so that nothing of it is loaded."""
    cases = [planned.case for planned in plan.cases]
    if not any(setup_of(case).mocks or options.suite.served.get(case.id) for case in cases):
        return None
    from skill_evaluator.stand_ins import SuiteStandIns, program_names  # noqa: PLC0415 - loads a server

    root = (options.suite.plugin or options.suite.eval_dir).absolute()
    return WatchedStandIns(
        SuiteStandIns(
            served=options.suite.served,
            root=root,
            completer=judge,
            mode=options.mocks,
            allow_real_servers=options.allow_real_servers,
            names=program_names(cases, root=root),
        )
    )
