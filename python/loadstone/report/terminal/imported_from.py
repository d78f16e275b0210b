"""Where an imported run comes from, what its users did, and what its file cannot tell."""

from rich.console import Console
from rich.text import Text

from loadstone.report.terminal.text import print_heading, print_indented, print_items
from loadstone.results.imported_from import ImportedFrom
from loadstone.results.record import RunRecord
from loadstone.text import units
from loadstone.text.plain import plain_model

_LABEL = 14
_DIGEST = 12
"""Characters of a digest, which is whole in the record."""


def print_source(console: Console, record: RunRecord) -> None:
    """Print the file and the users; nothing of a run that the lab did."""
    if record.source is None:
        return
    source = plain_model(record.source)
    _line(
        console,
        "imported from",
        [
            f"{source.tool} {source.version}" if source.version else source.tool,
            source.file,
            f"SHA-256 {source.digest[:_DIGEST]}…",
            f"times to {units.duration(source.time_resolution_ns)}",
        ],
    )
    load, iterations = record.load, record.iterations
    if load is None or iterations is None:
        return
    mean_ns, pause_ns = iterations.mean_ns, iterations.pause_mean_ns
    _line(
        console,
        "users",
        [
            f"{load.users:,} at most" if load.users is not None else "",
            f"{iterations.count:,} iterations",
            f"{iterations.dropped:,} dropped" if iterations.dropped else "",
            f"{units.duration(mean_ns)} each" if mean_ns is not None else "",
            f"a pause of {units.duration(pause_ns)} for each request"
            if pause_ns is not None
            else "",
        ],
    )


def print_absent(console: Console, source: ImportedFrom | None) -> None:
    """Print what the file cannot tell, each with its reason."""
    if source is None or not source.absent:
        return
    source = plain_model(source)
    print_heading(console, "not measured")
    for what, reason in source.absent.items():
        print_indented(console, Text(f"{what.replace('_', ' ')}: {reason}", style="dim"))


def _line(console: Console, label: str, items: list[str]) -> None:
    print_items(console, Text(f"{label:<{_LABEL}}", style="bold"), items)
