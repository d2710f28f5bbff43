"""What several commands have in common: how they are declared, and the options they share."""

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from skill_evaluator.cli import argparse_words
from skill_evaluator.cli.console import say, width_of
from skill_evaluator.cli.help_text import fitted
from skill_evaluator.cli.language import spoken
from skill_evaluator.cli.side_files import add_side_files
from skill_evaluator.cli.wrapping import broken
from skill_evaluator.texts import localized, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Commands: TypeAlias = "argparse._SubParsersAction[Parser]"  # noqa: SLF001 - there is no public name

_HEADING = re.compile(r"(?<=[\u4e00-\u9fff]):\n")


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Lays out help as it was written, in the language of the user; a narrow terminal gets its lines broken anew."""

    def start_section(self, heading: str | None) -> None:
        """Begin a part of the help."""
        super().start_section(None if heading is None else localized(heading, spoken()))

    def format_help(self) -> str:
        """Give the whole help; a heading in Chinese ends in a wide colon."""
        text = super().format_help()
        return text if spoken() == "en" else _HEADING.sub("：\n", text)

    def _format_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None) -> str:  # noqa: ANN401 - as in typeshed
        text = super()._format_usage(usage, actions, groups, prefix)
        # Both words take seven columns, and the lines below are indented by as many.
        return text if prefix is not None else text.replace("usage: ", localized(tr("usage: "), spoken()), 1)

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return None if action.help is None else localized(action.help, spoken())

    def _split_lines(self, text: str, width: int) -> list[str]:
        return super()._split_lines(text, width) if text.isascii() else broken(" ".join(text.split()), width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        text, columns = localized(text, spoken()), width_of(sys.stdout)
        return super()._fill_text(text if columns is None else fitted(text, columns), width, indent)


class Parser(argparse.ArgumentParser):
    """An argument parser whose wrong-usage status is 1, since 2 means that nothing was measured.

    Attributes:
        reader: Reads the words of this command in place of argparse, or None.
    """

    reader: "Callable[[Parser, Sequence[str]], argparse.Namespace] | None" = None

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - as ArgumentParser takes them
        super().__init__(formatter_class=HelpFormatter, **options)
        self._positionals.title, self._optionals.title = tr("positional arguments"), tr("options")
        self._actions[0].help = tr("show this help message and exit")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # noqa: ANN401 - as typeshed has it, in overloads
        """Read words, as the reader of this command does where it has one of its own."""
        if self.reader is None:
            return super().parse_known_args(args, namespace)
        return self.reader(self, args or ()), []

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and how to get help."""
        said = argparse_words.of_line(message)
        say(tr("FAIL {prog}: {message}; see {prog} --help", prog=self.prog, message=said))
        self.exit(1)

    def _parse_known_args(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - differs between versions of Python
        try:
            return super()._parse_known_args(*args, **options)
        except argparse.ArgumentError as error:
            self.error(argparse_words.of_argument(error.argument_name, error.message))

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:  # noqa: ANN401 - whatever the type makes
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError as error:
            said = error.__context__  # argparse makes a plain `str` of what the type said
            words = said.args[0] if isinstance(said, argparse.ArgumentTypeError) else error.message
            raise argparse.ArgumentError(action, words) from error


def text(value: str) -> str:
    """Take any text but the empty one, which a shell gives for a variable that is not set."""
    if not value:
        raise argparse.ArgumentTypeError(tr("it is empty"))
    return value


def path(value: str) -> Path:
    """Take a path that is not empty; `Path("")` would be the working folder."""
    return Path(text(value))


def command(commands: "Commands", name: str, *, module: str, summary: str, text: str) -> Parser:
    """Declare a command.

    Args:
        commands: Where it is added.
        name: As it is typed.
        module: The module of `cli` whose `execute` carries it out.
        summary: Its line in the list of commands.
        text: What it does, and what it reads, writes and costs.
    """
    added = commands.add_parser(name, help=summary, description=text)
    added.set_defaults(module=module)
    add_language(added)
    return added


def add_language(parser: Parser) -> None:
    """The language, which the words before a command may choose too; the last choice counts."""
    parser.add_argument(
        "--lang",
        choices=("en", "zh"),
        default=argparse.SUPPRESS,
        help=tr("language of all that is said (default en)"),
    )


def add_scoring(parser: Parser, *, usual: str) -> None:
    """What passes, and what the score is compared with; `usual` says which threshold holds where none is given."""
    parser.add_argument(
        "--pass-threshold",
        metavar="X",
        type=float,
        help=tr(
            "lowest acceptance F1, or share of translation cases that are right, that passes; default: {usual}",
            usual=usual,
        ),
    )
    parser.add_argument("--baseline", metavar="OLD.json", type=path, help=tr("an earlier report to compare with"))
    add_gate(parser, default="significant")


def add_gate(parser: Parser, *, default: str) -> None:
    """Which regressions give exit status 1, and over which cases."""
    parser.add_argument(
        "--fail-on",
        choices=("significant", "marked", "never"),
        default=default,
        help=tr(
            "which regressions of acceptance rates give exit status 1: those marked and shown by paired evidence, all "
            "that are marked, or none (default {default})",
            default=default,
        ),
    )
    parser.add_argument(
        "--on-shared-cases",
        action="store_true",
        help=tr("where the test sets differ, compare the cases that both have"),
    )


def add_writing(parser: Parser) -> None:
    """Where the report goes, and whether anybody is asked."""
    parser.add_argument(
        "--output-dir",
        metavar="DIR",
        type=path,
        default=Path("reports"),
        help=tr("where the report goes (default reports)"),
    )
    parser.add_argument("--yes", action="store_true", help=tr("ask nothing: go on, and write the report"))
    parser.add_argument(
        "--json",
        metavar="FILE",
        nargs="?",
        const="-",
        type=text,
        help=tr("alone: only the JSON report on standard output; with FILE: also write it there"),
    )
    add_side_files(parser, path)
