"""One simulated run: the files that a run leaves and its record, in a time that is simulated, too."""

import json
from base64 import b64encode
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from loadstone.errors import StepFailed
from loadstone.measure.loading.offer import Loaded, LoadProgress
from loadstone.measure.loading.window import window_of
from loadstone.metrics.marks import marks_of
from loadstone.metrics.outcomes import Outcome
from loadstone.results import folder
from loadstone.results.asked import asked_facts
from loadstone.results.fault_facts import FaultFacts
from loadstone.results.load_facts import LoadWindow
from loadstone.results.record import CheckFacts, Failure, Place, RunIdentity, RunRecord, Window
from loadstone.results.resource_facts import ProbeFacts
from loadstone.results.service_facts import MarkFacts, StartupFacts
from loadstone.results.write import write_text
from loadstone.simulate.arrivals import SECOND_NS
from loadstone.simulate.behaviour import MILLISECOND_NS, Behaviour
from loadstone.simulate.engine_files import GroupEnds, write_operations
from loadstone.simulate.groups import simulated_groups
from loadstone.simulate.intervals import Intervals
from loadstone.simulate.load import SimulatedLoad, simulate_load, stays_in
from loadstone.simulate.processes import processes_of, with_work
from loadstone.simulate.requests import Requests
from loadstone.simulate.summary import engine_summary
from loadstone.simulate.ticks import PROBE_TICK_NS, THREADS, tick_table
from loadstone.simulate.users_file import write_users
from loadstone.study.values.manifest import System
from loadstone.study.values.model import Arm, Operation, Plan, PlannedRun, Workload

EPOCH = datetime(2026, 1, 1, 12, tzinfo=UTC)
"""When every simulated study begins."""
QUICK_CHECKS = 5
"""That hold before and after each load."""
SAMPLED_SECONDS = 10
"""From the load's begin: one response of each operation in each of them is kept."""


class SimulatedRun(NamedTuple):
    """What one run is made of."""

    plan: Plan
    system: System
    planned: PlannedRun
    place: Place
    arm: Arm
    behaviour: Behaviour
    factor: float
    """By which it is slower than another run of the same behaviour."""
    began: datetime
    """When it begins."""
    wall: timedelta
    """How long it takes."""
    versions: dict[str, str]

    @property
    def load_started_unix_ns(self) -> int:
        """When its load begins, since 1970: when its services are up."""
        return round(self.began.timestamp()) * SECOND_NS + self.startup_ns

    @property
    def startup_ns(self) -> int:
        """How long its services take to start."""
        return round(self.behaviour.startup_ms * MILLISECOND_NS * self.factor)

    @property
    def startup(self) -> StartupFacts:
        """The start of each of its services, and what the log of each claims."""
        claimed_ms = self.behaviour.claimed_ms
        return StartupFacts(
            first_correct_response_ns=self.startup_ns,
            resolution_ns=MILLISECOND_NS,
            attempts=3,
            claimed_ns=None
            if claimed_ms is None
            else round(claimed_ms * MILLISECOND_NS * self.factor),
        )


def simulate_run(run: SimulatedRun, directory: Path, on_progress: LoadProgress) -> RunRecord:
    """Write the files and the record of a run; a failed step gives a record of status failed."""
    directory.mkdir(parents=True, exist_ok=True)
    workload = next(each for each in run.plan.workloads if each.workload == run.planned.workload)
    facts: dict[str, Any]
    try:
        _refuse_failing(run, "start-up", run.behaviour.failing_blocks, "the service exited with 3")
        if isinstance(workload, Workload):
            facts = _loaded(run, workload, directory, on_progress)
        else:
            facts = {
                "kind": workload.kind,
                "processes": processes_of(run.system, run.arm, run.startup)[:-2],
                "checks": _held(run, "before"),
                "phases_ns": {"startup": run.startup_ns},
            }
    except StepFailed as failed:
        failure = Failure(step=failed.step, reason=failed.reason, log_tail=failed.log_tail)
        facts = {"kind": workload.kind, "status": "failed", "failure": failure}
    record = RunRecord.model_validate({"status": "completed", **facts, **_identity(run)})
    write_text(directory / folder.RECORD, record.model_dump_json(indent=1))
    return record


def _identity(run: SimulatedRun) -> dict[str, Any]:
    planned = run.planned
    return {
        "run": RunIdentity(
            index=planned.index,
            id=planned.id,
            study=run.plan.study,
            arm=planned.arm,
            factors=run.arm.factors,
            settings=run.arm.settings,
            workload=planned.workload,
            block=planned.block,
            seed=planned.seed,
            site=run.place.site,
            attempt=run.place.attempt,
        ),
        "simulated": True,
        "not_held": run.arm.not_held,
        "started_at": run.began.isoformat(timespec="milliseconds"),
        "finished_at": (run.began + run.wall).isoformat(timespec="milliseconds"),
        "versions": run.versions,
    }


def _refuse_failing(run: SimulatedRun, step: str, blocks: Iterable[int], reason: str) -> None:
    if run.planned.block in blocks:
        raise StepFailed(step, f"{reason}, as it is simulated in block {run.planned.block}")


def _loaded(
    run: SimulatedRun, workload: Workload, directory: Path, on_progress: LoadProgress
) -> dict[str, Any]:
    """Write the files of a load and return the facts of its record. Raises StepFailed('load')."""
    _refuse_failing(run, "load", run.behaviour.engine_failing_blocks, "the engine failed")
    rng = np.random.default_rng([run.planned.seed, run.planned.index])
    asked, late_look_ns = workload, run.planned.late_look_ns
    workload, begun = _of_known_length(workload, run.behaviour, late_look_ns)
    window_ns = None if begun is None else begun.start_ns
    load = simulate_load(workload, run.behaviour, run.factor, rng, window_ns)
    operations, protocol = load.by_operation(), run.arm.legs[run.system.entry_leg].of_the_lab
    intervals = intervals_of(workload, run.behaviour, load.requests, is_tls=protocol.is_tls)
    load_ns, started_unix_ns = load.stop.at_ns, run.load_started_unix_ns
    ends = {each.group.name: GroupEnds(each.sessions, each.stays) for each in load.groups}
    write_operations(directory, operations, load_ns, workload.grace_ns, intervals, groups=ends)
    write_users(directory / folder.USERS, load.groups, workload.warm_up_ns or 0)
    _tell(load, on_progress)
    summary = engine_summary(
        workload,
        run.behaviour,
        operations,
        intervals,
        load.stop,
        load.groups,
        protocol=protocol,
        started_unix_ns=started_unix_ns,
    ).model_copy(update={"window": begun})
    processes = with_work(
        processes_of(run.system, run.arm, run.startup),
        run.behaviour,
        summary.outcomes[Outcome.OK],
    )
    ticks = tick_table(
        processes,
        run.behaviour,
        run.factor,
        load.requests,
        load_ns,
        started_unix_ns,
        workload.duration_ns - late_look_ns,
    )
    ticks.write_parquet(directory / folder.RESOURCES)
    sampled = _write_samples(directory / folder.SAMPLES, workload, load_ns)
    count = ticks["unix_ns"].n_unique()
    loaded = Loaded(
        summary,
        processes,
        ticks,
        ProbeFacts(ticks=count, cpu_ns=count * PROBE_TICK_NS),
        run.behaviour.steady_by,
    )
    window = window_of(loaded, directory, asked, late_look_ns)
    return {
        "kind": workload.kind,
        "phases_ns": {"startup": run.startup_ns, "load": load_ns},
        "outcomes": summary.outcomes,
        "operations": summary.operations,
        **asked_facts(workload),
        "new_connections": workload.new_connections,
        "load": summary,
        "window": window,
        "processes": processes,
        "resources": loaded.resources(window),
        "cpus": loaded.cpu_busy(window),
        "machine": loaded.machine(window),
        "probe": loaded.probe,
        "first_requests": asked.first_requests,
        "marks": _marks(run, asked.first_requests),
        "faults": _faults(run, asked, window),
        "checks": (
            *_held(run, "before", "after"),
            CheckFacts(when="samples", checked=sampled, failed=run.behaviour.broken_clauses),
        ),
    }


def _of_known_length(
    workload: Workload, behaviour: Behaviour, late_look_ns: int
) -> tuple[Workload, LoadWindow | None]:
    """Return the workload with the warm-up that its behaviour needs and what comes behind its window,
    and where that begins.
    """
    if workload.steady_within_ns is None:
        return workload, None
    needed_ns = round(behaviour.warm_up_s) * SECOND_NS
    start_ns = min(needed_ns, workload.steady_within_ns)
    load_ns = start_ns + workload.duration_ns + late_look_ns
    lasting = {"duration_ns": load_ns, "steady_within_ns": None}
    return workload.model_copy(update=lasting), LoadWindow(
        start_ns=start_ns, by="command" if start_ns == needed_ns else "at_most"
    )


def intervals_of(
    workload: Workload, behaviour: Behaviour, requests: Requests, *, is_tls: bool = False
) -> Intervals:
    """Return what the intervals of a load hold beside its requests."""
    groups = simulated_groups(workload)
    opened = np.sort(requests.intended_ns) if workload.new_connections else None
    stays = [of_group for each in groups if (of_group := stays_in(each)) is not None]
    return Intervals(
        connections=workload.connections,
        stays=[stay for of_group in stays for stay in of_group] if stays else None,
        limits=behaviour.limits,
        stall_ns=behaviour.stall_ns,
        opened_ns=opened,
        is_tls=is_tls,
    )


def _tell(load: SimulatedLoad, on_progress: LoadProgress) -> None:
    """Tell of every whole second of a load, as the engine does."""
    requests = load.requests
    ok_ns = requests.done_ns[requests.outcome == Outcome.OK]
    for second in range(load.stop.at_ns // SECOND_NS):
        first, behind = np.searchsorted(ok_ns, (second * SECOND_NS, (second + 1) * SECOND_NS))
        on_progress({"event": "progress", "throughput": float(behind - first)})


def _write_samples(path: Path, workload: Workload, load_ns: int) -> int:
    """Write sampled responses, each the body of its request, and return how many there are."""
    lines = [
        _sample(send.as_typed, second * SECOND_NS)
        | {
            "operation": workload.cell(group, send),
            "group": group.group,
            "session": second,
            "step": step,
        }
        for second in range(min(SAMPLED_SECONDS, load_ns // SECOND_NS))
        for group in workload.groups
        for step, send in enumerate(group.operations)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return len(lines)


def _sample(operation: Operation, at_ns: int) -> dict[str, Any]:
    body = operation.body.encode()
    return {
        "operation": operation.operation,
        "at_ns": at_ns,
        "status": operation.check.status or 200,
        "headers": operation.headers,
        "body": b64encode(body).decode(),
        "body_bytes": len(body),
        "truncated": False,
    }


def _held(run: SimulatedRun, *moments: str) -> tuple[CheckFacts, ...]:
    """The quick checks at these moments; none where a service is held by its samples alone."""
    if any(each.by == "samples" for each in run.arm.not_held.values()):
        return ()
    return tuple(
        CheckFacts.model_validate({"when": when, "checked": QUICK_CHECKS, "failed": ()})
        for when in moments
    )


def _faults(run: SimulatedRun, workload: Workload, window: Window) -> tuple[FaultFacts, ...]:
    """Each as if it took no time; nothing comes of them."""
    chosen = run.system.chosen(run.arm.settings)
    found = []
    for fault in workload.faults:
        at_ns, end_ns = window.start_ns + fault.at_ns, window.start_ns + fault.end_ns
        number = len(run.system.instance_names(fault.part, chosen)) + 1
        found.append(
            FaultFacts(
                fault=fault.fault,
                part=fault.part,
                process=f"{fault.part}.{number}" if fault.fault == "add" else None,
                began_ns=at_ns,
                done_ns=at_ns,
                ended_ns=None if fault.for_ns is None else end_ns,
            )
        )
    return tuple(each for each in found if each.began_ns < window.end_ns)


def _marks(run: SimulatedRun, first_requests: int | None) -> tuple[MarkFacts, ...]:
    if first_requests is None:
        return ()
    rss_bytes = round(run.behaviour.rss_mib * 2**20 * run.factor)
    chosen = run.system.chosen(run.arm.settings)
    return tuple(
        MarkFacts(
            mark=mark,
            service=name,
            pss_bytes=rss_bytes,
            rss_bytes=rss_bytes,
            charged_bytes=None,
            cpu_ns=run.startup_ns,
            threads=THREADS,
        )
        for mark in marks_of(first_requests)
        for service in run.system.names
        for name in run.system.instance_names(service, chosen)
    )
