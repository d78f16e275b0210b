"""What `compare --as-published --json` prints.

History of `AS_PUBLISHED_VERSION`:
1  first version
"""

from typing import Final, Literal

from loadstone.analysis.per_request_model import PerRequestComparison
from loadstone.findings.model import Finding
from loadstone.frozen import Frozen

AS_PUBLISHED_VERSION: Final = 1


class AsPublished(Frozen):
    """Comparisons by single requests as a published procedure makes them, beside the lab's answers."""

    as_published_version: Literal[1] = AS_PUBLISHED_VERSION
    """Of this form."""
    comparisons: tuple[PerRequestComparison, ...]
    """Of a study by question, workload and pair of arms; of two runs or files the only one."""
    findings: tuple[Finding, ...]
    """The reasons to doubt what is compared."""
    withheld: tuple[str, ...] = ()
    """Each figure by which runs are compared that is withheld, with the reason."""
    not_run: tuple[str, ...] = ()
    """Each compared arm without a completed run, under a workload."""
    warnings: tuple[str, ...] = ()
    """Of two folders: what they do not share."""
