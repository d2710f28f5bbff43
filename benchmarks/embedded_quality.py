"""How often the embedded agent is right, beside a router that always fires and one that never does.

Prints figures alone, never a prompt. Without an argument the corpus is the folder named by SKILL_EVALUATOR_CORPUS,
which holds `triggersets/*/` with a SKILL.md and a trigger set. `--calibration` takes the development set that fixed
the constants.

    python benchmarks/embedded_quality.py [CORPUS | --calibration]
"""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from embedded_questions import Answers, read_calibration, read_corpus, read_routed
from sklearn.metrics import roc_auc_score

AIM = 0.75
RESAMPLES = 2000
HEADER = f"{'skill':34} {'pos':>4} {'neg':>4}  {'AUC':4} {'95 % interval':13}  {'P':>4} {'R':>4} {'F1':>4} {'FTR':>4}"


def auc(answers: Answers) -> float:
    """Chance that a positive ranks above a negative."""
    return float(roc_auc_score(answers.expected, answers.margins))


def rates(answers: Iterable[Answers], *, fired: bool | None = None) -> str:
    """Precision, recall, F1 and false-trigger rate over prompts; `fired` overrides every decision."""
    pairs = [
        (expected, decision if fired is None else fired)
        for answer in answers
        for expected, decision in zip(answer.expected, answer.fired, strict=True)
    ]
    tp, fp, fn, tn = (pairs.count(pair) for pair in ((True, True), (False, True), (True, False), (False, False)))
    values = (_share(tp, tp + fp), _share(tp, tp + fn), _share(2 * tp, 2 * tp + fp + fn), _share(fp, fp + tn))
    return " ".join(values)


def interval(answers: Sequence[Answers]) -> tuple[float, float]:
    """95 % percentile bootstrap of the mean AUC: skills, then prompts of each class within a skill.

    With one skill only its prompts are drawn; an AUC of 1 keeps an interval of no width.
    """
    rng = np.random.default_rng(0)
    means = []
    for _ in range(RESAMPLES if len(answers) == 1 else RESAMPLES // 4):
        drawn = rng.choice(len(answers), len(answers)) if len(answers) > 1 else [0]
        means.append(np.mean([_resampled_auc(answers[int(place)], rng) for place in drawn]))
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def kinds(answers: Sequence[Answers]) -> Iterator[str]:
    """How many of each kind of negative fired, where the set says so."""
    for kind in ("near", "far"):
        fired = [
            decision
            for answer in answers
            for question, decision in zip(answer.questions, answer.fired, strict=True)
            if question.kind == kind
        ]
        if fired:
            yield f"negatives, {kind}: {sum(fired)} of {len(fired)} fired ({sum(fired) / len(fired):.2f})"


def table(answers: Sequence[Answers], with_siblings: Sequence[Answers] = ()) -> Iterator[str]:
    """The lines to print."""
    yield HEADER
    for answer in answers:
        yield _line(answer.name, [answer])
    yield from _summary("all (mean AUC, pooled rates)", answers)
    if with_siblings:
        alone = [answer for answer in answers if not answer.is_routed]
        yield from _summary("all but the routing set", alone) if alone else ()
        yield from _summary("the routing set", [answer for answer in answers if answer.is_routed])
        yield _line("the same, siblings as neighbours", with_siblings)
    yield from kinds(answers)
    mean = np.mean([auc(answer) for answer in answers])
    yield f"mean AUC {mean:.3f}, aim {AIM}: {'reached' if mean >= AIM else 'missed'}"


def _summary(name: str, answers: Sequence[Answers]) -> Iterator[str]:
    yield _line(name, answers)
    yield f"{'- always fires':34} {_counts(answers)}  0.50 {'':13}  {rates(answers, fired=True)}"
    yield f"{'- never fires':34} {_counts(answers)}  0.50 {'':13}  {rates(answers, fired=False)}"


def _line(name: str, answers: Sequence[Answers]) -> str:
    return f"{name[:34]:34} {_counts(answers)}  {_ranked(answers)}  {rates(answers)}"


def main(arguments: Sequence[str]) -> int:
    """Print the table of one set of skills."""
    place = arguments[0] if arguments else os.environ.get("SKILL_EVALUATOR_CORPUS")
    if not place:
        print("name a corpus folder, set SKILL_EVALUATOR_CORPUS, or use --calibration", file=sys.stderr)
        return 1
    calibrates = place == "--calibration"
    answers = [*(read_calibration() if calibrates else read_corpus(Path(place)))]
    if not answers:
        print(f"nothing to measure: no triggersets/*/trigger.json with a SKILL.md in {place}", file=sys.stderr)
        return 1
    print(*table(answers, [] if calibrates else [*read_routed(Path(place))]), sep="\n")
    return 0


def _resampled_auc(answers: Answers, rng: np.random.Generator) -> float:
    margins, expected = np.array(answers.margins), np.array(answers.expected)
    positives, negatives = (
        rng.choice(margins[expected == label], (expected == label).sum()) for label in (True, False)
    )
    above = np.sign(positives[:, None] - negatives[None, :])
    return float((above.mean() + 1) / 2)


def _ranked(answers: Sequence[Answers]) -> str:
    low, high = interval(answers)
    return f"{np.mean([auc(answer) for answer in answers]):.2f} [{low:.2f}, {high:.2f}] "


def _counts(answers: Sequence[Answers]) -> str:
    labels = [label for answer in answers for label in answer.expected]
    return f"{sum(labels):4} {len(labels) - sum(labels):4}"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:4.2f}" if whole else "  - "


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
