"""The words in which `init` proposes cases without a model, in the language of the skill's own description."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

Language = Literal["en", "zh"]
Shape = Literal["said", "question", "deed", "thing"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Wording:
    """Words around a few words of a skill; `{task}` is what it says users say, or what it does.

    Attributes:
        asks: By what is put in, ways to ask for it, the plainest first: words of a user as they are, a question without
            its mark, a deed ("scale a recipe"), a thing ("tide tables").
        elsewhere: Questions that no skill is needed for.
        criteria: What a judge is asked of an answer.
    """

    asks: Mapping[Shape, tuple[str, ...]]
    elsewhere: tuple[str, ...]
    criteria: str


WORDINGS: Final[Mapping[Language, Wording]] = MappingProxyType(
    {
        "en": Wording(
            asks=MappingProxyType(
                {
                    "said": ("{task}", "hi, {task} please", "{task}, I need it today"),
                    "question": ("{task}?", "quick question: {task}?", "hi! {task}? thanks"),
                    "deed": ("can you {task}?", "please {task}, I need it today", "I have to {task}, can you do it?"),
                    "thing": ("can you help me with {task}?", "I need {task} for today", "I'm stuck with {task}"),
                }
            ),
            elsewhere=("What is 17 times 23?", "Name three rivers that flow into the Baltic Sea."),
            criteria=(
                "What the skill says it is for: {task}\n\n"
                "PASS if the answer does what the user asked, in the way described above, and can be used as it is.\n"
                "FAIL if it refuses, leaves a part of the request out, or does something else."
            ),
        ),
        "zh": Wording(
            asks=MappingProxyType(
                {
                    "said": ("{task}", "麻烦{task}，谢谢", "{task}，今天要用"),
                    "question": ("{task}？", "请问{task}？", "你好，{task}？谢谢"),
                    "deed": ("帮我{task}", "今天要{task}，麻烦了", "我得{task}，能帮我吗？"),
                    "thing": ("能帮我弄一下{task}吗？", "我今天需要{task}", "{task}这件事能帮我吗？"),
                }
            ),
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
