"""Generators of input that was damaged, or made to do harm: bytes, mutated files, lines of an agent.

How many examples a test draws is bounded, so that it stays quick; with `SKILL_EVALUATOR_FUZZ=5000` in the environment
it draws so many, and new ones each time.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence

from hypothesis import settings
from hypothesis import strategies as st

LONGER = int(os.environ.get("SKILL_EVALUATOR_FUZZ", "0"))

MOST_LINES = 400  # drawing an order of more takes too long

ODD_NUMBERS = (0, -1, 1, 2**53 + 1, 10**400, -0.0, 1e308, 5e-324, 0.1, 1e16)
ODD_TEXTS = (
    *("", " ", "\x00", "\ud800", "\u202e", "\ufeff", "\x1b[2J", "</script><script>", "|`*_#", "{{ x }}", "-1", "NaN"),
    *("../../etc/passwd", "/level-maker", "a" * 5000, "题", "e\u0301", "true", "null", "\r\n", "$ARGUMENTS"),
)
ODD_BYTES = (
    *(
        b"",
        b"\x00",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",
        b"\r",
        b"\n",
        b"\n\n",
        b'"',
        b"\\",
        b"{",
        b"}",
        b"[" * 9000,
    ),
    *(
        b"---\n",
        b"NaN",
        b"1e999",
        b"9" * 5000,
        b"\\ud800",
        b"\\u0000",
        b"<<: *a\n",
        b"&a [*a]",
        b"!!python/object:os.system x",
    ),
)

odd = st.one_of(
    st.sampled_from([None, True, False, [], {}, [[]], *ODD_NUMBERS]),
    st.sampled_from(ODD_TEXTS),
    st.text(max_size=20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.lists(st.sampled_from(ODD_TEXTS) | st.none(), max_size=3),
    st.dictionaries(st.sampled_from([*ODD_TEXTS, "id", "type", "index"]), st.none() | st.integers(), max_size=3),
)


def bounded(examples: int) -> settings:
    """Settings for a test that draws so many examples, or as many as the environment says."""
    return settings(max_examples=LONGER or examples, deadline=None, derandomize=not LONGER)


@st.composite
def damaged_bytes(draw: st.DrawFn, real: bytes) -> bytes:
    """A real file with a few pieces cut out, put in, doubled, swapped or turned over; at times anything at all."""
    if draw(st.integers(0, 19)) == 0:
        return draw(st.binary(max_size=200))
    content = real
    for _ in range(draw(st.integers(1, 3))):
        content = draw(st.sampled_from(_DAMAGE))(draw, content)
    return content


def _cut(draw: st.DrawFn, content: bytes) -> bytes:
    start, length = draw(st.integers(0, len(content))), draw(st.sampled_from([1, 2, 10, 100, 10**9]))
    return content[:start] + content[start + length :]


def _put_in(draw: st.DrawFn, content: bytes) -> bytes:
    start = draw(st.integers(0, len(content)))
    return content[:start] + draw(st.sampled_from(ODD_BYTES) | st.binary(max_size=4)) + content[start:]


def _double(draw: st.DrawFn, content: bytes) -> bytes:
    start, length = draw(st.integers(0, len(content))), draw(st.sampled_from([1, 20, 300, 10**9]))
    return content[: start + length] + content[start:]


def _turn(draw: st.DrawFn, content: bytes) -> bytes:
    if not content:
        return content
    place = draw(st.integers(0, len(content) - 1))
    return content[:place] + bytes([content[place] ^ 1 << draw(st.integers(0, 7))]) + content[place + 1 :]


def _shuffle_lines(draw: st.DrawFn, content: bytes) -> bytes:
    lines = content.splitlines(keepends=True)
    if not lines or len(lines) > MOST_LINES:
        return content
    kept = draw(st.lists(st.sampled_from(range(len(lines))), max_size=len(lines) + 2))
    return b"".join(lines[place] for place in kept)


_DAMAGE: Sequence[Callable[[st.DrawFn, bytes], bytes]] = (_cut, _put_in, _double, _turn, _turn, _shuffle_lines)


@st.composite
def damaged_json(draw: st.DrawFn, real: object) -> object:
    """A real JSON value with one to three places replaced, removed, renamed or added to."""
    value = json.loads(json.dumps(real))
    for _ in range(draw(st.integers(1, 3))):
        value = _changed(draw, value, draw(st.integers(0, 6)))
    return value


def _changed(draw: st.DrawFn, value: object, depth: int) -> object:
    if depth and isinstance(value, dict) and value:
        key = draw(st.sampled_from(sorted(value)))
        match draw(st.integers(0, 7)):
            case 0:
                return {name: item for name, item in value.items() if name != key}
            case 1:
                return {**value, draw(st.sampled_from(ODD_TEXTS)): draw(odd)}
            case _:
                return {**value, key: _changed(draw, value[key], depth - 1)}
    if depth and isinstance(value, list) and value:
        place = draw(st.integers(0, len(value) - 1))
        return [*value[:place], _changed(draw, value[place], depth - 1), *value[place + 1 :]]
    return draw(odd)


def stream_events(skill_name: str) -> st.SearchStrategy[Mapping[str, object]]:
    """Events of a session, some as they should be, some with odd values in every place."""
    names = st.sampled_from([skill_name, f"x:{skill_name}", f"{skill_name}-pro", skill_name.upper(), ""]) | odd
    keys = st.sampled_from(["t1", "t2"]) | odd
    use = st.fixed_dictionaries(
        {"type": st.just("tool_use"), "id": keys, "name": st.sampled_from(["Skill", "Read", "Bash", "Agent"]) | odd},
        optional={"input": st.fixed_dictionaries({"skill": names}) | st.fixed_dictionaries({"file_path": odd}) | odd},
    )
    result = st.fixed_dictionaries(
        {"type": st.just("tool_result"), "tool_use_id": keys}, optional={"content": odd, "is_error": odd}
    )
    blocks = (
        st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": odd}) | use | result | odd, max_size=4) | odd
    )
    message = st.fixed_dictionaries(
        {"content": blocks},
        optional={
            "id": keys,
            "model": odd,
            "usage": st.fixed_dictionaries({}, optional={"input_tokens": odd, "output_tokens": odd}) | odd,
            "stop_reason": st.sampled_from(["end_turn", "tool_use", "max_tokens", None]) | odd,
        },
    )
    common = {"session_id": odd, "sessionId": st.just("s1") | odd, "timestamp": st.just("2026-01-01T00:00:00Z") | odd}
    sides = {"parent_tool_use_id": odd, "isSidechain": odd, "isMeta": odd, "agentId": keys, "toolUseResult": odd}
    said = {"error": odd, "isApiErrorMessage": odd, "apiErrorStatus": odd, "uuid": keys, "origin": odd}
    return st.one_of(
        *(
            st.fixed_dictionaries(
                {"type": st.just(sort), "message": message | odd}, optional={**common, **sides, **said}
            )
            for sort in ("assistant", "user")
        ),
        st.fixed_dictionaries(
            {"type": st.just("system"), "subtype": st.sampled_from(["init", "turn_duration"]) | odd},
            optional={"skills": st.lists(names, max_size=3) | odd, "model": odd, **common},
        ),
        st.fixed_dictionaries(
            {"type": st.just("result")},
            optional={
                **dict.fromkeys(("is_error", "subtype", "result", "errors", "usage", "modelUsage"), odd),
                **dict.fromkeys(("duration_ms", "total_cost_usd", "api_error_status"), odd),
            },
        ),
        st.fixed_dictionaries(
            {"type": st.sampled_from(["cost-state", "attachment", "summary"])},
            optional={"attachment": odd, "modelUsage": odd, "totalCostUSD": odd, "hasUnknownModelCost": odd, **common},
        ),
        st.fixed_dictionaries({"type": odd}, optional={"message": message | odd, **common, **sides}),
        st.dictionaries(st.text(max_size=5), odd, max_size=3),
    )


def stream_lines(skill_name: str) -> st.SearchStrategy[bytes]:
    """What an agent may print: events one a line, broken ones among them, whole or cut off."""
    event = stream_events(skill_name).map(lambda value: json.dumps(value).encode())
    line = event | st.sampled_from(ODD_BYTES) | st.binary(max_size=20)
    return st.tuples(
        st.lists(line, max_size=12), st.sampled_from([b"", b"\n", b'{"type":"result"}', b'{"cut']), st.booleans()
    ).map(lambda drawn: (b"\r\n" if drawn[2] else b"\n").join([*drawn[0], drawn[1]]))
