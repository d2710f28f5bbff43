"""What the contract EvalCase v1 says, sentence by sentence in our own words, and a mark for the tests that hold it."""

from collections.abc import Callable
from types import MappingProxyType
from typing import Final, TypeVar

# Section, then the place of the sentence in it: lists and tables are read row by row. Goals of projects that only
# organise work are given as what they leave to be seen in a program.
SENTENCES: Final = MappingProxyType(
    {
        # 1, why there is a contract
        "1.1": "checks of candidates and validation of cases work without each other",
        "1.2": "they share one format, and neither has another of its own",
        "1.3": "a case has the fields of the contract and no others",
        "1.4": "no agent, provider, baseline or judge is needed",
        "1.5": "a case and a candidate give results, the same ones wherever they are checked",
        "1.6": "a case holds no credential of a provider",
        "1.7": "a case holds no hidden prompt",
        "1.8": "a case holds no secret of a running program",
        "1.9": "a case holds no answer of a locked one that must not get into prompts",
        # 2, folders
        "2.1": "manifest, cases/dev, cases/locked, rubrics and baselines have their places",
        "2.2": "protocol.jsonl and placeholders.jsonl below cases/dev are enough",
        "2.3": "what is locked comes into no prompt, background or example in a prompt",
        "2.4": "being locked makes nothing secret",
        "2.5": "what makes prompts reads no locked case",
        "2.6": "rubrics and baselines are none of its concern",
        # 3, cases
        "3.0": "JSON Lines, one object a line",
        "3.1.1": "schema_version: the integer 1",
        "3.1.2": "id: stable, lower case",
        "3.1.3": "source_locale: a normal BCP-47 tag",
        "3.1.4": "target_locale: likewise",
        "3.1.5": "domain: a short stable field",
        "3.1.6": "domain: no name of a private project",
        "3.1.7": "source: the text to translate",
        "3.1.8": "assertions: one or more objects",
        "3.1.9": "provenance: an object on origin and redistribution",
        "3.2.1": "context: optional object of what a translator should know, such as a page or a length",
        "3.2.2": "required_tokens: optional list of literal texts, empty by default, for the assertion that wants them",
        "3.2.3": "references: optional list of good translations, empty by default, not scored",
        "3.2.4": "difficulty: optional, one of three",
        "3.2.5": "tags: optional list of lower-case texts",
        "3.2.6": "a field to come changes no field of version 1",
        "3.2.7": "unknown fields may be refused, known ones not read otherwise",
        "3.3.1": "ids are segments of lower-case ASCII joined by dots",
        "3.3.2": "best are dimension, subtype and three digits",
        "3.3.3": "the four ids that it shows",
        "3.3.4": "an id is not used again for a case that means something else",
        "3.3.5": "a case whose meaning changed gets a new id",
        "3.4.1": "provenance has kind and license at least",
        "3.4.2": "four kinds",
        "3.4.3": "license: an SPDX expression, or another statement that a maintainer accepts",
        "3.4.4": "license: neither unknown nor fair-use nor empty",
        "3.4.5": "derived material should say its source, and what was done to it",
        "3.4.6": "authorized-regression is anonymised",
        # 4, assertions
        "4.0.1": "an assertion is an object with name, severity and params, no bare text",
        "4.0.2": "severity is hard or report",
        "4.0.3": "regressions of protocol and placeholders are hard",
        "4.1.1": "protocol_complete looks at the structure, however good the translation is",
        "4.1.2": "expected_items: from 1 up",
        "4.1.3": "terminator: optional literal",
        "4.1.4": "allow_extra_items: true or false, false by default",
        "4.1.5": "it passes where the structure is whole",
        "4.1.6": "a missing item fails",
        "4.1.7": "an extra item that is not allowed fails",
        "4.1.8": "a malformed item fails",
        "4.1.9": "a required terminator that is missing fails",
        "4.1.10": "a required terminator that is malformed fails",
        "4.1.11": "placeholder_integrity compares which placeholders there are, and how often",
        "4.1.12": "%s %s does not become %s, so it is called no set",
        "4.1.13": "syntax: one of five",
        "4.1.14": "allow_reorder: true or false, true by default",
        "4.1.15": "it passes where each placeholder keeps count and content: none changed, lost or doubled",
        "4.1.16": "another order only where allow_reorder is true and the syntax allows it",
        "4.2.1": "number_fidelity, required_tokens, forbidden_renderings and max_chars are names of version 1",
        "4.2.2": "they can be executed",
        "4.2.3": "their structure is validated",
        "4.2.4": "a new name is documented before a case uses it",
        "4.2.5": "a name does not change its meaning",
        # 5, candidates
        "5.1": "a case says what is looked at, and no canonical answer",
        "5.2": "a check takes the candidate apart from the case: case_id, text, raw_response",
        "5.3": "text: decoded, for assertions on content",
        "5.4": "raw_response: optional, for protocol_complete",
        "5.5": "candidates in tests are input, and no case",
        # 6, results
        "6.1": "every check gives evidence in an object",
        "6.2": "the result that it shows",
        "6.3": "seven fields, always all of them",
        "6.4": "evidence is an object, which may be empty where it passed",
        "6.5": "code is stable",
        "6.6": "a better message does not change what a result is",
        "6.7": "evidence has only what is needed to understand and to repeat a result",
        "6.8": "evidence has neither credentials nor text of the source beside the matter",
        "6.9": "the eight codes that it proposes",
        "6.10": "codes are one fixed set, and the fields stay whatever the code",
        # 7, example
        "7.1": "the example is in no test set",
        "7.2": "the example is a case",
        # 8, what comes of it
        "8.1": "there are synthetic cases of our own, and checks that need no provider",
        "8.2": "there is one schema of a case",
        "8.3": "fields and vocabulary are validated offline, with what to do",
        "8.4": "there is one model of a case",
        "8.5": "an evaluator runs them; the vocabulary only grows",
        "8.6": "a later version takes cases of version 1, or says how to go on",
    }
)
Test = TypeVar("Test", bound=Callable[..., object])


def sentence(*numbers: str) -> Callable[[Test], Test]:
    """Mark the sentences that a test holds.

    Raises:
        ValueError: If there is no such sentence.
    """
    if unknown := [number for number in numbers if number not in SENTENCES]:
        raise ValueError(f"the contract has no sentence {', '.join(unknown)}")
    return lambda test: test
