"""Rules about what the real program passes over in silence: keys, files, values that stand twice."""

import difflib
from collections.abc import Iterator, Sequence
from typing import Final

from skill_evaluator.formats.suite import keys
from skill_evaluator.formats.suite.faults import KeyPath, Values
from skill_evaluator.formats.suite.rules.tested import criteria_of, doubt_at
from skill_evaluator.formats.suite.seen import CASE_YAML, PROMPT_MD, Doubt, SeenCase, SeenSuite
from skill_evaluator.texts import listed, tr

PLACEHOLDER: Final = "TODO"  # how texts of a template begin, ours and the real program's
_NEAR: Final = 0.7  # difflib ratio: a letter or two off
_LEVELS: Final[tuple[tuple[KeyPath, tuple[str, ...]], ...]] = (
    ((), keys.CASE_YAML_KEYS),
    (("execution",), keys.CASE_YAML_EXECUTION_KEYS),
    (("context",), keys.CASE_YAML_CONTEXT_KEYS),
)
# Files that an author takes for a part of the case, by the name in small letters.
_MEANT: Final = {
    **dict.fromkeys(("case.yaml", "case.yml", "case.json"), CASE_YAML),
    **dict.fromkeys(("prompt.md", "prompt.markdown", "prompt.txt", "prompts.md"), PROMPT_MD),
    **dict.fromkeys(("grader/", "graders/"), "graders/"),
    **dict.fromkeys(("mock/", "mocks/"), "mocks/"),
}
_GRADERS: Final = "graders/"


def key_ignored(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """Unlike prompt.md, case.yaml may hold any key; those that are not known do nothing."""
    text = case.texts.get(CASE_YAML)
    if text is None:
        return
    for path, known in _LEVELS:
        for key in _mapping(text.values, path):
            if key not in known:
                place = tr(" below `{above}`", above=path[0]) if path else ""
                message = tr(
                    "the key {key!r}{place} is ignored in case.yaml{meant}",
                    key=key,
                    place=place,
                    meant=_meant(key, known, path),
                )
                yield Doubt(message=message, file=CASE_YAML, path=(*path, key), values={"key": key})


def _mapping(values: Values, path: KeyPath) -> Sequence[str]:
    inner: object = values
    for key in path:
        inner = inner.get(key) if isinstance(inner, dict) else None
    found = values if not path else inner
    return [str(key) for key in found] if isinstance(found, dict) else []


def _meant(key: str, known: Sequence[str], path: KeyPath) -> str:
    others = [(other, there) for other, there in _LEVELS if other != path]
    for other, there in others:
        if key in there:
            return tr("; put it {level}", level=_level(other))
    if near := difflib.get_close_matches(key, known, n=1, cutoff=_NEAR):
        return tr("; was {near!r} meant?", near=near[0])
    for other, there in others:
        if near := difflib.get_close_matches(key, there, n=1):
            return tr("; was {near!r} {level} meant?", near=near[0], level=_level(other))
    return tr("; known here: {names}", names=listed(known))


def _level(path: KeyPath) -> str:
    return tr("below `{above}`", above=path[0]) if path else tr("at the top")


def key_repeated(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """The last of two equal keys counts."""
    for file, text in case.texts.items():
        for repeated in text.repeated:
            key = str(repeated.path[-1])
            message = tr(
                "the key {key!r} stands twice, first in line {first}; only the last counts, keep one",
                key=key,
                first=repeated.first,
            )
            path = tuple(part for part in repeated.path if isinstance(part, str | int))
            yield Doubt(message=message, file=file, path=path, values={"key": key, "first": repeated.first})


def block_ends_early(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """The first three dashes end a block, wherever in a line they stand."""
    for file, text in case.texts.items():
        if text.ends_inside is not None:
            message = tr(
                "the block ends at the '---' inside line {line}, so what follows it is text, not keys; write "
                "other dashes there",
                line=text.ends_inside,
            )
            yield Doubt(message=message, file=file, values={"line": text.ends_inside})


def grader_skipped(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """A file of `graders/` without frontmatter is no grader, whatever its name."""
    for file, text in case.texts.items():
        if file.startswith(_GRADERS) and not text.has_frontmatter:
            message = tr(
                "the file has no frontmatter, so it is skipped and grades nothing; open it with a line of "
                "`---`, `type: ...` and a line of `---`, or keep notes outside `graders/`"
            )
            yield Doubt(message=message, file=file)


def file_not_read(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """Names are compared as they stand, and `graders/` is not searched further down."""
    for name in case.names:
        if name.startswith(_GRADERS) and name != _GRADERS:
            remedy = _grader_remedy(name.removeprefix(_GRADERS))
        else:
            meant = _MEANT.get(name.lower())
            remedy = tr("rename it to {meant!r}", meant=meant) if meant is not None and meant != name else None
        if remedy:
            kind = tr("folder") if name.endswith("/") else tr("file")
            yield Doubt(
                message=tr("the {kind} is not read, so nothing in it counts; {remedy}", kind=kind, remedy=remedy),
                file=name.rstrip("/"),
            )


def _grader_remedy(name: str) -> str | None:
    if name.endswith("/"):
        return tr("put graders directly into `graders/`, and other files beside it")
    stem, dot, suffix = name.rpartition(".")
    if stem and dot and suffix != "md" and suffix.lower() in {"md", "markdown", "mdx", "txt", "yaml", "yml"}:
        return tr("rename it to {meant!r}", meant=stem + ".md")
    return None


def prompt_is_command(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """The program under test expands `/name` itself, so no skill is chosen and no call is in the trace."""
    if case.case is not None and case.case.prompt.startswith("/"):
        message = tr(
            "the prompt starts with '/', which is expanded as a command, so no `Skill` call is made or "
            "counted; write the request in a user's words"
        )
        path = ("prompt",) if case.file == PROMPT_MD else ("execution", "prompt")
        yield Doubt(message=message, file=case.file, path=path)


def still_to_write(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """What a template leaves to its author is sent to the agent, or to the judge, as it stands."""
    if case.case is not None and case.case.prompt.startswith(PLACEHOLDER):
        path = ("prompt",) if case.file == PROMPT_MD else ("execution", "prompt")
        message = tr("the prompt still begins with {words!r}; write what a user would ask", words=PLACEHOLDER)
        yield Doubt(message=message, file=case.file, path=path)
    for seen in case.graders:
        criteria = criteria_of(seen)
        if criteria is not None and criteria.lstrip().startswith(PLACEHOLDER):
            message = tr(
                "the criteria still begin with {words!r}; write when an answer passes and when it fails",
                words=PLACEHOLDER,
            )
            yield doubt_at(seen, ("criteria",), message)


def odd_tag(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """A tag is compared as a whole with what `--tag` is given."""
    for index, tag in enumerate(case.case.tags if case.case else ()):
        if not tag.strip() or tag != tag.strip() or "," in tag:
            file, path = case.where("tags")
            message = tr(
                "the tag {tag!r} is one tag as it stands, comma and blanks included; write `tags: [one, two]`", tag=tag
            )
            yield Doubt(message=message, file=file, path=(*path, index), values={"tag": tag})


def grader_misplaced(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """Graders are read from `graders/` alone."""
    for name in case.misplaced:
        message = tr("the file is written as a grader, but grades nothing here; move it to 'graders/{name}'", name=name)
        yield Doubt(message=message, file=name)
