"""Runs whose cost has a course that a test wants: timelines and ticks made from series by second."""

import dataclasses
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from loadstone.metrics.outcomes import Outcome
from loadstone.results.late_look import cut
from loadstone.results.record import ProcessFacts, SteadyBy, Window
from loadstone.results.service_facts import ConfinementFacts
from loadstone.results.timeline import TimelineInterval
from loadstone.results.window import WindowedRun
from observed import observed
from results_builder import closed
from simulated_load import SECOND_NS

Series = NDArray[np.float64]
ENGINE_NS = 10_000
"""CPU time of the engine for each ok request."""


@dataclasses.dataclass(frozen=True)
class Load:
    """What one run was: all that is not the cost itself."""

    warm_up: int = 10
    steady_by: SteadyBy | None = None
    ok: float = 1000
    """Ok answers a second."""
    slower: float = 1.0
    """By what the CPU of the run is slower, for service and engine alike."""
    has_cpu: bool = True
    engine_tells: bool = True
    compile_demand: float | None = None
    """CPUs that compile threads want all the time; none where nothing tells of them."""
    behind: int = 0
    """The last so many seconds lie behind the window."""
    cpus_change: bool = False
    """Whether the service has fewer CPUs in its window than before."""


def template(directory: Path) -> WindowedRun:
    """A small run to be changed; the slow part, done once."""
    return observed(directory, workload=closed(2, seconds=2, warm_up=1))


def warming_run(run: WindowedRun, cost: Series, load: Load, block: int = 1) -> WindowedRun:
    """The run with this logarithm of the service's cost, second by second, less a constant."""
    seconds = len(cost)
    sample = next(each for each in run.timeline if each.ok)
    cost_ns = ENGINE_NS * load.slower * np.exp(cost)
    timeline = tuple(
        _second(sample, number, load, float(each)) for number, each in enumerate(cost_ns)
    )
    window = Window(
        start_ns=load.warm_up * SECOND_NS,
        end_ns=(seconds - load.behind) * SECOND_NS,
        warm_up="steady" if load.steady_by else "fixed",
        steady_by=load.steady_by,
        late_look_ns=load.behind * SECOND_NS,
    )
    changes = {"run": run.record.run.model_copy(update={"block": block}), "window": window}
    if load.cpus_change:
        changes["processes"] = tuple(_with_fewer_cpus(each) for each in run.record.processes)
    record = run.record.model_copy(update=changes)
    inside, late = cut(timeline, window)
    changed = dataclasses.replace(run, record=record, window=window, timeline=inside, late=late)
    service = run.services[0].name
    changed.__dict__["ticks"] = (
        _ticks(cost_ns * load.ok, load, run.load.started_unix_ns, service) if load.has_cpu else None
    )
    return changed


def _with_fewer_cpus(process: ProcessFacts) -> ProcessFacts:
    held = ConfinementFacts(isolation="cgroup v2", cpus=0.5, warm_up_cpus=1.0, memory_bytes=None)
    return process.model_copy(update={"confinement": held})


def _second(sample: TimelineInterval, number: int, load: Load, cost_ns: float) -> TimelineInterval:
    ok = round(load.ok)
    operation = sample.operations["echo"]
    times = operation.response_time.ok
    assert times is not None
    told = times.model_copy(update={"count": ok, "p50_ns": round(20 * cost_ns)})
    return sample.model_copy(
        update={
            "start_ns": number * SECOND_NS,
            "end_ns": (number + 1) * SECOND_NS,
            "cpu_ns": round(ENGINE_NS * load.slower * ok) if load.engine_tells else None,
            "operations": {
                "echo": operation.model_copy(
                    update={
                        "outcomes": {Outcome.OK: ok},
                        "response_time": operation.response_time.model_copy(update={"ok": told}),
                    }
                )
            },
        }
    )


def _ticks(used_ns: Series, load: Load, started_unix_ns: int, service: str) -> pl.DataFrame:
    """A look of the probe at each second, from its total."""
    looks = len(used_ns) + 1
    wanted_ns = None if load.compile_demand is None else load.compile_demand * SECOND_NS
    compiled = [None if wanted_ns is None else round(wanted_ns / 2 * at) for at in range(looks)]
    return pl.DataFrame(
        {
            "unix_ns": [started_unix_ns + at * SECOND_NS for at in range(looks)],
            "kind": ["process"] * looks,
            "name": [service] * looks,
            "cpu_ns": np.concatenate([[0], np.cumsum(used_ns)]).round().astype(int),
            "compile_run_ns": compiled,
            "compile_wait_ns": compiled,
        },
        schema_overrides={"compile_run_ns": pl.Int64, "compile_wait_ns": pl.Int64},
    )
