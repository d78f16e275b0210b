"""`loadstone.yaml`, the marker of a root: a folder with systems, runtimes and studies of a user's own.

Where roots are looked for is `study/systems/roots.py`.
"""

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from loadstone.errors import WrongValueError
from loadstone.study.files.raw import Raw, parse
from loadstone.study.files.yaml_file import read_yaml

FORMAT = 1
"""1 is the first: a root holds `systems`, `runtimes` and `studies`, each where there are some."""


def _is_known(number: int) -> int:
    if number != FORMAT:
        raise WrongValueError(
            f"{number} is not known here", f"this Loadstone reads {FORMAT}: update Loadstone"
        )
    return number


class RawRoot(Raw):
    """The marker of a root."""

    format: Annotated[int, AfterValidator(_is_known), Field(json_schema_extra={"const": FORMAT})]
    """Of what the root holds, and where."""


def read_root(path: Path) -> None:
    """Read a marker, for nothing but its mistakes. Raises InputError."""
    parse(read_yaml(path), RawRoot)
