"""One load: the engine and the probe side by side, until the engine has ended."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from loadstone.deploy.confinement.interface import Confinement
from loadstone.measure.loading.engine import POLL_SECONDS, start_engine
from loadstone.measure.loading.faults import Faults
from loadstone.measure.loading.late_look import LateLook
from loadstone.measure.loading.load import Beside, Elsewhere, Event, Load, StartLoad, Watch
from loadstone.measure.loading.probe import Probe
from loadstone.measure.loading.steady_watch import SteadyWatch
from loadstone.measure.loading.usage import cpu_busy, machine, resources
from loadstone.measure.loading.watched_seconds import GroupCounters
from loadstone.measure.loading.window_begin import WindowBegin
from loadstone.results import folder
from loadstone.results.engine_load import EngineLoad, MachineLoad, NetworkFacts
from loadstone.results.engine_summary import EngineSummary
from loadstone.results.record import ProcessFacts, SteadyBy, Window
from loadstone.results.resource_facts import CpuBusy, MachineFacts, ProbeFacts, ResourceFacts

LoadProgress = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Loaded:
    """What a load left: the engine's summary and the probe's ticks."""

    load: EngineSummary
    processes: tuple[ProcessFacts, ...]
    """Those that were probed, the engine among them."""
    ticks: pl.DataFrame
    probe: ProbeFacts
    """What the ticks cost."""
    steady_by: SteadyBy | None = None
    """Why its warm-up ended, where it was watched."""
    elsewhere: Mapping[str, Elsewhere] = field(default_factory=dict)
    """By machine, what engines left that are not on this one."""
    network: NetworkFacts | None = None
    """What this machine's network carried; none without such engines."""
    beside: Mapping[str, Beside] = field(default_factory=dict)
    """By machine, what was seen of those that have parts of the system."""

    def resources(self, window: Window) -> dict[str, ResourceFacts]:
        """Return the use of every probed process over a window: by the ticks of its own machine, and by
        when the load began there.
        """
        return {process.name: self._used(process, window) for process in self.processes}

    def _used(self, process: ProcessFacts, window: Window) -> ResourceFacts:
        ticks, began_ns = self.ticks, self.load.started_unix_ns
        if process.machine is not None:
            there = {**self.elsewhere, **self.beside}[process.machine]
            ticks, began_ns = there.ticks, there.started_unix_ns
        return resources(ticks, process.name, window, began_ns, usable_cpus(process))

    def loads(self, window: Window) -> dict[str, EngineLoad]:
        """Return what each engine that is not on this machine made of the load."""
        return {name: each.engine_facts(window) for name, each in self.elsewhere.items()}

    def machines_beside(self, window: Window) -> dict[str, MachineLoad]:
        """Return what each machine with parts of the system did in the load."""
        return {name: each.facts(window) for name, each in self.beside.items()}

    def machine(self, window: Window) -> MachineFacts | None:
        """Return what the machine as a whole did over a window."""
        return machine(self.ticks, window, self.load.started_unix_ns)

    def cpu_busy(self, window: Window) -> tuple[CpuBusy, ...]:
        """Return how busy each CPU was over a window."""
        return cpu_busy(self.ticks, window, self.load.started_unix_ns)


def usable_cpus(process: ProcessFacts) -> float:
    """Return how many CPUs a process could use: those of its affinity, or its quota if that is less."""
    held = process.confinement
    quota = None if held is None else held.cpus
    return len(process.cpus) if quota is None else min(quota, len(process.cpus))


def offer_load(
    plan: Event,
    directory: Path,
    engine_cpus: tuple[int, ...],
    others: Sequence[ProcessFacts],
    *,
    confined: Mapping[str, Confinement] | None = None,
    compile_threads: Mapping[str, tuple[str, ...]] | None = None,
    on_progress: LoadProgress,
    watch: Callable[[], None],
    steady: SteadyWatch | None = None,
    end_warm_up: Callable[[], bool] = lambda: False,
    late_look_ns: int = 0,
    faults: Faults | None = None,
    keep: Callable[[EngineSummary], None] = lambda _: None,
    start: StartLoad | None = None,
    begin_watches: Sequence[Callable[[], Watch]] = (),
) -> Loaded:
    """Load, with the files of engine and probe in `directory`.

    `others` are probed beside the engine, those of them that are `confined` by the kernel's own
    counters, and those that have `compile_threads` by these names with what such threads ran and
    waited. `watch` is called all the while, and ends the load by raising. `steady` says when the
    warm-up of a plan that has one is over: then `end_warm_up` is called, and where it says that it
    changed something, the window begins a little later. `late_look_ns` is the last part of the plan's
    duration. `faults` are done meanwhile. `keep` is given the engine's summary as soon as there is one,
    so that it is not lost where the probe broke. `start` starts engines elsewhere; without it the one
    of this machine loads, on `engine_cpus`. `begin_watches` begin to probe machines that have parts of
    the system. Raises StepFailed('load') when the engine cannot do it, and whatever ended the probe.
    """
    load: Load = (
        start_engine(plan, directory, engine_cpus) if start is None else start(plan, directory)
    )
    probe = None
    try:
        watches = [begin() for begin in begin_watches]
        seen = [process for each in watches for process in each.processes]
        processes = (*others, *load.processes, *seen)
        here = [process for process in processes if process.machine is None]
        cpus = {cpu for process in here for cpu in process.cpus}
        leaders = {each.name: each.pid for each in here}
        probe = Probe(leaders, tuple(sorted(cpus)), confined, compile_threads)
        with probe.ticking(), nullcontext() if faults is None else faults.running(probe):
            window_ns = plan["duration_ns"] - late_look_ns
            look = LateLook(window_ns, late_look_ns) if late_look_ns else None
            window = WindowBegin(load, end_warm_up)
            for each in watches:
                each.begin()
            load.begin()
            told: tuple[Probe | Watch, ...] = (probe, *watches)
            steady_by = _follow(load, told, on_progress, watch, steady, look, window, faults)
        ended = load.ended()
        keep(ended.summary)
        probe.tick()
        began_ns = ended.summary.started_unix_ns
        beside: dict[str, Beside] = {}
        for each in watches:
            beside |= each.left(began_ns, directory)
        for left in beside.values():
            probe.add(left.ticks_of_processes)
        added = [] if faults is None else faults.added
        return Loaded(
            ended.summary,
            (*processes, *added),
            probe.table(),
            probe.facts(),
            steady_by,
            ended.elsewhere,
            ended.network,
            beside,
        )
    finally:
        load.stop()
        if probe is not None:
            probe.write(directory / folder.RESOURCES)


LOOK_SECONDS = 0.1
"""Between two looks at whether the load is steady: half of the probe's interval."""


def _follow(
    load: Load,
    told: Sequence[Probe | Watch],
    on_progress: LoadProgress,
    watch: Callable[[], None],
    steady: SteadyWatch | None,
    look: LateLook | None,
    window: WindowBegin,
    faults: Faults | None,
) -> SteadyBy | None:
    """Follow a load to its end. Return why its warm-up ended; none where nothing watched it."""
    reason: SteadyBy | None = None if steady is None else "cap"
    begun_unix_ns, next_look = 0, 0.0
    while not load.is_over():
        for event in load.events():
            if event["event"] == "started":
                begun_unix_ns = event["started_unix_ns"]
                if faults is not None:
                    faults.load_began(begun_unix_ns)
            elif event["event"] == "window":
                steady = None
                window.has_begun()
                if faults is not None:
                    faults.window_begins(event["start_ns"])
                if look is not None:
                    look.window_began(event["start_ns"])
            elif event["event"] == "progress":
                if steady is not None:
                    steady.take(event)
                    event["warming_up"] = steady.warming_up
                if look is not None:
                    event["late_look"] = look.at(event["elapsed_ns"])
                on_progress(event)
        watch()
        if faults is not None:
            faults.refuse_failed()
        if steady is not None and time.monotonic() >= next_look:
            next_look = time.monotonic() + LOOK_SECONDS
            found = steady.reason(partial(_counters, told, begun_unix_ns))
            if found is not None:
                window.end_warm_up()
                reason, steady = found, None
        window.look()
        time.sleep(POLL_SECONDS)
    return reason


RECENT_TICKS = 50
"""Of ten seconds: no second that is looked at began before."""


def _counters(
    told: Sequence[Probe | Watch], load_started_unix_ns: int, name: str
) -> GroupCounters | None:
    """Return what the probe of its machine has read lately of a process; none before its first tick."""
    ticks = next((found for each in told if (found := each.counters(name))), None)
    if ticks is None:
        return None
    # As in its table: the wall clock tells once how the two clocks lie to each other.
    began_ns = load_started_unix_ns - (ticks[0].unix_ns - ticks[0].monotonic_ns)
    recent = ticks[-RECENT_TICKS:]
    compiling = [tick for tick in recent if tick.compile_run_ns is not None]
    return GroupCounters(
        at_ns=[tick.monotonic_ns - began_ns for tick in recent],
        cpu_ns=[tick.cpu_ns for tick in recent],
        compile_at_ns=[tick.monotonic_ns - began_ns for tick in compiling],
        compile_run_ns=[tick.compile_run_ns or 0 for tick in compiling],
        compile_wait_ns=[tick.compile_wait_ns or 0 for tick in compiling],
    )
