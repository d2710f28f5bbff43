"""`docs/cli.md`, made from the parser: `python -m skill_evaluator.cli.reference > docs/cli.md`."""

import argparse
from collections.abc import Iterator

from skill_evaluator.cli.parser import EXIT_STATUSES, build_parser
from skill_evaluator.cli.plugin_eval_options import NAME, init_parser

_HEAD = """# Command line

Made from the program by `make docs`; `python -m skill_evaluator` is the same as `skill-evaluator`.
Results go to standard output, everything else to standard error.
"""


def reference() -> str:
    """Every command with what it reads, writes and costs, and every option, as Markdown."""
    choices = {**dict(_commands("", build_parser())), f"{NAME} init": init_parser()}
    sections = [_section(name, command) for name, command in choices.items()]
    return "\n".join(
        [_HEAD, *sections, "## Exit status\n", "```text", EXIT_STATUSES.split("\n", 1)[1].rstrip(), "```", ""]
    )


def _commands(prefix: str, parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Give each command by the words that call it; a group stands for its commands alone."""
    for action in parser._actions:  # noqa: SLF001 - argparse offers no public way to list commands
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            for name, command in action.choices.items():
                yield from list(_commands(f"{prefix}{name} ", command)) or [(f"{prefix}{name}", command)]


def _section(name: str, command: argparse.ArgumentParser) -> str:
    rows = [f"| {_cell(_usage(action))} | {_cell(action.help or '')} |" for action in command._actions[1:]]  # noqa: SLF001 - as above; the first is --help
    table = ["| option | meaning |", "|---|---|", *rows, ""] if rows else []
    return "\n".join([f"## {name}\n", "```text", command.description or "", "```", "", *table])


def _usage(action: argparse.Action) -> str:
    value = action.metavar or ("|".join(str(choice) for choice in action.choices) if action.choices else "")
    if not action.option_strings:
        return f"`{value or action.dest}`"
    optional = f"[{value}]" if action.nargs == "?" else value
    return f"`{', '.join(action.option_strings)} {optional}`".replace(" `", "`")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    print(reference(), end="")
