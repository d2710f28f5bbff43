"""`translation`: the group of commands for cases of EvalCase v1."""

from typing import TYPE_CHECKING, Final

from skill_evaluator.cli.options import add_language, command, path
from skill_evaluator.cli.run_options import add_agent, add_bounds, add_extent, add_model_options
from skill_evaluator.texts import tr

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from skill_evaluator.cli.options import Commands

NAME: Final = "translation"
_TEXT = tr("Work with translation cases (EvalCase v1, see docs/formats.md) and translations of them.")


def add_translation(commands: "Commands") -> None:
    """Declare the group and its commands."""
    group = commands.add_parser(
        NAME,
        help=tr("check translations by cases of EvalCase v1, or have them made"),
        description=_TEXT,
    )
    add_language(group)
    inner = group.add_subparsers(title=tr("commands"), metavar="COMMAND", required=True)
    _add_check(inner)
    _add_candidates(inner)


def _add_check(commands: "Commands") -> None:
    check = command(
        commands,
        "check",
        module="translation_check",
        summary=tr("check translations by the assertions of their cases"),
        text=tr(
            "Check each translation by the assertions of its case: no model, no network, always the same\n"
            "answer.\n\n"
            "reads   the cases, locked ones too, and the translations; regular files alone, so save a pipe to a file\n"
            "writes  nothing but standard output\n"
            "costs   nothing; exit status 1 for a hard assertion that failed, a case without translation, a "
            "translation\n"
            "        without case, and refused input; what only reports, or cannot be decided, never fails"
        ),
    )
    _add_inputs(check)
    check.add_argument(
        "--json",
        action="store_true",
        help=tr("one result object per assertion, as a JSON array; the summary goes to stderr"),
    )


def _add_inputs(check: "ArgumentParser") -> None:
    check.add_argument("cases", metavar="CASES", type=path, help=tr("folder with cases/, or one .jsonl file of cases"))
    check.add_argument(
        "candidates",
        metavar="CANDIDATES",
        type=path,
        help=tr("translations, JSON Lines: case_id, text, and raw_response where it was kept"),
    )
    check.add_argument(
        "--since", metavar="FOLDER", type=path, help=tr("earlier cases: an id that means something else now is a fault")
    )
    check.add_argument(
        "--without-locked", action="store_true", help=tr("leave locked cases out: no candidates are made of them here")
    )


def _add_candidates(commands: "Commands") -> None:
    making = command(
        commands,
        "candidates",
        module="translation_candidates",
        summary=tr("have an agent with a skill translate each case, for `translation check`"),
        text=tr(
            "Have an agent that is given the skill translate each case once.\n\n"
            "reads   SKILL.md with its files, and the cases; locked ones are not opened, since no prompt is made "
            "of them\n"
            "asks    messages, claude-code, command or replay; embedded writes no translations\n"
            "writes  every answer under .skill-evaluator/ as it comes, and in the end FILE; never over an "
            "existing file,\n"
            "        unless --resume goes on with the run that wrote it\n"
            "costs   what one run of the agent costs for each case (see run --help); exit status 2 where a case "
            "has no\n"
            "        translation in the end, with what there is written all the same"
        ),
    )
    making.add_argument("skill", metavar="SKILL", type=path, help=tr("SKILL.md or the folder that holds it"))
    making.add_argument("cases", metavar="CASES", type=path, help=tr("folder with cases/, or one .jsonl file of cases"))
    making.add_argument(
        "-o", "--output", metavar="FILE", type=path, required=True, help=tr("the candidates, JSON Lines")
    )
    add_agent(making)
    add_model_options(making)
    add_extent(making)
    add_bounds(making)
    making.add_argument("--yes", action="store_true", help=tr("ask nothing, go on"))
    making.add_argument("--quiet", action="store_true", help=tr("no plan and no progress"))
