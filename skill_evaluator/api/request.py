"""What is asked of an evaluation: the options, and what preflight makes of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from skill_evaluator.model import Agent, Case, Finding, Skill, Suite
from skill_evaluator.results import Config, FailOn, Note, Report

DEFAULT_RUNS = 3
DEFAULT_CONCURRENCY = 4
STATE_FOLDER = ".skill-evaluator"


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """The options of `run`, as the user gave them.

    Attributes:
        skill: SKILL.md or the folder that holds it.
        testset: The test set, or a folder of an eval suite or of translation cases; None looks
            beside SKILL.md, then in its `evals/`.
        agent: A name of `AGENTS`; None means `messages` where a credential is set, else `embedded`.
        agent_config: TOML file that says how the command agent is called, or None.
        model: Name of the model to ask, or None for the agent's own choice.
        timeout_s: Longest time of one call in seconds, or None for the agent's own.
        max_calls: No further call is started after so many, retries and the canary counted; None for no bound.
        max_cost_usd: No further call is started once so much was spent; None for no bound.
        no_canary: Skip the probe of the way to the agent; recorded in the report.
        resume: Continue the last run of the same kind instead of starting anew.
        fail_on: Which regressions against the baseline give exit status 1: `significant`, `marked` or `never`.
        on_shared_cases: Compare on the cases that both reports have where their test sets differ.
        recordings: What the replay agent answers from, or None.
        judge_model: The model that scores rubrics, or None for no judge.
        advise_model: The model that words suggestions, or None for the rules alone.
        max_turns: Most requests of one run of the messages agent, or None for its own.
        batch: Ask by message batches; trigger-only suites of the messages agent.
        prices: JSON file of prices that replaces the one shipped, or None.
        neighbours: Folders of skills installed beside it; each a skill's own folder or one that holds several.
        runs: Repetitions of each case; None means 3, or as many as were recorded.
        concurrency: Runs under way at once, >= 1.
        pass_threshold: Lowest acceptance F1 that passes, or lowest share of translation cases that are right, 0..1;
            None means 0.85, and 1 for translation cases.
        baseline: An earlier report (JSON), or None.
        output_dir: Where the report is to be written.
        json_file: Where the JSON report is to be written besides, or None.
        side_files: Where it is to be written in other formats, by option: `--junit`, `--csv`.
        state_dir: Where runs are journaled.
        tags: Only cases with one of these tags; empty means all.
        case_globs: Only cases whose id matches one of these patterns; empty means all.
        seed: For the order of runs and whatever is drawn.
        draft: Fewer repetitions are fine; the verdict can only be DRAFT.
        is_scored: Whether anything is to be scored; not where only the outputs are wanted.
    """

    skill: Path
    testset: Path | None = None
    agent: str | None = None
    agent_config: Path | None = None
    model: str | None = None
    timeout_s: float | None = None
    max_calls: int | None = None
    max_cost_usd: float | None = None
    no_canary: bool = False
    resume: bool = False
    fail_on: FailOn = "significant"
    on_shared_cases: bool = False
    recordings: Path | None = None
    judge_model: str | None = None
    advise_model: str | None = None
    max_turns: int | None = None
    batch: bool = False
    prices: Path | None = None
    neighbours: tuple[Path, ...] = ()
    runs: int | None = None
    concurrency: int = DEFAULT_CONCURRENCY
    pass_threshold: float | None = None
    baseline: Path | None = None
    output_dir: Path = Path("reports")
    json_file: Path | None = None
    side_files: Mapping[str, Path] = field(default_factory=dict)
    state_dir: Path = Path(STATE_FOLDER)
    tags: tuple[str, ...] = ()
    case_globs: tuple[str, ...] = ()
    seed: int = 0
    draft: bool = False
    is_scored: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Resumable:
    """A kept run that can be continued.

    Attributes:
        folder: The run folder.
        measured: Runs that are kept and not asked again.
        errors: Runs that ended as an error and are asked again.
        calls: Calls that were made already, as far as that is known.
        batches: Message batches that were submitted.
        spent_usd: What its calls cost, as far as they tell.
        judged: Answers of the judge that are kept and not asked for again.
        passed_over: Newer runs of the skill that were left unfinished too, and how each differs.
    """

    folder: Path
    measured: int
    errors: int
    calls: int = 0
    batches: int = 0
    spent_usd: float = 0.0
    judged: int = 0
    passed_over: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Prepared:
    """A request that can be run: everything is read and nothing is wrong.

    Attributes:
        cases: What will be asked, narrowed by tags and globs, in the order of the test set.
        testset_path: The file the cases came from.
        testset_bytes: That file as read, kept with the runs.
        warnings: What the readers doubted.
        notes: What the report must say besides the numbers.
        probed: Whether the agent asks somebody who may fail: its canary goes first.
        retried: Whether failed calls are repeated by the runner; not where the agent's own client does that.
        unasked: Whether an agent that costs money was chosen only because a credential is set: the user has to agree.
        probe: The skill that the canary asks for; None without a canary.
        resumed: The kept run that is continued, or None for a new one.
    """

    request: Request
    skill: Skill
    suite: Suite
    cases: Sequence[Case]
    testset_path: Path
    testset_bytes: bytes
    agent: Agent
    config: Config
    baseline: Report | None
    warnings: tuple[Finding, ...]
    notes: tuple[Note, ...]
    probed: bool = False
    retried: bool = False
    unasked: bool = False
    probe: Skill | None = None
    resumed: Resumable | None = None

    @property
    def planned(self) -> int:
        """Runs of a whole result: cases x repetitions."""
        return len(self.cases) * self.config.runs

    @property
    def calls(self) -> int:
        """How many of them are to be asked; others are kept from an earlier run. Canary and retries come on top."""
        return self.planned - (self.resumed.measured if self.resumed else 0)


@dataclass(frozen=True, kw_only=True, slots=True)
class RegradeRequest:
    """The options of `regrade`, as the user gave them.

    Attributes:
        path: A run folder, or a report's JSON whose run folder is still there.
        testset: Other expectations for the same questions; None takes the test set kept with the runs.
        pass_threshold: Another threshold, 0..1; None keeps the run's.
        baseline: An earlier report (JSON) to compare with, or None.
        fail_on: As in `Request`.
        on_shared_cases: As in `Request`.
        output_dir: Where the report is to be written.
        json_file: Where the JSON report is to be written besides, or None.
        side_files: As in `Request`.
    """

    path: Path
    testset: Path | None = None
    pass_threshold: float | None = None
    baseline: Path | None = None
    fail_on: FailOn = "significant"
    on_shared_cases: bool = False
    output_dir: Path = Path("reports")
    json_file: Path | None = None
    side_files: Mapping[str, Path] = field(default_factory=dict)
