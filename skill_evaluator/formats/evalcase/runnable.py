"""EvalCases -> the cases of a run: whatever the skill does, the translation is looked at."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from skill_evaluator.formats.evalcase.kept_mark import FORMAT
from skill_evaluator.formats.evalcase.prompts import refuse_locked
from skill_evaluator.formats.testset_cases import canonical_text, hash_of_hashes
from skill_evaluator.formats.visible import encodable
from skill_evaluator.model import Case, EvalCase, Grader, Source, Split, Suite


def suite_from(cases: Iterable[Case], name: str) -> Suite:
    """Put cases together whose prompts are known."""
    made = tuple(cases)
    return Suite(name=name, format=FORMAT, cases=made, sha256=hash_of_hashes(case.sha256 for case in made))


def case_of(case: EvalCase, prompt: str) -> Case:
    """Make a case that is asked with a prompt: `prompt_of` it, or the one that was kept with its runs.

    Raises:
        LockedCaseError: If the case is locked.
    """
    refuse_locked(case)
    return Case(
        id=case.id,
        prompt=prompt,
        split=Split.ACCEPTANCE,  # nothing is advised from these cases, so that all of them can count
        expect_trigger=None,
        sha256=_hash(_scored(case, prompt)),
        prompt_sha256=_hash({"input": prompt}),  # as that of a test set's case without files and context
        source=Source(path=encodable(case.place.path), line=case.place.line),
        graders=tuple(_graders(case)),
        tags=case.tags,
    )


def _graders(case: EvalCase) -> Iterator[Grader]:
    """Name each after its assertion; a second one of a name gets a number."""
    count: Counter[str] = Counter()
    for one in case.assertions:
        count[one.name] += 1
        name = one.name if count[one.name] == 1 else f"{one.name} {count[one.name]}"
        yield Grader(name=name, check=one.check, severity=one.severity)


def _scored(case: EvalCase, prompt: str) -> Mapping[str, object]:
    """What matters to the score; references, provenance and difficulty do not."""
    return {
        "input": prompt,
        "source": case.source,
        "source_locale": case.source_locale,
        "target_locale": case.target_locale,
        "required_tokens": sorted(case.required_tokens),
        "assertions": [{"name": one.name, "severity": one.severity, "params": one.params} for one in case.assertions],
        "tags": sorted(case.tags),
    }


def _hash(value: Mapping[str, object]) -> str:
    return hashlib.sha256(canonical_text(value).encode(errors="surrogatepass")).hexdigest()
