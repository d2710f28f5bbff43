"""The loop that anybody would write: the same requests, a semaphore, the SDK, nothing kept.

    python benchmarks/bare_loop.py BODIES.jsonl CONCURRENCY

Sends each body to ANTHROPIC_BASE_URL and prints the seconds from opening the client to the last answer.
"""

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

import anthropic


async def loop(bodies: list[dict[str, Any]], concurrency: int) -> float:
    """Send all bodies, so many at once.

    Returns:
        Seconds.
    """
    slots = asyncio.Semaphore(concurrency)
    start = time.perf_counter()
    async with anthropic.AsyncAnthropic(max_retries=5) as client:

        async def ask(body: dict[str, Any]) -> None:
            async with slots:
                await client.messages.create(**body)

        await asyncio.gather(*(ask(body) for body in bodies))
        return time.perf_counter() - start


def main() -> None:
    """Send and print."""
    bodies = [json.loads(line) for line in Path(sys.argv[1]).read_bytes().splitlines()]
    print(asyncio.run(loop(bodies, int(sys.argv[2]))))


if __name__ == "__main__":
    main()
