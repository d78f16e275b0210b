"""A load of a run as the lab offers it, with everything that is probed and watched beside it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from loadstone.measure.loading.engine_plan import engine_plan, options_for
from loadstone.measure.loading.faults import Faults
from loadstone.measure.loading.feed_rows import feed_rows
from loadstone.measure.loading.offer import Loaded, offer_load
from loadstone.measure.loading.steady_watch import SteadyWatch
from loadstone.measure.prepare.prepared import compile_threads_of
from loadstone.measure.process_facts import probe_facts
from loadstone.measure.run_context import RunContext
from loadstone.measure.system_under_test import SystemUnderTest
from loadstone.results.engine_summary import EngineSummary
from loadstone.study.values.model import Workload


def offered(
    run: RunContext,
    workload: Workload,
    system: SystemUnderTest,
    directory: Path,
    watch: Callable[[], None],
    *,
    run_id: str,
    late_look_ns: int = 0,
    faults: Faults | None = None,
    keep: Callable[[EngineSummary], None] = lambda _: None,
) -> Loaded:
    """Load the system of a run, with the files of engine and probe in `directory`.

    The rest is as in `offer_load`. Raises StepFailed('load').
    """
    cpus, engines = run.study.placement.bench, run.study.engines
    with feed_rows(workload, run.study.system.workloads) as feeds:
        plan = engine_plan(
            workload,
            target=system.target,
            protocol=run.spoken,
            cpus=cpus[:1],  # on the smallest machine one CPU carries engine, backend and probe
            seed=run.planned.seed,
            options=options_for(system.authority),
            late_look_ns=late_look_ns,
            run_id=run_id,
            feeds=feeds,
        )
        return offer_load(
            plan,
            directory,
            cpus,
            (*run.facts.processes, *run.study.beside, probe_facts(cpus)),
            confined=system.confined,
            compile_threads=_compile_threads(run),
            on_progress=run.on_progress,
            watch=watch,
            steady=_steady_watch(run, workload),
            end_warm_up=system.end_warm_up,
            late_look_ns=late_look_ns,
            faults=faults,
            keep=keep,
            start=None if engines is None else partial(engines.start, workload.workload),
            begin_watches=[each.watch for each in run.study.apart],
        )


def _compile_threads(run: RunContext) -> dict[str, tuple[str, ...]]:
    """The names of compile threads by process: those that the runtime of its service has."""
    threads = compile_threads_of(run.parts)
    return {
        each.name: threads[each.of_service]
        for each in run.facts.processes
        if each.of_service in threads
    }


def _steady_watch(run: RunContext, workload: Workload) -> SteadyWatch | None:
    """Watch the warm-up of a workload whose window waits for its end; none for any other."""
    if workload.steady_within_ns is None:
        return None
    threads = _compile_threads(run)
    services = [each.name for each in run.facts.processes if each.role == "service"]
    return SteadyWatch(
        {name: threads.get(name) for name in services},
        changes_ns=workload.changes_ns,
        is_closed=workload.is_closed,
    )
