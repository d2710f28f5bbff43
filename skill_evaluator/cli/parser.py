"""The commands and their options; `docs/cli.md` is made from this."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from skill_evaluator import __version__
from skill_evaluator.cli.console import say

if TYPE_CHECKING:
    Commands: TypeAlias = "argparse._SubParsersAction[Parser]"  # noqa: SLF001 - there is no public name

EXIT_STATUSES = """\
exit status:
  0    PASS or ESTIMATE; for validate: nothing that stops a run
  1    FAIL or UNSTABLE, a regression as --fail-on has it, refused input, wrong usage
  2    INVALID or DRAFT: there is no score to rely on, or only part of one
  130  stopped by SIGINT, 143 by SIGTERM, 129 by SIGHUP; what had finished is kept
"""


class Parser(argparse.ArgumentParser):
    """An argument parser whose wrong-usage status is 1, since 2 means that nothing was measured."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and how to get help."""
        say(f"FAIL {self.prog}: {message}; see {self.prog} --help")
        self.exit(1)


def _text(value: str) -> str:
    if not value:
        raise argparse.ArgumentTypeError("it is empty")
    return value


def _path(value: str) -> Path:
    return Path(_text(value))


def build_parser() -> Parser:
    """Make the parser of the whole command line."""
    parser = Parser(
        prog="skill-evaluator",
        description="Tells the author of an Agent Skill whether it is good.",
        epilog=EXIT_STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"skill-evaluator {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_run(commands)
    _add_validate(commands)
    _add_compare(commands)
    _add_report(commands)
    _add_regrade(commands)
    _add_import(commands)
    _add_doctor(commands)
    return parser


def _command(commands: "Commands", name: str, *, module: str, summary: str, text: str) -> Parser:
    command = commands.add_parser(
        name, help=summary, description=text, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.set_defaults(module=module)
    return command


def _add_run(commands: "Commands") -> None:
    run = _command(
        commands,
        "run",
        module="run",
        summary="score a skill with a test set",
        text="Score a skill with a test set.\n\n"
        "reads   SKILL.md with its files, the test set, the baseline; never writes to any of them\n"
        "writes  every finished run under .skill-evaluator/; the report (.md and .json) once you agree\n"
        "costs   nothing with embedded and replay; with messages, what the model costs (told before the first call);\n"
        "        with command, whatever its program costs",
    )
    run.add_argument("skill", metavar="SKILL", type=_path, help="SKILL.md or the folder that holds it")
    run.add_argument(
        "--testset", metavar="FILE", type=_path, help="default: testset.json beside SKILL.md, or in evals/"
    )
    run.add_argument(
        "--agent",
        metavar="NAME",
        help="who is asked: messages (a model, over the Messages API; the default where a key is set), embedded (the "
        "default elsewhere; a router on word similarity, an estimate), command (any agent that is a program) or "
        "replay (recorded answers)",
    )
    run.add_argument(
        "--agent-config",
        metavar="FILE",
        type=_path,
        help="how --agent command calls its program (TOML, docs/agents.md)",
    )
    run.add_argument(
        "--model",
        metavar="NAME",
        type=_text,
        help="the model to ask (messages: default ANTHROPIC_MODEL; command: {model} in argv)",
    )
    run.add_argument(
        "--timeout-s",
        metavar="S",
        type=float,
        help="longest time of one request (messages) or one call (command); default 300 s",
    )
    _add_asking(run)
    run.add_argument("--recordings", metavar="PATH", type=_path, help="what --agent replay answers from")
    run.add_argument(
        "--neighbours",
        metavar="DIR",
        type=_path,
        action="append",
        default=[],
        help="skills installed beside it (not replay): a skill's folder or one that holds several; repeatable",
    )
    run.add_argument("--runs", metavar="N", type=int, help="repetitions of each case, at least 3 (default 3)")
    run.add_argument("--concurrency", metavar="N", type=int, default=4, help="runs under way at once (default 4)")
    run.add_argument("--tag", metavar="TAG", action="append", default=[], help="only cases with this tag; repeatable")
    run.add_argument(
        "--case", metavar="GLOB", action="append", default=[], help="only cases with such an id; repeatable"
    )
    run.add_argument("--seed", metavar="N", type=int, default=0, help="for the order and all that is drawn (default 0)")
    run.add_argument("--max-calls", metavar="N", type=int, help="start no further call of the agent after so many")
    run.add_argument(
        "--max-cost-usd", metavar="X", type=float, help="start no further call once so many dollars were spent"
    )
    run.add_argument(
        "--no-canary", action="store_true", help="skip the two questions that show whether the agent can be measured"
    )
    run.add_argument(
        "--resume",
        action="store_true",
        help="continue the last run of the same kind that was killed or stopped; only what is missing is asked",
    )
    run.add_argument("--draft", action="store_true", help="allow fewer repetitions; the verdict can only be DRAFT")
    _add_scoring(run)
    _add_writing(run)
    run.add_argument("--quiet", action="store_true", help="no plan and no progress")


def _add_asking(run: Parser) -> None:
    """How the messages agent asks."""
    run.add_argument(
        "--max-turns", metavar="N", type=int, help="most requests of one run (messages; default 10); it ends there"
    )
    run.add_argument(
        "--prices", metavar="FILE", type=_path, help="prices of models in place of those shipped (messages; JSON)"
    )
    run.add_argument(
        "--batch",
        action="store_true",
        help="ask by message batches, at half the price and without haste (messages; trigger-only test sets)",
    )


def _add_regrade(commands: "Commands") -> None:
    regrade = _command(
        commands,
        "regrade",
        module="regrade",
        summary="grade and score saved runs again; asks no agent",
        text="Grade and score saved runs again, with the test set kept with them or with a changed one.\n\n"
        "reads   a run folder, or a report whose run folder is still there\n"
        "writes  the new report once you agree\n"
        "costs   nothing: no agent is asked",
    )
    regrade.add_argument("path", metavar="REPORT.json|RUN_DIR", type=_path, help="what to grade again")
    regrade.add_argument("--testset", metavar="FILE", type=_path, help="other expectations for the same questions")
    _add_scoring(regrade, threshold=None)
    _add_writing(regrade)


def _add_scoring(command: Parser, threshold: float | None = 0.85) -> None:
    command.add_argument(
        "--pass-threshold",
        metavar="F1",
        type=float,
        default=threshold,
        help="lowest acceptance F1 that passes (default 0.85)" if threshold else "default: the run's own",
    )
    command.add_argument("--baseline", metavar="OLD.json", type=_path, help="an earlier report to compare with")
    _add_gate(command, default="significant")


def _add_gate(command: Parser, *, default: str) -> None:
    command.add_argument(
        "--fail-on",
        choices=("significant", "marked", "never"),
        default=default,
        help="which regressions of acceptance rates give exit status 1: those marked and shown by paired evidence, all "
        f"that are marked, or none (default {default})",
    )
    command.add_argument(
        "--on-shared-cases", action="store_true", help="where the test sets differ, compare the cases that both have"
    )


def _add_writing(command: Parser) -> None:
    command.add_argument(
        "--output-dir",
        metavar="DIR",
        type=_path,
        default=Path("reports"),
        help="where the report goes (default reports)",
    )
    _add_language(command)
    command.add_argument("--yes", action="store_true", help="ask nothing: go on, and write the report")
    command.add_argument(
        "--json",
        metavar="FILE",
        nargs="?",
        const="-",
        type=_text,
        help="alone: only the JSON report on standard output; with FILE: also write it there",
    )


def _add_language(command: Parser) -> None:
    command.add_argument("--lang", choices=("en", "zh"), default="en", help="language of the report (default en)")


def _add_validate(commands: "Commands") -> None:
    validate = _command(
        commands,
        "validate",
        module="validate",
        summary="check a SKILL.md or a test set before anything is run",
        text="Check skills and test sets; every fault of every file is told at once.\n\n"
        "reads   the files named; a test set named with one skill is checked against it\n"
        "writes  nothing\n"
        "costs   nothing",
    )
    validate.add_argument("paths", metavar="PATH", nargs="+", type=_path, help="SKILL.md, a skill's folder, a test set")
    validate.add_argument("--json", action="store_true", help="the findings as JSON")


def _add_compare(commands: "Commands") -> None:
    compare = _command(
        commands,
        "compare",
        module="compare",
        summary="what changed between two reports",
        text="Compare two reports, metric by metric, by the rule that more than 5 points worse is a regression.\n\n"
        "reads   two report JSON files\n"
        "writes  nothing\n"
        "costs   nothing; the exit status is 0 whatever the mark, unless --fail-on is given:\n"
        "        then 1 for a regression, and 2 for a new report that is INVALID or DRAFT",
    )
    compare.add_argument("new", metavar="NEW.json", type=_path, help="the later report")
    compare.add_argument("old", metavar="OLD.json", type=_path, help="the earlier one")
    _add_gate(compare, default="never")
    _add_language(compare)
    compare.add_argument("--json", action="store_true", help="the comparison as JSON")


def _add_report(commands: "Commands") -> None:
    report = _command(
        commands,
        "report",
        module="report",
        summary="show a saved report",
        text="Show a saved report in another format or language.\n\n"
        "reads   one report JSON file\n"
        "writes  nothing but standard output\n"
        "costs   nothing",
    )
    report.add_argument("report", metavar="REPORT.json", type=_path)
    report.add_argument("--format", choices=("md", "json"), default="md", help="default md")
    _add_language(report)


def _add_import(commands: "Commands") -> None:
    importing = _command(
        commands,
        "import",
        module="import_",
        summary="make a test set from a trigger set",
        text="Make a test set from a trigger set in one of the shapes met in the wild (see docs/formats.md).\n"
        "Cases without a split get a seeded one; whatever cannot be carried over is named.\n\n"
        "reads   the trigger set\n"
        "writes  the test set; never over an existing file\n"
        "costs   nothing",
    )
    importing.add_argument("file", metavar="FILE", type=_path, help="the trigger set (JSON)")
    importing.add_argument(
        "-o", "--output", metavar="OUT", type=_path, required=True, help="testset.json; a folder for a routing set"
    )
    importing.add_argument("--skill", metavar="NAME", help="the skill to make a test set for, where several are named")
    importing.add_argument("--seed", metavar="N", type=int, default=0, help="for the split (default 0)")


def _add_doctor(commands: "Commands") -> None:
    _command(
        commands,
        "doctor",
        module="doctor",
        summary="what can run on this machine",
        text="Tell which agents can run here, with which versions, which credentials are set (never the values).\n\n"
        "reads   the environment\n"
        "writes  nothing\n"
        "costs   nothing",
    ).add_argument("--json", action="store_true", help="the same as JSON")
