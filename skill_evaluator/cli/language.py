"""The language in which this process speaks to its user."""

from collections.abc import Sequence
from contextvars import ContextVar

from skill_evaluator.texts import Language

_OPTION = "--lang"
_spoken: ContextVar[Language] = ContextVar("spoken", default="en")


def spoken() -> Language:
    """The language that `speak` chose, English before."""
    return _spoken.get()


def speak(language: Language) -> None:
    """Choose the language of all that is said from now on."""
    _spoken.set(language)


def asked_for(arguments: Sequence[str]) -> Language:
    """Find the language among arguments that are not parsed yet, since what is wrong with them is said in it too.

    >>> asked_for(["run", "x", "--lang", "zh"]), asked_for(["--lang=zh"]), asked_for(["--lang"])
    ('zh', 'zh', 'en')
    """
    found: Language = "en"
    for index, argument in enumerate(arguments):
        if argument == "--":
            break
        value = argument.removeprefix(f"{_OPTION}=") if "=" in argument else "".join(arguments[index + 1 : index + 2])
        if argument.startswith(_OPTION) and value in {"en", "zh"}:
            found = "zh" if value == "zh" else "en"
    return found
