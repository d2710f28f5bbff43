"""How the first request of a run is named in a batch, and found again in its results."""

import hashlib

from skill_evaluator.model import Arm, Case


def custom_id(case: Case, arm: Arm, index: int) -> str:
    """Name one run by a hash: 64 hex digits, which every server takes, whatever the case is called.

    Args:
        case: What is asked; its prompt counts too, so that two cases of one id stay apart.
        arm: With or without the skill.
        index: Repetition, 0-based.
    """
    named = "\0".join((case.id, case.prompt_sha256, str(arm), str(index)))
    return hashlib.sha256(named.encode(errors="surrogatepass")).hexdigest()
