"""The options of `plugin-eval`."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from skill_evaluator.cli import plugin_eval_values as values
from skill_evaluator.cli.options import Parser, add_language, command
from skill_evaluator.cli.plugin_eval_words import read_words
from skill_evaluator.cli.side_files import add_side_files
from skill_evaluator.texts import tr

if TYPE_CHECKING:
    from skill_evaluator.cli.options import Commands

STANDARD_OUTPUT = ""  # what `--json` without a path gives; no path is empty
NAME = "plugin-eval"
_INIT = "init"
_ABOUT = tr("""\
Run the eval suite of a plugin, each case with the plugin and without it, and tell what the plugin adds, and how
surely its skills fire where they should and stay quiet elsewhere. Suites of `claude plugin eval` run unchanged and
give the same scores. `plugin-eval init` begins a suite: see `plugin-eval init --help`.

reads   the plugin with its suite; never writes to it, but for results/ in the eval directory
writes  aggregate-result.json, report.html and the trace of each run (traces/) into <eval directory>/results/<time>/
costs   what the model costs: runs x 2 for each case, with the plugin and without, and 3 short calls for each grader
        of type llm or baseline on each run; these need ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, a login of Claude
        Code is not enough for them. The counts are told before the first run

A TARGET is a plugin, a folder in it, a prompt.md or case.yaml, or an installed plugin by its name: NAME,
NAME@MARKETPLACE or NAME@skills-dir; results then go below the working folder. It stands before --tag, --allow-tools,
--disallow-tools and --json, which would take it for a value of theirs. A path that was never trusted is asked about.

exit    0 every case reached the threshold; 1 one did not, a case was refused, there was none, or a run ended on an
        API error; 2 the ceiling on costs or a refused login left runs out; 130 and 143 stopped by a signal
""")


def add_plugin_eval(commands: "Commands") -> None:
    """Declare `plugin-eval` and its options."""
    parser = command(
        commands,
        NAME,
        module="plugin_eval",
        summary=tr("run the eval suite of a plugin, with it and without it"),
        text=_ABOUT,
    )
    parser.reader = _read
    parser.add_argument("target", metavar="TARGET", nargs="?", default=".", help=tr("what to evaluate (default .)"))
    _add_choice(parser)
    _add_extent(parser)
    _add_scoring(parser)
    _add_grants(parser)
    _add_output(parser)
    _add_program(parser)


def init_parser() -> Parser:
    """Make the parser of `plugin-eval init`."""
    from skill_evaluator.cli import plugin_eval_init as init  # noqa: PLC0415 - other commands start without it

    parser = Parser(
        prog=f"skill-evaluator {NAME} {_INIT}",
        description=init.INIT_TEXT,
    )
    parser.set_defaults(module="plugin_eval_init")
    init.add_init(parser)
    add_language(parser)
    return parser


def _read(parser: Parser, words: Sequence[str]) -> argparse.Namespace:
    return init_parser().parse_args(words[1:]) if words[:1] == [_INIT] else read_words(parser, words)


def _add_choice(parser: Parser) -> None:
    """Which cases."""
    parser.add_argument("--case", metavar="GLOB", help=tr("only cases with such a name"))
    parser.add_argument("--tag", metavar="TAG", nargs="+", help=tr("only cases with one of these tags"))
    parser.add_argument(
        "--eval-dir",
        metavar="DIR",
        help=tr("where the suite lies in the plugin, relative; default: as plugin.json says, else evals"),
    )


def _add_extent(parser: Parser) -> None:
    """How much is asked, and of whom."""
    parser.add_argument(
        "--runs", metavar="N", type=values.runs, help=tr("runs of each arm in place of the cases' own (default 3)")
    )
    parser.add_argument(
        "-j",
        "--concurrency",
        metavar="N",
        type=values.concurrency,
        default=1,
        help=tr("runs under way at once, 1 to 8 (default 1)"),
    )
    parser.add_argument("--model", metavar="NAME", help=tr("model of the agent in place of the cases' own"))
    parser.add_argument(
        "--judge-model", metavar="NAME", help=tr("model of the judge, and of stand-ins that a model plays")
    )
    parser.add_argument(
        "--max-cost-usd",
        metavar="USD",
        type=values.dollars,
        help=tr("start nothing more once so many dollars are spent; exit 2 if runs are left out"),
    )


def _add_scoring(parser: Parser) -> None:
    """What is compared, and what passes."""
    parser.add_argument(
        "--ablation",
        metavar="none|with-without",
        type=values.one_of("none", "with-without"),
        help=tr("whether cases run without the plugin too (default: where there is a plugin)"),
    )
    parser.add_argument(
        "--threshold",
        metavar="0..1",
        type=values.threshold,
        help=tr("score from which a case passes (default 1.0); exit 1 if one is below"),
    )


def _add_grants(parser: Parser) -> None:
    """What runs may do on this machine."""
    parser.add_argument(
        "--allow-tools",
        metavar="TOOL",
        nargs="+",
        help=tr("grants beyond reading, for every case: Write, Edit, Bash, 'Bash(npm test *)', 'mcp__*', ..."),
    )
    parser.add_argument(
        "--disallow-tools", metavar="TOOL", nargs="+", help=tr("tools that no run may call, even if granted")
    )
    parser.add_argument(
        "--scaffold",
        action="store_true",
        default=False,
        help=tr("run the cases' scaffold scripts: Bash of the author, as you"),
    )
    parser.add_argument(
        "--no-scaffold", dest="scaffold", action="store_false", default=False, help=tr("do not (the default)")
    )
    parser.add_argument("--trust-plugin", action="store_true", help=tr("you trust the plugin; do not ask, for CI"))
    parser.add_argument(
        "--mocks",
        metavar="record|off",
        type=values.one_of("record", "off"),
        default="record",
        help=tr(
            "record: mocks/ stand in for MCP servers, and none without a mock is started (default); off: the real "
            "servers are started, as you"
        ),
    )
    parser.add_argument(
        "--allow-real-servers",
        action="store_true",
        help=tr("with --mocks record: start servers that have no mock, as you"),
    )


def _add_output(parser: Parser) -> None:
    """What is shown and kept."""
    parser.add_argument(
        "--json",
        metavar="FILE.json",
        nargs="?",
        const=STANDARD_OUTPUT,
        type=values.json_path,
        help=tr("alone: only the result, as JSON, on standard output; with a file: write it there"),
    )
    parser.add_argument(
        "--output-dir",
        metavar="DIR",
        type=values.some_path,
        help=tr("where result and report go (default <eval directory>/results/<time>)"),
    )
    parser.add_argument(
        "--report", metavar="FILE", type=values.some_path, help=tr("where the HTML report goes instead")
    )
    add_side_files(parser, values.some_path)
    parser.add_argument("--no-publish", action="store_true", help=tr("accepted; nothing is ever published"))
    parser.add_argument("--publish-report", action="store_true", help=tr("accepted; nothing is ever published"))
    parser.add_argument(
        "--keep-temp",
        action="store_true",
        help=tr("keep the workspaces of runs too, and say where they are; traces are kept without this"),
    )
    parser.add_argument("--quiet", action="store_true", help=tr("no plan and no progress, only what came of it"))
    parser.add_argument(
        "--verbose", action="store_true", help=tr("tell more of each run: turns, time, where its trace is")
    )


def _add_program(parser: Parser) -> None:
    """Who runs the cases."""
    parser.add_argument(
        "--agent",
        metavar="claude-code|messages",
        type=values.one_of("claude-code", "messages"),
        default="claude-code",
        help=tr(
            "claude-code: the program itself (default); messages: a model over the Messages API, for suites that only "
            "read; it needs --model and a key, but no program"
        ),
    )
    parser.add_argument(
        "--program",
        metavar="PATH",
        type=values.some_path,
        help=tr("Claude Code (default: SKILL_EVALUATOR_CLAUDE, else on PATH, else in the package claude_agent_sdk)"),
    )
