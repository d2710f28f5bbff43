"""How a suite goes: a line for each run and grader on standard error."""

from collections.abc import Callable, Sequence

from skill_evaluator.api.plugin_eval.options import Ablation, PlannedCase
from skill_evaluator.cli.console import say
from skill_evaluator.cli.plugin_eval_count import ERROR, FAILED, PASSED, RunCount
from skill_evaluator.cli.plugin_eval_lines import (
    case_name,
    details_text,
    doubts_of,
    ending_text,
    stand_in_lines,
    verdict_text,
)
from skill_evaluator.cli.plugin_eval_numbers import delta_text, dollars_text, score_text
from skill_evaluator.cli.wording import listed, names_listed
from skill_evaluator.grading.suite_scores import CaseScore
from skill_evaluator.metrics.suite_notes import Ending, as_measured, ending_of
from skill_evaluator.model import Arm, AskedRun, one_line
from skill_evaluator.results.suite_result import RunOfCase
from skill_evaluator.texts import changed, ntr, tr


class Telling:
    """Tells a terminal how a suite goes.

    Attributes:
        threshold: Score from which a case passes.
        is_quiet: Whether only what a reader must know is said, as beside `--json`.
        is_verbose: Whether turns, time and trace of each run are told.
        runs_scripts: Whether scaffold scripts are run.
        plan: Words the plan, which is said even beside `--json`; None to say none.
        tells_plan: Whether it is told which arms are run; plan and this are left out by `--quiet` alone.
        warnings: What readers had to know so far.
    """

    def __init__(
        self,
        *,
        threshold: float,
        is_quiet: bool,
        is_verbose: bool,
        runs_scripts: bool = True,
        plan: Callable[[Sequence[PlannedCase]], str] | None = None,
        tells_plan: bool = True,
    ) -> None:
        self.threshold = threshold
        self.runs_scripts = runs_scripts
        self.plan = plan
        self.tells_plan = tells_plan
        self.is_quiet = is_quiet
        self.is_verbose = is_verbose
        self.warnings: list[str] = []
        self._served: set[int] = set()
        self._count = RunCount()
        self._cut: set[int] = set()
        self._noted: set[tuple[int, str]] = set()
        self._warned: set[str] = set()

    def planned(self, cases: Sequence[PlannedCase], *, ablation: Ablation, is_default: bool) -> None:
        """Tell which arms are run, and what of the cases is doubtful."""
        if ablation == "with-without" and is_default and self.tells_plan:
            _tell_default(cases)
        if self.plan is not None and self.tells_plan:
            _tell(self.plan(cases))
        if self.is_quiet:
            return
        if any(case.has_two_arms for case in cases):
            total = sum(case.runs * len(case.arms) for case in cases)
            counted = {"cases": ntr("{n} case", "{n} cases", len(cases)), "runs": ntr("{n} run", "{n} runs", total)}
            say(tr("Ablation: 2 arms × {cases} ({runs})", **counted))
        for line, names in doubts_of(cases, runs_scripts=self.runs_scripts).items():
            _tell(tr("  {case}: {line}", case=listed(names), line=line))
        self._count.begin(sum(case.runs * len(case.arms) for case in cases))

    def finished(self, planned: PlannedCase, asked: AskedRun, graded: RunOfCase, arm: Arm, index: int) -> None:
        """Tell of one run: its score, why it ended, and what each grader found."""
        if self.is_quiet:
            return
        self._tell_run(planned, asked, graded, arm, index)
        self._count.add(self._state(graded), graded.cost_usd)

    def _new(self, warnings: Sequence[str]) -> Sequence[str]:
        """Leave out what was told of a case before: most stand-ins are those of the whole suite; the result has all."""
        new = [line for line in warnings if line not in self._warned]
        self._warned.update(new)
        return new

    def _state(self, graded: RunOfCase) -> str:
        if graded.error is not None:
            return ERROR
        return PASSED if graded.score is not None and graded.score >= self.threshold else FAILED

    def _tell_run(self, planned: PlannedCase, asked: AskedRun, graded: RunOfCase, arm: Arm, index: int) -> None:
        which = "" if not planned.has_two_arms else tr(" [with]") if arm is Arm.WITH else tr(" [without]")
        if graded.stand_ins is not None and id(planned) not in self._served:
            self._served.add(id(planned))
            for line in (*stand_in_lines(planned, graded.stand_ins), *self._new(graded.stand_ins.warnings)):
                _tell(tr("  {case}: {line}", case=case_name(planned), line=line))
        for line in asked.notes:
            if (id(planned), line) not in self._noted:  # true of every run more often than not
                self._noted.add((id(planned), line))
                _tell(tr("  {case}: {line}", case=case_name(planned), line=line))
        run = {"case": case_name(planned), "number": index + 1, "runs": planned.runs, "which": which}
        if asked.kept is not None:
            _tell(tr("  {case} run {number}/{runs}{which}: kept {folder}", **run, folder=asked.kept))
        if ending_of(graded) is Ending.INTERRUPTED:
            self._cut.add(id(planned))
        score = score_text(as_measured(graded.score, [graded]))
        _tell(
            tr(
                "  {case} run {number}/{runs}{which}: score {score}  {cost}{ending}",
                **run,
                score=score,
                cost=dollars_text(graded.cost_usd),
                ending=ending_text(graded),
            )
        )
        for grader in graded.graders:
            _tell(verdict_text(grader))
        if self.is_verbose:
            _tell(details_text(graded))

    def case_done(self, planned: PlannedCase, score: CaseScore, *, runs: int, cost_usd: float) -> None:
        """Tell what came of a case."""
        if self.is_quiet:
            return
        values = {
            "case": case_name(planned),
            "runs": ntr("{n} run", "{n} runs", runs),
            "cost": dollars_text(cost_usd),
        }
        if id(planned) in self._cut:
            _tell(tr("⚠ {case}  interrupted  ({runs})  {cost}", **values))
            return
        mark = "✓" if score.reaches(self.threshold) else "✗"
        with_score = score_text(score.with_plugin.score)
        if planned.has_two_arms:
            without = score.without_plugin.score if score.without_plugin and score.is_comparable else None
            scores = tr(
                "with {score}  without {without}  delta {delta}",
                score=with_score,
                without=score_text(without),
                delta=delta_text(score.delta),
            )
        else:
            scores = tr("score {score}", score=with_score)
        _tell(tr("{mark} {case}  {scores}  ({runs})  {cost}", mark=mark, scores=scores, **values))

    def warned(self, message: str) -> None:
        """Tell what a reader must know."""
        self.warnings.append(message)
        _tell(message)

    def end(self) -> None:
        """Leave nothing on the screen that counts runs under way."""
        self._count.end()


def _tell(text: str) -> None:
    say(changed(text, lambda part: one_line(" ".join(part.splitlines()))))


def _tell_default(cases: Sequence[PlannedCase]) -> None:
    """Tell of the arms that nobody asked for: which cases are run without the plugin too, and which are not."""
    single = [case_name(case) for case in cases if not case.has_two_arms]
    if len(single) < len(cases):
        say(
            tr(
                "Ablation: a plugin was found, so each case is also run without it, and the difference is told; "
                "graders that only the plugin can satisfy are shown but not scored (--ablation none turns this off)"
            )
        )
    if single:
        _tell(
            ntr(
                "{n} case in a single arm (no delta), since no plugin was found or it goes on "
                "from a recorded session (--ablation with-without runs both): {names}",
                "{n} cases in a single arm (no delta), since no plugin was found or it goes on "
                "from a recorded session (--ablation with-without runs both): {names}",
                len(single),
                names=names_listed(single),
            )
        )
