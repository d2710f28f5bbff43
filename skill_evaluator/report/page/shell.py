"""What every page has around its content: the head with its policy, the style and the script."""

import base64
import hashlib
from collections.abc import Mapping

from skill_evaluator.report.escape import Html
from skill_evaluator.report.page.room import can_draw
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.template_files import template_folder

_STYLE, _SCRIPT = "page.css", "page.js"


def page(template: str, content: Mapping[str, object], say: Phrases) -> str:
    """Fill in a page.

    Args:
        template: A file of `templates/page/` that extends `base.html.j2`.
        content: What it shows; all that is not `Html` is escaped.
        say: Words in the style `html`.

    Returns:
        The page. Its policy forbids every request, and every script but its own.
    """
    script = _asset(_SCRIPT)
    shell = {"style": _asset(_STYLE), "script": script, "script_hash": _source_of(script)}
    common = {**shell, "lang": _LANGUAGES[say.lang], "has_charts": can_draw()}
    return say.environment.get_template(f"page/{template}").render({**content, **common})


_LANGUAGES: Mapping[str, Html] = {"en": Html("en"), "zh": Html("zh-Hans")}


def _asset(name: str) -> Html:
    return Html((template_folder() / "page" / name).read_text("utf-8"))


def _source_of(script: str) -> Html:
    """Name a script by its hash, as a content security policy does.

    Source:
        W3C, Content Security Policy Level 3, section 2.3.1, `hash-source`.
    """
    digest = hashlib.sha256(script.encode()).digest()
    return Html(f"sha256-{base64.b64encode(digest).decode()}")
