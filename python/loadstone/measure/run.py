"""One run: deploy, start-up clock, check, load with probe, check, tear down, and the record of it
all.

What fails inside a run fails that run alone. Whatever was observed until then is in its record.
"""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from loadstone.contract.model import Contract
from loadstone.contract.run import run_checks
from loadstone.contract.samples import check_samples
from loadstone.deploy.build import Built
from loadstone.deploy.confinement.interface import Confine
from loadstone.deploy.dependency import Dependency, start_dependency
from loadstone.deploy.deployment import Deployment, deploy
from loadstone.deploy.placement import Placement
from loadstone.errors import Interrupted, StepFailed
from loadstone.measure.engine_plan import engine_plan
from loadstone.measure.load import LoadProgress, offer_load
from loadstone.measure.runtime_figures.collect import collect_runtime_figures
from loadstone.results import folder
from loadstone.results.record import (
    CheckFacts,
    CpuBusy,
    Failure,
    LoadFacts,
    ProcessFacts,
    ResourceFacts,
    RunIdentity,
    RunRecord,
    Window,
    now_utc,
)
from loadstone.results.write import write_text
from loadstone.study.launch import FoundRuntime
from loadstone.study.manifest import CLIENT_LEG, Stack, System
from loadstone.study.model import Arm, Limits, Plan, PlannedRun, ServiceChoice, Workload

CHECK_BUDGET_SECONDS = 1.0
"""Of the part of the contract that is held in every run, before and after the load."""


@dataclass(frozen=True)
class Prepared:
    """One service choice, built and held against the whole contract; or the reason why it is
    neither.
    """

    choice: ServiceChoice
    stack: Stack
    runtime: FoundRuntime
    built: Built | None
    failure: StepFailed | None = None


@dataclass(frozen=True)
class Bench:
    """What all runs of a study share."""

    plan: Plan
    system: System
    contract: Contract
    placement: Placement
    confine: Confine
    prepared: dict[ServiceChoice, Prepared]
    versions: dict[str, str]

    def arm_of(self, planned: PlannedRun) -> Arm:
        """The arm that a run is of."""
        return next(arm for arm in self.plan.arms if arm.id == planned.arm)

    def limits_of(self, service: str) -> Limits:
        """What a service may use at most."""
        return self.plan.limits.get(service, Limits())

    def workload_of(self, planned: PlannedRun) -> Workload:
        """The workload that a run is under."""
        return next(load for load in self.plan.workloads if load.workload == planned.workload)


@dataclass
class _Observed:
    """Facts of a run, growing while it goes on."""

    phases_ns: dict[str, int] = field(default_factory=dict)
    processes: list[ProcessFacts] = field(default_factory=list)
    checks: list[CheckFacts] = field(default_factory=list)
    load: LoadFacts | None = None
    window: Window | None = None
    resources: dict[str, ResourceFacts] = field(default_factory=dict)
    cpus: tuple[CpuBusy, ...] = ()

    def see_confinement(self, deployment: Deployment) -> None:
        """Keep what the kernel has counted of the service until now."""
        facts = deployment.confinement_facts()
        self.processes = [
            each.model_copy(update={"confinement": facts}) if each.role == "service" else each
            for each in self.processes
        ]

    def see_runtime(self, prepared: Prepared, deployment: Deployment, logs: Path) -> None:
        """Keep what the service's runtime tells of itself; a JVM is made to collect its heap."""
        window = None
        if self.load is not None and self.window is not None:
            began_ns = self.load.started_unix_ns
            window = began_ns + self.window.start_ns, began_ns + self.window.end_ns
        figures = collect_runtime_figures(prepared.runtime, deployment.child, logs, window)
        self.processes = [
            each.model_copy(update={"runtime_figures": figures}) if each.role == "service" else each
            for each in self.processes
        ]

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Add the wall time of the block to a phase."""
        began = time.monotonic_ns()
        try:
            yield
        finally:
            self.phases_ns[name] = self.phases_ns.get(name, 0) + time.monotonic_ns() - began


def measure_run(
    bench: Bench, planned: PlannedRun, directory: Path, load_progress: LoadProgress
) -> RunRecord:
    """Do one planned run and write its record into `directory`.

    A failed step gives a record of status failed. On Interrupted the record says so, and the
    exception goes on.
    """
    directory.mkdir(parents=True, exist_ok=True)
    observed = _Observed()
    started_at = now_utc()

    def finish(
        status: Literal["completed", "failed", "interrupted"], failure: StepFailed | None = None
    ) -> RunRecord:
        record = _record(bench, planned, observed, status, failure, started_at)
        write_text(directory / folder.RECORD, record.model_dump_json(indent=1))
        return record

    try:
        _run(bench, planned, directory, observed, load_progress)
    except StepFailed as failure:
        return finish("failed", failure)
    except Interrupted:
        finish("interrupted")
        raise
    return finish("completed")


def _run(
    bench: Bench,
    planned: PlannedRun,
    directory: Path,
    observed: _Observed,
    load_progress: LoadProgress,
) -> None:
    arm = bench.arm_of(planned)
    workload = bench.workload_of(planned)
    prepared = bench.prepared[arm.services[0]]
    if prepared.failure is not None or prepared.built is None:
        raise prepared.failure or StepFailed("build", "there is no build")
    logs = directory / folder.LOGS
    with ExitStack() as tear_down:
        with observed.phase("deploy"):
            dependencies = [
                _enter_dependency(tear_down, name, bench, logs)
                for name in bench.system.service.needs
            ]
            observed.processes += [_dependency_facts(dependency) for dependency in dependencies]
            deployment = tear_down.enter_context(
                deploy(
                    bench.system.service,
                    prepared.runtime.run_command(prepared.stack),
                    prepared.built,
                    runtime=prepared.runtime,
                    dependency_urls={
                        dependency.name: dependency.url for dependency in dependencies
                    },
                    legs=arm.legs,
                    cpus=bench.placement.service,
                    limits=bench.limits_of(bench.system.service.service),
                    confine=bench.confine,
                    logs=logs,
                )
            )
            observed.processes.append(_service_facts(arm.services[0], prepared, deployment))
            tear_down.callback(observed.see_confinement, deployment)
        _check(bench, deployment, observed, "before")
        with observed.phase("load"):
            _load(
                bench,
                planned,
                workload,
                deployment,
                directory,
                observed,
                load_progress,
            )
        _check(bench, deployment, observed, "after")
        with observed.phase("check"):
            samples = check_samples(bench.contract, directory / folder.SAMPLES, workload.session)
            observed.checks.append(
                CheckFacts(when="samples", checked=samples.checked, failed=samples.failed)
            )
        with observed.phase("runtime figures"):
            observed.see_runtime(prepared, deployment, logs)
        began = time.monotonic_ns()
    observed.phases_ns["teardown"] = time.monotonic_ns() - began


def _enter_dependency(tear_down: ExitStack, name: str, bench: Bench, logs: Path) -> Dependency:
    dependency = start_dependency(
        name, bench.system.dependencies[name], cpus=bench.placement.bench, logs=logs
    )
    tear_down.callback(dependency.stop)
    return dependency


def _check(
    bench: Bench, deployment: Deployment, observed: _Observed, when: Literal["before", "after"]
) -> None:
    with observed.phase("check"):
        results = run_checks(
            bench.contract,
            deployment.base_url,
            None,
            quick_only=True,
            budget_seconds=CHECK_BUDGET_SECONDS,
        )
    failed = tuple(
        f"{result.clause}: {result.message}" for result in results if result.state == "failed"
    )
    checked = sum(result.state != "skipped" for result in results)
    observed.checks.append(CheckFacts(when=when, checked=checked, failed=failed))
    if failed and when == "before":
        raise StepFailed("check", "; ".join(failed), deployment.child.log_tail())


def _load(
    bench: Bench,
    planned: PlannedRun,
    workload: Workload,
    deployment: Deployment,
    directory: Path,
    observed: _Observed,
    load_progress: LoadProgress,
) -> None:
    """Load, and keep what was seen. Raises StepFailed('load'), also when the service ends in it."""

    def watch() -> None:
        ending = deployment.ending()
        if ending is not None:
            raise StepFailed(
                "load",
                f"{deployment.child.name} {ending} in mid-load",
                deployment.child.log_tail(),
            )

    cpus = bench.placement.bench
    plan = engine_plan(
        workload,
        url=deployment.base_url,
        protocol=bench.arm_of(planned).legs[CLIENT_LEG],
        allowed=bench.plan.allow_target,
        cpus=cpus[:1],  # on the smallest machine one CPU carries engine, backend and probe
        seed=planned.seed,
    )
    probe = ProcessFacts(
        role="probe", name="probe", command="loadstone", pid=os.getpid(), cpus=cpus
    )
    loaded = offer_load(
        plan,
        directory,
        cpus,
        (*observed.processes, probe),
        confined={deployment.child.name: deployment.confinement},
        on_progress=load_progress,
        watch=watch,
    )
    observed.processes = list(loaded.processes)
    observed.load = loaded.load
    if loaded.load.stop.reason == "signal":
        raise StepFailed("load", "a signal stopped the engine before the load had ended")
    observed.window = loaded.window(workload.warm_up_ns)
    observed.resources = loaded.resources(observed.window)
    observed.cpus = loaded.cpu_busy(observed.window)


def _dependency_facts(dependency: Dependency) -> ProcessFacts:
    return ProcessFacts(
        role="dependency",
        name=dependency.name,
        command=dependency.child.command,
        pid=dependency.child.pid,
        cpus=dependency.child.cpus(),
    )


def _service_facts(
    choice: ServiceChoice, prepared: Prepared, deployment: Deployment
) -> ProcessFacts:
    return ProcessFacts(
        role="service",
        name=choice.service,
        stack=choice.stack,
        runtime=choice.runtime,
        runtime_version=prepared.runtime.version,
        label=choice.label,
        command=deployment.child.command,
        pid=deployment.child.pid,
        cpus=deployment.child.cpus(),
        build=None if prepared.built is None else prepared.built.facts,
        confinement=deployment.confinement_facts(),
        startup=deployment.startup,
    )


def _record(
    bench: Bench,
    planned: PlannedRun,
    observed: _Observed,
    status: Literal["completed", "failed", "interrupted"],
    failure: StepFailed | None,
    started_at: str,
) -> RunRecord:
    load = observed.load
    workload = bench.workload_of(planned)
    return RunRecord(
        run=RunIdentity(
            index=planned.index,
            id=planned.id,
            study=bench.plan.study,
            arm=planned.arm,
            factors=bench.arm_of(planned).factors,
            workload=planned.workload,
            block=planned.block,
            seed=planned.seed,
        ),
        status=status,
        failure=None
        if failure is None
        else Failure(step=failure.step, reason=failure.reason, log_tail=failure.log_tail),
        started_at=started_at,
        finished_at=now_utc(),
        phases_ns=observed.phases_ns,
        outcomes={} if load is None else load.outcomes,
        operations={} if load is None else load.operations,
        arrivals=workload.arrivals,
        think=workload.think,
        load=load,
        window=observed.window,
        processes=tuple(observed.processes),
        resources=observed.resources,
        cpus=observed.cpus,
        checks=tuple(observed.checks),
        versions=bench.versions,
    )
