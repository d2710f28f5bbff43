"""Reads a table of prices: the one shipped, or a file of the user's with every fault named at once."""

import json
import math
from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Final

from skill_evaluator.agents.messages.prices import LongPrompt, ModelPrices, Prices, Rates
from skill_evaluator.errors import InputError
from skill_evaluator.model import Finding, Level
from skill_evaluator.reasons import reason_of
from skill_evaluator.texts import tr

MAX_BYTES: Final = 1_000_000
SHIPPED: Final = "prices.json"
_RATES: Final = ("input", "output", "cache_write", "cache_read")
_TABLE: Final = "usd_per_million_tokens"
_LONG: Final = "long_prompt"
_ABOVE: Final = "above_tokens"


def read_prices(path: Path | None = None) -> Prices:
    """Read a table of prices.

    Args:
        path: The user's file, or None for the table shipped.

    Raises:
        InputError: With every fault of the file.
    """
    return _shipped() if path is None else _Reader(str(path)).read(_bytes(path))


@cache
def _shipped() -> Prices:
    return _Reader(SHIPPED).read(files(__package__ or "").joinpath(SHIPPED).read_bytes())


def _bytes(path: Path) -> bytes:
    """Read the file; a device or a pipe would never end."""
    try:
        if not path.is_file():
            raise InputError([_finding(str(path), tr("is no file; name a JSON file of prices, see docs/agents.md"))])
        content = path.read_bytes()
    except OSError as error:
        why = reason_of(error)
        raise InputError(
            [_finding(str(path), tr("cannot be read ({why}); name a JSON file of prices", why=why))]
        ) from error
    if len(content) > MAX_BYTES:
        raise InputError(
            [
                _finding(
                    str(path), tr("is larger than {max_bytes:,} bytes; name a JSON file of prices", max_bytes=MAX_BYTES)
                )
            ]
        )
    return content


class _Reader:
    """Takes a table apart and remembers what is wrong with it."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._faults: list[Finding] = []

    def read(self, content: bytes) -> Prices:
        """Give the table.

        Raises:
            InputError: With every fault found.
        """
        top = self._object(self._parsed(content), "", {"as_of", "source", _TABLE}, {"source"})
        as_of, source = top.get("as_of"), top.get("source", self._file)
        if "as_of" in top and not _is_day(as_of):
            self._fault("/as_of", tr("{as_of!r} is no day; write the day of the prices as '2026-11-30'", as_of=as_of))
        if not isinstance(source, str):
            self._fault(
                "/source",
                tr("{source!r} is no text; say where the prices were found, or leave the key out", source=source),
            )
        models = {name: self._model(name, rates) for name, rates in self._table(top).items()}
        if self._faults:
            raise InputError(self._faults)
        table = {name: prices for name, prices in models.items() if prices is not None}
        return Prices(as_of=str(as_of), source=str(source), models=MappingProxyType(table))

    def _parsed(self, content: bytes) -> object:
        try:
            return json.loads(content.decode("utf-8-sig"), object_pairs_hook=self._unique)
        except (ValueError, RecursionError) as error:
            message = tr("is no JSON in UTF-8 ({error}); correct the file", error=error)
            raise InputError([*self._faults, _finding(self._file, message)]) from error

    def _unique(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        found: dict[str, object] = {}
        for key, value in pairs:
            if key in found:
                self._fault(None, tr("the key {key!r} stands twice in one object; keep one of them", key=key))
            found[key] = value
        return found

    def _table(self, top: Mapping[str, object]) -> Mapping[str, object]:
        if _TABLE not in top:
            return {}
        table = top[_TABLE]
        if not isinstance(table, dict) or not table:
            self._fault(f"/{_TABLE}", tr("expected an object of model names, at least one; add the model you ask"))
            return {}
        return table

    def _model(self, name: str, value: object) -> ModelPrices | None:
        pointer = f"/{_TABLE}/{_escaped(name)}"
        fields = self._object(value, pointer, {*_RATES, _LONG}, {_LONG})
        rates = self._rates(fields, pointer)
        long_prompt = None
        if _LONG in fields:
            inner = f"{pointer}/{_LONG}"
            long_fields = self._object(fields[_LONG], inner, {*_RATES, _ABOVE}, set())
            long_rates, above = self._rates(long_fields, inner), self._above(long_fields, inner)
            long_prompt = LongPrompt(above_tokens=above, rates=long_rates) if long_rates and above else None
        return None if rates is None else ModelPrices(rates=rates, long_prompt=long_prompt)

    def _rates(self, fields: Mapping[str, object], pointer: str) -> Rates | None:
        numbers = {name: self._price(fields[name], f"{pointer}/{name}") for name in _RATES if name in fields}
        known = {name: number for name, number in numbers.items() if number is not None}
        return Rates(**known) if len(known) == len(_RATES) else None

    def _price(self, value: object, pointer: str) -> float | None:
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < math.inf:
            return float(value)
        self._fault(
            pointer, tr("{value!r} is no price; write dollars for a million tokens, a number of 0 or more", value=value)
        )
        return None

    def _above(self, fields: Mapping[str, object], pointer: str) -> int | None:
        value = fields.get(_ABOVE)
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
        if _ABOVE in fields:
            self._fault(
                f"{pointer}/{_ABOVE}", tr("{value!r} is no number of tokens; write a whole number above 0", value=value)
            )
        return None

    def _object(self, value: object, pointer: str, keys: set[str], optional: set[str]) -> Mapping[str, object]:
        """Take an object of known keys; what is unknown or missing is a fault."""
        if not isinstance(value, dict):
            self._fault(
                pointer,
                tr(
                    "{value!r} is no object; expected the keys {keys}",
                    value=value,
                    keys=", ".join(sorted(keys - optional)),
                ),
            )
            return {}
        for key in sorted(value.keys() - keys):
            self._fault(
                f"{pointer}/{_escaped(key)}",
                tr("unknown key; expected {keys}; correct or remove it", keys=", ".join(sorted(keys))),
            )
        for key in sorted(keys - optional - value.keys()):
            self._fault(pointer, tr("the key {key!r} is missing; add it", key=key))
        return value

    def _fault(self, pointer: str | None, message: str) -> None:
        self._faults.append(_finding(self._file, message, pointer))


def _finding(file: str, message: str, pointer: str | None = None) -> Finding:
    return Finding(level=Level.FAIL, code="prices", file=file, pointer=pointer or None, message=message)


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _is_day(value: object) -> bool:
    try:
        return isinstance(value, str) and date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False
