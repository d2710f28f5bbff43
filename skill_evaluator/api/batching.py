"""What `--batch` needs: faults of options that a batch cannot keep, and batches kept beside the runs."""

from collections.abc import Sequence

from skill_evaluator.agents.messages.agent import MessagesAgent, trigger_only
from skill_evaluator.agents.messages.batch import Batches
from skill_evaluator.agents.messages.batch_terms import BatchServer, BatchTerms, OnBatch
from skill_evaluator.agents.messages.custom_ids import custom_id
from skill_evaluator.api.faults import option_fault
from skill_evaluator.api.keeping import keeping
from skill_evaluator.api.request import Prepared, Request
from skill_evaluator.journal import JournalWriter, KeptBatch
from skill_evaluator.model import Case, Finding
from skill_evaluator.runner import BeforePlan, PlannedRun, Sleep
from skill_evaluator.texts import tr

_SHOWN = 5  # ids of cases


def batch_faults(request: Request, cases: Sequence[Case], *, needed_calls: int | None) -> list[Finding]:
    """Say what cannot be kept once a batch is on its way.

    Args:
        request: The options.
        cases: What will be asked.
        needed_calls: Calls of the whole plan with its canary and what was spent before; None where that is not known.
    """
    if not request.batch:
        return []
    faults = []
    if whole := [case.id for case in cases if not trigger_only(case)]:
        more = ", ..." if len(whole) > _SHOWN else ""
        message = tr(
            "{n} of the cases look at the output (checks or a rubric), which takes conversations: "
            "{ids}{more}; leave them out by --tag or --case, or ask without --batch",
            n=len(whole),
            ids=", ".join(map(repr, whole[:_SHOWN])),
            more=more,
        )
        faults.append(option_fault("--batch", message))
    if request.max_cost_usd is not None:
        message = tr("a batch cannot be stopped half-way, so --max-cost-usd cannot be kept; leave one of them out")
        faults.append(option_fault("--batch", message))
    if request.max_calls is not None and needed_calls is not None and request.max_calls < needed_calls:
        message = tr(
            "a batch cannot be stopped half-way, and --max-calls {max_calls} lies below the {needed_calls} "
            "calls of the plan and its canary; raise it, or leave one of them out",
            max_calls=request.max_calls,
            needed_calls=needed_calls,
        )
        faults.append(option_fault("--batch", message))
    return faults


def batching(prepared: Prepared, journal: JournalWriter, *, sleep: Sleep, on_batch: OnBatch) -> BeforePlan | None:
    """Let an agent take its first answers out of batches.

    Args:
        prepared: What is to be run.
        journal: Where batches are kept.
        sleep: Lets seconds go by between two looks at a batch.
        on_batch: Told what happens to batches.

    Returns:
        What fetches the answers before the plan is worked off; None without `--batch`.
    """
    agent = prepared.agent
    if not prepared.request.batch or not isinstance(agent, MessagesAgent):
        return None
    server: object = agent.api
    if not isinstance(server, BatchServer):
        raise TypeError(f"{server!r} takes no batches")

    def keep(batch: KeptBatch) -> None:
        with keeping(journal.folder):
            journal.keep_batch(batch)

    terms = BatchTerms(
        keep=keep, sleep=sleep, earlier=journal.batches, failed=_failed(prepared.cases, journal), on_batch=on_batch
    )
    batches = Batches(server, agent.first_request, terms)
    agent.first_replies = batches

    async def fetch(plan: Sequence[PlannedRun]) -> None:
        await batches.fetch([(planned.case, planned.arm, planned.index) for planned in plan])

    return fetch


def _failed(cases: Sequence[Case], journal: JournalWriter) -> frozenset[str]:
    """Custom ids of the runs that are kept as errors."""
    by_id = {case.id: case for case in cases}
    runs = (entry.run for entry in journal.kept if entry.run.failure is not None)
    return frozenset(custom_id(by_id[run.case_id], run.arm, run.index) for run in runs if run.case_id in by_id)
