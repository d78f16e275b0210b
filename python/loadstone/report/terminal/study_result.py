"""What a person sees at the end of `run`, `compare` and `report`: answers, tables, findings, path.

Colour repeats what a word already says. `bench` has its own page, in `load_result.py`.
"""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from loadstone.analysis.compare.compare_output import Compared
from loadstone.analysis.model import Analysis
from loadstone.analysis.sentences.doubts import FindingIndex
from loadstone.findings.model import Finding
from loadstone.report.answers.answer_view import answer_views
from loadstone.report.finding_groups import grouped
from loadstone.report.labels import SIMULATED, VARIATION, design_notes
from loadstone.report.tables.rank_table import rank_table
from loadstone.report.tables.result_table import result_tables
from loadstone.report.terminal.answers import print_answer
from loadstone.report.terminal.claims import print_claims
from loadstone.report.terminal.findings import print_findings
from loadstone.report.terminal.groups import print_groups
from loadstone.report.terminal.load_result import print_run_result
from loadstone.report.terminal.per_request import print_per_request
from loadstone.report.terminal.ranks import print_ranks
from loadstone.report.terminal.table import print_table
from loadstone.report.terminal.text import print_heading, print_indented, print_items
from loadstone.report.terminal.until_steady import print_until_steady
from loadstone.report.time_text import time_text
from loadstone.report.verdict_lines import VerdictLine, doubts_text, verdict_line
from loadstone.text.plain import plain_model
from loadstone.text.words import counted

__all__ = ["print_comparisons", "print_result", "print_run_result"]

_COLOURS = {"better": "green", "worse": "red", "equivalent": "cyan", "cannot-tell": "yellow"}


def print_result(
    console: Console,
    analysis: Analysis,
    findings: tuple[Finding, ...],
    report_path: Path | None,
) -> None:
    """Print the result of a study: the answers first, the path of the report last."""
    analysis, findings = plain_model(analysis), tuple(map(plain_model, findings))
    if analysis.simulated:
        print_indented(console, Text(SIMULATED, style="bold yellow"), 0)
    for view in answer_views(analysis):
        print_answer(console, view)
    print_claims(console, analysis)
    print_per_request(console, analysis)
    for note in design_notes(analysis):
        console.print()
        print_indented(console, Text(note), 0)
    for table in result_tables(analysis):
        print_heading(
            console, f"{table.workload} · {counted(analysis.blocks[table.workload], 'block')}"
        )
        print_indented(console, Text(VARIATION, style="dim"), 0)
        print_table(console, table)
        print_groups(console, analysis, table.workload)
        print_until_steady(console, analysis, table.workload)
    if analysis.failed_runs:
        print_heading(console, counted(len(analysis.failed_runs), "failed run"))
        for failed in analysis.failed_runs:
            print_indented(console, Text(failed, style="red"))
    print_findings(console, grouped(findings, by_arm=True))
    if analysis.time_use:
        console.print()
        print_indented(console, Text(time_text(analysis.time_use), style="dim"), 0)
    if report_path is not None:
        console.print()
        console.print(Text(f"Report: {report_path}"), soft_wrap=True)


def print_comparisons(console: Console, compared: Compared) -> None:
    """Print a verdict line for every comparison, by whichever metric, ranks, and the findings."""
    compared = plain_model(compared)
    index = FindingIndex(compared.findings)
    by_question: dict[str, list[VerdictLine]] = {}
    for comparison in compared.comparisons:
        line = verdict_line(comparison, index)
        by_question.setdefault(comparison.question, []).append(line)
    for question, lines in by_question.items():
        print_indented(console, Text(question, style="bold"), 0)
        _print_lines(console, lines)
    for ranking in compared.rankings:
        print_ranks(console, rank_table(ranking))
    for design in compared.designs:
        whose = f"{design.results}: " if len(compared.designs) > 1 else ""
        for note in design_notes(design):
            console.print()
            print_indented(console, Text(whose + note), 0)
    print_findings(console, grouped(compared.findings))


def _print_lines(console: Console, lines: Sequence[VerdictLine]) -> None:
    width = max((len(line.words) for line in lines), default=0)
    for line in lines:
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
        f"would find {line.smallest_effect}" if line.smallest_effect else "",
        doubts_text(line),
        line.reason,
        line.not_held,
    ]
