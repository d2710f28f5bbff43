"""Wording of a description that claims every request for the skill."""

import re
from typing import Final

from skill_evaluator.formats.skill_phrases import split_exclusion

_THINGS: Final = (
    r"(?:requests?|questions?|tasks?|quer(?:y|ies)|prompts?|messages?|inputs?|conversations?|topics?|situations?|work)"
)
_TAIL: Final = (  # what may follow without narrowing it down
    r"(?:\s+(?:at\s+all|whatsoever|of\s+any\s+kind|(?:from|by|of)\s+(?:the\s+)?users?|(?:that\s+)?(?:the\s+)?users?\s+"
    r"(?:has|have|asks?|makes?|sends?|gives?|says?|types?|wants?)(?:\s+for)?|the\s+user\s+might\s+have))*"
    r"\s*(?=[.,;:!?)—–]|$|\bor\b|\band\b|\bno\s+matter\b|\bregardless\b)"
)
_ALL: Final = (
    r"(?:any|every|all)(?:\s+and\s+(?:any|every|all))?(?:\s+(?:kind|type|sort)s?\s+of|\s+user(?:'s)?|\s+other)?"
)
_CLAIM: Final = r"\b(?:for|with|on|to|in|answers?|handles?|has|have|asks?|makes?|sends?)\s+"
_USE: Final = r"(?:use|trigger|invoke|activate|load)s?(?:\s+(?:this|it|the|skill)\b)*"
_ZH_ALL: Final = (
    r"(?:任何|任意|一切|所有|全部)的?(?:用户|用戶|使用者)?的?"
    r"(?:请求|請求|问题|問題|任务|任務|需求|输入|輸入|对话|對話|话题|話題|情况下?|情況下?|场景下?)"
)
_PATTERN: Final = re.compile(
    rf"(?:{_CLAIM}{_ALL}\s+{_THINGS}|\b(?:for|on|with|about|do|does|handles?)\s+(?:anything|everything|whatever)"
    rf"|\b(?:always|in\s+every\s+case)\s+{_USE}|\b{_USE}\s+(?:always|every\s+time|in\s+all\s+cases)){_TAIL}"
    r"|(?:^|[，。；、,.]|用于|用於|适用于|適用於|处理|處理|回答|应对|面对|针对|对于?|遇到|收到)"
    rf"{_ZH_ALL}[时時都均]*(?=[，。；、,.;!！]|$)"
    rf"|{_ZH_ALL}[时時都均]*(?:会|會|应|應)?(?:触发|觸發|使用|调用|調用)"
    r"|(?:总是|總是|始终|始終|一律|无条件|無條件)[会會要]?(?:触发|觸發|使用|调用|調用|加载)(?:[本此该](?:技能|skill)?)?"
    r"(?=[，。；、,.;!！]|$)|什么都(?:能|可以|会)|万能|萬能",
    re.IGNORECASE,
)
_QUOTES: Final = re.compile(r'"[^"\n]{1,200}"|“[^”\n]{1,200}”|「[^」\n]{1,200}」')
_SENTENCE: Final = re.compile(r"(?<=[.!?。！？])\s*")


def catch_all_wording(description: str) -> str | None:
    """Find words by which a skill claims every request, so that it is likely to fire on what is not meant for it.

    A phrase counts only where nothing narrows it: "any request." does, "any request about invoices" does not.

    Args:
        description: The text the agent decides by.

    Returns:
        The words as they stand, or None.

    >>> catch_all_wording("Helps with any request from the user.")
    'with any request from the user'
    >>> catch_all_wording("Use for any of the following: any task involving SQL, all questions about indexes.")
    """
    flat = _QUOTES.sub(" ", " ".join(description.split()))
    for sentence in _SENTENCE.split(flat):
        claimed, _ = split_exclusion(sentence)
        if found := _PATTERN.search(claimed):
            return found[0].strip(" ，。；、,.")
    return None
