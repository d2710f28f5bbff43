"""Does a response have all its items, in one piece, whatever they say?"""

from collections.abc import Iterator
from dataclasses import dataclass

from skill_evaluator.graders.evidence import output_cut
from skill_evaluator.graders.translation.outcomes import broken, ok
from skill_evaluator.graders.translation.protocol.counting import Difference, difference
from skill_evaluator.graders.translation.protocol.faults import GRAVITY, SHOWN, ProtocolFault, named
from skill_evaluator.graders.translation.protocol.found import Found, Name
from skill_evaluator.graders.translation.protocol.reading import Format, Read, read_response
from skill_evaluator.model import OUTPUT_GAP, JsonObject, Outcome, Run
from skill_evaluator.texts import listed, ntr, tr

__all__ = ["Format", "ProtocolComplete"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ProtocolComplete:
    """The raw response is whole: nothing but its items, as many as there should be, and what ends it.

    Attributes:
        expected_items: How many items it has, or None where that is not checked.
        terminator: A literal text that ends it, or None.
        allow_extra_items: Whether more items are fine.
        format: How items are written.
    """

    expected_items: int | None = None
    terminator: str | None = None
    allow_extra_items: bool = False
    format: Format = "auto"

    def check(self, run: Run) -> Outcome:
        """Look at the raw response."""
        if run.raw_response is None:
            message = tr("There is no raw response to look at: raw_response of the candidate is null or left out.")
            return broken("protocol_no_response", message, {"codes": ["protocol_no_response"], "raw_response": None})
        if run.output_cut and OUTPUT_GAP in run.raw_response:
            return output_cut(tr("whether the response is complete"))
        read = read_response(run.raw_response, self.format, self.terminator, self.expected_items)
        differs = difference(read.found, self.expected_items)
        faults = tuple(self._faults(read.found, differs))
        if faults:
            return _broken(faults, read, differs, self.expected_items)
        return ok(tr("The response is complete: {count}.", count=_items(read.found.count)), _facts(read))

    def _faults(self, found: Found, differs: Difference) -> Iterator[ProtocolFault]:
        yield from found.faults.kept
        if differs.missing:
            lacking = ntr("{n} item is missing", "{n} items are missing", differs.missing)
            said = (
                _named_too(lacking, differs.missing, differs.missing_names) if found.count else tr("There is no item.")
            )
            yield ProtocolFault(code="protocol_missing_item", message=said)
        if differs.extra and not self.allow_extra_items:
            said = _named_too(
                ntr("{n} item is too many", "{n} items are too many", differs.extra), differs.extra, differs.extra_names
            )
            yield ProtocolFault(code="protocol_extra_item", message=said)
        if found.ending.fault is not None:
            yield found.ending.fault


def _broken(faults: tuple[ProtocolFault, ...], read: Read, differs: Difference, expected: int | None) -> Outcome:
    ranked = sorted(faults, key=lambda fault: GRAVITY.index(fault.code))
    codes = list(dict.fromkeys(fault.code for fault in ranked))
    evidence: dict[str, object] = {"codes": codes, **_facts(read)}
    if expected is not None:
        evidence["expected"] = expected
    if not read.found.is_count_known:
        evidence["count_known"] = False
    if differs.missing:
        evidence |= _named("missing", differs.missing, differs.missing_names)
    if "protocol_extra_item" in codes:
        evidence |= _named("extra", differs.extra, differs.extra_names)
    if read.found.faults.count > SHOWN:
        evidence["malformed"] = read.found.faults.count
    evidence["faults"] = [_shown(fault) for fault in ranked]
    return broken(codes[0], ranked[0].message, evidence)


def _facts(read: Read) -> JsonObject:
    facts: dict[str, object] = {"format": read.found.written, "items": read.found.count}
    return facts | {"fenced": True} if read.is_fenced else facts


def _named(what: str, count: int, names: tuple[Name, ...]) -> JsonObject:
    return {what: count, f"{what}_items": named(names)} if names else {what: count}


def _shown(fault: ProtocolFault) -> JsonObject:
    excerpt = {} if fault.excerpt is None else {"excerpt": fault.excerpt}
    return {"code": fault.code, "message": fault.message, **excerpt}


def _named_too(said: str, count: int, names: tuple[Name, ...]) -> str:
    if not names:
        return tr("{said}.", said=said)
    told = listed([*map(str, names), *(["..."] if count > len(names) else [])])
    return tr("{said}: {names}.", said=said, names=told)


def _items(count: int) -> str:
    return ntr("{n} item", "{n} items", count)
