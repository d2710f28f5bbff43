"""Rules about a suite as a whole: what it claims about the skill, names used twice, servers, files of no case."""

import difflib
from collections.abc import Iterator
from typing import Final

from skill_evaluator.formats.suite.expected import side_of
from skill_evaluator.formats.suite.seen import Doubt, SeenCase, SeenSuite
from skill_evaluator.texts import tr

_GRADERS: Final = "graders"
_NEAR: Final = 0.7  # difflib ratio: a letter or two off

# A doubt, and the case that it is about; None for the suite.
Placed = tuple[SeenCase | None, Doubt]


def one_sided(suite: SeenSuite) -> Iterator[Placed]:
    """That a skill fires when it should says little without that it stays quiet when it should."""
    if not suite.is_whole or suite.plugin is None or not suite.plugin.skills:
        return
    if any(case.case is None for case in suite.cases):
        return  # what the refused ones claim is not known
    cases = [case.case for case in suite.cases if case.case is not None]
    sides = {one for case in cases for one in (case.expect_trigger, side_of(case.graders))}
    fires = tr("a request that needs the skill, with `tool_used` on `Skill`")
    quiet = tr("a request close to the skill's work that must not start it, with `tool: Skill`, `min: 0`, `max: 0`")
    if not sides or sides >= {True, False}:
        return
    if True in sides:
        message = tr("no case asks that a skill stays quiet, so one that always fires passes; add {quiet}", quiet=quiet)
    elif False in sides:
        message = tr("no case asks that a skill fires, so one that never does passes; add {fires}", fires=fires)
    else:
        message = tr(
            "no case looks at whether a skill fires, so one that is never chosen passes; add {fires}, and {quiet}",
            fires=fires,
            quiet=quiet,
        )
    yield None, Doubt(message=message)


def name_used_twice(suite: SeenSuite) -> Iterator[Placed]:
    """Reports and `--case` know a case by its name."""
    first: dict[str, SeenCase] = {}
    for case in suite.cases:
        name = _name(case)
        if name is None:
            continue
        if name in first:
            file, path = case.where("name")
            message = tr(
                "the name {name!r} is that of case {place!r} too, so reports and `--case` cannot tell them "
                "apart; give each case its own",
                name=name,
                place=first[name].place,
            )
            yield case, Doubt(message=message, file=file, path=path, values={"name": name, "first": first[name].place})
        first.setdefault(name, case)


def _name(case: SeenCase) -> str | None:
    return case.case.metadata.name if case.case is not None and case.case.metadata is not None else None


def server_not_mocked(suite: SeenSuite) -> Iterator[Placed]:
    """The plugin's own servers are not started in a run, so their tools are not there."""
    if suite.plugin is None or not (suite.is_whole and suite.mocks_load and any(case.case for case in suite.cases)):
        return
    mocked = _mocked(suite)
    for server in suite.plugin.servers:
        if server not in mocked:
            message = tr(
                "the plugin's server {server!r} has no mock, so runs go without it; add "
                "`mocks/{server}/<tool>.md`, or run with `--allow-real-servers`",
                server=server,
            )
            yield None, Doubt(message=message, values={"server": server})


def mock_misnamed(suite: SeenSuite) -> Iterator[Placed]:
    """A mock stands in for the plugin's server of the same name; under another name it is one more server."""
    if suite.plugin is None:
        return
    for server in sorted(_mocked(suite).difference(suite.plugin.servers)):
        near = difflib.get_close_matches(server, suite.plugin.servers, n=1, cutoff=_NEAR)
        if near:
            message = tr(
                "mocks for {server!r} stand in for no server of the plugin; was {near!r} meant?",
                server=server,
                near=near[0],
            )
            yield None, Doubt(message=message, values={"server": server, "nearest": near[0]})


def stray_file(suite: SeenSuite) -> Iterator[Placed]:
    """A folder is a case by a `prompt.md` or `case.yaml` in it, spelled like this."""
    for name in suite.strays:
        if name == _GRADERS or name.endswith(f"/{_GRADERS}"):
            message = tr(
                "{name!r} grades nothing, since no `prompt.md` or `case.yaml` stands beside it; add the "
                "prompt, or move the graders into their case",
                name=name,
            )
        else:
            message = tr(
                "{name!r} is not read and its folder is no case; the names are `prompt.md` and `case.yaml`", name=name
            )
        yield None, Doubt(message=message, values={"file": name})


def mock_not_read(suite: SeenSuite) -> Iterator[Placed]:
    """A mock is a file `<tool>.md` in a folder named after its server."""
    for name in suite.ignored_mocks:
        yield None, Doubt(message=tr("{name!r} {remedy}", name=name, remedy=_mock_remedy(name)), values={"file": name})
    for case in suite.cases:
        for name in case.ignored_mocks:
            yield case, Doubt(message=tr("the file {remedy}", remedy=_mock_remedy(name)), file=name)


def _mock_remedy(name: str) -> str:
    stem = name.rpartition("/")[2].partition(".")[0]
    if name.count("/") == 1:
        return tr(
            "answers nothing, since mocks stand in a folder for each server; move it to mocks/<server>/{stem}.md",
            stem=stem,
        )
    return tr(
        "answers nothing, since a mock is a file <tool>.md; write what the tool answers into "
        "{stem}.md, or put a file that mocks insert into fixtures/ beside them",
        stem=stem,
    )


def _mocked(suite: SeenSuite) -> set[str]:
    setups = (case.case.setup for case in suite.cases if case.case is not None)
    return {server.name for setup in setups if setup is not None for server in setup.mocks}
