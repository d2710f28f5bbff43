"""A router without a model: does a prompt look more like this description than like other tasks?

It sees what a model sees when it chooses: the name, the description and when_to_use, never the body. Its answer is an
estimate. docs/agents.md says how its constants were fixed and how often it is wrong.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from skill_evaluator.agents.catalogue import catalogue
from skill_evaluator.agents.embedded_text import features, split_exclusions
from skill_evaluator.model import AgentInfo, Arm, Case, Run, Skill

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sklearn.feature_extraction.text import TfidfVectorizer

# Fixed on benchmarks/calibration alone.
MODEL = "embedded-1"  # changes with any constant or shipped text, so that reports of two routers are not compared
THRESHOLD = 0.08
RIVALS = 3
RIVAL_WEIGHT = 0.75
REFUSAL_WEIGHT = 0.5
SAMPLED_SHARE = 0.6
TWIN_SIMILARITY = 0.35  # a shipped neighbour this close to the description does the same job and is no rival


@dataclass(frozen=True, kw_only=True, slots=True)
class Likeness:
    """How a prompt compares, as cosines of TF-IDF vectors.

    Attributes:
        wanted: To what the skill asks for, less what it refuses.
        neighbours: To each neighbour, in their order.
    """

    wanted: float
    neighbours: "NDArray[np.float64]"


class EmbeddedAgent:
    """Fires when a prompt is closer to the skill than to its neighbours by more than `THRESHOLD`.

    Each repetition competes with another seeded 60 % of the neighbours, so stability shows how far a
    decision depends on the other skills that are there.

    Args:
        skill: The skill under test.
        seed: Chooses the samples, together with the prompt and the repetition.
        neighbours: Name and description of skills installed beside it; they join the shipped ones.
    """

    def __init__(self, skill: Skill, *, seed: int = 0, neighbours: Sequence[tuple[str, str]] = ()) -> None:
        self._skill = skill
        self._seed = seed
        wanted, refused = _texts(skill)
        self._names, texts = _neighbour_texts(wanted, neighbours)
        self._installed = [f"{name}@{hashlib.sha256(_bytes(text)).hexdigest()[:12]}" for name, text in neighbours]
        self._vectorizer = _fitted([wanted, refused, *texts, *catalogue().smalltalk])
        self._wanted, self._refused = self._directions(wanted, refused)
        self._rivals = self._vectorizer.transform(texts).T.tocsr()
        self._seen: dict[str, Likeness] = {}

    @property
    def info(self) -> AgentInfo:
        """How reports name this agent; it never claims more than an estimate."""
        settings = {"threshold": THRESHOLD, "seed": self._seed, "neighbours": self._installed}
        return AgentInfo(name="embedded", model=MODEL, estimate=True, settings=settings)

    async def run(self, case: Case, arm: Arm, index: int) -> Run:
        """Decide about one prompt once; without the skill nothing can fire."""
        if arm is Arm.WITHOUT:
            return Run(case_id=case.id, arm=arm, index=index, triggered=False)
        likeness = self._likeness(case.prompt)
        margin = _margin(likeness, likeness.neighbours[self._sample(case.prompt, index)])
        fired = margin > THRESHOLD
        return Run(
            case_id=case.id,
            arm=arm,
            index=index,
            triggered=fired,
            raw_response=f"margin {margin:.3f}, fires above {THRESHOLD}",
            skills_invoked=(self._skill.name,) if fired else (),
        )

    def margin(self, prompt: str) -> float:
        """Compare a prompt with all neighbours at once; higher means more likely to fire, usually -0.3..0.5."""
        likeness = self._likeness(prompt)
        return _margin(likeness, likeness.neighbours)

    def _likeness(self, prompt: str) -> Likeness:
        if prompt not in self._seen:
            vector = self._vectorizer.transform([prompt])
            wanted = float((vector @ self._wanted)[0]) - REFUSAL_WEIGHT * float((vector @ self._refused)[0])
            self._seen[prompt] = Likeness(wanted=wanted, neighbours=(vector @ self._rivals).toarray()[0])
        return self._seen[prompt]

    def _sample(self, prompt: str, index: int) -> list[int]:
        """Draw neighbours by hash, so that neither the order nor the process of the runs matters."""
        start = hashlib.sha256(_bytes(f"{self._seed}\0{index}\0{prompt}"))

        def lot(place: int) -> bytes:
            drawn = start.copy()
            drawn.update(_bytes(f"\0{place}\0{self._names[place]}"))
            return drawn.digest()

        places = sorted(range(len(self._names)), key=lot)
        return places[: round(SAMPLED_SHARE * len(places))]

    def _directions(self, wanted: str, refused: str) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
        """Take out of what is refused all that is also wanted: "not for merging PDFs" speaks of PDFs too."""
        import numpy as np  # noqa: PLC0415 - heavy, loaded when needed

        towards, away = self._vectorizer.transform([wanted, refused]).toarray()
        away = np.where(towards > 0, 0.0, away)
        return towards, away / (np.linalg.norm(away) or 1.0)


def _margin(likeness: Likeness, rivals: "NDArray[np.float64]") -> float:
    best: list[float] = sorted(rivals.tolist(), reverse=True)[:RIVALS]
    return likeness.wanted - RIVAL_WEIGHT * sum(best) / len(best)


def _texts(skill: Skill) -> tuple[str, str]:
    """What the skill asks for and what it refuses.

    The reader of the skill may know of more refusals. One that stands in the wanted text once is moved; one that stands
    there more often is also a word of what is wanted.
    """
    described = "\n".join(filter(None, (skill.description, skill.when_to_use)))
    wanted, refused = split_exclusions(described)
    for phrase in skill.non_triggers:
        if phrase not in refused and wanted.count(phrase) == 1:
            wanted, refused = wanted.replace(phrase, " "), f"{refused} {phrase}"
    return f"{_spoken(skill.name)}. {wanted}", refused


def _neighbour_texts(wanted: str, installed: Sequence[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """Name and word the neighbours: those installed, and the shipped ones that do another job."""
    shipped = catalogue().neighbours
    texts = [f"{_spoken(name)}. {description}" for name, description in shipped]
    vectors = _fitted([wanted, *texts, *catalogue().smalltalk]).transform([wanted, *texts])
    closeness = (vectors[1:] @ vectors[0].T).toarray()[:, 0]
    kept = [place for place, close in enumerate(closeness) if close <= TWIN_SIMILARITY]
    names = [shipped[place][0] for place in kept] + [name for name, _ in installed]
    siblings = [f"{_spoken(name)}. {split_exclusions(description)[0]}" for name, description in installed]
    return names, [texts[place] for place in kept] + siblings


def _spoken(name: str) -> str:
    return name.replace("-", " ").replace("_", " ")


def _bytes(text: str) -> bytes:
    """Encode any text, also the lone surrogates that JSON can bring in."""
    return text.encode(errors="surrogatepass")


def _fitted(texts: Sequence[str]) -> "TfidfVectorizer":
    from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415 - heavy, loaded when needed

    return TfidfVectorizer(analyzer=features, sublinear_tf=True).fit(texts)
