"""A load between two holds of the contract's quick part, and what was sampled in it held, too."""

from collections.abc import Callable
from typing import Literal

from loadstone.contract.run import in_short, refuse_broken_checks, run_checks
from loadstone.contract.samples import check_samples
from loadstone.deploy.deployed_system import DeployedSystem
from loadstone.deploy.deployment import Deployment
from loadstone.deploy.faults import FaultHands
from loadstone.errors import StepFailed
from loadstone.measure.loading.faults import Faults
from loadstone.measure.loading.giving_way import giving_way
from loadstone.measure.loading.window import window_of
from loadstone.measure.offered import offered
from loadstone.measure.prepare.prepared import (
    by_samples_alone,
    contract_of,
    deviations_of,
    operations_of,
)
from loadstone.measure.prepare.whole_contract import legs_at
from loadstone.measure.process_facts import service_facts
from loadstone.measure.run_context import RunContext
from loadstone.measure.system_under_test import SystemUnderTest
from loadstone.measure.warming import warm
from loadstone.results import folder
from loadstone.results.engine_summary import EngineSummary
from loadstone.results.record import CheckFacts, ProcessFacts
from loadstone.study.values.model import Workload

CHECK_BUDGET_SECONDS = 1.0
"""Of the part of the contract that is held in every run, before and after the load: no check is begun
behind it.
"""
QUICK_CHECK_SECONDS = 5.0
"""For one of these checks: what is quick takes milliseconds, and in a JVM that was just started tenths
of a second; longer, and the service hangs.
"""


def load_and_check(
    run: RunContext,
    workload: Workload,
    system: SystemUnderTest,
    on_poll: Callable[[], None] = lambda: None,
    *,
    is_reset: bool = True,
) -> None:
    """Load the system of a run as planned. Raises StepFailed.

    `on_poll` is called again and again while the load lasts. Without `is_reset` it finds the data as
    it is.
    """
    hold_quickly(run, system, "before")
    if workload.warmed_within_ns is not None:
        with run.facts.phase("warming"):
            run.facts.warmed = warm(run, workload, system, on_poll)
    if is_reset:
        with run.facts.phase("reset"):
            system.reset()
            run.facts.see_leaders(system.leaders())
    with run.facts.phase("load"):
        before = system.read_counts()
        _load(run, workload, system, on_poll)
        # A server that was started anew counts from 0.
        anew = {each.part for each in run.facts.faults if each.fault == "stop"}
        after = system.read_counts()
        run.facts.see_work(before, {name: after[name] for name in after if name not in anew})
    hold_quickly(run, system, "after")
    with run.facts.phase("check"):
        window = run.facts.window
        samples = check_samples(
            contract_of(run.study.contract, run.held_to),
            run.directory / folder.SAMPLES,
            workload.sampled,
            before_ns=window.end_ns if window is not None and window.late_look_ns else None,
            deviates=_deviates(run),
        )
        run.facts.checks.append(
            CheckFacts(
                when="samples",
                checked=samples.checked,
                failed=samples.failed,
                not_held=samples.not_held,
                deviated=samples.deviated,
            )
        )


def hold_quickly(
    run: RunContext, system: SystemUnderTest, when: Literal["before", "after"]
) -> None:
    """Hold the quick part of the contract; nothing where a service is held by its samples alone.

    Raises StepFailed('check') where it fails before a load, and where a check is broken.
    """
    if by_samples_alone(run.held_to):
        return
    with run.facts.phase("check"):
        results = run_checks(
            contract_of(run.study.contract, run.held_to),
            system.base_url,
            None,
            quick_only=True,
            budget_seconds=CHECK_BUDGET_SECONDS,
            check_seconds=QUICK_CHECK_SECONDS,
            legs=legs_at(run.study.system, run.arm.legs, run.study.system.entry),
            authority=system.authority,
            operations=operations_of(run.held_to),
            deviates=_deviates(run),
        )
    refuse_broken_checks(results)
    failed = tuple(
        f"{result.clause}: {result.message}" for result in results if result.state == "failed"
    )
    checked = sum(result.state != "skipped" for result in results)
    deviated = sum(result.state == "deviates" for result in results)
    run.facts.checks.append(
        CheckFacts(when=when, checked=checked, failed=failed, deviated=deviated)
    )
    if failed:
        system.refuse_ended("check", "when it was checked")
    if failed and when == "before":
        raise StepFailed("check", in_short(failed), system.log_tail())


def _deviates(run: RunContext) -> list[str]:
    """The clauses that its services are known not to hold over its legs."""
    return [each.clause for each in deviations_of(run.held_to, run.arm.legs)]


def _load(
    run: RunContext, workload: Workload, system: SystemUnderTest, on_poll: Callable[[], None]
) -> None:
    """Load, and keep what was seen. Raises StepFailed('load'), also when a process ends in it."""
    facts = run.facts

    def watch() -> None:
        on_poll()
        system.refuse_ended("load", "in mid-load")

    def keep(summary: EngineSummary) -> None:
        facts.load = summary

    faults = _faults(run, workload, system)
    if workload.is_open and run.study.engines is None:
        facts.processes = list(giving_way(facts.processes))
    loaded = offered(
        run,
        workload,
        system,
        run.directory,
        watch,
        run_id=run.run_id,
        late_look_ns=run.planned.late_look_ns,
        faults=faults,
        keep=keep,
    )
    facts.processes = list(loaded.processes)
    facts.faults = () if faults is None else faults.facts
    if loaded.load.stop.reason == "signal":
        raise StepFailed("load", "a signal stopped the engine before the load had ended")
    facts.window = window_of(loaded, run.directory, workload, run.planned.late_look_ns)
    facts.resources = loaded.resources(facts.window)
    facts.cpus = loaded.cpu_busy(facts.window)
    facts.machine = loaded.machine(facts.window)
    facts.probe = loaded.probe
    facts.loads = loaded.loads(facts.window)
    facts.network = loaded.network
    facts.beside = loaded.machines_beside(facts.window)


def _faults(run: RunContext, workload: Workload, system: SystemUnderTest) -> Faults | None:
    """What is done to the system in the load; none where nothing is."""
    if not workload.faults:
        return None
    assert isinstance(system, DeployedSystem), "faults of another system are refused with the study"
    choices = {choice.service: choice for choice in run.arm.services}

    def facts_of(deployment: Deployment) -> ProcessFacts:
        service = deployment.service
        return service_facts(choices[service], run.parts[service], deployment, run.logs)

    is_watched = workload.steady_within_ns is not None
    window_start_ns = None if is_watched else workload.warm_up_ns
    return Faults(workload.faults, FaultHands(system), facts_of, window_start_ns)
