"""A load whose users do not pause, before a load that asks too little to make a service warm."""

from collections.abc import Callable, Iterable
from functools import partial

from loadstone.deploy.confinement.interface import Confinement
from loadstone.errors import StepFailed
from loadstone.measure.loading.engine_plan import engine_plan, options_for
from loadstone.measure.loading.feed_rows import feed_rows
from loadstone.measure.loading.offer import offer_load
from loadstone.measure.loading.steady_watch import SteadyWatch
from loadstone.measure.loading.window import steady_window
from loadstone.measure.prepare.prepared import compile_threads_of
from loadstone.measure.process_facts import probe_facts
from loadstone.measure.run_context import RunContext
from loadstone.measure.system_under_test import SystemUnderTest
from loadstone.metrics.outcomes import Outcome
from loadstone.results import folder
from loadstone.results.record import WarmedFacts
from loadstone.study.values.model import Workload


def warm(
    run: RunContext, workload: Workload, system: SystemUnderTest, on_poll: Callable[[], None]
) -> WarmedFacts:
    """Load the system until it is steady, with files of its own that no figure is made of.

    `on_poll` is called again and again meanwhile. Raises StepFailed('load').
    """
    directory, cpus, warming = (
        run.directory / folder.WARMING,
        run.study.placement.bench,
        workload.warming(),
    )
    directory.mkdir(exist_ok=True)

    def watch() -> None:
        on_poll()
        system.refuse_ended("load", "while it was made warm")

    with feed_rows(warming, run.study.system.workloads) as feeds:
        plan = engine_plan(
            warming,
            target=system.target,
            protocol=run.spoken,
            cpus=cpus[:1],
            seed=run.planned.seed,
            options=options_for(system.authority),
            run_id=f"{run.run_id}-{folder.WARMING}",
            feeds=feeds,
        )
        loaded = offer_load(
            plan,
            directory,
            cpus,
            (*run.facts.processes, *run.study.beside, probe_facts(cpus)),
            confined=system.confined,
            compile_threads=compile_threads_in(run),
            on_progress=run.on_progress,
            watch=watch,
            steady=steady_watch(run, warming),
            end_warm_up=partial(end_warm_up, system.confined.values()),
        )
    if loaded.load.stop.reason == "signal":
        raise StepFailed("load", "a signal stopped the engine before the service was warm")
    window = steady_window(loaded)
    assert window.steady_by is not None, "a window behind a watched warm-up says why it began"
    return WarmedFacts(
        steady_by=window.steady_by,
        length_ns=window.start_ns,
        ok=loaded.load.outcomes[Outcome.OK],
    )


def compile_threads_in(run: RunContext) -> dict[str, tuple[str, ...]]:
    """The names of compile threads by process: those that the runtime of its service has."""
    threads = compile_threads_of(run.parts)
    return {
        each.name: threads[each.of_service]
        for each in run.facts.processes
        if each.of_service in threads
    }


def steady_watch(run: RunContext, workload: Workload) -> SteadyWatch | None:
    """Watch the warm-up of a workload whose window waits for its end; none for any other."""
    if workload.steady_within_ns is None:
        return None
    threads = compile_threads_in(run)
    services = [each.name for each in run.facts.processes if each.role == "service"]
    return SteadyWatch(
        {name: threads.get(name) for name in services},
        changes_ns=workload.changes_ns,
        is_closed=workload.is_closed,
    )


def end_warm_up(services: Iterable[Confinement]) -> bool:
    """Hold all services to the CPUs of the window. Raises StepFailed('load')."""
    try:
        changed = [each.end_warm_up() for each in services]
    except OSError as error:
        raise StepFailed(
            "load", f"the CPUs of the window cannot be set: {error.strerror}: {error.filename}"
        ) from error
    return any(changed)
