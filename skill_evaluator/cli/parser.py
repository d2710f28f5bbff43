"""The commands and their options; `docs/cli.md` is made from this."""

from typing import TYPE_CHECKING

from skill_evaluator import __version__
from skill_evaluator.cli.options import Parser, add_language, command, path, text
from skill_evaluator.cli.plugin_eval_options import add_plugin_eval
from skill_evaluator.cli.run_options import add_run
from skill_evaluator.cli.saved_options import add_compare, add_regrade, add_report, add_trend
from skill_evaluator.cli.suite_words import suite_words
from skill_evaluator.cli.translation_options import add_translation
from skill_evaluator.texts import joined, tr

if TYPE_CHECKING:
    from skill_evaluator.cli.options import Commands

EXIT_STATUSES = tr("""\
exit status:
  0    PASS or ESTIMATE; for validate: nothing that stops a run
  1    FAIL or UNSTABLE, a regression as --fail-on has it, refused input, wrong usage
  2    INVALID or DRAFT: there is no score to rely on, or only part of one
  130  stopped by SIGINT, 143 by SIGTERM, 129 by SIGHUP, 131 by SIGQUIT; what had finished is kept
plugin-eval passes by the score of each case, and report and compare by what they show: see COMMAND --help
""")


def build_parser() -> Parser:
    """Make the parser of the whole command line."""
    parser = Parser(
        prog="skill-evaluator",
        description=tr("Tells the author of an Agent Skill whether it is good."),
        epilog=EXIT_STATUSES,
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"skill-evaluator {__version__}",
        help=tr("show program's version number and exit"),
    )
    add_language(parser)
    parser.set_defaults(lang="en")
    commands = parser.add_subparsers(title=tr("commands"), metavar="COMMAND", required=True)
    add_run(commands)
    add_plugin_eval(commands)
    _add_validate(commands)
    add_compare(commands)
    add_report(commands)
    add_trend(commands)
    add_regrade(commands)
    _add_import(commands)
    add_translation(commands)
    _add_doctor(commands)
    return parser


def _add_validate(commands: "Commands") -> None:
    validate = command(
        commands,
        "validate",
        module="validate",
        summary=tr("check skills, test sets, eval suites and translation cases before anything is run"),
        text=joined(
            "\n\n",
            [
                tr(
                    "Check skills, test sets, eval suites, plugins and translation cases; every fault of every file is "
                    "told\n"
                    "at once.\n"
                    "FAIL: it does not load, or every run of it fails. WARN: it loads, and is likely to mislead.\n\n"
                    "reads   the paths named, and nothing outside the plugin or suite\n"
                    "writes  nothing; runs nothing\n"
                    "costs   nothing"
                ),
                suite_words(),
            ],
        ),
    )
    validate.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        type=path,
        help=tr("skill, test set, eval suite, case, plugin, translation cases (file or folder), or folder of them"),
    )
    validate.add_argument(
        "--eval-dir",
        metavar="DIR",
        type=text,
        help=tr("where the suite lies in the plugin, relative; default: as plugin.json says, else evals"),
    )
    validate.add_argument(
        "--since",
        metavar="FOLDER",
        type=path,
        help=tr("an earlier folder of translation cases: an id that stands for another case now is a fault"),
    )
    validate.add_argument("--json", action="store_true", help=tr("the findings as JSON"))


def _add_import(commands: "Commands") -> None:
    importing = command(
        commands,
        "import",
        module="import_",
        summary=tr("make a test set from a trigger set, an evals.json or both"),
        text=tr(
            "Make a test set from a trigger set, an evals.json, or both, in the shapes met in the wild (see\n"
            "docs/formats.md). Prompts that stand in both become one case; what an eval expects becomes its graders.\n"
            "Cases without a split get a seeded one; whatever cannot be carried over is named.\n\n"
            "reads   the files, and those that an evals.json names beside it\n"
            "writes  the test set; never over an existing file\n"
            "costs   nothing"
        ),
    )
    importing.add_argument(
        "files",
        metavar="FILE",
        type=path,
        nargs="+",
        help=tr("a trigger set or the folder of an eval suite, and evals.json files; told apart by content"),
    )
    importing.add_argument(
        "-o", "--output", metavar="OUT", type=path, required=True, help=tr("testset.json; a folder for a routing set")
    )
    importing.add_argument(
        "--skill", metavar="NAME", help=tr("the skill to make a test set for, where several are named")
    )
    importing.add_argument("--seed", metavar="N", type=int, default=0, help=tr("for the split (default 0)"))


def _add_doctor(commands: "Commands") -> None:
    command(
        commands,
        "doctor",
        module="doctor",
        summary=tr("what can run on this machine"),
        text=tr(
            "Tell which agents can run here, with which versions, which credentials are set (never the values).\n\n"
            "reads   the environment\n"
            "writes  nothing\n"
            "costs   nothing"
        ),
    ).add_argument("--json", action="store_true", help=tr("the same as JSON"))
