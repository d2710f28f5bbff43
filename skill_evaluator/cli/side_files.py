"""Files in other formats beside the report: the options that name them."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from skill_evaluator.texts import tr

FORMATS: Final = ("junit", "csv")


def add_side_files(parser: argparse.ArgumentParser, type_: Callable[[str], Path]) -> None:
    """Declare the options; `type_` reads their paths."""
    parser.add_argument(
        "--junit", metavar="FILE", type=type_, help=tr("also write the report there as JUnit XML (docs/ci.md)")
    )
    parser.add_argument(
        "--csv", metavar="FILE", type=type_, help=tr("also write every run there, one line each, as CSV (docs/ci.md)")
    )


def side_files(options: argparse.Namespace) -> Mapping[str, Path]:
    """Give the files that were named, by option."""
    given = {f"--{name}": getattr(options, name) for name in FORMATS}
    return {option: file for option, file in given.items() if file is not None}
