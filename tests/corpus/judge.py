"""Audits what the corpus made, as a user would have it audited."""

from pathlib import Path

from loadstone.analysis.analyse import analyse
from loadstone.analysis.cells.run_alone import examine_alone
from loadstone.findings.model import Finding
from loadstone.results import folder
from loadstone.results.read import read_record


def findings_of(stored: Path) -> tuple[Finding, ...]:
    """Every finding on a stored run, or on a stored study and its runs."""
    if (stored / folder.PLAN).exists():
        _, findings = analyse(stored)
        return findings
    return examine_alone(read_record(stored / folder.RECORD), stored).findings
