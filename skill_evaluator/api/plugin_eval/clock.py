"""When a piece of work began, and how long it has taken."""

import time
from datetime import UTC, datetime


class Clock:
    """When a piece of work began (UTC), and how long it has taken."""

    def __init__(self) -> None:
        self.started_at = datetime.now(UTC)
        self._began = time.monotonic()

    @property
    def duration_s(self) -> float:
        """Seconds of wall time so far."""
        return time.monotonic() - self._began
