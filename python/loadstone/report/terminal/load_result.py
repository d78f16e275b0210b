"""What a person sees at the end of `bench`: one load, its outcomes, its times, and its own cost."""

from rich.console import Console
from rich.text import Text

from loadstone.analysis.cells.run_alone import RunAlone
from loadstone.analysis.model import RunFigure
from loadstone.analysis.sentences.warmth import unjudged_run_sentence
from loadstone.metrics.outcomes import Outcome
from loadstone.report.finding_groups import grouped
from loadstone.report.steady_text import has_compilers
from loadstone.report.tables.result_table import state_text
from loadstone.report.terminal.findings import print_findings
from loadstone.report.terminal.load_sessions import print_load_sessions
from loadstone.report.terminal.text import print_indented, print_items
from loadstone.report.terminal.times import Figures, print_operations, print_times
from loadstone.results.load_facts import LoadFacts, Outcomes
from loadstone.results.record import RunRecord, SteadyBy, Window
from loadstone.text import units
from loadstone.text.plain import plain, plain_model
from loadstone.text.words import counted, counted_users

_LABEL = 14
_COMMAND = 40
"""Characters of a command line, which can be as long as a class path."""


def print_run_result(console: Console, record: RunRecord, alone: RunAlone) -> None:
    """Print one run of `bench`, or one that is audited: what it came to, and what is doubted of it."""
    figures, operations = alone.figures, alone.operations
    log_tail = record.failure.log_tail if record.failure else ""
    record, findings = plain_model(record), tuple(map(plain_model, alone.findings))
    if record.failure is not None:
        failure = record.failure
        text = f"failed in {failure.step}: {failure.reason}"
        print_indented(console, Text(text, style="bold red"), 0)
        for line in log_tail.splitlines():
            print_indented(console, Text(plain(line)), 2)
    if record.load is not None:
        _print_outcomes(console, record.outcomes, record.load)
        _print_throughput(console, figures, record)
        _print_spoken(console, record.load)
        print_times(console, figures, record)
        print_load_sessions(console, figures, record.load)
        if len(operations) > 1 or alone.groups:
            print_operations(console, alone.groups, operations, record)
        _print_connections(console, record.load)
        _print_service(console, figures, record)
        _print_second_step(console, record)
        _print_generator(console, record, record.load)
    print_findings(console, grouped(findings))
    if alone.warmth_unknown:
        console.print()
        print_indented(console, Text(unjudged_run_sentence(alone.warmth_unknown)), 0)


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
    warm_up = ""
    if window and window.start_ns:
        warm_up = f"after {units.duration(window.start_ns)} of warm-up{_ended_by(window, figures)}"
    _line(console, "throughput", [_whole(figure, "throughput"), f"{over} {warm_up}".strip()])


_ENDED_BY: dict[SteadyBy, str] = {
    "idle": ": its compilers were idle",
    "level": ": its level held",
    "no-sign": ": nothing told of more",
    "cap": ", the most it may take: not seen to be steady",
}


def _ended_by(window: Window, figures: Figures) -> str:
    if window.steady_by == "idle" and not has_compilers(figures.get("compile_cpu")):
        return ": nothing to compile, and its cost did not fall"
    return "" if window.steady_by is None else _ENDED_BY[window.steady_by]


def _print_spoken(console: Console, load: LoadFacts) -> None:
    """What was really spoken, which may not be what was asked for."""
    seen = load.spoken
    if seen is None:
        return
    _line(
        console,
        "spoken",
        [
            f"HTTP/{seen.http}" if seen.http else "nothing",
            f"TLS {seen.tls_version}" if seen.tls_version else "cleartext" if seen.http else "",
            seen.cipher_suite or "",
            f"ALPN {seen.alpn}" if seen.alpn else "",
            f"{load.streams:,} requests in flight a connection"
            if load.streams and load.streams > 1
            else "",
            f"{counted(load.redirects, 'redirect')} followed" if load.redirects else "",
            f"{counted(load.refused_streams, 'refused stream')} sent again"
            if load.refused_streams
            else "",
        ],
    )


def _print_connections(console: Console, load: LoadFacts) -> None:
    seen = load.connections
    if seen is None:
        return
    handshakes = seen.full_handshakes + seen.resumed_handshakes
    console.print()
    _line(
        console,
        "connections",
        [
            f"{seen.requested:,} requested",
            f"{seen.opened:,} opened",
            f"{seen.failed:,} failed",
            f"{seen.closed_by_server:,} closed by the server",
            f"{seen.full_handshakes:,} full and {seen.resumed_handshakes:,} resumed TLS handshakes"
            if handshakes
            else "",
        ],
    )


def _print_service(console: Console, figures: Figures, record: RunRecord) -> None:
    """What the load cost the process that was loaded, or why that is not known."""
    service = record.service
    if service is None:
        if record.address is not None and record.address.not_found is not None:
            _line(console, "service", [f"not measured: {record.address.not_found}"], "dim")
        return
    used, window = record.resources.get(service.name), record.window
    cpu_ns = None if used is None else used.cpu_ns
    peak = None if used is None else used.rss_peak_bytes
    cost = figures.get("cpu_per_ok")
    _line(
        console,
        "service",
        [
            f"CPU {units.share(cpu_ns / (window.end_ns - window.start_ns))} of one"
            if cpu_ns is not None and window
            else "CPU not measured",
            f"{units.duration(cost.value)} CPU per ok" if cost and cost.value is not None else "",
            f"memory {units.size(peak)}" if peak is not None else "",
            f"process {service.pid}: {_shortened(service.command)}",
        ],
    )


def _print_second_step(console: Console, record: RunRecord) -> None:
    step = record.second_step
    if step is not None:
        _line(
            console,
            "second step",
            [
                f"{counted_users(step.users, step.streams)} for {units.duration(step.length_ns)}",
                units.rate(step.throughput_per_second),
                f"response time {units.duration(step.response_mean_ns)} at the mean",
            ],
        )


def _shortened(command: str) -> str:
    """A command line, as long as one line of the terminal lets it be."""
    return command if len(command) <= _COMMAND else f"{command[: _COMMAND - 3]}..."


def _print_generator(console: Console, record: RunRecord, load: LoadFacts) -> None:
    engine = load.engine
    if engine is None:
        return
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
            engine.loop,
        ],
    )
    limits = [
        f"{limit.cause.value} in {counted(limit.intervals, 'interval')}" for limit in engine.limited
    ]
    if limits:
        _line(console, "limited by", limits, "yellow")


def _whole(figure: RunFigure, name: str) -> str:
    text = state_text(figure, name)
    return text if figure.state == "value" else f"{text}: {plain(figure.reason)}"


def _line(console: Console, label: str, items: list[str], style: str = "") -> None:
    print_items(console, Text(f"{label:<{_LABEL}}", style=f"bold {style}".strip()), items)
