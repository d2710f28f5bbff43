"""Arguments of ICU MessageFormat: names and types, select keys, plural categories of the target locale, nesting."""

from skill_evaluator.graders.translation.placeholders.difference import Compared


def is_icu(source: str) -> bool:
    """Say whether a text is surely an ICU message rather than one for `str.format`: it has a type after a comma."""
    raise NotImplementedError(source)


def compare_icu(source: str, target: str, *, target_locale: str, allow_reorder: bool) -> Compared:
    """Compare the arguments of two messages."""
    raise NotImplementedError((source, target, target_locale, allow_reorder))
