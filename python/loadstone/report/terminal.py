"""What a person sees at the end of `run`, `compare` and `report`: verdicts, tables, findings, path.

Colour repeats what a word already says. `bench` has its own page, in `terminal_run.py`.
"""

from pathlib import Path

from rich.console import Console
from rich.text import Text

from loadstone.analysis.doubts import Doubts
from loadstone.analysis.model import Analysis, Comparison, Finding
from loadstone.report.doubts import grouped
from loadstone.report.labels import SIMULATED, VARIATION, counted, design_notes
from loadstone.report.plain import plain_model
from loadstone.report.result_table import result_tables
from loadstone.report.terminal_findings import print_findings
from loadstone.report.terminal_run import print_run_result
from loadstone.report.terminal_table import print_table
from loadstone.report.terminal_text import print_heading, print_indented, print_items
from loadstone.report.time_text import time_text
from loadstone.report.verdicts import VerdictLine, doubts_text, verdict_line, verdict_lines

__all__ = ["print_comparisons", "print_result", "print_run_result"]

_COLOURS = {"better": "green", "worse": "red", "equivalent": "cyan", "cannot-tell": "yellow"}


def print_result(
    console: Console,
    analysis: Analysis,
    findings: tuple[Finding, ...],
    report_path: Path | None,
) -> None:
    """Print the result of a study: verdict lines first, the path of the report last."""
    analysis, findings = plain_model(analysis), tuple(map(plain_model, findings))
    if analysis.simulated:
        print_indented(console, Text(SIMULATED, style="bold yellow"), 0)
    lines = verdict_lines(analysis, findings)
    _print_verdicts(console, tuple(line for line in lines if line.comparison.primary))
    for note in design_notes(analysis):
        console.print()
        print_indented(console, Text(note), 0)
    for table in result_tables(analysis, summary=True):
        print_heading(
            console, f"{table.workload} · {counted(analysis.blocks[table.workload], 'block')}"
        )
        print_indented(console, Text(VARIATION, style="dim"), 0)
        print_table(console, table)
    if analysis.failed_runs:
        print_heading(console, counted(len(analysis.failed_runs), "failed run"))
        for failed in analysis.failed_runs:
            print_indented(console, Text(failed, style="red"))
    print_findings(console, grouped(findings, analysis))
    if analysis.time_use:
        console.print()
        print_indented(console, Text(time_text(analysis.time_use), style="dim"), 0)
    if report_path is not None:
        console.print()
        console.print(Text(f"Report: {report_path}"), soft_wrap=True)


def print_comparisons(
    console: Console, comparisons: tuple[Comparison, ...], findings: tuple[Finding, ...]
) -> None:
    """Print a verdict line for every comparison, by whichever metric, and the findings."""
    findings = tuple(map(plain_model, findings))
    doubts = Doubts(findings)
    _print_verdicts(
        console,
        tuple(verdict_line(plain_model(comparison), doubts) for comparison in comparisons),
    )
    print_findings(console, grouped(findings))


def _print_verdicts(console: Console, lines: tuple[VerdictLine, ...]) -> None:
    width = max((len(line.words) for line in lines), default=0)
    question = ""
    for line in lines:
        if line.comparison.question != question:
            question = line.comparison.question
            print_indented(console, Text(question, style="bold"), 0)
        style = f"bold {_COLOURS[line.tone]}"
        start = Text.assemble("  ", (f"{line.words.upper():<{width}}", style), "  ")
        print_items(console, start, _items(line))


def _items(line: VerdictLine) -> list[str]:
    comparison = line.comparison
    return [
        f"{comparison.other} against {comparison.baseline}",
        line.estimate,
        line.interval,
        line.metric,
        comparison.workload,
        line.basis,
        doubts_text(line),
        line.reason,
    ]
