"""How the response to a case is to be written, where `protocol_complete` waits for a certain form."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from skill_evaluator.graders.translation import ProtocolComplete
from skill_evaluator.model import EvalCase

_FORMS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "auto": "in the same form and order as the items of the text",
        "json": "as one JSON array of strings",
        "tagged": 'each between tags with its number: <item id="1">...</item>, <item id="2">...</item> and so on',
        "numbered": "each on a line of its own, with its number and a full stop before it: 1. ..., 2. ... and so on",
        "lines": "each on a line of its own",
    }
)


def wanted_form(case: EvalCase) -> str | None:
    """Say in words which form the response must have; None where the case has no `protocol_complete`."""
    wanted = [one.check for one in case.assertions if isinstance(one.check, ProtocolComplete)]
    if not wanted:
        return None
    return " ".join(["Answer with the translated items alone, without any remarks:", *_words(wanted[0])])


def _words(check: ProtocolComplete) -> Iterator[str]:
    count = check.expected_items
    items = "as many items as the text has" if count is None else "1 item" if count == 1 else f"{count} items"
    yield f"{items}, {_FORMS[check.format]}."
    if check.terminator is not None:
        yield f"After the last item, write this on a line of its own and nothing after it:\n{check.terminator}"
