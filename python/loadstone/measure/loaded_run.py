"""The measured part of a run under load: the contract is held before it, after it, and over what was
sampled in it.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from loadstone.contract.run import in_short, refuse_broken_checks, run_checks
from loadstone.contract.samples import check_samples
from loadstone.errors import StepFailed
from loadstone.measure.bench import Bench
from loadstone.measure.engine_plan import engine_plan, options_for
from loadstone.measure.load import LoadProgress, offer_load
from loadstone.measure.observed import Observed, probe_facts
from loadstone.measure.under_test import UnderTest
from loadstone.measure.window import window_of
from loadstone.results import folder
from loadstone.results.record import CheckFacts
from loadstone.study.values.manifest import CLIENT_LEG
from loadstone.study.values.model import PlannedRun, Workload

CHECK_BUDGET_SECONDS = 1.0
"""Of the part of the contract that is held in every run, before and after the load: no check is begun
behind it.
"""
QUICK_CHECK_SECONDS = 5.0
"""For one of these checks: what is quick takes milliseconds, and in a JVM that was just started tenths
of a second; longer, and the service hangs.
"""


def load_and_check(
    bench: Bench,
    planned: PlannedRun,
    workload: Workload,
    deployment: UnderTest,
    directory: Path,
    observed: Observed,
    load_progress: LoadProgress,
    on_poll: Callable[[], None] = lambda: None,
) -> None:
    """Load a deployed arm as planned, into `observed`. Raises StepFailed.

    `on_poll` is called again and again while the load lasts.
    """
    hold_quickly(bench, planned, deployment, observed, "before")
    with observed.phase("reset"):
        deployment.reset()
    with observed.phase("load"):
        _load(bench, planned, workload, deployment, directory, observed, load_progress, on_poll)
    hold_quickly(bench, planned, deployment, observed, "after")
    with observed.phase("check"):
        samples = check_samples(bench.contract, directory / folder.SAMPLES, workload.session)
        observed.checks.append(
            CheckFacts(when="samples", checked=samples.checked, failed=samples.failed)
        )


def hold_quickly(
    bench: Bench,
    planned: PlannedRun,
    deployment: UnderTest,
    observed: Observed,
    when: Literal["before", "after"],
) -> None:
    """Hold the quick part of the contract.

    Raises StepFailed('check') where it fails before a load, and where a check is broken.
    """
    with observed.phase("check"):
        results = run_checks(
            bench.contract,
            deployment.base_url,
            None,
            quick_only=True,
            budget_seconds=CHECK_BUDGET_SECONDS,
            check_seconds=QUICK_CHECK_SECONDS,
            legs=bench.arm_of(planned).legs,
            authority=deployment.authority,
            operations=bench.operations_of(planned),
            deviates=bench.deviates_in(planned),
        )
    refuse_broken_checks(results)
    failed = tuple(
        f"{result.clause}: {result.message}" for result in results if result.state == "failed"
    )
    checked = sum(result.state != "skipped" for result in results)
    observed.checks.append(CheckFacts(when=when, checked=checked, failed=failed))
    if failed:
        deployment.refuse_ended("check", "when it was checked")
    if failed and when == "before":
        raise StepFailed("check", in_short(failed), deployment.log_tail())


def _load(
    bench: Bench,
    planned: PlannedRun,
    workload: Workload,
    deployment: UnderTest,
    directory: Path,
    observed: Observed,
    load_progress: LoadProgress,
    on_poll: Callable[[], None],
) -> None:
    """Load, and keep what was seen. Raises StepFailed('load'), also when a process ends in it."""

    def watch() -> None:
        on_poll()
        deployment.refuse_ended("load", "in mid-load")

    cpus = bench.placement.bench
    plan = engine_plan(
        workload,
        url=deployment.base_url,
        protocol=bench.arm_of(planned).legs[CLIENT_LEG].of_the_lab,
        allowed=bench.plan.allow_target,
        cpus=cpus[:1],  # on the smallest machine one CPU carries engine, backend and probe
        seed=planned.seed,
        options=options_for(deployment.authority),
    )
    loaded = offer_load(
        plan,
        directory,
        cpus,
        (*observed.processes, probe_facts(cpus)),
        confined=deployment.confined,
        on_progress=load_progress,
        watch=watch,
    )
    observed.processes = list(loaded.processes)
    observed.load = loaded.load
    if loaded.load.stop.reason == "signal":
        raise StepFailed("load", "a signal stopped the engine before the load had ended")
    observed.window = window_of(loaded, directory, workload.warm_up_ns)
    observed.resources = loaded.resources(observed.window)
    observed.cpus = loaded.cpu_busy(observed.window)
    observed.machine = loaded.machine(observed.window)
    observed.probe = loaded.probe
