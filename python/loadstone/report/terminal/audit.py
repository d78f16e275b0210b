"""What a person sees at the end of `audit`: each study or run, its main figures, its findings."""

from rich.console import Console
from rich.text import Text

from loadstone.analysis.audited_results import Audited, AuditedRun, AuditedStudy
from loadstone.metrics.labels import metric_label
from loadstone.report.tables.result_table import SUMMARY_METRICS, state_text
from loadstone.report.terminal.imported_from import print_absent, print_source
from loadstone.report.terminal.study_result import print_result, print_run_result
from loadstone.report.terminal.text import print_indented
from loadstone.text.plain import plain
from loadstone.text.words import counted


def print_audited(console: Console, audited: Audited) -> None:
    """Print one study or run under its name."""
    kind = "study" if isinstance(audited, AuditedStudy) else "run"
    print_indented(console, Text(f"{kind} {plain(audited.name)}", style="bold"), 0)
    if isinstance(audited, AuditedStudy):
        print_result(console, audited.analysis, audited.findings, report_path=None)
    else:
        print_source(console, audited.record)
        print_run_result(console, audited.record, audited.alone)
        _print_without_load(console, audited)
        print_absent(console, audited.record.source)
    withheld = len(audited.withheld)
    verdict = f"{counted(withheld, 'figure')} withheld" if withheld else "no figure is withheld"
    console.print()
    print_indented(console, Text(verdict, style="red" if withheld else "green"), 0)


def _print_without_load(console: Console, audited: AuditedRun) -> None:
    """The main figures of a run that only started a service; of one that has none, its status."""
    record = audited.record
    if record.status != "completed":
        print_indented(console, Text(f"the run is {record.status} and has no figures"), 0)
        return
    for name in SUMMARY_METRICS[record.kind] if record.load is None else ():
        figure = audited.figures[name]
        reason = f": {plain(figure.reason)}" if figure.reason else ""
        text = f"{metric_label(name)}  {state_text(figure, name)}{reason}"
        print_indented(console, Text(text), 0)
