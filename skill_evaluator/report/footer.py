"""How the numbers came about: definitions, what was used, and the command that measures again."""

import shlex
from collections.abc import Iterator, Mapping

from skill_evaluator.model import Split
from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Md
from skill_evaluator.report.output_only import is_output_only
from skill_evaluator.report.phrases import Phrases, as_json
from skill_evaluator.report.scores import cases_of
from skill_evaluator.report.siblings import names_siblings
from skill_evaluator.results import CanaryState, Comparison, Report
from skill_evaluator.server_address import BASE_URL_VARIABLE, DEFAULT_BASE_URL
from skill_evaluator.skill_names import neighbour_names

_SHORT_HASH = 12
_LONGEST_COMMAND = 4_000
_REPLAY = "replay"
_MODEL_IS_GIVEN = frozenset({"embedded", _REPLAY})  # no model to choose: none is asked, or the recordings name it
_COMMAND, _MESSAGES, _CLAUDE_CODE = "command", "messages", "claude-code"
_MODEL_MAY_BE_UNKNOWN = frozenset({_COMMAND, _REPLAY})
_DEFINED = (
    *(("metric.precision", "precision"), ("metric.recall", "recall"), ("metric.f1", "f1")),
    *(("metric.output_pass_rate", "output_pass_rate"), ("metric.params_pass_rate", "params_pass_rate")),
    *(("metric.tool_order_pass_rate", "tool_order_pass_rate"), ("metric.false_trigger_rate", "false_trigger_rate")),
    *(("metric.pass_hat_k", "pass_hat_k"), ("page.time", "latency"), ("page.usage", "usage")),
    *(("page.never_fires", "never_fires"), ("page.interval", "interval")),
    *(("page.case_decision", "decision"), ("page.unstable", "unstable")),
)
_DEFINED_FOR_OUTPUTS = (
    *(("metric.output_pass_rate", "output_right"), ("metric.pass_hat_k", "pass_hat_k"), ("page.time", "latency")),
    *(("page.usage", "usage"), ("page.interval", "interval_output"), ("page.case_decision", "decision_output")),
    *(("page.unstable", "unstable_output"), ("page.assertion", "assertion")),
)
_DEFINED_WITH_SIBLINGS = (("metric.expected_skill_rate", "expected_skill_rate"),)
_DEFINED_WITH_JUDGE = (
    ("metric.judged_pass_rate", "judged_pass_rate"),
    *(("metric.rubric_pass_rate", "rubric_pass_rate"), ("page.judge_score", "judge_score")),
    *(("page.judge_unfit_name", "judge_unfit"), ("page.judge_kappa_name", "judge_kappa")),
)


def definitions(report: Report, say: Phrases) -> Iterator[Md]:
    """One definition for each metric, and for what they rest on."""
    siblings = _DEFINED_WITH_SIBLINGS if names_siblings(report) else ()
    judged = _DEFINED_WITH_JUDGE if report.judge is not None else ()
    for name, what in (*(_DEFINED_FOR_OUTPUTS if is_output_only(report) else _DEFINED), *siblings, *judged):
        yield say("page.definition", name=say(name), what=say(f"define.{what}"))


def measured(report: Report, say: Phrases) -> Iterator[Md]:
    """Who was asked what, with the starts of the hashes."""
    agent, skill = report.agent, report.skill
    yield say(
        "page.measured_agent",
        agent=agent.name,
        model=model(report, say),
        runs=report.config.runs,
        seed=report.config.seed,
        version=report.evaluator_version,
    )
    if agent.settings:
        yield say("page.measured_settings", settings=say.quote(as_json(agent.settings), limit=_LONGEST_COMMAND))
    if report.volatile.calls is not None and report.canary.state is not CanaryState.NOT_NEEDED:
        yield say("page.measured_calls", calls=report.volatile.calls, retries=report.volatile.retries or 0)
    if report.volatile.spent_usd is not None:
        yield say("page.measured_spent", cost=Md(numbers.usd(report.volatile.spent_usd)))
    yield say("page.measured_skill", name=skill.name, version=skill.version, hash=short_hash(skill.sha256))
    hashes = report.testset.split_sha256
    yield say(
        "page.measured_testset",
        name=report.testset.name,
        hash=short_hash(report.testset.sha256),
        acceptance=len(cases_of(report, Split.ACCEPTANCE)),
        acceptance_hash=short_hash(hashes.get(Split.ACCEPTANCE, "")),
        tuning=len(cases_of(report, Split.TUNING)),
        tuning_hash=short_hash(hashes.get(Split.TUNING, "")),
    )


def model(report: Report, say: Phrases) -> str:
    """The model that was asked, or the words for none or an unknown one; an estimate names its rules instead."""
    name = report.agent.model
    if name and report.agent.estimate:
        return say("page.no_model_rules", rules=name)
    if not name and report.agent.name in _MODEL_MAY_BE_UNKNOWN and not report.agent.estimate:
        return say("page.model_not_recorded")
    return name or say("page.no_model")


def command(report: Report, say: Phrases) -> Md:
    """The command line that measures again, as code."""
    return say.quote(command_line(report), limit=_LONGEST_COMMAND)


def command_line(report: Report) -> str:
    """The command line that measures again; text of others."""
    return _server(report) + shlex.join(_arguments(report))


def _server(report: Report) -> str:
    """The variable that names another server than the usual one; credentials are no part of what is kept."""
    url = report.agent.settings.get("base_url")
    if report.agent.name != _MESSAGES or not isinstance(url, str) or url == DEFAULT_BASE_URL:
        return ""
    return f"{BASE_URL_VARIABLE}={shlex.quote(url)} "


def neighbours(report: Report, say: Phrases) -> Md | None:
    """What the command leaves out: the skills that stood beside this one, whose folders are not known."""
    names = neighbour_names(report.agent)
    return say("page.again_neighbours", names=say.join(names)) if names else None


def _arguments(report: Report) -> Iterator[str]:
    config, volatile = report.config, report.volatile
    yield from ("skill-evaluator", "run", _path(volatile.skill_path), *_option("--testset", volatile.testset_path))
    yield from _option("--agent", report.agent.name)
    for recordings in _recordings(report):
        yield from _option("--recordings", recordings)
    if report.agent.name in {_COMMAND, _MESSAGES, _CLAUDE_CODE}:
        yield from _way_of_asking(report.agent.settings)
    yield from _models(report)
    yield from (*_option("--runs", str(config.runs)), *_option("--seed", str(config.seed)))
    yield from _option("--pass-threshold", repr(config.pass_threshold))
    for tag in config.tags:
        yield from _option("--tag", tag)
    for glob in config.case_globs:
        yield from _option("--case", glob)
    if config.draft:
        yield "--draft"
    if report.canary.state is CanaryState.SKIPPED:
        yield "--no-canary"
    if volatile.prices_path:
        yield from _option("--prices", volatile.prices_path)
    if volatile.baseline_path:
        yield from _option("--baseline", volatile.baseline_path)
    if report.comparison:
        yield from _gate(report.comparison)


def _models(report: Report) -> Iterator[str]:
    if report.agent.model and _model_is_chosen(report):
        yield from _option("--model", report.agent.model)
    if report.config.judge_model:
        yield from _option("--judge-model", report.config.judge_model)
    if report.config.advise_model:
        yield from _option("--advise-model", report.config.advise_model)


def _gate(comparison: Comparison) -> Iterator[str]:
    """What differs from the usual way to compare."""
    if comparison.fail_on != "significant":
        yield from ("--fail-on", comparison.fail_on)
    if comparison.shared_only:
        yield "--on-shared-cases"


def _way_of_asking(settings: Mapping[str, object]) -> Iterator[str]:
    """The options that say which program was asked, or how a model was, as far as the settings tell them."""
    config, timeout_s, max_turns = (settings.get(key) for key in ("config", "timeout_s", "max_turns"))
    if isinstance(config, str):
        yield from _option("--agent-config", config)
    if isinstance(timeout_s, int | float):
        yield from _option("--timeout-s", f"{timeout_s:g}")
    if isinstance(max_turns, int):
        yield from _option("--max-turns", str(max_turns))
    if settings.get("batch") is True:
        yield "--batch"


def _model_is_chosen(report: Report) -> bool:
    """Whether the model is an option; a program that is not told one would refuse it."""
    argv = report.agent.settings.get("argv")
    if report.agent.name == _COMMAND:
        return isinstance(argv, list | tuple) and any("{model}" in str(part) for part in argv)
    return report.agent.name not in _MODEL_IS_GIVEN


def _option(name: str, value: str) -> tuple[str, ...]:
    """A value that starts with a dash has to hang on its option, or it is taken for one."""
    return (f"{name}={value}",) if value.startswith("-") else (name, value)


def _path(path: str) -> str:
    return f"./{path}" if path.startswith("-") else path


def _recordings(report: Report) -> Iterator[str]:
    for note in report.notes:
        if note.code == "replayed" and isinstance(recordings := note.values.get("recordings"), str):
            yield recordings


def short_hash(sha256: str) -> str:
    """As much of a hash as it takes to tell versions apart."""
    return sha256[:_SHORT_HASH]
