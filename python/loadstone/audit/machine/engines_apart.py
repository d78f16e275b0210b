"""Rules on a site of several machines: their clocks, the engines' starts and shares, and the ways
between them.

Times of requests are by the clock of the engine that sent them, and what a service used by that of
its own machine; when the load began is the one thing that crosses clocks.
"""

from collections.abc import Iterator, Mapping

from loadstone.audit import touched_metrics
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import Clock
from loadstone.results.engine_load import EngineLoad, MachineLoad, NetworkFacts
from loadstone.results.window import WindowedRun
from loadstone.text import units

CLOCK_BOUND_NS = 1_000_000
"""300 datagrams bound an offset by tens of microseconds; a tick of the probe comes every 200 ms."""

CLOCK_MOVED_NS = 2_000_000
"""During one load: as much as a step of the wall clock counts on one machine."""

APART_NS = 10_000_000
APART_SHARE = 0.01
"""Of the window. Engines of one site began 0.4 ms apart, 1.4 ms at most."""

ROUND_TRIP_SHARE = 0.10
"""Of the median response time."""

SHARES_APART = 0.01
"""Engines are dealt to in turn, so shares of a rate differ by an arrival for each worker."""

TIMES_APART = 0.10
"""Of the mean service time, beyond what their round trips differ by."""

OTHERS_SHARE = 0.05
"""Of all CPUs of an engine's machine: as much as `busy-neighbour` allows for the kernel and the lab."""

LINK_SHARE = 0.80
"""Of what a link carries: queues before it grow from there on, at 80 % to four times a packet's own
time (M/M/1: share / (1 - share))."""

RETRANSMITTED_SHARE = 0.001
"""Of TCP's segments. Each waits for 200 ms or more where it is the last of an answer (RFC 6298)."""


def clock_apart(run: WindowedRun) -> Iterator[Finding]:
    """Machines whose clocks are not known well, or were set in mid-load."""
    for machine, each in _others(run).items():
        bound_ns = max(each.clock_before.bound_ns, each.clock_after.bound_ns)
        moved_ns = abs(each.clock_after.offset_ns - each.clock_before.offset_ns)
        if bound_ns <= CLOCK_BOUND_NS and moved_ns <= CLOCK_MOVED_NS:
            continue
        yield _finding(
            run,
            "clock-apart",
            f"the clock of {machine} is known to {units.duration(bound_ns)} (at most "
            f"{units.duration(CLOCK_BOUND_NS)}), and moved by {units.duration(moved_ns)} in it (at "
            f"most {units.duration(CLOCK_MOVED_NS)})",
            "let nothing set clocks in a study but by slewing them (chrony, ntpd -x), and keep the "
            "network between the machines idle",
            _by_its_clock(run, machine),
        )


def far_apart(run: WindowedRun) -> Iterator[Finding]:
    """A way to the service, or to what it needs, that is a part of its response times."""
    trips = _round_trips(run)
    median_ns = _median_ns(run)
    for machine, each in run.record.beside.items():
        trip_ns = each.clock_before.round_trip_ns
        if median_ns and trip_ns > ROUND_TRIP_SHARE * median_ns:
            yield _finding(
                run,
                "far-apart",
                f"of a median response of {units.duration(median_ns)} a round trip to {machine}, which "
                f"is there for {_what_for(run, machine)}, takes {units.duration(trip_ns)} (above "
                f"{units.percent(ROUND_TRIP_SHARE)}), and each call or statement is one",
                "read response times as those over this network",
                touched_metrics.TIMES,
                Severity.NOTE,
            )
    if not trips or not median_ns:
        return
    farthest, nearest = max(trips, key=trips.__getitem__), min(trips, key=trips.__getitem__)
    if trips[farthest] - trips[nearest] > ROUND_TRIP_SHARE * median_ns:
        yield _finding(
            run,
            "far-apart",
            f"a round trip to {farthest} takes {units.duration(trips[farthest])} and to {nearest} "
            f"{units.duration(trips[nearest])}, a median response {units.duration(median_ns)}: engines "
            f"differ by more than {units.percent(ROUND_TRIP_SHARE)} of it",
            "put the engines of a site equally far from its service",
            touched_metrics.TIMES,
        )
    elif trips[farthest] > ROUND_TRIP_SHARE * median_ns:
        yield _finding(
            run,
            "far-apart",
            f"of a median response of {units.duration(median_ns)} a round trip to {farthest} takes "
            f"{units.duration(trips[farthest])} (above {units.percent(ROUND_TRIP_SHARE)})",
            "read response times as those over this network",
            touched_metrics.TIMES,
            Severity.NOTE,
        )


def engines_not_together(run: WindowedRun) -> Iterator[Finding]:
    """Engines that began their shares at different times."""
    starts = {
        machine: each.load.started_unix_ns - each.clock_before.offset_ns
        for machine, each in run.record.loads.items()
    }
    if len(starts) < 2:
        return
    apart_ns = max(starts.values()) - min(starts.values())
    allowed_ns = min(APART_NS, APART_SHARE * (run.window.end_ns - run.window.start_ns))
    if apart_ns > allowed_ns:
        first, last = min(starts, key=starts.__getitem__), max(starts, key=starts.__getitem__)
        yield _finding(
            run,
            "engines-not-together",
            f"{last} began {units.duration(apart_ns)} after {first} (at most "
            f"{units.duration(round(allowed_ns))}): a second of the load is not the same on both",
            "see whether a machine of an engine was busy, or the driver; then do the run again",
            touched_metrics.LOAD,
        )


def unequal_engines(run: WindowedRun) -> Iterator[Finding]:
    """Engines that had another share than the others, or other times."""
    loads = run.record.loads
    if len(loads) < 2:
        return
    offered = {name: sum(each.load.outcomes.values()) for name, each in loads.items()}
    most, least = max(offered, key=offered.__getitem__), min(offered, key=offered.__getitem__)
    # Closed users are as fast as they are served, so their requests are no share that was dealt.
    is_dealt = run.load.arrivals == "rate"
    beyond_deal = offered[most] - offered[least] - _workers(loads[most])
    if is_dealt and beyond_deal > SHARES_APART * offered[most]:
        yield _finding(
            run,
            "unequal-engines",
            f"{most} offered {offered[most]} requests and {least} {offered[least]}: shares of a rate "
            f"differ by more than {units.percent(SHARES_APART)}",
            "see which of the two was late, or lacked connections",
            touched_metrics.LOAD,
        )
    times = {name: time for name, each in loads.items() if (time := each.mean_service_time_ns)}
    if len(times) < 2:
        return
    slow, fast = max(times, key=times.__getitem__), min(times, key=times.__getitem__)
    trips = _round_trips(run)
    beyond_ns = times[slow] - times[fast] - abs(trips[slow] - trips[fast])
    if beyond_ns > TIMES_APART * times[fast]:
        yield _finding(
            run,
            "unequal-engines",
            f"answers took {units.duration(round(times[slow]))} on {slow} and "
            f"{units.duration(round(times[fast]))} on {fast} in the mean: by more than "
            f"{units.percent(TIMES_APART)} beyond their round trips",
            "the service does not tell engines apart, so one of them, or the way to it, is slower: "
            "compare both by a study with one engine each",
            touched_metrics.TIMES,
        )


def generator_not_alone(run: WindowedRun) -> Iterator[Finding]:
    """Other work on a machine that is there for an engine, for services or for dependencies."""
    window_ns = run.window.end_ns - run.window.start_ns
    for machine, each in _others(run).items():
        used = [run.record.resources.get(process.name) for process in run.record.at(machine)]
        known = [own.cpu_ns for own in used if own is not None and own.cpu_ns is not None]
        if not each.cpus or len(known) < len(used):
            continue
        share = (sum(cpu.busy_share for cpu in each.cpus) - sum(known) / window_ns) / len(each.cpus)
        if share > OTHERS_SHARE:
            yield _finding(
                run,
                "generator-not-alone",
                f"others took {units.share(share)} of the CPUs of {machine}, which is there for "
                f"{_what_for(run, machine)} (at most {units.percent(OTHERS_SHARE)})",
                "end other programs on it, or take another machine",
                touched_metrics.LOAD,
            )


def network_full(run: WindowedRun) -> Iterator[Finding]:
    """A link that was nearly full, or lost what it carried."""
    networks = {name: each.network for name, each in _others(run).items()}
    for name, network in {**networks, "the service": run.record.network}.items():
        if network is None:
            continue
        for problem in _problems(network):
            yield _finding(
                run,
                "network-full",
                f"the network of {name} {problem}",
                "a figure that a network limits is not the service's: take a faster one, or less load",
                (*touched_metrics.TIMES, "throughput"),
            )


def _problems(network: NetworkFacts) -> Iterator[str]:
    if network.link_bits_per_second and network.length_ns:
        most = max(network.sent_bytes, network.received_bytes)
        share = most * 8 / (network.length_ns / 1e9) / network.link_bits_per_second
        if share > LINK_SHARE:
            yield (
                f"carried {units.share(share)} of what its link can (at most "
                f"{units.percent(LINK_SHARE)})"
            )
    if network.segments and network.retransmitted / network.segments > RETRANSMITTED_SHARE:
        yield (
            f"lost {network.retransmitted} of {network.segments} segments, which were sent again (at "
            f"most {units.share(RETRANSMITTED_SHARE)})"
        )


def _others(run: WindowedRun) -> Mapping[str, MachineLoad]:
    """The machines beside the service's."""
    return {**run.record.loads, **run.record.beside}


def _what_for(run: WindowedRun, machine: str) -> str:
    """What a machine is there for, in words."""
    roles = {each.role for each in run.record.at(machine)}
    if "engine" in roles:
        return "an engine"
    return "services" if "service" in roles else "dependencies"


def _by_its_clock(run: WindowedRun, machine: str) -> tuple[str, ...]:
    """The metrics of what a machine tells by its clock."""
    crossed = machine in run.record.loads or _what_for(run, machine) == "services"
    return ("cpu_per_ok",) if crossed else ("database_cpu_per_ok",)


def _round_trips(run: WindowedRun) -> dict[str, int]:
    """Of datagrams on the idle network before the load, by machine."""
    return {name: each.clock_before.round_trip_ns for name, each in run.record.loads.items()}


def _median_ns(run: WindowedRun) -> int | None:
    values, counts = run.histogram(Clock.RESPONSE_TIME, ok=True).recorded
    if not values.size:
        return None
    behind = counts.cumsum()
    return int(values[behind.searchsorted((behind[-1] + 1) // 2)])


def _workers(each: EngineLoad) -> int:
    return len(each.load.engine.workers) if each.load.engine else 0


def _finding(
    run: WindowedRun,
    code: str,
    evidence: str,
    advice: str,
    metrics: tuple[str, ...],
    severity: Severity = Severity.WARNING,
) -> Finding:
    return Finding(
        code=code,
        severity=severity,
        subject=scope.run(run.record.run),
        metrics=metrics,
        evidence=evidence,
        advice=advice,
    )
