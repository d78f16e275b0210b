"""Findings in a terminal: severity and rule, where, the evidence, and what to do."""

from rich.console import Console
from rich.text import Text

from loadstone.findings.model import Severity
from loadstone.report.finding_groups import FindingGroup
from loadstone.report.terminal.text import print_heading, print_indented, print_items

_COLOURS = {
    Severity.WITHHOLD: "red",
    Severity.NO_CLAIM: "magenta",
    Severity.WARNING: "yellow",
    Severity.NOTE: "blue",
}
_EVIDENCE_SHOWN = 2


def print_findings(console: Console, groups: tuple[FindingGroup, ...]) -> None:
    """Print every group; of many alike, the evidence of the first two and the number of others."""
    if not groups:
        return
    print_heading(console, "findings")
    for group in groups:
        start = Text.assemble(
            (f"  {group.severity.value:<8}  ", f"bold {_COLOURS[group.severity]}"),
            (group.code, "bold"),
            "  ",
        )
        print_items(console, start, list(group.places))
        for evidence in group.evidence[:_EVIDENCE_SHOWN]:
            print_indented(console, Text(evidence), 12)
        hidden = len(group.evidence) - _EVIDENCE_SHOWN
        if hidden > 0:
            print_indented(console, Text(f"and {hidden} more like it", style="dim"), 12)
        print_indented(console, Text(f"→ {group.advice}"), 12)
