"""What a person sees at the end of `bench`: one load, its outcomes, its times, and its own cost."""

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

from loadstone.analysis.model import Finding, RunFigure
from loadstone.report import units
from loadstone.report.doubts import grouped
from loadstone.report.labels import counted
from loadstone.report.plain import plain, plain_model
from loadstone.report.result_table import state_text
from loadstone.report.terminal_findings import print_findings
from loadstone.report.terminal_table import mark
from loadstone.report.terminal_text import print_indented, print_items
from loadstone.results.outcomes import Clock, Outcome
from loadstone.results.record import ClockSummary, LoadFacts, OperationFacts, Outcomes, RunRecord

_COLUMNS = ("mean", "median", "p90", "p95", "p99", "p99.9", "max")
_LABEL = 14
Figures = Mapping[str, RunFigure]


def print_run_result(
    console: Console,
    record: RunRecord,
    figures: dict[str, RunFigure],
    operations: dict[str, dict[str, RunFigure]],
    findings: tuple[Finding, ...],
) -> None:
    """Print one run of `bench`: figures of the window by metric name, whole and by operation."""
    log_tail = record.failure.log_tail if record.failure else ""
    record, findings = plain_model(record), tuple(map(plain_model, findings))
    if record.failure is not None:
        failure = record.failure
        text = f"failed in {failure.step}: {failure.reason}"
        print_indented(console, Text(text, style="bold red"), 0)
        for line in log_tail.splitlines():
            print_indented(console, Text(plain(line)), 2)
    if record.load is not None:
        _print_outcomes(console, record.outcomes, record.load)
        _print_throughput(console, figures, record)
        _print_times(console, figures, record)
        if len(operations) > 1:
            _print_operations(console, operations, record)
        _print_connections(console, record.load)
        _print_generator(console, record, record.load)
    print_findings(console, grouped(findings))


def _print_outcomes(console: Console, outcomes: Outcomes, load: LoadFacts) -> None:
    offered, ok = sum(outcomes.values()), outcomes.get(Outcome.OK, 0)
    failed = offered - ok
    share = f" ({units.share(failed / offered)})" if failed else ""
    _line(
        console,
        "requests",
        [f"{offered:,} offered", f"{ok:,} ok", f"{failed:,} failed{share}"],
        "yellow" if failed else "",
    )
    kinds = [
        f"{outcome.value.replace('_', ' ')} {times:,}"
        for outcome, times in outcomes.items()
        if times and outcome is not Outcome.OK
    ]
    if kinds:
        _line(console, "failures", kinds)
    for outcome, texts in load.error_samples.items():
        for text in texts:
            print_indented(console, Text(f"{outcome.value}: {text}", style="dim"), _LABEL)


def _print_throughput(console: Console, figures: Figures, record: RunRecord) -> None:
    figure = figures.get("throughput")
    if figure is None:
        return
    window = record.window
    over = f"over {units.duration(window.end_ns - window.start_ns)}" if window else ""
    warm_up = (
        f"after {units.duration(window.start_ns)} of warm-up" if window and window.start_ns else ""
    )
    _line(console, "throughput", [_whole(figure, "throughput"), f"{over} {warm_up}".strip()])


def _print_times(console: Console, figures: Figures, record: RunRecord) -> None:
    """A row per clock; what stands in no figure is left empty, lag comes from the engine's sums."""
    notes: list[str] = []
    table = _times_table("times")
    for clock in (Clock.RESPONSE_TIME, Clock.SERVICE_TIME):
        row = [_cell(figures, f"{clock.value}.{column}", notes) for column in _COLUMNS]
        table.add_row(Text(clock.value.replace("_", " "), style="bold"), *row)
    lag = _whole_clock(record.operations, Clock.LAG)
    if lag is not None:
        cells = {"mean": units.duration(lag[0]), "max": units.duration(lag[1])}
        table.add_row(Text("lag", style="bold"), *(Text(cells.get(c, "")) for c in _COLUMNS))
    console.print()
    console.print(table)
    _print_notes(console, notes)
    print_indented(
        console,
        Text(
            "Quantiles are over all offered requests, means over ok only. Response time counts "
            "from the intended time, service time from the write; lag is the difference.",
            style="dim",
        ),
    )


def _print_operations(
    console: Console, operations: dict[str, dict[str, RunFigure]], record: RunRecord
) -> None:
    notes: list[str] = []
    table = _times_table("response time")
    for name, figures in operations.items():
        row = [_cell(figures, f"response_time.{column}", notes) for column in _COLUMNS]
        facts = record.operations.get(name)
        offered = sum(facts.outcomes.values()) if facts else 0
        label = Text(plain(name), style="bold")
        table.add_row(label + Text(f"\n{offered:,} offered", style="not bold dim"), *row)
    console.print()
    console.print(table)
    _print_notes(console, notes)


def _print_connections(console: Console, load: LoadFacts) -> None:
    seen = load.connections
    console.print()
    _line(
        console,
        "connections",
        [
            f"{seen.requested:,} requested",
            f"{seen.opened:,} opened",
            f"{seen.failed:,} failed",
            f"{seen.closed_by_server:,} closed by the server",
        ],
    )


def _print_generator(console: Console, record: RunRecord, load: LoadFacts) -> None:
    engine = load.engine
    sent = sum(record.outcomes.values()) - record.outcomes.get(Outcome.NOT_SENT, 0)
    wall_ns = load.load_ns + load.grace_ns
    threads = len(engine.workers)
    stall = max((worker.longest_stall_ns for worker in engine.workers), default=0)
    _line(
        console,
        "generator",
        [
            f"CPU {units.share(engine.cpu_ns / wall_ns / threads)} of {counted(threads, 'thread')}"
            if wall_ns and threads
            else "",
            f"{units.duration(engine.cpu_ns / sent)} CPU per request" if sent else "",
            f"longest stall {units.duration(stall)}",
            f"memory {units.size(engine.peak_rss_bytes)}",
        ],
    )


def _times_table(heading: str) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="dim")
    table.add_column(heading, min_width=_LABEL - 1, max_width=24, overflow="fold")
    for column in _COLUMNS:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _cell(figures: Figures, name: str, notes: list[str]) -> Text:
    figure = figures.get(name)
    if figure is None:
        return Text("")
    if figure.state == "value":
        return Text(state_text(figure, name))
    reason = plain(f"{figure.state}: {figure.reason}" if figure.reason else figure.state)
    if reason not in notes:
        notes.append(reason)
    return Text(f"{state_text(figure, name)}{mark(notes.index(reason) + 1)}", style="yellow")


def _print_notes(console: Console, notes: list[str]) -> None:
    for number, note in enumerate(notes, start=1):
        print_indented(console, Text(f"{mark(number)} {note}", style="dim"))


def _whole(figure: RunFigure, name: str) -> str:
    text = state_text(figure, name)
    return text if figure.state == "value" else f"{text}: {plain(figure.reason)}"


def _whole_clock(
    operations: Mapping[str, OperationFacts], clock: Clock
) -> tuple[float, int] | None:
    """Mean and largest of a clock over every request of the load, ok or not."""
    splits = [facts.clocks[clock] for facts in operations.values() if clock in facts.clocks]
    parts: list[ClockSummary] = [p for split in splits for p in (split.ok, split.failed) if p]
    count = sum(part.count for part in parts)
    if not count:
        return None
    return sum(p.mean_ns * p.count for p in parts) / count, max(p.max_ns for p in parts)


def _line(console: Console, label: str, items: list[str], style: str = "") -> None:
    print_items(console, Text(f"{label:<{_LABEL}}", style=f"bold {style}".strip()), items)
