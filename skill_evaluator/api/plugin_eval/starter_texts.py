"""The words in which `init` proposes cases without a model, in the language of the skill's own description."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

Language = Literal["en", "zh"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Wording:
    """Sentences around texts of a skill; `{task}` is what it says it is for, or not for.

    Attributes:
        asks: Ways to ask for something, the plainest first.
        excluded: How something is asked for that the skill leaves to others.
        elsewhere: Questions that no skill is needed for.
        criteria: What a judge is asked of an answer.
    """

    asks: tuple[str, ...]
    excluded: tuple[str, ...]
    elsewhere: tuple[str, ...]
    criteria: str


WORDINGS: Final[Mapping[Language, Wording]] = MappingProxyType(
    {
        "en": Wording(
            asks=("{task}", "Could you help me with this? {task}", "I have this on my desk for today: {task}"),
            excluded=("Could you help me with this? {task}", "I need this today: {task}"),
            elsewhere=("What is 17 times 23?", "Name three rivers that flow into the Baltic Sea."),
            criteria=(
                "What the skill says it is for: {task}\n\n"
                "PASS if the answer does what the user asked, in the way described above, and can be used as it is.\n"
                "FAIL if it refuses, leaves a part of the request out, or does something else."
            ),
        ),
        "zh": Wording(
            asks=("{task}", "请帮我处理一下：{task}", "我今天手头有件事：{task}"),
            excluded=("请帮我处理一下：{task}", "我今天需要：{task}"),
            elsewhere=("17 乘以 23 等于多少？", "请说出三条流入波罗的海的河流。"),
            criteria=(
                "这个技能自称的用途：{task}\n\n"
                "PASS：回答按上述方式完成了用户的要求，可以直接使用。\n"
                "FAIL：拒绝回答、漏掉一部分要求，或做了别的事。"
            ),
        ),
    }
)


def language_of(text: str) -> Language:
    """Say whether a text is Chinese: most of its letters are, a word of Latin letters counted as one."""
    chinese = sum("\u4e00" <= char <= "\u9fff" for char in text)
    spaced = sum(any(char.isascii() and char.isalpha() for char in word) for word in text.split())
    kana = sum("\u3040" <= char <= "\u30ff" for char in text)
    return "zh" if chinese > max(spaced, 2 * kana) else "en"
