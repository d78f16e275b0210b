"""Which part of a load is measured: all but a warm-up that was set, watched, or seen in its series."""

from pathlib import Path

from loadstone.errors import StepFailed
from loadstone.measure.loading.offer import Loaded
from loadstone.results import folder
from loadstone.results.engine_summary import EngineSummary
from loadstone.results.record import Window
from loadstone.results.seconds import seconds_of
from loadstone.results.steady_load import SteadyLoad, steady_load
from loadstone.results.timeline import read_timeline
from loadstone.study.values.model import Workload

SECOND_NS = 1_000_000_000


def window_of(loaded: Loaded, directory: Path, workload: Workload, late_look_ns: int = 0) -> Window:
    """Return the window of a load whose files are in `directory`.

    The load was to go on for `late_look_ns` behind a window that waited for its service. Raises
    StepFailed('load') where a stop rule ended the load before its window.
    """
    if workload.steady_within_ns is not None:
        return steady_window(loaded, workload.duration_ns if late_look_ns else None)
    if workload.warm_up_ns is not None:
        return fixed_window(loaded.load, workload.warm_up_ns)
    services = [each.name for each in loaded.processes if each.role == "service"]
    timeline = read_timeline(directory / folder.TIMELINE)
    seconds = seconds_of(timeline, loaded.ticks, services, loaded.load.started_unix_ns)
    return detected_window(loaded.load, steady_load(seconds))


def fixed_window(load: EngineSummary, warm_up_ns: int) -> Window:
    """Return all but the first `warm_up_ns`."""
    if load.load_ns <= warm_up_ns:
        raise StepFailed(
            "load",
            f"{load.stop.reason} stopped it after {load.load_ns / 1e9:.2f} s, before "
            f"the warm-up of {warm_up_ns / 1e9:g} s was over: nothing was measured",
        )
    return Window(
        start_ns=warm_up_ns, end_ns=load.load_ns, warm_up="fixed" if warm_up_ns else "none"
    )


def steady_window(loaded: Loaded, length_ns: int | None = None) -> Window:
    """Return what came after a warm-up that was watched: all of it, or so much of it."""
    load = loaded.load
    if load.window is None or load.load_ns <= load.window.start_ns:
        raise StepFailed(
            "load",
            f"{load.stop.reason} stopped it after {load.load_ns / 1e9:.2f} s, while it still "
            "warmed up: nothing was measured",
        )
    by = loaded.steady_by if load.window.by == "command" else "cap"
    start_ns, end_ns = load.window.start_ns, load.load_ns
    if length_ns is not None:
        end_ns = min(end_ns, start_ns + length_ns)
    return Window(
        start_ns=start_ns,
        end_ns=end_ns,
        warm_up="steady",
        steady_by=by,
        late_look_ns=load.load_ns - end_ns,
    )


def detected_window(load: EngineSummary, steady: SteadyLoad | None) -> Window:
    """Return what came after the warm-up; the whole load where it was too short to tell, and its second
    half where there is no steady state.
    """
    if steady is None:
        return Window(start_ns=0, end_ns=load.load_ns, warm_up="none")
    if steady.steady_from_ns is None:
        half_ns = load.load_ns // 2 // SECOND_NS * SECOND_NS
        return Window(start_ns=half_ns, end_ns=load.load_ns, warm_up="not found")
    return Window(start_ns=steady.steady_from_ns, end_ns=load.load_ns, warm_up="detected")
