"""Whatever happens to a response is found, under the right code; and nothing is found in one to which nothing did."""

from random import Random

import pytest

from skill_evaluator.graders.translation import ProtocolComplete
from skill_evaluator.graders.translation.protocol.reading import Format
from skill_evaluator.model import Outcome, Run
from tests.unit.protocol_responses import FORMATS, KINDS, TERMINATORS, Response, mutations, whole

SEEDS = range(12)


def look(response: Response, text: str, written: Format) -> Outcome:
    check = ProtocolComplete(expected_items=len(response.items), terminator=response.terminator, format=written)
    return check.check(Run(case_id="c", output="", raw_response=text))


def formats(kind: str) -> tuple[Format, Format]:
    """What a response may be called: by the name of its format, or not at all."""
    written: dict[str, Format] = {"json": "json", "tagged": "tagged", "numbered": "numbered", "lines": "lines"}
    return written[FORMATS[kind]], "auto"


@pytest.mark.parametrize("terminator", TERMINATORS)
@pytest.mark.parametrize("kind", KINDS)
def test_whole_responses_pass(kind: str, terminator: str | None) -> None:
    for seed in SEEDS:
        response = whole(kind, Random(seed), terminator)  # noqa: S311 - no secret
        for written in formats(kind):
            outcome = look(response, response.text(), written)
            assert outcome.code == "ok", (response.text(), outcome)
            assert outcome.evidence["format"] == FORMATS[kind]


@pytest.mark.parametrize("terminator", TERMINATORS)
@pytest.mark.parametrize("kind", KINDS)
def test_what_happened_to_a_response_is_found_under_its_code(kind: str, terminator: str | None) -> None:
    for seed in SEEDS:
        random = Random(seed)  # noqa: S311 - no secret
        response = whole(kind, random, terminator)
        for mutation in mutations(response, random):
            for written in formats(kind):
                outcome = look(response, mutation.text, written)
                assert outcome.code in (mutation.codes or {"ok"}), (mutation, written, outcome)
                if mutation.lost is not None:
                    assert outcome.evidence["missing_items"] == [mutation.lost], (mutation, written, outcome)
