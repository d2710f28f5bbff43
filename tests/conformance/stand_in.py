"""The scripted server of the conformance folder, remembering what it said as a judge."""

import importlib.util
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

from tests.conformance.json_values import Json

JUDGE = "evaluation judge"  # what the system text of each question to a judge holds


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeAnswer:
    """What one question to the judge was answered.

    Attributes:
        question: The user text of the request.
        text: The answer, or None after an error.
        status: The HTTP status.
    """

    question: str
    text: str | None
    status: int


@dataclass(kw_only=True, slots=True)
class StandIn:
    """A server that runs: its port, and what it answered as a judge so far."""

    port: int
    answers: list[JudgeAnswer] = field(default_factory=list)

    def variables(self) -> dict[str, str]:
        """What a program must have in its environment to ask this server, which wants no key."""
        return {"ANTHROPIC_BASE_URL": f"http://127.0.0.1:{self.port}", "ANTHROPIC_API_KEY": "no-key-for-the-loopback"}


@contextmanager
def serving(folder: Path, script: Mapping[str, object]) -> Iterator[StandIn]:
    """Serve a script on the loopback while the block runs."""
    server, port, state = _module(folder / "fake_api.py").serve(dict(script), 0, None)
    running = StandIn(port=port)
    pick = state.pick

    def picking(view: object) -> object:
        name, response, hit = pick(view)
        if JUDGE in view.system:  # type: ignore[attr-defined]
            running.answers.append(_answer(view.all_user, response))  # type: ignore[attr-defined]
        return name, response, hit

    state.pick = picking
    try:
        yield running
    finally:
        server.shutdown()
        server.server_close()


def default_script(folder: Path) -> Mapping[str, Json]:
    """What the server says where a suite brings no script."""
    script: Mapping[str, Json] = json.loads((folder / "default-script.json").read_text(encoding="utf-8"))
    return script


def _answer(question: str, response: Mapping[str, object]) -> JudgeAnswer:
    status = response.get("status", 200)
    text = response.get("text")
    failed = isinstance(status, int) and status >= 400
    return JudgeAnswer(
        question=question,
        text=None if failed else text if isinstance(text, str) else "",
        status=status if isinstance(status, int) else 200,
    )


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("fake_api", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no module; name the conformance folder with --conformance")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
