"""The options of `run`."""

from typing import TYPE_CHECKING

from skill_evaluator.cli.options import Parser, add_scoring, add_writing, command, path, text
from skill_evaluator.texts import tr

if TYPE_CHECKING:
    from skill_evaluator.cli.options import Commands


def add_run(commands: "Commands") -> None:
    """Declare `run` and its options."""
    run = command(
        commands,
        "run",
        module="run",
        summary=tr("score a skill with a test set"),
        text=tr(
            "Score a skill with a test set.\n\n"
            "reads   SKILL.md with its files, the test set, the baseline; never writes to any of them\n"
            "writes  every finished run under .skill-evaluator/; the report (.md, .html, .json) once you agree\n"
            "costs   nothing with embedded and replay; with messages, what the model costs (told before the "
            "first call);\n"
            "        with claude-code, what the model costs (not known before: set --max-cost-usd);\n"
            "        with command, whatever its program costs; --judge-model and --advise-model cost calls of their own"
        ),
    )
    run.add_argument("skill", metavar="SKILL", type=path, help=tr("SKILL.md or the folder that holds it"))
    run.add_argument(
        "--testset",
        metavar="FILE",
        type=path,
        help=tr(
            "or the folder of an eval suite, or of translation cases (docs/formats.md); default: testset.json beside "
            "SKILL.md, or in evals/"
        ),
    )
    add_agent(run)
    add_model_options(run)
    run.add_argument(
        "--batch",
        action="store_true",
        help=tr("ask by message batches, at half the price and without haste (messages; trigger-only test sets)"),
    )
    _add_reviewers(run)
    run.add_argument("--runs", metavar="N", type=int, help=tr("repetitions of each case, at least 3 (default 3)"))
    run.add_argument("--draft", action="store_true", help=tr("allow fewer repetitions; the verdict can only be DRAFT"))
    add_extent(run)
    add_bounds(run)
    add_scoring(run, usual=tr("0.85, and 1.0 for translation cases"))
    add_writing(run)
    run.add_argument("--quiet", action="store_true", help=tr("no plan and no progress"))


def add_agent(run: Parser) -> None:
    """Who is asked, and with what beside the skill."""
    run.add_argument(
        "--agent",
        metavar="NAME",
        help=tr(
            "who is asked: messages (a model, over the Messages API; the default where a key is set), embedded (the "
            "default elsewhere; a router on word similarity, an estimate), claude-code (Claude Code itself, where "
            "it is installed; takes no configuration), command (any agent that is a program) or replay (recorded "
            "answers)"
        ),
    )
    run.add_argument(
        "--agent-config",
        metavar="FILE",
        type=path,
        help=tr("how --agent command calls its program (TOML, docs/agents.md)"),
    )
    run.add_argument(
        "--model",
        metavar="NAME",
        type=text,
        help=tr("the model to ask (messages, claude-code: default ANTHROPIC_MODEL; command: {{model}} in argv)"),
    )
    run.add_argument(
        "--timeout-s",
        metavar="S",
        type=float,
        help=tr("longest time of one request (messages), call (command) or session (claude-code); default 300 s"),
    )
    run.add_argument("--recordings", metavar="PATH", type=path, help=tr("what --agent replay answers from"))
    run.add_argument(
        "--neighbours",
        metavar="DIR",
        type=path,
        action="append",
        default=[],
        help=tr("skills installed beside it (not replay): a skill's folder or one that holds several; repeatable"),
    )


def add_model_options(run: Parser) -> None:
    """How models are asked over the Messages API."""
    run.add_argument(
        "--max-turns",
        metavar="N",
        type=int,
        help=tr("most requests of one run (messages, claude-code; default 10); it ends there"),
    )
    run.add_argument(
        "--prices",
        metavar="FILE",
        type=path,
        help=tr("prices of models in place of those shipped (messages, judge and analyst; JSON, docs/agents.md)"),
    )


def _add_reviewers(run: Parser) -> None:
    """Who is asked about the runs once they are finished."""
    run.add_argument(
        "--judge-model",
        metavar="NAME",
        type=text,
        help=tr(
            "the model that scores the `rubric` of outputs and votes on graders of type llm, over the Messages API "
            "(docs/judge.md); 2 calls for each rubric item of a case, 3 for each such grader on each run, "
            "another model "
            "than the agent's is best"
        ),
    )
    run.add_argument(
        "--advise-model",
        metavar="NAME",
        type=text,
        help=tr("the model that words suggestions from failed tuning cases; at most 3 calls, none where all went well"),
    )


def add_extent(run: Parser) -> None:
    """How much is asked."""
    run.add_argument("--concurrency", metavar="N", type=int, default=4, help=tr("runs under way at once (default 4)"))
    run.add_argument(
        "--tag", metavar="TAG", action="append", default=[], help=tr("only cases with this tag; repeatable")
    )
    run.add_argument(
        "--case", metavar="GLOB", action="append", default=[], help=tr("only cases with such an id; repeatable")
    )
    run.add_argument(
        "--seed", metavar="N", type=int, default=0, help=tr("for the order and all that is drawn (default 0)")
    )


def add_bounds(run: Parser) -> None:
    """What keeps calls from being made."""
    run.add_argument("--max-calls", metavar="N", type=int, help=tr("start no further call of the agent after so many"))
    run.add_argument(
        "--max-cost-usd",
        metavar="X",
        type=float,
        help=tr("start no further call, of whomever, once so many dollars were spent"),
    )
    run.add_argument(
        "--no-canary",
        action="store_true",
        help=tr("skip the two questions that show whether the agent can be measured"),
    )
    run.add_argument(
        "--resume",
        action="store_true",
        help=tr("continue the last run of the same kind that was killed or stopped; only what is missing is asked"),
    )
