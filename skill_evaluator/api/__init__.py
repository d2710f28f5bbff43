"""What the command line does, as functions: load, run, grade, measure, compare, report."""

from skill_evaluator.api.doctor import Diagnosis, doctor
from skill_evaluator.api.evaluate import evaluate, run_prepared
from skill_evaluator.api.preflight import prepare
from skill_evaluator.api.regrade import regrade
from skill_evaluator.api.request import Prepared, Request
from skill_evaluator.api.saved import compare_reports, load_baseline, load_report

__all__ = [
    "Diagnosis",
    "Prepared",
    "Request",
    "compare_reports",
    "doctor",
    "evaluate",
    "load_baseline",
    "load_report",
    "prepare",
    "regrade",
    "run_prepared",
]
