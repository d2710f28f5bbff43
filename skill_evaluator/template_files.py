"""Where the page templates are: in the package once it is built, at the root of the repository before."""

from pathlib import Path

_PACKAGE = Path(__file__).parent


def template_folder(package: Path = _PACKAGE) -> Path:
    """Find the folder of the templates.

    Args:
        package: The folder of the installed package.

    Raises:
        FileNotFoundError: If there is none, so that the installation is broken.
    """
    for folder in (package / "templates", package.parent / "templates"):
        if (folder / "report.md.j2").is_file():
            return folder
    raise FileNotFoundError(f"no templates beside or in {package}: install skill-evaluator again")
