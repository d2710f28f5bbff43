"""Reads the words of a command line the way that `claude plugin eval` does.

That way differs from this program's other commands: a list takes all words up to the next option, the target too;
a value may begin with a dash; further words after the target mean nothing; names are never abbreviated.

Source: Probed with Claude Code 2.1.332.
"""

import argparse
from collections.abc import Sequence

from skill_evaluator.cli.options import Parser
from skill_evaluator.texts import tr


def read_words(parser: Parser, words: Sequence[str]) -> argparse.Namespace:
    """Read the words after the name of a command; the first that belongs to no option is the target.

    Args:
        parser: The command, with its options declared: `nargs` is 0, None, "?" or "+".
        words: What was typed.
    """
    options = argparse.Namespace(**parser._defaults)  # noqa: SLF001 - argparse offers no public way
    for action in parser._actions:  # noqa: SLF001 - as above
        if action.default is not argparse.SUPPRESS:
            setattr(options, action.dest, action.default)
    rest = list(words)
    targets: list[str] = []
    while rest:
        word = rest.pop(0)
        if word == "--":
            targets += rest
            break
        if _is_option(word):
            _take_option(parser, word, rest, options)
        else:
            targets.append(word)
    options.target = targets[0] if targets else options.target
    return options


def _take_option(parser: Parser, word: str, rest: list[str], options: argparse.Namespace) -> None:
    """Take an option with its values from the front of the rest."""
    action, attached = _found(parser, word)
    if action.nargs == 0:
        action(parser, options, [], word)
    elif action.nargs == "?" and attached is None and not _stands_in_front(rest):
        setattr(options, action.dest, action.const)
    else:
        first = _next(parser, word, rest) if attached is None else attached
        if action.nargs == "+":
            values = [*(getattr(options, action.dest) or ()), first]
            while attached is None and _stands_in_front(rest):
                values.append(rest.pop(0))
            setattr(options, action.dest, values)
        else:
            setattr(options, action.dest, _value(parser, action, first))


def _found(parser: Parser, word: str) -> tuple[argparse.Action, str | None]:
    """Find the option that a word means, and the value in the same word or None."""
    known = parser._option_string_actions  # noqa: SLF001 - as above
    name, equals, value = word.partition("=")
    if word in known:
        return known[word], None
    if equals and name in known and known[name].nargs != 0 and name.startswith("--"):
        return known[name], value
    if not word.startswith("--") and word[:2] in known and known[word[:2]].nargs != 0:
        return known[word[:2]], word[2:]
    return parser.error(tr("there is no option {word!r}", word=word))


def _next(parser: Parser, word: str, rest: list[str]) -> str:
    if not rest:
        parser.error(tr("{word} needs a value", word=word))
    return rest.pop(0)


def _value(parser: Parser, action: argparse.Action, value: str) -> object:
    name = "/".join(action.option_strings)
    if action.choices and value not in action.choices:
        parser.error(
            tr("{name}: {value!r} is none of {known}", name=name, value=value, known=", ".join(action.choices))
        )
    try:
        return action.type(value) if callable(action.type) else value
    except argparse.ArgumentTypeError as error:
        parser.error(tr("{name}: {why}", name=name, why=error.args[0]))


def _stands_in_front(rest: Sequence[str]) -> bool:
    """Say whether a value comes next."""
    return bool(rest) and not _is_option(rest[0])


def _is_option(word: str) -> bool:
    return len(word) > 1 and word.startswith("-")
