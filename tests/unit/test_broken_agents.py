"""No fault of an agent becomes a score: what is retried, what stops a run, and what the report then says."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.api.evaluate import run_prepared
from skill_evaluator.api.preflight import prepare
from skill_evaluator.api.probe import probe_skill
from skill_evaluator.api.regrade import regrade
from skill_evaluator.api.request import Prepared, RegradeRequest, Request, Resumable
from skill_evaluator.errors import UnmeasuredError
from skill_evaluator.journal import JournalWriter, read_journal
from skill_evaluator.model import AgentInfo, Arm, Case, Failure, FailureKind, Run, Usage
from skill_evaluator.report.phrases import word_note
from skill_evaluator.report.serialize import report_from_json, report_to_json
from skill_evaluator.results import CanaryState, Report, ReportVerdict, RunState

PROBE = "brindlewick-tide-word"
SKILL = "level-maker"
PLANNED = 36
P1_LOTS = ("e4620f2295e1", "214ae44d8044", "425bf9d24661", "10d2c34bfb47", "d076cd712904")
Script = Callable[[Case, int, int], Run | None]


class Scripted:
    """A perfect agent but for what its script answers to a case, a repetition and an attempt (1 is the first)."""

    def __init__(self, script: Script = lambda _case, _index, _attempt: None, **settings: object) -> None:
        self.info = AgentInfo(name="scripted", model="m", settings=settings)
        self.asked: Counter[tuple[str, int]] = Counter()
        self.cost_usd: float | None = None
        self._script = script

    async def run(self, case: Case, arm: Arm, index: int) -> Run:
        self.asked[case.id, index] += 1
        await asyncio.sleep(0)
        answer = self._script(case, index, self.asked[case.id, index])
        if answer is not None:
            return replace(answer, arm=arm)
        return replace(self._perfect(case, index), arm=arm)

    def _perfect(self, case: Case, index: int) -> Run:
        named = PROBE if PROBE in case.prompt else SKILL
        fired = bool(case.expect_trigger)
        return Run(
            case_id=case.id,
            index=index,
            triggered=fired and named == SKILL,
            skills_invoked=(named,) if fired else (),
            usage=None if self.cost_usd is None else Usage(cost_usd=self.cost_usd),
        )


def failed(case: Case, index: int, kind: FailureKind, cost_usd: float | None = None) -> Run:
    usage = None if cost_usd is None else Usage(cost_usd=cost_usd)
    return Run(case_id=case.id, index=index, failure=Failure(kind=kind, message=f"{kind} said so"), usage=usage)


def always(kind: FailureKind) -> Script:
    return lambda case, index, _attempt: failed(case, index, kind)


def on(wanted: Mapping[tuple[str, int], tuple[FailureKind, int]]) -> Script:
    """Fail the first so many attempts of some runs."""

    def answer(case: Case, index: int, attempt: int) -> Run | None:
        kind, times = wanted.get((case.id, index), (FailureKind.API, 0))
        return failed(case, index, kind) if attempt <= times else None

    return answer


class Lab:
    """Scores the small skill with a scripted agent; waits are noted, not waited out."""

    def __init__(self, prepared: Prepared) -> None:
        self.prepared = prepared
        self.waits: list[float] = []
        self.told: list[tuple[str, float]] = []

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        await asyncio.sleep(0)

    def on_retry(self, run: Run, wait_s: float) -> None:
        assert run.failure is not None
        self.told.append((run.failure.kind, wait_s))

    def score(self, agent: Scripted, *, resumed: Resumable | None = None, **options: Any) -> Report:  # noqa: ANN401 - fields of Request
        """Score, and make sure that the report stands up to being read and to being made again from its runs."""
        request = replace(self.prepared.request, **options)
        prepared = replace(
            self.prepared,
            agent=agent,
            request=request,
            probed=True,
            retried=True,
            probe=None if request.no_canary else probe_skill(),
            resumed=resumed,
        )
        report = run_prepared(prepared, sleep=self.sleep, on_retry=self.on_retry)
        assert report_from_json(report_to_json(report), name="r") == report
        assert comparable(regrade(RegradeRequest(path=Path(str(report.volatile.run_dir))))) == comparable(report)
        return report


def comparable(report: Report) -> object:
    document = json.loads(report_to_json(report))
    document.pop("timestamp")
    counts = {name: document["volatile"][name] for name in ("calls", "retries")}
    return {**document, "volatile": counts}


def reasons(report: Report) -> list[str]:
    return [note.code for note in report.reasons]


@pytest.fixture
def lab(skill_dir: Path, record: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    monkeypatch.chdir(tmp_path)
    return Lab(prepare(Request(skill=skill_dir, agent="replay", recordings=record())))


def test_a_sound_agent_is_probed_first_and_then_scored(lab: Lab) -> None:
    agent = Scripted()
    report = lab.score(agent)

    assert list(agent.asked)[:2] == [("canary-by-name", 0), ("canary-sum", 0)]
    assert report.verdict is ReportVerdict.PASS
    assert report.canary.state is CanaryState.PASSED
    assert (report.volatile.calls, report.volatile.retries) == (PLANNED + 2, 0)
    assert lab.waits == []


def test_each_retry_is_told_with_its_wait(lab: Lab) -> None:
    lab.score(Scripted(on({("p0", 0): (FailureKind.API, 2)})))

    assert [kind for kind, _ in lab.told] == [FailureKind.API] * 2
    assert [wait_s for _, wait_s in lab.told] == lab.waits


@pytest.mark.parametrize("kind", [FailureKind.AUTH, FailureKind.AGENT_MISSING])
def test_an_agent_that_cannot_work_is_asked_once_and_named_once(lab: Lab, kind: FailureKind) -> None:
    agent = Scripted(always(kind))
    report = lab.score(agent)

    assert agent.asked.total() == 1
    assert report.verdict is ReportVerdict.INVALID
    assert report.stopped_by == "canary"
    assert reasons(report) == ["canary_failed", "interrupted"]
    assert report.reasons[0].values == {"kind": str(kind), "message": f"{kind} said so"}
    assert sum(f"{kind} said so" in word_note(note, "en") for note in report.reasons) == 1
    assert set(json.loads(report_to_json(report))["metrics"].values()) == {None}


@pytest.mark.parametrize("kind", [FailureKind.AUTH, FailureKind.AGENT_MISSING])
def test_without_a_canary_the_first_such_failure_stops_the_run(lab: Lab, kind: FailureKind) -> None:
    agent = Scripted(always(kind))
    report = lab.score(agent, no_canary=True)

    assert agent.asked.total() <= 4  # as many as were under way at once
    assert report.stopped_by == str(kind)
    assert report.verdict is ReportVerdict.INVALID
    assert reasons(report)[:2] == ["interrupted", "cause"]
    assert reasons(report).count("cause") == 1
    assert lab.waits == []


def test_a_rate_limit_in_the_middle_is_tried_again_and_then_measured(lab: Lab) -> None:
    limited = {("p1", 0): (FailureKind.RATE_LIMIT, 2), ("n3", 2): (FailureKind.RATE_LIMIT, 1)}
    agent = Scripted(on(limited))
    report = lab.score(agent)

    assert report.verdict is ReportVerdict.PASS
    assert report == replace(lab.score(Scripted()), volatile=report.volatile, timestamp=report.timestamp)
    assert (agent.asked["p1", 0], agent.asked["n3", 2]) == (3, 2)
    assert (report.volatile.calls, report.volatile.retries) == (PLANNED + 2 + 3, 3)


def test_the_waits_double_and_are_drawn_from_the_seed(lab: Lab) -> None:
    """Lots by hand: 12 hexadecimal digits of `sha256sum` over seed, case, arm, index and attempt."""
    agent = Scripted(on({("p1", 0): (FailureKind.API, 9)}))
    lab.score(agent)

    lots = [int(digits, 16) / 16**12 for digits in P1_LOTS]
    assert lab.waits == [pytest.approx(2**place * (1 + lot / 2)) for place, lot in enumerate(lots)]
    assert agent.asked["p1", 0] == 6


@pytest.mark.parametrize(
    ("kind", "attempts"),
    [
        (FailureKind.API, 6),
        (FailureKind.RATE_LIMIT, 6),
        (FailureKind.CRASH, 6),
        (FailureKind.TIMEOUT, 2),
        (FailureKind.SKILL_NOT_LISTED, 1),
    ],
)
def test_what_fails_for_good_is_an_error_and_never_a_miss(lab: Lab, kind: FailureKind, attempts: int) -> None:
    agent = Scripted(on({("p1", 1): (kind, 99)}))
    report = lab.score(agent)

    assert agent.asked["p1", 1] == attempts
    (case,) = (case for case in report.cases if case.id == "p1")
    assert [run.state for run in case.runs] == [RunState.TRIGGERED, RunState.ERROR, RunState.TRIGGERED]
    assert case.decision is True
    assert report.verdict is ReportVerdict.INVALID  # 1 of 9 runs of a class is more than a tenth
    assert report.stopped_by is None


def test_a_run_that_fails_in_several_ways_has_five_retries_in_all(lab: Lab) -> None:
    kinds = [FailureKind.API, FailureKind.TIMEOUT, FailureKind.CRASH, FailureKind.RATE_LIMIT, FailureKind.CRASH]
    script = [*kinds, FailureKind.API]

    def answer(case: Case, index: int, attempt: int) -> Run | None:
        return failed(case, index, script[attempt - 1]) if (case.id, index) == ("p1", 1) else None

    agent = Scripted(answer)
    lab.score(agent)
    assert agent.asked["p1", 1] == 6


def test_two_crashes_of_three_runs_give_no_score(lab: Lab) -> None:
    crashing = {("p1", 0): (FailureKind.CRASH, 99), ("p1", 2): (FailureKind.CRASH, 99)}
    report = lab.score(Scripted(on(crashing)))

    assert report.verdict is ReportVerdict.INVALID
    assert reasons(report) == ["error_share", "too_few_valid_runs", "cause"]
    assert report.reasons[1].values == {"cases": ["p1"], "needed": 3}
    (case,) = (case for case in report.cases if case.id == "p1")
    assert case.valid_runs == 1


def test_only_the_last_attempt_is_kept_with_the_number_and_the_price_of_all(lab: Lab) -> None:
    def answer(case: Case, index: int, attempt: int) -> Run | None:
        if (case.id, index) != ("p1", 1) or attempt > 2:
            return None
        return replace(failed(case, index, FailureKind.CRASH, 0.25), skill_changes=(f"a{attempt}.md",))

    agent = Scripted(answer)
    agent.cost_usd = 0.5
    report = lab.score(agent)

    journal = read_journal(Path(str(report.volatile.run_dir)))
    (entry,) = (entry for entry in journal.entries if (entry.run.case_id, entry.index) == ("p1", 1))
    assert (entry.attempts, entry.spent_usd) == (3, 1.0)
    assert entry.run.triggered is True
    assert entry.run.skill_changes == ("a1.md", "a2.md")
    assert journal.end is not None
    assert journal.end.spent_usd == 38 * 0.5 + 2 * 0.25
    others = [entry for entry in journal.entries if (entry.run.case_id, entry.index) != ("p1", 1)]
    assert {(entry.attempts, entry.spent_usd) for entry in others} == {(1, 0.5)}


def test_a_dead_agent_is_given_up_before_it_burns_hours(lab: Lab) -> None:
    """Nine runs of each class and split are planned: the third error of one of them leaves only INVALID."""
    agent = Scripted(always(FailureKind.CRASH))
    report = lab.score(agent, no_canary=True)

    assert report.stopped_by == "error_budget"
    assert report.verdict is ReportVerdict.INVALID
    assert reasons(report)[:2] == ["interrupted", "cause"]
    assert reasons(report).count("cause") == 1
    errors = Counter((case.split, case.expect_trigger) for case in report.cases for _ in case.runs)
    assert max(errors.values()) >= 3
    assert agent.asked.total() < PLANNED * 6


def test_two_errors_of_a_class_do_not_stop_a_run(lab: Lab) -> None:
    """They make this report INVALID, and yet the rest is worth asking: `--resume` asks only the two again."""
    agent = Scripted(on({("p1", 0): (FailureKind.TIMEOUT, 9), ("p3", 0): (FailureKind.TIMEOUT, 9)}))
    report = lab.score(agent)

    assert report.stopped_by is None
    assert sum(len(case.runs) for case in report.cases) == PLANNED
    assert report.verdict is ReportVerdict.INVALID


@pytest.mark.parametrize("ceiling", [1, 2, 3, 20, PLANNED + 1])
def test_no_call_is_made_beyond_the_ceiling(lab: Lab, ceiling: int) -> None:
    agent = Scripted()
    report = lab.score(agent, max_calls=ceiling, concurrency=4)

    assert agent.asked.total() == ceiling
    assert report.volatile.calls == ceiling
    assert report.stopped_by == "max_calls"
    assert report.verdict is ReportVerdict.INVALID
    assert report.reasons[0].values == {"signal": "max_calls", "finished": max(0, ceiling - 2), "planned": PLANNED}
    assert report.canary.state is (CanaryState.UNFINISHED if ceiling < 2 else CanaryState.PASSED)


def test_a_ceiling_that_is_just_enough_stops_nothing(lab: Lab) -> None:
    agent = Scripted()
    agent.cost_usd = 0.1
    whole = lab.score(agent, max_calls=PLANNED + 2, max_cost_usd=3.8)

    assert whole.stopped_by is None
    assert whole.verdict is ReportVerdict.PASS


def test_retries_count_towards_the_ceiling(lab: Lab) -> None:
    agent = Scripted(always(FailureKind.CRASH))
    report = lab.score(agent, max_calls=3, no_canary=True, concurrency=1)

    assert agent.asked.total() == 3
    assert report.stopped_by == "max_calls"
    assert {run.state for case in report.cases for run in case.runs} <= {RunState.ERROR}


def test_no_call_is_made_once_the_money_is_spent(lab: Lab) -> None:
    """Ten calls at 0.1 dollars are one dollar, which a sum of binary floats misses."""
    agent = Scripted()
    agent.cost_usd = 0.1
    report = lab.score(agent, max_cost_usd=1.0, concurrency=1)

    assert agent.asked.total() == 10
    assert report.stopped_by == "max_cost"
    journal = read_journal(Path(str(report.volatile.run_dir)))
    assert journal.end is not None
    assert journal.end.spent_usd == 1.0


def test_a_failed_call_without_a_price_counts_as_the_dearest_so_far(lab: Lab) -> None:
    """The canary costs 2 x 0.25; then crashes count 0.25 each, so that two of them reach one dollar."""

    def answer(case: Case, index: int, _attempt: int) -> Run | None:
        return None if case.id.startswith("canary") else failed(case, index, FailureKind.CRASH)

    agent = Scripted(answer)
    agent.cost_usd = 0.25
    report = lab.score(agent, max_cost_usd=1.0, concurrency=1)

    assert agent.asked.total() == 4
    assert report.stopped_by == "max_cost"


def test_an_answer_without_a_price_stops_a_run_that_has_a_ceiling(lab: Lab) -> None:
    agent = Scripted()
    report = lab.score(agent, max_cost_usd=5.0, no_canary=True, concurrency=1)

    assert agent.asked.total() == 1
    assert report.stopped_by == "cost_unknown"
    assert report.verdict is ReportVerdict.INVALID


SILENT = Run(case_id="canary-by-name", triggered=False, skills_invoked=(SKILL,))
FIRED = Run(case_id="canary-sum", triggered=False, skills_invoked=(f"plugin:{PROBE}",))


@pytest.mark.parametrize(
    ("script", "calls", "codes"),
    [
        (lambda case, _i, _a: SILENT if case.id == "canary-by-name" else None, 2, ["canary_silent"]),
        (lambda case, _i, _a: FIRED if case.id == "canary-sum" else None, 2, ["canary_fired_on_sum"]),
        (
            lambda case, _i, _a: {"canary-by-name": SILENT, "canary-sum": FIRED}.get(case.id),
            2,
            ["canary_silent", "canary_fired_on_sum"],
        ),
        (always(FailureKind.CRASH), 6, ["canary_failed"]),
        (always(FailureKind.TIMEOUT), 2, ["canary_failed"]),
        (always(FailureKind.SKILL_NOT_LISTED), 1, ["skill_not_listed", "canary_failed"]),
        (
            lambda case, i, _a: failed(case, i, FailureKind.CRASH) if case.id == "canary-sum" else None,
            7,
            ["canary_failed"],
        ),
    ],
)
def test_nothing_is_scored_after_a_failed_canary(lab: Lab, script: Script, calls: int, codes: list[str]) -> None:
    agent = Scripted(script)
    report = lab.score(agent)

    assert agent.asked.total() == calls
    assert report.canary.state is CanaryState.FAILED
    assert [note.code for note in report.canary.faults] == codes
    assert reasons(report) == [*codes, "interrupted"]
    assert report.verdict is ReportVerdict.INVALID
    assert report.stopped_by == "canary"
    assert not any(case.runs for case in report.cases)


def test_the_probe_may_fire_under_the_name_of_its_plugin_alone(lab: Lab) -> None:
    def named(name: str) -> Script:
        by_name = Run(case_id="canary-by-name", triggered=False, skills_invoked=("other", name))
        return lambda case, _i, _a: by_name if case.id == "canary-by-name" else None

    assert lab.score(Scripted(named(f"plugin:{PROBE}"))).canary.state is CanaryState.PASSED
    assert lab.score(Scripted(named(f"{PROBE}-2"))).canary.state is CanaryState.FAILED


def test_a_skipped_canary_and_an_unchecked_listing_are_told(lab: Lab) -> None:
    skipped = lab.score(Scripted(), no_canary=True)
    unlisted = lab.score(Scripted(listing="not checked"))
    listed = lab.score(Scripted())

    assert skipped.canary.state is CanaryState.SKIPPED
    assert [note.code for note in skipped.notes if note.code.startswith(("canary", "listing"))] == ["canary_skipped"]
    assert [note.code for note in unlisted.notes if note.code.startswith(("canary", "listing"))] == [
        "listing_not_checked"
    ]
    assert (unlisted.canary.listing_checked, listed.canary.listing_checked) == (False, True)
    assert skipped.verdict is unlisted.verdict is listed.verdict is ReportVerdict.PASS


@pytest.mark.parametrize("seed", range(3))
def test_the_number_of_workers_changes_nothing(lab: Lab, seed: int) -> None:
    kinds = [FailureKind.RATE_LIMIT, FailureKind.API, FailureKind.TIMEOUT, FailureKind.CRASH]
    failing = {
        (f"{label}{number}", index): (kinds[(number + index + seed) % 4], (number * 7 + index * 3 + seed) % 2)
        for label in "pn"
        for number in range(6)
        for index in range(3)
    }
    failing["n5", seed] = (FailureKind.API, 9)
    one, eight = (lab.score(Scripted(on(failing)), concurrency=number) for number in (1, 8))

    assert comparable(one) == comparable(eight)
    assert one.volatile.retries


def test_what_was_spent_before_counts_when_a_run_is_continued(lab: Lab) -> None:
    first = Scripted()
    first.cost_usd = 0.1
    report = lab.score(first, max_calls=12, concurrency=1)
    folder = Path(str(report.volatile.run_dir))
    second = Scripted()
    second.cost_usd = 0.1
    resumed = lab.score(
        second, resumed=Resumable(folder=folder, measured=10, errors=0), max_calls=20, max_cost_usd=9.0, concurrency=1
    )

    assert second.asked.total() == 8  # the canary again, then six more
    assert resumed.volatile.calls == 20
    assert sum(len(case.runs) for case in resumed.cases) == 16
    third = Scripted()
    third.cost_usd = 0.1
    last = lab.score(third, resumed=Resumable(folder=folder, measured=16, errors=0), max_cost_usd=2.5, concurrency=1)
    assert third.asked.total() == 5
    assert last.stopped_by == "max_cost"


def test_a_canary_that_fails_on_resumption_keeps_what_was_measured(lab: Lab) -> None:
    report = lab.score(Scripted(), max_calls=12, concurrency=1)
    folder = Path(str(report.volatile.run_dir))
    again = lab.score(Scripted(always(FailureKind.AUTH)), resumed=Resumable(folder=folder, measured=10, errors=0))

    assert reasons(again) == ["canary_failed", "interrupted"]
    assert sum(len(case.runs) for case in again.cases) == 10
    assert again.verdict is ReportVerdict.INVALID


def killed(report: Report) -> Path:
    """Make a run folder look as after a kill."""
    folder = Path(str(report.volatile.run_dir))
    (folder / "end.json").unlink()
    return folder


def test_calls_that_a_killed_process_made_are_never_said_to_be_known(lab: Lab) -> None:
    """Nor by the process that resumes the one that resumed it."""
    folder = killed(lab.score(Scripted(), max_calls=12, concurrency=1))

    second = lab.score(Scripted(), resumed=Resumable(folder=folder, measured=10, errors=0), max_calls=20, concurrency=1)
    third = lab.score(Scripted(), resumed=Resumable(folder=folder, measured=18, errors=0))

    assert (second.volatile.calls, second.stopped_by) == (None, "max_calls")
    assert (third.volatile.calls, third.volatile.retries, third.volatile.duration_s) == (None, None, None)
    assert third.verdict is ReportVerdict.PASS


def test_a_resumed_run_asks_as_many_at_once_as_it_is_told_now(lab: Lab) -> None:
    folder = Path(str(lab.score(Scripted(), max_calls=12, concurrency=8).volatile.run_dir))
    agent = Crowded()

    report = lab.score(agent, resumed=Resumable(folder=folder, measured=10, errors=0), concurrency=2)

    assert agent.most == 2
    assert report.volatile.concurrency == 2


class Crowded(Scripted):
    """Counts how many ask it at once."""

    most = now = 0

    async def run(self, case: Case, arm: Arm, index: int) -> Run:
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0)
        run = await super().run(case, arm, index)
        self.now -= 1
        return run


def test_an_edit_of_the_skill_is_not_forgotten_by_a_resumption_that_is_killed(lab: Lab) -> None:
    """Somebody put the file back, and yet the runs that are kept were made beside the edited one."""
    skill = lab.prepared.skill.path
    before = skill.read_bytes()

    def edits(_case: Case, _index: int, _attempt: int) -> None:
        skill.write_bytes(before + b"More.\n")

    first = lab.score(Scripted(edits), max_calls=12, concurrency=1)
    folder = Path(str(first.volatile.run_dir))
    skill.write_bytes(before)
    with JournalWriter.reopen(folder):
        pass  # and killed at once

    last = lab.score(Scripted(), resumed=Resumable(folder=folder, measured=10, errors=0))

    assert first.violations == last.violations == ("SKILL.md",)
    assert last.verdict is ReportVerdict.FAIL


def test_a_run_that_cannot_be_ended_on_disk_has_no_score(lab: Lab) -> None:
    """A full disk looks like this too; the status is that of a run that measured nothing, not of a failed skill."""

    def blocks(_case: Case, _index: int, _attempt: int) -> None:
        for run in Path(".skill-evaluator", "runs").iterdir():
            (run / "end.json.tmp").mkdir(exist_ok=True)

    with pytest.raises(UnmeasuredError, match="runs cannot be kept"):
        lab.score(Scripted(blocks))


def test_nothing_is_probed_where_nothing_is_left_to_ask(lab: Lab) -> None:
    folder = Path(str(lab.score(Scripted()).volatile.run_dir))
    agent = Scripted(always(FailureKind.AUTH))
    again = lab.score(agent, resumed=Resumable(folder=folder, measured=PLANNED, errors=0))

    assert agent.asked.total() == 0
    assert again.verdict is ReportVerdict.PASS
    assert again.canary.state is CanaryState.PASSED


def test_a_credential_in_the_words_of_a_canary_is_masked(lab: Lab) -> None:
    key = "sk-ant-" + "a1B2" * 6
    run = Run(case_id="canary-by-name", failure=Failure(kind=FailureKind.AUTH, message=f"bad key {key}"))
    report = lab.score(Scripted(lambda _case, _index, _attempt: run))

    assert report.canary.faults[0].values["message"] == "bad key [redacted]"
    assert key not in "".join(path.read_text("utf-8") for path in Path(str(report.volatile.run_dir)).iterdir())
