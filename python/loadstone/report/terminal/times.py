"""The times of one load as a table: of requests, of opening connections, and what lag is made of.

A figure that does not stand shows its state and a footnote. What is in no figure (lag, and means and
extremes of connections) comes from the engine's exact sums over the whole load.
"""

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

from loadstone.analysis.model import RunFigure
from loadstone.metrics.outcomes import Clock, ConnectionClock, LagCause
from loadstone.report.tables.result_table import state_text
from loadstone.report.terminal.table import mark
from loadstone.report.terminal.text import print_indented
from loadstone.results.clock_facts import ClockSplit, ClockSummary
from loadstone.results.load_facts import OperationFacts
from loadstone.results.record import RunRecord
from loadstone.text import units
from loadstone.text.plain import plain

_COLUMNS = ("mean", "median", "p90", "p95", "p99", "p99.9", "max")
_LABEL = 13
_NO_SAMPLES = ("too few samples", "not measured")
_CONNECTION_WORDS = {ConnectionClock.CONNECT: "connect", ConnectionClock.TLS: "TLS handshake"}
_CAUSE_WORDS = {
    LagCause.NO_CONNECTION: "connection",
    LagCause.NO_STREAM: "stream",
    LagCause.ENGINE: "engine",
}
Figures = Mapping[str, RunFigure]


def print_times(console: Console, figures: Figures, record: RunRecord) -> None:
    """Print a row for each clock."""
    notes: list[str] = []
    table = _times_table("times")
    for clock in (Clock.RESPONSE_TIME, Clock.SERVICE_TIME, Clock.FIRST_BYTE):
        row = [_cell(figures, f"{clock.value}.{column}", notes) for column in _COLUMNS]
        table.add_row(Text(clock.value.replace("_", " "), style="bold"), *row)
    _add_connection_rows(table, figures, record, notes)
    _add_lag_rows(table, record.operations)
    console.print()
    console.print(table)
    _print_notes(console, notes)
    print_indented(
        console,
        Text(
            "Quantiles are over all offered requests, means over ok only. Response time counts "
            "from the intended time, service time and first byte from the write. Lag is what "
            "passes before it: waiting for a connection or a stream, and the engine's own lateness.",
            style="dim",
        ),
    )


def print_operations(
    console: Console,
    groups: Mapping[str, Figures],
    operations: Mapping[str, Figures],
    record: RunRecord,
) -> None:
    """Print the response times of each of several groups, and of each operation."""
    notes: list[str] = []
    table = _times_table("response time")
    of_groups = {} if record.load is None else record.load.groups
    told = (
        *((name, figures, of_groups.get(name)) for name, figures in groups.items()),
        *((name, figures, record.operations.get(name)) for name, figures in operations.items()),
    )
    for name, figures, facts in told:
        row = [_cell(figures, f"response_time.{column}", notes) for column in _COLUMNS]
        offered = sum(facts.outcomes.values()) if facts else 0
        label = Text(plain(name), style="bold")
        table.add_row(label + Text(f"\n{offered:,} offered", style="not bold dim"), *row)
    console.print()
    console.print(table)
    _print_notes(console, notes)


def _add_connection_rows(
    table: Table, figures: Figures, record: RunRecord, notes: list[str]
) -> None:
    """Few connections have no quantiles, which is left empty: mean and largest are exact."""
    seen = None if record.load is None else record.load.connections
    if seen is None:
        return
    splits = {ConnectionClock.CONNECT: seen.connect, ConnectionClock.TLS: seen.tls}
    for clock, split in splits.items():
        if split.ok is None:
            continue
        reached = {
            name: figure for name, figure in figures.items() if figure.state not in _NO_SAMPLES
        }
        exact = {"mean": split.ok.mean_ns, "max": split.ok.max_ns}
        row = [
            Text(units.duration(exact[column]))
            if column in exact
            else _cell(reached, f"{clock.value}.{column}", notes)
            for column in _COLUMNS
        ]
        table.add_row(Text(_CONNECTION_WORDS[clock], style="bold"), *row)


def _add_lag_rows(table: Table, operations: Mapping[str, OperationFacts]) -> None:
    """The lag, and what each cause adds to its mean: both over all requests that were written."""
    splits = [facts.clocks[Clock.LAG] for facts in operations.values() if Clock.LAG in facts.clocks]
    written = [part for split in splits for part in _parts(split)]
    count = sum(part.count for part in written)
    if not count:
        return
    mean_ns = sum(part.mean_ns * part.count for part in written) / count
    _add_extremes(table, Text("lag", style="bold"), mean_ns, max(part.max_ns for part in written))
    for cause, word in _CAUSE_WORDS.items():
        causes = (facts.lag_causes.get(cause) for facts in operations.values())
        parts = [part for part in causes if part is not None and part.count]
        if parts:
            _add_extremes(
                table,
                Text(f"  {word}"),
                sum(part.sum_ns for part in parts) / count,
                max(part.max_ns for part in parts),
            )


def _add_extremes(table: Table, label: Text, mean_ns: float, max_ns: int) -> None:
    cells = {"mean": units.duration(mean_ns), "max": units.duration(max_ns)}
    table.add_row(label, *(Text(cells.get(column, "")) for column in _COLUMNS))


def _parts(split: ClockSplit) -> list[ClockSummary]:
    return [part for part in (split.ok, split.failed) if part]


def _times_table(heading: str) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="dim")
    table.add_column(heading, min_width=_LABEL, max_width=24, overflow="fold")
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
    # Seven times `withheld` are wider than a terminal; the footnote begins with the word.
    text = "–" if figure.state == "withheld" else state_text(figure, name)
    return Text(f"{text}{mark(notes.index(reason) + 1)}", style="yellow")


def _print_notes(console: Console, notes: list[str]) -> None:
    for number, note in enumerate(notes, start=1):
        print_indented(console, Text(f"{mark(number)} {note}", style="dim"))
