"""The tables that a report has to show, worked out from its JSON alone.

A cell is the text to be found; or a tuple of the numbers that a sentence has to hold, in any order; or None for
words of any kind.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from tests import number_looks as look

Json = Mapping[str, Any]
Cell = str | tuple[str, ...] | None
Table = list[list[Cell]]

SPLITS = ("acceptance", "tuning")
TRIGGERS = ("precision", "recall", "f1", "false_trigger_rate")
_ASPECTS = {"output_pass_rate": "output", "params_pass_rate": "params", "tool_order_pass_rate": "tool_order"}
_VALID = ("triggered", "not_triggered")
SECONDS = {"en": "s", "zh": "秒"}
NAMES = {
    "precision": ("Precision", "准确率"),
    "recall": ("Recall", "召回率"),
    "f1": ("F1", "综合分"),
    "output_pass_rate": ("Output pass rate", "输出通过率"),
    "params_pass_rate": ("Field pass rate", "字段通过率"),
    "tool_order_pass_rate": ("Tool order pass rate", "工具顺序通过率"),
    "judged_pass_rate": ("Judged pass rate", "投票通过率"),
    "expected_skill_rate": ("Expected skill rate", "期望技能命中率"),
    "rubric_pass_rate": ("Rubric pass rate", "评分项达标率"),
    "false_trigger_rate": ("False-trigger rate", "误触率"),
    "pass_hat_k": ("pass^k", "全对概率"),
    "latency_p95": ("Response time P95", "响应时间 P95"),
    "latency_p50": ("Response time P50", "响应时间 P50"),
    "input_tokens": ("Input tokens", "输入词元数"),
    "output_tokens": ("Output tokens", "输出词元数"),
    "cost_usd": ("Cost", "费用"),
}
_SPLIT = {"acceptance": ("acceptance", "验收集"), "tuning": ("tuning", "调优集")}
_CLASS = {
    "positive": ("should trigger", "应触发"),
    "negative": ("should not trigger", "不应触发"),
    "output_only": ("count by their output alone", "只看输出"),
}


def name_of(metric: str, lang: str) -> str:
    return NAMES[metric][lang == "zh"]


def is_output_only(report: Json) -> bool:
    return bool(report["cases"]) and all(case["expect_trigger"] is None for case in report["cases"])


def cases_of(report: Json, split: str) -> list[Json]:
    return [case for case in report["cases"] if case["split"] == split]


def is_scored(report: Json) -> bool:
    return bool(report["verdict"] != "INVALID")


def metrics_of(report: Json, split: str) -> Json:
    return {**report["splits"][split]["metrics"], **report["volatile"]["latency"].get(split, {})}


def shown_metrics(report: Json, split: str) -> list[Json]:
    """Each with a value, and the four of triggering where a case asks for a trigger; in the order of the list above."""
    found = metrics_of(report, split)
    assert not found.keys() - NAMES.keys()
    wanted = () if is_output_only(report) else TRIGGERS
    return [found[name] for name in NAMES if name in found and (found[name]["value"] is not None or name in wanted)]


def tables(report: Json, lang: str) -> Mapping[str, list[Table]]:
    """By section of the page, in the order of the Markdown."""
    scored = is_scored(report)
    found = {
        "scores": _scores(report, "acceptance", lang) if scored else [],
        "comparison": _comparison(report, lang) if scored and report["comparison"] else [],
        "tuning": _scores(report, "tuning", lang) if scored else [],
        "fired": [*_fired(report)] if scored else [],
        "judge": [*_judge(report)],
        "stability": [_stability(report, lang)] if scored else [],
        "tags": [_tags(report, lang)] if scored else [],
        "errors": [_errors(report, lang), _causes(report)],
    }
    return {name: [table for table in each if table] for name, each in found.items()}


def _scores(report: Json, split: str, lang: str) -> list[Table]:
    if not cases_of(report, split):
        return []
    return [_metrics(report, split, lang), _assertions(report, split)]


def _metrics(report: Json, split: str, lang: str) -> Table:
    idle = report["splits"][split]["do_nothing"]
    rows: Table = []
    for metric in shown_metrics(report, split):
        name, row = metric["name"], metric
        never: list[Cell] = [look.share(idle[name]["value"] if name in idle else None)]
        rows.append(
            [
                name_of(name, lang),
                look.in_unit(row["value"], row["unit"], SECONDS[lang]),
                look.counted(row),
                look.span(row["interval"]),
                *([] if is_output_only(report) else never),
                () if row["value"] is None else _said(row, report, split),
            ]
        )
    return rows


def _said(metric: Json, report: Json, split: str) -> tuple[str, ...]:
    """The numbers of the sentence beside a metric: what it was counted from."""
    name, many = metric["name"], str(metric["denominator"])
    if name == "f1":
        return ()
    if name == "pass_hat_k":
        return str(report["config"]["runs"]), many
    if name == "latency_p95":
        return "95%", many
    if metric["numerator"] is None:
        return (many,)
    left = _left_open(name, report, split)
    return str(metric["numerator"]), many, *([str(left)] if left else [])


def _left_open(name: str, report: Json, split: str) -> int:
    """Cases that were to be checked and came to no answer."""
    aspect = _ASPECTS.get(name)
    cases = [case for case in cases_of(report, split) if aspect and aspect not in case["aspects"]]
    return sum(
        (case["expect_trigger"] is None or (case["expect_trigger"] and bool(case["decision"])))
        and any(_is_open(run, aspect, case["expect_trigger"]) for run in case["runs"])
        for case in cases
    )


def _is_open(run: Json, aspect: str | None, expected: bool | None) -> bool:
    if run["state"] == "error" or (expected and run["state"] != "triggered"):
        return False
    passed = [
        one["outcome"]["passed"] for one in run["verdicts"] if (one["aspect"], one["severity"]) == (aspect, "hard")
    ]
    return None in passed and False not in passed


def _assertions(report: Json, split: str) -> Table:
    return [
        [
            one["assertion"],
            (),
            look.counted(one["pass_rate"]),
            look.share(one["pass_rate"]["value"]),
            look.span(one["pass_rate"]["interval"]),
            str(one["undecided"]),
        ]
        for one in report["splits"][split]["assertions"]
    ]


def _comparison(report: Json, lang: str) -> list[Table]:
    found, latency = report["comparison"], report["volatile"]["comparison"]
    values = [
        [
            _changed(one, lang)
            for one in _in_order([*found["changes"].get(split, ()), *latency.get(split, ())], lambda each: each["name"])
            if not (one["new"] is None and one["old"] is None)
        ]
        for split in SPLITS
    ]
    paired = [
        [_paired(name, changes[name], lang) for name in _in_order(changes, str)]
        for split in SPLITS
        if (changes := found["paired"].get(split, {}).get("changes"))
    ]
    return [*values, *paired]


def _in_order(found: Iterable[Any], name: Callable[[Any], str]) -> list[Any]:
    return sorted(found, key=lambda one: [*NAMES].index(name(one)))


def _changed(one: Json, lang: str) -> list[Cell]:
    new, old, unit = one["new"], one["old"], one["unit"]
    sides = [look.in_unit(value, unit, SECONDS[lang]) for value in (new, old)]
    if unit == "s" and one["mark"] in ("regressed", "improved") and new is not None and old is not None:
        sides = [f"{look.seconds_beside(*pair)} {SECONDS[lang]}" for pair in ((new, old), (old, new))]
    moved = one["difference"]
    difference: Cell = look.DASH
    if moved is not None:
        difference = (look.points(moved),) if unit == "ratio" else look.change(moved)
    return [name_of(one["name"], lang), *sides, difference, ()]


def _paired(name: str, one: Json, lang: str) -> list[Cell]:
    return [
        name_of(name, lang),
        str(one["cases"]),
        (look.points(one["difference"]),),
        look.points_span(one["interval"]),
        (),
    ]


def _fired(report: Json) -> Iterator[Table]:
    every = [row for split in SPLITS for row in report["splits"][split]["fired"]]
    others = {row[key] for row in every for key in ("expected", "fired")} - {None, report["skill"]["name"]}
    if report["agent"]["estimate"] or not (others or report["agent"]["settings"].get("neighbours")):
        return
    for split in SPLITS:
        rows = report["splits"][split]["fired"]
        runs = {(row["expected"], row["fired"]): str(row["runs"]) for row in rows}
        up, across = (sorted({row[key] for row in rows}, key=_none_last) for key in ("expected", "fired"))
        yield [[() if name is None else name, *(runs.get((name, one), "0") for one in across)] for name in up]


def _none_last(name: str | None) -> tuple[bool, str]:
    return name is None, name or ""


def _judge(report: Json) -> Iterator[Table]:
    judge = report["judge"]
    if judge is None or not is_scored(report) or not (judge["panels"] or judge["votes"]["planned"]):
        return
    if judge["fit"]:
        for split in SPLITS:
            yield _rubric(report, split)
    if judge["panels"]:
        order = ("empty", "off_topic", "asks_for_five", "long_off_topic")
        shares = [judge["controls"][kind] for kind in order if kind in judge["controls"]]
        yield [[None, look.counted(one)] for one in shares if one["denominator"]]
    yield [*_votes(report)]


def _rubric(report: Json, split: str) -> Table:
    means = report["splits"][split]["rubric"]
    cases = cases_of(report, split)
    scores = {item: [case["rubric"][item] for case in cases if item in case["rubric"]] for item in means}
    beside = any(_both(each) for each in scores.values())
    order = {panel["item"]: place for place, panel in reversed([*enumerate(report["judge"]["panels"])])}
    rows: Table = []
    for item in sorted(means, key=lambda one: (order.get(one, len(order)), one)):
        judged = [one for one in scores[item] if one["passed"] is not None]
        reached = sum(one["passed"] for one in judged)
        row: list[Cell] = [item, look.score(means[item]["value"]), f"{len(judged)}/{len(scores[item])}"]
        row += [f"{reached}/{len(judged)}", look.share(reached / len(judged))] if judged else [look.DASH] * 2
        if beside:
            row.append(_beside(_both(scores[item])))
        rows.append(row)
    return rows


def _both(scores: Sequence[Json]) -> list[Json]:
    return [one for one in scores if one["mean"] is not None and one["baseline_mean"] is not None]


def _beside(scores: Sequence[Json]) -> Cell:
    if not scores:
        return look.DASH
    new, old = (sum(one[key] for one in scores) / len(scores) for key in ("mean", "baseline_mean"))
    return look.score(new), look.score(old), str(len(scores))


def _votes(report: Json) -> Iterator[list[Cell]]:
    """The graders that were not voted for by all, by case; of a run with a call that failed no number is told."""
    for case in (one for split in SPLITS for one in cases_of(report, split)):
        by_grader: dict[str, list[list[bool | None]]] = {}
        for verdict in (verdict for run in case["runs"] for verdict in run["verdicts"]):
            votes = verdict["outcome"]["evidence"].get("votes") if verdict["aspect"] == "judged" else None
            if votes is not None:
                by_grader.setdefault(verdict["grader"], []).append(votes)
        for grader, tallies in by_grader.items():
            if any(set(votes) != {True} for votes in tallies):
                whole = [votes for votes in tallies if None not in votes]
                numbers = [str(number) for votes in whole for number in (votes.count(True), len(votes))]
                yield [case["id"], grader, tuple(numbers)]


def _stability(report: Json, lang: str) -> Table:
    spreads = ("output_pass_rate",) if is_output_only(report) else ("f1", "recall", "false_trigger_rate")
    return [
        [
            _SPLIT[split][lang == "zh"],
            look.counted(result["unstable_share"]),
            look.share(result["unstable_share"]["value"]),
            *(look.share(result["spread"].get(name)) for name in spreads),
        ]
        for split in SPLITS
        if cases_of(report, split) and (result := report["splits"][split])
    ]


def _tags(report: Json, lang: str) -> Table:
    names = ("output_pass_rate",) if is_output_only(report) else TRIGGERS
    return [
        [
            _SPLIT[split][lang == "zh"],
            tag,
            str(sum(tag in case["tags"] for case in cases_of(report, split))),
            *(_of_tag(found["metrics"].get(name)) for name in names),
        ]
        for split in SPLITS
        for tag, found in sorted(report["splits"][split]["tags"].items())
    ]


def _of_tag(metric: Json | None) -> Cell:
    if metric is None or metric["value"] is None:
        return look.DASH
    if metric["numerator"] is None:
        return look.share(metric["value"])
    return look.share(metric["value"]), str(metric["numerator"]), str(metric["denominator"])


def _errors(report: Json, lang: str) -> Table:
    return [
        [_SPLIT[split][lang == "zh"], _CLASS[name][lang == "zh"], look.counted(found), look.per_cent(found["value"])]
        for split in SPLITS
        for name, found in report["splits"][split]["error_shares"].items()
        if found["numerator"]
    ]


def _causes(report: Json) -> Table:
    failures = [run["failure"] for case in report["cases"] for run in case["runs"] if run["failure"]]
    if not is_scored(report) and len({(one["kind"], one["message"]) for one in failures}) == 1:
        return []  # the reasons of the verdict say it
    first = {one["kind"]: one["message"] for one in reversed(failures)}
    counts = Counter(one["kind"] for one in failures)
    return [[(), str(runs), first[kind]] for kind, runs in counts.most_common()]
