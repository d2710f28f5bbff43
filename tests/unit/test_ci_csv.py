import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_evaluator.report.ci.csv_rows import COLUMNS, report_to_csv
from skill_evaluator.report.ci.suite_csv import suite_result_to_csv
from skill_evaluator.report.ci.table import csv_text, harmless
from tests.unit.ci_setup import NAMES, document, hostile_report, report
from tests.unit.judged_setup import judged_report, shown
from tests.unit.suite_results import recorded, recorded_result

FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1", "＋1", "－1", "＠a", "  =1", "\n=1", "\r=1", "'=1", "'")


def frame(text: str) -> Any:  # noqa: ANN401 - pandas has no types here
    return pd.read_csv(io.StringIO(text), keep_default_na=False, na_values=[""])


def as_written(cell: str) -> str:
    """A cell as its text was: docs/ci.md says that one apostrophe in front goes."""
    return cell.removeprefix("'")


def runs(name: str) -> list[tuple[dict[str, Any], dict[str, Any], float | None]]:
    """Every run of a report's JSON with its case and its seconds."""
    content = document(name)
    times = content["volatile"]["durations_s"]
    return [
        (case, run, times[case["id"]][place] if case["id"] in times else None)
        for case in content["cases"]
        for place, run in enumerate(case["runs"])
    ]


@pytest.mark.parametrize("name", NAMES)
def test_pandas_reads_the_numbers_of_the_json_back(name: str) -> None:
    table = frame(report_to_csv(report(name)))

    assert list(table.columns) == list(COLUMNS)
    assert len(table) == len(runs(name))
    for (_, row), (case, run, seconds) in zip(table.iterrows(), runs(name), strict=True):
        usage = run["usage"] or {}
        assert (row["case"], row["split"], row["run"], row["state"]) == (
            *(case["id"], case["split"], run["index"] + 1, run["state"]),
        )
        assert json.loads(row["tags"]) == case["tags"]
        assert row["line"] == case["line"]
        for column, value in (
            ("seconds", seconds),
            ("input_tokens", usage.get("input_tokens")),
            ("output_tokens", usage.get("output_tokens")),
            ("cost_usd", usage.get("cost_usd")),
        ):
            assert (None if pd.isna(row[column]) else row[column]) == value


@pytest.mark.parametrize("name", NAMES)
def test_right_runs_are_those_that_the_report_counts(name: str) -> None:
    table = frame(report_to_csv(report(name)))

    for case in document(name)["cases"]:
        rows = table[table["case"] == case["id"]]
        assert (rows["right"].astype(str).str.lower() == "true").sum() == case["successes"]
        assert (rows["fired"].astype(str).str.lower() == "true").sum() == case["triggered_runs"]


def test_times_are_not_rounded() -> None:
    made = report("failing")
    seconds = (0.1 + 0.2, 1e-05, None, 1e22)
    made = replace(made, volatile=replace(made.volatile, durations_s={"p01": seconds}))

    column = frame(report_to_csv(made))["seconds"]

    assert [None if pd.isna(value) else value for value in column[:4]] == list(seconds)


def test_the_scores_of_a_judge_stand_with_the_run_they_are_for(tmp_path: Path) -> None:
    panels = [shown((4, 5, 4), (5, 5, 1), f"p{number}") for number in (0,)]  # the third run moved with the order
    panels += [shown((4, 4, 4), (4, 4, 4), f"p{number}") for number in range(1, 6)]

    table = frame(report_to_csv(judged_report(tmp_path, panels)))

    cells = list(table[table["case"] == "p0"]["judge_scores"])
    assert [json.loads(cell) for cell in cells[:2]] == [{"clarity": 4.5}, {"clarity": 5.0}]
    assert pd.isna(cells[2])
    assert table[table["case"] == "n0"]["judge_scores"].isna().all()


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_of_others_begins_a_formula(text: str) -> None:
    assert harmless(text) == f"'{text}"
    assert as_written(harmless(text)) == text


@pytest.mark.parametrize("text", ["a=1", "1-1", "level 4", "", "关卡"])
def test_an_innocent_cell_stays_as_it_is(text: str) -> None:
    assert harmless(text) == text


def test_numbers_below_zero_are_numbers() -> None:
    assert csv_text(["n"], [[-0.5]]) == '\ufeff"n"\r\n-0.5\r\n'


def test_line_ends_stay_inside_quotes() -> None:
    text = csv_text(["a", "b"], [['x\ny"z', "k,l"]])

    assert text == '\ufeff"a","b"\r\n"x\ny""z","k,l"\r\n'
    assert list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))[1] == ['x\ny"z', "k,l"]


@settings(max_examples=15)
@given(st.text(max_size=20) | st.sampled_from([*FORMULAS, "\x00", "\ud800", '"', ",", "\x1b[2J", "\u202e", "a\n,b"]))
def test_whatever_others_wrote_is_one_cell(text: str) -> None:
    written = report_to_csv(hostile_report(text))

    written.encode()
    rows = list(csv.reader(io.StringIO(written.removeprefix("\ufeff"), newline="")))
    assert {len(row) for row in rows} == {len(COLUMNS)}
    assert not any(cell.lstrip()[:1] in set("=+@＝＋－＠") for row in rows for cell in row if cell.strip())
    assert not set(written) & set("\x00\x1b\u202e")


@pytest.mark.parametrize("name", sorted(recorded()))
def test_every_run_of_a_suite_has_its_line(name: str) -> None:
    result = recorded_result(name)
    given_ = [run for case in result.cases for run in (*case.with_plugin, *(case.without_plugin or ()))]

    table = frame(suite_result_to_csv(result))

    assert list(table["score"]) == [run.score for run in given_]
    assert list(table["cost_usd"]) == [run.cost_usd for run in given_]


@pytest.mark.parametrize("sign", ["a", "\n", "\x1b", "\u202e", "\uffff", "\N{PILE OF POO}", "=", '"', "通"])
def test_a_cell_fits_into_a_spreadsheet_and_into_what_python_reads(sign: str) -> None:
    made = report("failing")
    first, *rest = made.cases
    long_run = replace(first.runs[0], output="=" + sign * 200_000)
    made = replace(made, cases=(replace(first, prompt=sign * 200_000, runs=(long_run, *first.runs[1:])), *rest))

    rows = list(csv.reader(io.StringIO(report_to_csv(made).removeprefix("\ufeff"), newline="")))

    assert max(len(cell.encode("utf-16-le")) // 2 for row in rows for cell in row) <= 32_767
    assert int(rows[1][COLUMNS.index("output_cut")]) > 160_000
    assert rows[1][COLUMNS.index("output")].startswith("'=")


def test_a_cut_output_has_its_start_and_its_end_and_tells_what_is_missing() -> None:
    made = report("failing")
    first, *rest = made.cases
    outputs = ("a" * 16_000 + "b" * 1_000 + "c" * 16_000, "d" * 32_700, None, "")
    runs_ = tuple(replace(run, output=output) for run, output in zip(first.runs, outputs, strict=True))
    made = replace(made, cases=(replace(first, runs=runs_), *rest))

    table = frame(report_to_csv(made))

    cut, whole, *_ = table["output"]
    assert cut == "a" * 16_000 + "[…1000…]" + "c" * 16_000
    assert whole == "d" * 32_700
    assert [None if pd.isna(one) else int(one) for one in table["output_cut"][:4]] == [1_000, 0, None, 0]
