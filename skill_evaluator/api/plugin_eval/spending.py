"""What a suite has cost so far, held against its ceiling; plain sums, as the real program adds them."""


class Spending:
    """Money spent, list price.

    Args:
        limit_usd: Nothing new is started once so much is spent; None for no bound.
    """

    def __init__(self, limit_usd: float | None) -> None:
        self._limit = limit_usd
        self.total_usd = 0.0

    @property
    def is_over(self) -> bool:
        """Whether the ceiling is reached."""
        return self._limit is not None and self.total_usd >= self._limit

    def add(self, cost_usd: float) -> None:
        """Count what something cost."""
        self.total_usd += cost_usd
