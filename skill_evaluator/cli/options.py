"""What several commands have in common: how they are declared, and the options they share."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from skill_evaluator.cli.console import say, width_of
from skill_evaluator.cli.help_text import fitted
from skill_evaluator.cli.side_files import add_side_files

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Commands: TypeAlias = "argparse._SubParsersAction[Parser]"  # noqa: SLF001 - there is no public name


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Lays out help as it was written; a terminal that is too narrow for it gets its lines broken anew."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        columns = width_of(sys.stdout)
        return super()._fill_text(text if columns is None else fitted(text, columns), width, indent)


class Parser(argparse.ArgumentParser):
    """An argument parser whose wrong-usage status is 1, since 2 means that nothing was measured.

    Attributes:
        reader: Reads the words of this command in place of argparse, or None.
    """

    reader: "Callable[[Parser, Sequence[str]], argparse.Namespace] | None" = None

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # noqa: ANN401 - as typeshed has it, in overloads
        """Read words, as the reader of this command does where it has one of its own."""
        if self.reader is None:
            return super().parse_known_args(args, namespace)
        return self.reader(self, args or ()), []

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and how to get help."""
        say(f"FAIL {self.prog}: {message}; see {self.prog} --help")
        self.exit(1)


def text(value: str) -> str:
    """Take any text but the empty one, which a shell gives for a variable that is not set."""
    if not value:
        raise argparse.ArgumentTypeError("it is empty")
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
    added = commands.add_parser(name, help=summary, description=text, formatter_class=HelpFormatter)
    added.set_defaults(module=module)
    added.add_argument("--lang", choices=("en", "zh"), default="en", help="language of all that is said (default en)")
    return added


def add_scoring(parser: Parser, *, usual: str) -> None:
    """What passes, and what the score is compared with; `usual` says which threshold holds where none is given."""
    parser.add_argument(
        "--pass-threshold",
        metavar="X",
        type=float,
        help=f"lowest acceptance F1, or share of translation cases that are right, that passes; default: {usual}",
    )
    parser.add_argument("--baseline", metavar="OLD.json", type=path, help="an earlier report to compare with")
    add_gate(parser, default="significant")


def add_gate(parser: Parser, *, default: str) -> None:
    """Which regressions give exit status 1, and over which cases."""
    parser.add_argument(
        "--fail-on",
        choices=("significant", "marked", "never"),
        default=default,
        help="which regressions of acceptance rates give exit status 1: those marked and shown by paired evidence, all "
        f"that are marked, or none (default {default})",
    )
    parser.add_argument(
        "--on-shared-cases", action="store_true", help="where the test sets differ, compare the cases that both have"
    )


def add_writing(parser: Parser) -> None:
    """Where the report goes, and whether anybody is asked."""
    parser.add_argument(
        "--output-dir",
        metavar="DIR",
        type=path,
        default=Path("reports"),
        help="where the report goes (default reports)",
    )
    parser.add_argument("--yes", action="store_true", help="ask nothing: go on, and write the report")
    parser.add_argument(
        "--json",
        metavar="FILE",
        nargs="?",
        const="-",
        type=text,
        help="alone: only the JSON report on standard output; with FILE: also write it there",
    )
    add_side_files(parser, path)
