"""How a point in time is shown."""

from datetime import datetime

from skill_evaluator.report.escape import Md
from skill_evaluator.report.phrases import Phrases


def moment(timestamp: str, say: Phrases) -> Md:
    """Show `2025-11-08T14:30:00Z` as `2025-11-08 14:30 UTC`; what is no such time is quoted."""
    try:
        time = datetime.strptime(timestamp, "%Y-%m-%dT%H:%M:%S%z")
    except ValueError:
        return say.quote(timestamp)
    return Md(f"{time:%Y-%m-%d %H:%M} UTC") if not time.utcoffset() else say.quote(timestamp)
