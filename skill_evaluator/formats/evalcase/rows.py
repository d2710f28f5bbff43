"""The object of one line -> everything that is wrong or doubtful about it."""

import re
from collections.abc import Collection, Mapping
from typing import Final

from skill_evaluator.formats.evalcase import keys
from skill_evaluator.formats.evalcase.assertions import check_assertions
from skill_evaluator.formats.evalcase.form import Fault, Form
from skill_evaluator.formats.evalcase.licences import look_at_licence
from skill_evaluator.formats.evalcase.locales import locale_fault
from skill_evaluator.formats.evalcase.secrets import hidden_material, without_secrets
from skill_evaluator.formats.evalcase.versions import check_version
from skill_evaluator.formats.testset_form import shown
from skill_evaluator.texts import tr

_WORD: Final = "[a-z0-9]+(-[a-z0-9]+)*"
ID_FORM: Final = rf"{_WORD}(\.{_WORD})*"
DOMAIN_FORM: Final = _WORD
MAX_DOMAIN: Final = 64
_ID: Final = re.compile(ID_FORM)
_DOMAIN: Final = re.compile(DOMAIN_FORM)


def check_row(raw: Mapping[str, object], accepted: Collection[str]) -> list[Fault]:
    """Look at one case.

    Args:
        raw: The object as JSON gives it.
        accepted: Licence statements of the manifest.

    Returns:
        Faults and doubts; empty for a sound case. None of them shows a credential.
    """
    hidden = hidden_material(raw)
    form = Form(without_secrets(raw) if hidden else raw, keys.CASE, (), hidden)
    if not check_version(form):
        return form.faults
    form.check_keys(keys.REQUIRED)
    _check_id(form)
    _check_locales(form)
    _check_domain(form)
    form.text("source")
    check_assertions(form)
    _check_provenance(form, accepted)
    _check_optional(form)
    return form.faults


def is_sound_text(own: Mapping[str, object]) -> bool:
    """Say whether nothing is wrong with what a case hardly shares with another one.

    Args:
        own: Its id and source, and whichever it has of context, required tokens and references.
    """
    if hidden_material(own):
        return False
    form = Form(own, keys.CASE)
    _check_id(form)
    form.text("source")
    _check_own(form)
    return not form.faults


def _check_id(form: Form) -> None:
    if (case_id := form.text("id")) is None or _ID.fullmatch(case_id):
        return
    lowered = re.sub(r"[^a-z0-9.]+", "-", case_id.lower())
    better = ".".join(part for segment in lowered.split(".") if (part := segment.strip("-")))
    message = tr('"id" is {id}; expected {expected}', id=shown(case_id), expected=form.expected["id"])
    if better and len(better) < len(case_id) * 2:
        message = tr("{found}; {remedy}", found=message, remedy=tr('write "{better}"', better=better))
    form.fault("bad-id", ("id",), message, {"found": shown(case_id)})


def _check_locales(form: Form) -> None:
    tags = [form.text(key) for key in ("source_locale", "target_locale")]
    for key, tag in zip(("source_locale", "target_locale"), tags, strict=True):
        if tag is not None and (fault := locale_fault(tag)):
            message = tr('"{key}" is {tag}, which {fault}', key=key, tag=shown(tag), fault=fault)
            if "; write " not in fault:
                message = tr("{found}; expected {expected}", found=message, expected=form.expected[key])
            form.fault("bad-locale", (key,), message, {"found": shown(tag)})
    if tags[0] is not None and tags[0] == tags[1]:
        message = tr(
            "source and target locale are both {tags}, so there is nothing to translate; mend one", tags=shown(tags[0])
        )
        form.doubt("same-locale", ("target_locale",), message)


def _check_domain(form: Form) -> None:
    domain = form.text("domain")
    if domain is not None and (len(domain) > MAX_DOMAIN or not _DOMAIN.fullmatch(domain)):
        message = tr(
            '"domain" is {domain}; expected {expected}, at most {limit} characters',
            domain=shown(domain),
            expected=form.expected["domain"],
            limit=MAX_DOMAIN,
        )
        form.fault("bad-domain", ("domain",), message, {"found": shown(domain)})


def _check_provenance(form: Form, accepted: Collection[str]) -> None:
    inner = form.inner("provenance", keys.PROVENANCE)
    if inner is None:
        return
    inner.check_keys(("kind", "license"))
    kind, licence = inner.choice("kind", keys.KINDS), inner.text("license")
    source, transformation = inner.text("source"), inner.text("transformation")
    if licence is not None:
        _check_licence(inner, licence, accepted)
    if kind not in {None, "synthetic"} and source is None:
        message = tr(
            'material of kind "{kind}" says no "source"; name where it was taken from, and in '
            '"transformation" what was done to it',
            kind=kind,
        )
        inner.doubt("no-source", (), message)
    if kind == "authorized-regression" and transformation is None:
        message = tr(
            'material of kind "authorized-regression" must not show restricted text, and no '
            '"transformation" says how it was made anonymous; say it, or make it so'
        )
        inner.doubt("not-anonymised", (), message)


def _check_licence(form: Form, text: str, accepted: Collection[str]) -> None:
    licence = look_at_licence(text, accepted)
    values = {"found": shown(text)}
    if licence.fault:
        message = tr(
            '"license" is {text}, which {fault}; expected {license}',
            text=shown(text),
            fault=licence.fault,
            license=form.expected["license"],
        )
        form.fault("bad-license", ("license",), message, values)
    if licence.normal:
        message = tr(
            '"license" is {text}, which SPDX spells "{normal}"; write that', text=shown(text), normal=licence.normal
        )
        form.doubt("license-spelling", ("license",), message, values)


def _check_optional(form: Form) -> None:
    _check_own(form)
    form.choice("difficulty", keys.DIFFICULTIES)
    form.texts("tags")
    _check_tags(form)


def _check_own(form: Form) -> None:
    form.inner("context", {})
    form.texts("required_tokens")
    form.texts("references")


def _check_tags(form: Form) -> None:
    value = form.raw.get("tags")
    seen: set[str] = set()
    for index, tag in enumerate(value if isinstance(value, list) else ()):
        if not isinstance(tag, str) or not tag:
            continue
        if tag != tag.lower() or tag != tag.strip() or not tag.isprintable():
            message = tr(
                'item {index} of "tags" is {tag}; expected a lower-case text without blanks around it; write {better}',
                index=index + 1,
                tag=shown(tag),
                better=shown(tag.strip().lower()),
            )
            form.fault("bad-tag", ("tags", index), message)
        elif tag in seen:
            form.fault("repeated-tag", ("tags", index), tr('{tag} stands twice in "tags"; keep one', tag=shown(tag)))
        seen.add(tag)
