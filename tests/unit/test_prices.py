import json
from datetime import date
from pathlib import Path
from typing import get_args

import pytest
from anthropic.types.model import Model

from skill_evaluator.agents.messages.price_file import read_prices
from skill_evaluator.agents.messages.prices import Prices, Rates
from skill_evaluator.errors import InputError

# Two fields of the table, by hand from the vendor's page.
OPUS_5 = Rates(input=5, output=25, cache_write=6.25, cache_read=0.5)

SOUND: dict[str, object] = {
    "as_of": "2026-11-30",
    "source": "our contract",
    "usd_per_million_tokens": {
        "local": {"input": 0, "output": 0, "cache_write": 0, "cache_read": 0},
        "ours": {"input": 1, "output": 2.5, "cache_write": 3, "cache_read": 0.25},
        "long": {
            "input": 1,
            "output": 1,
            "cache_write": 1,
            "cache_read": 1,
            "long_prompt": {"above_tokens": 1_000, "input": 2, "output": 4, "cache_write": 8, "cache_read": 16},
        },
    },
}


def cost(prices: Prices, model: str, *counts: int, batch: bool = False) -> float | None:
    fresh, cached, written, output = counts
    return prices.cost_usd(model, input=fresh, cached=cached, written=written, output=output, batch=batch)


def written(tmp_path: Path, content: object) -> Path:
    path = tmp_path / "prices.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def faults(path: Path) -> list[tuple[str | None, str]]:
    with pytest.raises(InputError) as caught:
        read_prices(path)
    assert all(finding.file == str(path) for finding in caught.value.findings)
    return [(finding.pointer, finding.message) for finding in caught.value.findings]


def test_shipped_table_is_dated_and_names_its_source() -> None:
    prices = read_prices()

    assert date(2026, 11, 1) <= date.fromisoformat(prices.as_of)
    assert prices.source.startswith("https://platform.claude.com/")
    assert prices.models["claude-opus-5"].rates == OPUS_5


def test_shipped_table_prices_the_models_that_the_sdk_knows() -> None:
    literal = get_args(Model)[0]
    known = set(get_args(literal))
    unpriced = {name for name in known if cost(read_prices(), name, 1, 1, 1, 1) is None}

    assert "claude-sonnet-4-5-20250929" in known
    assert unpriced == {"claude-mythos-5-2", "claude-mythos-preview"}  # no list price is published


def test_shipped_rates_stand_in_the_order_that_caching_gives() -> None:
    """Reading a cache is cheaper than reading, writing one dearer by a quarter, and writing text dearest."""
    for prices in read_prices().models.values():
        rates = prices.rates
        assert rates.cache_read < rates.input < rates.cache_write < rates.output
        assert rates.cache_write == pytest.approx(1.25 * rates.input)
        assert rates.output == pytest.approx(5 * rates.input)


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("claude-opus-5", 5.0),
        ("claude-opus-5-20260724", 5.0),
        ("claude-opus-4-5@20251101", 5.0),
        ("claude-opus-4-20250514", 15.0),
        ("claude-opus-5-5", 4.0),
        ("claude-opus-5-6", None),
        ("claude-opus-5-mini", None),
        ("claude-opus", None),
        ("claude-opus-5-2026072", None),
        ("claude-opus-5-19990101", None),
        ("my-claude-opus-5", None),
        ("", None),
    ],
)
def test_date_behind_a_name_is_ignored_and_nothing_else(model: str, expected: float | None) -> None:
    assert cost(read_prices(), model, 1_000_000, 0, 0, 0) == expected


def test_each_kind_of_token_has_its_price() -> None:
    # 1,000 x $5 + 2,000 x $0.50 + 3,000 x $6.25 + 4,000 x $25, for a million tokens each
    assert cost(read_prices(), "claude-opus-5", 1_000, 2_000, 3_000, 4_000) == pytest.approx(0.12475)
    assert cost(read_prices(), "claude-opus-5", 1_000, 2_000, 3_000, 4_000, batch=True) == pytest.approx(0.062375)


def test_long_prompt_is_dearer_as_a_whole(tmp_path: Path) -> None:
    prices = read_prices(written(tmp_path, SOUND))

    assert cost(prices, "long", 400, 300, 300, 100) == pytest.approx(1_100e-6)
    # 401 x $2 + 300 x $16 + 300 x $8 + 100 x $4
    assert cost(prices, "long", 401, 300, 300, 100) == pytest.approx(8_402e-6)
    # the vendor's: $0.10 a million up to 100,000 tokens, $0.50 beyond
    assert cost(read_prices(), "claude-haiku-5-5", 100_000, 0, 0, 0) == pytest.approx(0.01)
    assert cost(read_prices(), "claude-haiku-5-5", 100_001, 0, 0, 0) == pytest.approx(0.0500005)


def test_file_replaces_the_table_whole(tmp_path: Path) -> None:
    prices = read_prices(written(tmp_path, SOUND))

    assert cost(prices, "claude-opus-5", 1, 1, 1, 1) is None
    assert cost(prices, "ours", 0, 0, 0, 1_000_000) == 2.5
    assert cost(prices, "local", 9, 9, 9, 9) == 0.0
    assert (prices.as_of, prices.source) == ("2026-11-30", "our contract")


def test_file_may_leave_out_its_source(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeff" + json.dumps({key: value for key, value in SOUND.items() if key != "source"}))

    assert read_prices(path).source == str(path)


def test_every_fault_of_a_file_is_named_at_once(tmp_path: Path) -> None:
    sound = {"input": 1, "output": 1, "cache_write": 1, "cache_read": 1}
    table = {
        "negative": {**sound, "input": -1},
        "truth": {**sound, "output": True},
        "words": {**sound, "cache_read": "0.5"},
        "a/b~c": {"input": 1, "output": 1, "cache_write": 1, "cache_reed": 1},
        "list": [1, 2],
        "tier": {**sound, "long_prompt": {**sound, "above_tokens": 0}},
        "half": {**sound, "long_prompt": {"above_tokens": True}},
    }
    found = faults(written(tmp_path, {"as_of": "30.11.2026", "source": 7, "usd_per_million_tokens": table, "more": 1}))

    root = "/usd_per_million_tokens"
    assert [pointer for pointer, _ in found] == [
        *("/more", "/as_of", "/source", f"{root}/negative/input", f"{root}/truth/output", f"{root}/words/cache_read"),
        *(f"{root}/a~1b~0c/cache_reed", f"{root}/a~1b~0c", f"{root}/list"),
        f"{root}/tier/long_prompt/above_tokens",
        *[f"{root}/half/long_prompt"] * 4,
        f"{root}/half/long_prompt/above_tokens",
    ]
    assert found[3][1] == "-1 is no price; write dollars for a million tokens, a number of 0 or more"


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-0.01", "null", "[]"])
def test_number_that_is_no_price_is_refused(tmp_path: Path, number: str) -> None:
    rates = f'{{"input": {number}, "output": 1, "cache_write": 1, "cache_read": 1}}'
    path = written(tmp_path, f'{{"as_of": "2026-11-30", "usd_per_million_tokens": {{"m": {rates}}}}}')

    assert [pointer for pointer, _ in faults(path)] == ["/usd_per_million_tokens/m/input"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is no JSON"),
        ("{", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ("[]", "is no object"),
        ("{}", "the key 'as_of' is missing"),
        ('{"as_of": "2026-11-30", "usd_per_million_tokens": {}}', "at least one"),
        ('{"as_of": "2026-11-30", "usd_per_million_tokens": 5}', "at least one"),
        ('{"as_of": "2026-02-30", "usd_per_million_tokens": {}}', "is no day"),
        ('{"as_of": "2026-11-30", "as_of": "2026-11-30", "usd_per_million_tokens": {}}', "stands twice"),
    ],
)
def test_file_that_is_no_table_is_refused(tmp_path: Path, content: str, words: str) -> None:
    assert any(words in message for _, message in faults(written(tmp_path, content)))


def test_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.json"):
        assert "is no file" in faults(path)[0][1]
    big = written(tmp_path, " " * 1_000_001)
    assert "is larger" in faults(big)[0][1]
    latin = tmp_path / "latin.json"
    latin.write_bytes(b'{"as_of": "\xe9"}')
    assert "is no JSON in UTF-8" in faults(latin)[0][1]


def test_example_of_the_page_is_a_sound_table(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "agents.md").read_text("utf-8")
    example = page.partition("### Prices")[2].partition("```json\n")[2].partition("```")[0]

    assert cost(read_prices(written(tmp_path, example)), "my-model", 0, 0, 0, 1_000_000) == 5.0
