"""The fields of a case, of its assertions and of its manifest: what each may hold, in the words of the messages."""

from types import MappingProxyType
from typing import Final, get_args

from skill_evaluator.graders.translation import ASSERTIONS
from skill_evaluator.model import Difficulty, ProvenanceKind, Severity
from skill_evaluator.texts import listed, tr

SCHEMA_VERSION: Final = 1
KINDS: Final = tuple(get_args(ProvenanceKind))
DIFFICULTIES: Final = tuple(get_args(Difficulty))
SEVERITIES: Final = tuple(severity.value for severity in Severity)
NAMES: Final = tuple(ASSERTIONS)


def _one_of(words: tuple[str, ...]) -> str:
    *most, last = [f'"{word}"' for word in words]
    return tr("{words} or {last}", words=listed(most), last=last)


CASE: Final = MappingProxyType(
    {
        "schema_version": tr("the whole number 1"),
        "id": tr('lower-case segments joined by dots, such as "placeholder.printf.001"'),
        "source_locale": tr('a BCP-47 tag such as "en-US"'),
        "target_locale": tr('a BCP-47 tag such as "zh-Hans"'),
        "domain": tr('a short lower-case name such as "game-ui"'),
        "source": tr("the text to translate, in double quotes"),
        "assertions": tr(
            'a list of at least one object such as {{"name": "placeholder_integrity", "severity": "hard"}}'
        ),
        "provenance": tr('an object such as {{"kind": "synthetic", "license": "CC0-1.0"}}'),
        "context": tr('an object such as {{"page": "settings"}}'),
        "required_tokens": tr('a list of texts such as ["%s"]'),
        "references": tr("a list of good translations in double quotes"),
        "difficulty": _one_of(DIFFICULTIES),
        "tags": tr('a list of lower-case texts such as ["printf"]'),
    }
)
REQUIRED: Final = tuple(CASE)[:8]
ASSERTION: Final = MappingProxyType(
    {
        "name": _one_of(NAMES),
        "severity": _one_of(SEVERITIES),
        "params": tr('an object such as {{"syntax": "printf"}}'),
    }
)
PROVENANCE: Final = MappingProxyType(
    {
        "kind": _one_of(KINDS),
        "license": tr('an SPDX expression such as "CC0-1.0", or a statement that manifest.yaml accepts'),
        "source": tr("where it was taken from, such as a URL"),
        "transformation": tr("what was done to it, in a few words"),
    }
)
MANIFEST: Final = MappingProxyType(
    {
        "schema_version": tr("the whole number 1"),
        "accepted_licenses": tr("a list of statements on redistribution that are taken besides SPDX expressions"),
    }
)
