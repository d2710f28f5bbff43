"""Rules about which plugin is under test: none, an empty one, or one that is not meant.

Source: Suites recorded with Claude Code 2.1.332.
"""

from collections.abc import Iterator

from skill_evaluator.formats.suite.rules.whole import Placed
from skill_evaluator.formats.suite.seen import Doubt, SeenCase, SeenSuite
from skill_evaluator.texts import tr


def no_plugin(suite: SeenSuite) -> Iterator[Placed]:
    """Without a plugin the runs ask the bare agent, once instead of with and without."""
    if suite.plugin is None and suite.cases and not any(case.setup.plugins for case in suite.cases):
        message = tr(
            "no plugin was found around the suite, so nothing is under test: the cases ask an agent "
            "without it; put the suite into evals/ of a folder with .claude-plugin/plugin.json, or name "
            "the plugin under `plugins`"
        )
        yield None, Doubt(message=message)


def plugin_misplaced(suite: SeenSuite) -> Iterator[Placed]:
    """The folder of the manifest is taken for a plugin of its own where a suite lies in it."""
    if suite.plugin is not None and suite.plugin.root.name == ".claude-plugin":
        message = tr(
            "the suite lies in .claude-plugin/, which is then taken for the plugin under test and has no "
            "skill; move the suite one folder up, beside skills/"
        )
        yield None, Doubt(message=message)


def servers_not_read(suite: SeenSuite) -> Iterator[Placed]:
    """A .mcp.json that cannot be read declares nothing, and the plugin is loaded without a word."""
    if suite.plugin is not None and suite.plugin.servers_problem is not None:
        message = tr(
            ".mcp.json of the plugin {problem}, so none of its servers is there; mend it",
            problem=suite.plugin.servers_problem,
        )
        yield None, Doubt(message=message, values={"problem": suite.plugin.servers_problem})


def plugins_empty(case: SeenCase, suite: SeenSuite) -> Iterator[Doubt]:
    """An empty list of plugins is the same as none."""
    file, path = case.where("plugins")
    text = case.texts.get(file)
    if suite.plugin is not None and path and text is not None and text.values.get("plugins") == []:
        message = tr(
            "`plugins: []` leaves nothing out: the plugin around the case is loaded all the same; remove the key"
        )
        yield Doubt(message=message, file=file, path=path)


def plugin_bare(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """Any folder is taken for a plugin, be there nothing of one in it."""
    file, path = case.where("plugins")
    for plugin in case.setup.plugins if path else ():
        if plugin in case.bare_plugins:
            message = tr(
                "`plugins` names the folder {name!r}, which has no manifest and no skill, so nothing is "
                "under test; name the folder that holds .claude-plugin/plugin.json, such as '../..'",
                name=plugin.name,
            )
            yield Doubt(message=message, file=file, path=path, values={"plugin": plugin.name})
