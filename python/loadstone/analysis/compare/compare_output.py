"""What `compare --json` prints.

History of `COMPARE_VERSION`:
1  first version
2  findings tell in fields what they are about
"""

from typing import Final, Literal

from loadstone.analysis.model import Adaptive, Comparison
from loadstone.analysis.multi_arm_model import Ranking
from loadstone.findings.model import Finding
from loadstone.frozen import Frozen
from loadstone.study.values.model import Order

COMPARE_VERSION: Final = 2


class Design(Frozen):
    """How the runs of one results folder were repeated and ordered."""

    results: str
    """The folder, as it was given."""
    entry: str | None = None
    """The service that was loaded itself; none: the entry of the system."""
    adaptive: Adaptive | None
    """Of an adaptive study; none where the number of blocks was fixed."""
    order: Order
    """Of the runs in a block."""


class Compared(Frozen):
    """What `compare --json` prints: comparisons, and all that they rest on."""

    compare_version: Literal[2] = COMPARE_VERSION
    """Of this form."""
    designs: tuple[Design, ...]
    """Of the folder, or of both, the baseline first."""
    comparisons: tuple[Comparison, ...]
    """By question and metric. Of two folders the arms are named `<arm> of <folder>`."""
    rankings: tuple[Ranking, ...]
    """Of one folder without a baseline."""
    findings: tuple[Finding, ...]
    """Of one folder all; of two those on what is compared."""
    withheld: tuple[str, ...]
    """Each figure that is compared and withheld, with the reason."""
    unclaimed: tuple[str, ...] = ()
    """Each figure that is compared and stands, but of which nothing is claimed, with the reason."""
    not_run: tuple[str, ...] = ()
    """Each compared arm without a completed run, under a workload: its service may not start."""
    warnings: tuple[str, ...] = ()
    """Of two folders: what they do not share."""
