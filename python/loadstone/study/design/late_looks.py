"""Which runs of a plan go on behind their window, to look for a late step.

No rule on a warm-up foresees a step after a long silence, and to wait for one in every run would cost
more than all windows. Services of one arm warm up alike, so one run of each arm looks for all of them.
"""

from collections.abc import Iterable, Iterator

from loadstone.study.values.model import AnyWorkload, PlannedRun, Study, Workload


def is_watched(workload: AnyWorkload) -> bool:
    """Whether a run under a workload may look: its window begins when its service is steady."""
    return (
        isinstance(workload, Workload)
        and workload.kind == "load"
        and workload.steady_within_ns is not None
    )


def with_late_looks(runs: Iterable[PlannedRun], study: Study) -> tuple[PlannedRun, ...]:
    """Return the runs, of which the first of each arm under a watched workload looks."""
    return tuple(_looking(runs, study))


def _looking(runs: Iterable[PlannedRun], study: Study) -> Iterator[PlannedRun]:
    watched = {each.workload for each in study.workloads if is_watched(each)}
    looked: set[str] = set()
    for run in runs:
        if study.late_look_ns and run.workload in watched and run.arm not in looked:
            looked.add(run.arm)
            yield run.model_copy(update={"late_look_ns": study.late_look_ns})
        else:
            yield run
