"""`docs/cli.md`, made from the parser: `python -m skill_evaluator.cli.reference > docs/cli.md`.

The name of a language may follow: `python -m skill_evaluator.cli.reference zh > docs/zh/cli.md`.
"""

import argparse
import contextvars
import sys
from collections.abc import Iterator

from skill_evaluator.cli.language import speak, spoken
from skill_evaluator.cli.parser import EXIT_STATUSES, build_parser
from skill_evaluator.cli.plugin_eval_options import NAME, init_parser
from skill_evaluator.texts import Language, localized, tr

_HEAD = tr("""# Command line

[中文](zh/cli.md)

Made from the program by `make docs`; `python -m skill_evaluator` is the same as `skill-evaluator`.
Results go to standard output, everything else to standard error.
""")


def reference(language: Language = "en") -> str:
    """Every command with what it reads, writes and costs, and every option, as Markdown.

    Args:
        language: Of all words but those that are typed.
    """
    return contextvars.copy_context().run(_reference, language)


def _reference(language: Language) -> str:
    speak(language)
    choices = {**dict(_commands("", build_parser())), f"{NAME} init": init_parser()}
    sections = [_section(name, command) for name, command in choices.items()]
    statuses = localized(EXIT_STATUSES, language).split("\n", 1)[1].rstrip()
    heading = localized(tr("Exit status"), language)
    return "\n".join([localized(_HEAD, language), *sections, f"## {heading}\n", "```text", statuses, "```", ""])


def _commands(prefix: str, parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Give each command by the words that call it; a group stands for its commands alone."""
    for action in parser._actions:  # noqa: SLF001 - argparse offers no public way to list commands
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            for name, command in action.choices.items():
                yield from list(_commands(f"{prefix}{name} ", command)) or [(f"{prefix}{name}", command)]


def _section(name: str, command: argparse.ArgumentParser) -> str:
    rows = [f"| {_cell(_usage(action))} | {_cell(_meaning(action))} |" for action in command._actions[1:]]  # noqa: SLF001 - as above; the first is --help
    table = [localized(tr("| option | meaning |"), spoken()), "|---|---|", *rows, ""] if rows else []
    return "\n".join([f"## {name}\n", "```text", localized(command.description or "", spoken()), "```", "", *table])


def _meaning(action: argparse.Action) -> str:
    return localized(action.help or "", spoken())


def _usage(action: argparse.Action) -> str:
    value = action.metavar or ("|".join(str(choice) for choice in action.choices) if action.choices else "")
    if not action.option_strings:
        return f"`{value or action.dest}`"
    optional = f"[{value}]" if action.nargs == "?" else value
    return f"`{', '.join(action.option_strings)} {optional}`".replace(" `", "`")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    print(reference("zh" if sys.argv[1:] == ["zh"] else "en"), end="")
