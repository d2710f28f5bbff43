"""Names of files and folders by which suites and plugins are told; no reader need be loaded to know them."""

from typing import Final

CASE_FILES: Final = ("prompt.md", "case.yaml")
GRADERS: Final = "graders"  # folder of a case
MOCKS: Final = "mocks"  # folder of a case or of a suite
OWN_PLACE: Final = ".claude-plugin/plugin.json"
PLACES: Final = (OWN_PLACE, "plugin.json")  # of a plugin's manifest, the first that is there
