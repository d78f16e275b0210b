"""The contract of a system as a file declares it, in place of checks in Python."""

from pathlib import Path

from loadstone.frozen import Frozen
from loadstone.study.values.steps import Send


class DeclaredChecks(Frozen):
    """What a system's `checks.yaml` means."""

    path: Path
    """The file."""
    checks: tuple[Send, ...]
    """Requests, each with what its answer must be; what is filled in is of the environment alone."""
    document: Path | None
    """The OpenAPI document that sampled answers are held against; none where they are not."""
