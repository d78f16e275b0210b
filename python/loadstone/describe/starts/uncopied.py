"""Programs that are not copied with a project, so that a command that names one would not find it."""

import shlex
from pathlib import Path

from loadstone.deploy.sources import is_left_out_of_project
from loadstone.describe.starts.model import Toolchain, Way
from loadstone.describe.starts.project_files import is_file
from loadstone.errors import LoadstoneError
from loadstone.text.quoted import shortened

_MADE = {
    "JavaScript": "node_modules",
    "TypeScript": "node_modules",
    "Python": ".venv",
    "Rust": "target",
    "Java": "target",
    "Kotlin": "target",
}
"""Language to the folder that its build makes anew in the copy."""
_NO_BUILD = "true"


def refuse_uncopied(project: Path, way: Way, toolchain: Toolchain) -> None:
    """Raise LoadstoneError where a command names a file in a folder that is left out of the copy, and
    that its build does not make.
    """
    made = None if toolchain.build == _NO_BUILD else _MADE.get(toolchain.language)
    for word in shlex.split(way.command):
        path = Path(word)
        top = path.parts[0] if len(path.parts) > 1 and not path.is_absolute() else None
        if top in (None, made) or not is_file(project / path):
            continue
        if is_left_out_of_project(project / top, at_top=True):
            raise LoadstoneError(
                f"the command names {shortened(word)}, and {top} is not copied for the build",
                f"give its absolute path: --command '{(project / path).absolute()} ...'"
                + ("" if made is None else f", or one in {made}, which the build makes"),
            )
