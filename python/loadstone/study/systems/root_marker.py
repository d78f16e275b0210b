"""The file that marks the root of a lab: `systems/` and `studies/` of a project are beside it."""

from typing import Final

ROOT_MARKER: Final = "loadstone.yaml"
"""Its name."""
FORMAT_VERSION: Final = 1
"""Of the files below it: what its only key, `version`, says."""
