"""A finding: one reason to doubt a figure, with its numbers and what to do about it."""

from enum import StrEnum

from loadstone.frozen import Frozen


class Severity(StrEnum):
    """How much a finding takes away."""

    NOTE = "note"
    WARNING = "warning"
    WITHHOLD = "withhold"


class Finding(Frozen):
    """A reason to doubt a run, an arm or a study, with its numbers and what to do."""

    code: str
    """Kebab-case rule name: `littles-law`."""
    severity: Severity
    """How much it takes away."""
    scope: str
    """`run:<run id>`, `arm:<arm>/<workload>`, `comparison:<question>`, or `study`."""
    metrics: tuple[str, ...]
    """Metrics it touches; a trailing `.*` means all below. Empty: none in particular."""
    evidence: str
    """One sentence with the numbers."""
    advice: str
    """What to do next, fitting the options in use."""
