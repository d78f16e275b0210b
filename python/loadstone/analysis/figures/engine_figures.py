"""What each of several engines made of the loads of one arm: whether they were alike."""

from collections.abc import Sequence
from statistics import median

from loadstone.analysis.model import EngineFigures
from loadstone.results.engine_load import EngineLoad
from loadstone.results.window import WindowedRun


def engine_figures(loaded: Sequence[WindowedRun]) -> tuple[EngineFigures, ...]:
    """One for each machine with an engine, by name; none where the engine is with the service."""
    machines = sorted({name for run in loaded for name in run.record.loads})
    return tuple(_of_machine(name, loaded) for name in machines)


def _of_machine(name: str, loaded: Sequence[WindowedRun]) -> EngineFigures:
    runs = [run.record.loads for run in loaded if name in run.record.loads]
    loads = [each[name] for each in runs]
    requests = sum(_requests(each) for each in loads)
    of_all = sum(_requests(each) for run in runs for each in run.values())
    return EngineFigures(
        machine=name,
        runs=len(runs),
        request_share=requests / of_all if of_all else 0.0,
        service_time_ns=_service_time_ns(loads),
        round_trip_ns=median(each.clock_before.round_trip_ns for each in loads),
        clock_bound_ns=max(
            max(each.clock_before.bound_ns, each.clock_after.bound_ns) for each in loads
        ),
        busy_share=_busy_share(loads),
        retransmitted_share=_retransmitted_share(loads),
    )


def _requests(load: EngineLoad) -> int:
    return sum(load.load.outcomes.values())


def _service_time_ns(loads: Sequence[EngineLoad]) -> float | None:
    """Each run counts once, as in all figures of an arm."""
    told = [mean for each in loads if (mean := each.mean_service_time_ns) is not None]
    return sum(told) / len(told) if told else None


def _busy_share(loads: Sequence[EngineLoad]) -> float | None:
    told = [cpu.busy_share for each in loads for cpu in each.cpus]
    return sum(told) / len(told) if told else None


def _retransmitted_share(loads: Sequence[EngineLoad]) -> float | None:
    networks = [each.network for each in loads if each.network is not None]
    segments = sum(each.segments for each in networks)
    return sum(each.retransmitted for each in networks) / segments if segments else None
