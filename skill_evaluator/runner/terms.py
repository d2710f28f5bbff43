"""Under which terms an agent is asked: how often again, how much in all, and when to give up."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from skill_evaluator.model import Arm, Case, FailureKind, Run, Skill, Split
from skill_evaluator.runner.plan import PlannedRun

Sleep = Callable[[float], Awaitable[None]]
BeforePlan = Callable[[Sequence[PlannedRun]], Awaitable[None]]
OnRetry = Callable[[Run, float], None]
OnProbe = Callable[[int, Run | None], None]  # which question of the canary, from 1; and what came of it, None before
Group = tuple[Split, bool | None]  # the cases of one split and one expectation

_NEVER: Mapping[FailureKind, int] = MappingProxyType({})
_LOTS = 1 << 48  # as many as six bytes can name


async def wait(seconds: float) -> None:
    """Let so much time go by."""
    await asyncio.sleep(seconds)


def unheard(_run: Run, _wait_s: float) -> None:
    """Tell nobody of a retry."""


def unseen(_number: int, _run: Run | None) -> None:
    """Tell nobody of the canary."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RetryPolicy:
    """How often a failed call is repeated, and after which time.

    The waits double: 1, 2, 4, 8, 16 seconds, each made longer by a share of itself that is drawn from the seed, so
    that calls that failed together do not come back together.

    Attributes:
        limits: Retries after failures of a kind; a kind that is absent is never tried again. All retries of one run
            together are no more than the largest of them.
        first_wait_s: Time before the first retry, in seconds.
        jitter: The largest share by which a wait is made longer, >= 0.
    """

    limits: Mapping[FailureKind, int]
    first_wait_s: float = 1.0
    jitter: float = 0.5

    def wait_s(self, failures: Sequence[FailureKind], *, lot: float) -> float | None:
        """Say how long to wait before the next attempt.

        Args:
            failures: How each attempt so far failed; at least one.
            lot: What was drawn for this wait, 0 <= lot < 1.

        Returns:
            Seconds, or None where the last failure is final.
        """
        kind = failures[-1]
        if failures.count(kind) > self.limits.get(kind, 0) or len(failures) > max(self.limits.values()):
            return None
        wait_s: float = self.first_wait_s * 2 ** (len(failures) - 1)
        return wait_s * (1 + self.jitter * lot)

    @property
    def most_retries(self) -> int:
        """Of one run, at the most."""
        return max(self.limits.values(), default=0)


RETRIES = RetryPolicy(
    limits=MappingProxyType(
        {FailureKind.API: 5, FailureKind.RATE_LIMIT: 5, FailureKind.CRASH: 5, FailureKind.TIMEOUT: 1}
    )
)
NO_RETRIES = RetryPolicy(limits=_NEVER)


def drawn_lot(seed: int, case: Case, arm: Arm, index: int, attempt: int) -> float:
    """Draw a number 0 <= x < 1 by hash, so that neither the order nor the number of workers matters."""
    named = f"{seed}\0{case.id}\0{arm}\0{index}\0{attempt}".encode(errors="surrogatepass")
    return int.from_bytes(hashlib.sha256(named).digest()[:6]) / _LOTS


@dataclass(frozen=True, kw_only=True, slots=True)
class Spent:
    """Calls and money.

    Attributes:
        calls: Questions put to the agent, the canary's and retries counted.
        retries: Those of them that repeated a failed call.
        cost_usd: What they cost, as far as it is known.
        dearest_usd: The most that one of them cost; a failed call that tells no cost is taken to have cost as much.
    """

    calls: int = 0
    retries: int = 0
    cost_usd: float = 0.0
    dearest_usd: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Terms:
    """The terms of one execution.

    Attributes:
        probe: The skill that the canary asks for before anything else, or None without a canary.
        retries: What happens after a failed call.
        fatal: Kinds of failure after which nothing new is asked.
        max_calls: No further call is started after so many; None for no bound.
        max_cost_usd: No further call is started once so much was spent; None for no bound.
        give_up_at: By group of cases, the number of final errors at which the run is given up.
        spent: What was spent before, on runs that are kept.
        seed: For the lots that lengthen the waits.
        sleep: Lets time go by between attempts.
        on_retry: Told of each failed attempt that is repeated, and in how many seconds.
        on_probe: Told of each question of the canary, before and after it is asked.
        before_plan: Awaited with the plan between the canary and the first run, the agent's connections open; None
            for nothing. A signal cancels it.
    """

    probe: Skill | None = None
    retries: RetryPolicy = NO_RETRIES
    fatal: frozenset[FailureKind] = frozenset()
    max_calls: int | None = None
    max_cost_usd: float | None = None
    give_up_at: Mapping[Group, int] = field(default_factory=dict)
    spent: Spent = field(default_factory=Spent)
    seed: int = 0
    sleep: Sleep = wait
    on_retry: OnRetry = unheard
    on_probe: OnProbe = unseen
    before_plan: BeforePlan | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """What came of one question, after all its attempts.

    Attributes:
        run: The last attempt; the skill files that any of them changed stand in it.
        attempts: How often it was asked, >= 1.
        spent_usd: What all attempts cost, as far as it is known; None where nothing is.
    """

    run: Run
    attempts: int = 1
    spent_usd: float | None = None
