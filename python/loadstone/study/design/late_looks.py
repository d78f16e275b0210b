"""Which runs of a plan go on behind their window, to look for a late step.

No rule on a warm-up foresees a step after a long silence, and to wait for one in every run would cost
more than all windows. The same services warm up alike, so one run looks for all arms that differ in
protocols alone.
"""

from collections.abc import Iterable, Iterator

from loadstone.study.values.model import AnyWorkload, Arm, PlannedRun, Study, Workload
from loadstone.study.values.service_choice import ServiceChoice


def is_watched(workload: AnyWorkload) -> bool:
    """Whether a run under a workload may look: its window begins when its service is steady."""
    return (
        isinstance(workload, Workload)
        and workload.kind == "load"
        and workload.steady_within_ns is not None
    )


def with_late_looks(runs: Iterable[PlannedRun], study: Study) -> tuple[PlannedRun, ...]:
    """Return the runs, of which the first of the same services under a watched workload looks."""
    return tuple(_looking(runs, study))


def _looking(runs: Iterable[PlannedRun], study: Study) -> Iterator[PlannedRun]:
    watched = {
        each.workload for each in study.workloads if is_watched(each) and not _has_faults(each)
    }
    services = {arm.id: _services(arm) for arm in study.arms}
    looked: set[tuple[ServiceChoice, ...]] = set()
    for run in runs:
        of = services[run.arm]
        if study.late_look_ns and run.workload in watched and of not in looked:
            looked.add(of)
            yield run.model_copy(update={"late_look_ns": study.late_look_ns})
        else:
            yield run


def _services(arm: Arm) -> tuple[ServiceChoice, ...]:
    """What stands for each service, whatever it is called."""
    return tuple(each.model_copy(update={"label": ""}) for each in arm.services)


def _has_faults(workload: AnyWorkload) -> bool:
    """Whether what is there behind its window is no longer what was loaded."""
    return isinstance(workload, Workload) and bool(workload.faults)
