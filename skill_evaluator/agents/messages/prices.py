"""What tokens cost: a dated table, shipped or read from a file."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

BATCH_SHARE: Final = 0.5
_DATE_SUFFIX = re.compile(r"[-@]20\d{6}$")
_TOKENS: Final = 1_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Rates:
    """Dollars for a million tokens of one model.

    Attributes:
        input: Read, not from a cache.
        output: Written.
        cache_write: Read and put into the cache for 5 minutes.
        cache_read: Read from the cache.
    """

    input: float
    output: float
    cache_write: float
    cache_read: float


@dataclass(frozen=True, kw_only=True, slots=True)
class LongPrompt:
    """Other rates for the whole of a request that reads more than `above_tokens`, cached ones counted."""

    above_tokens: int
    rates: Rates


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelPrices:
    """The rates of one model, and those for its long prompts where they differ."""

    rates: Rates
    long_prompt: LongPrompt | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Prices:
    """A table of prices.

    Attributes:
        as_of: The day the prices were looked up, `YYYY-MM-DD`.
        source: Where they were found.
        models: By model name; a name stands for itself and for the same name with a date behind it.
    """

    as_of: str
    source: str
    models: Mapping[str, ModelPrices]

    def cost_usd(
        self,
        model: str,
        *,
        input: int,  # noqa: A002 - the word the API uses
        cached: int,
        written: int,
        output: int,
        batch: bool = False,
    ) -> float | None:
        """Tell what one request costs.

        Args:
            model: As it was asked for.
            input: Tokens read that were neither taken from the cache nor put into it.
            cached: Tokens read from the cache.
            written: Tokens put into the cache for 5 minutes.
            output: Tokens written.
            batch: Whether it was part of a message batch, which costs half.

        Returns:
            Dollars, or None for a model that the table does not name.
        """
        prices = self.models.get(model) or self.models.get(_DATE_SUFFIX.sub("", model))
        if prices is None:
            return None
        rates = prices.rates
        if prices.long_prompt is not None and input + cached + written > prices.long_prompt.above_tokens:
            rates = prices.long_prompt.rates
        dollars = (
            input * rates.input + cached * rates.cache_read + written * rates.cache_write + output * rates.output
        ) / _TOKENS
        return dollars * BATCH_SHARE if batch else dollars
