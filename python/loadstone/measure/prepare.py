"""Before the first run: build every service choice once and hold it against the whole contract.

Outside the runs, so that a build never heats the machine between two of them. What fails here fails
the runs of the arms that need it, and of no other.
"""

from collections.abc import Mapping
from pathlib import Path

from loadstone.contract.model import CheckResult, Contract
from loadstone.contract.run import run_checks
from loadstone.contract.upstream import RecordingUpstream
from loadstone.deploy.build import Built, build
from loadstone.deploy.confinement.interface import Confine
from loadstone.deploy.deployment import deploy
from loadstone.deploy.placement import Placement
from loadstone.errors import StepFailed
from loadstone.measure.bench import Prepared
from loadstone.measure.progress import Progress
from loadstone.measure.train import train
from loadstone.study.launch import FoundRuntime
from loadstone.study.manifest import Stack, System
from loadstone.study.model import Limits, Plan, Protocol, ServiceChoice


def distinct_choices(plan: Plan) -> tuple[tuple[ServiceChoice, dict[str, Protocol]], ...]:
    """Return every service choice of a plan once, with the legs of the first arm that has it."""
    found: dict[ServiceChoice, dict[str, Protocol]] = {}
    for arm in plan.arms:
        for choice in arm.services:
            found.setdefault(choice, arm.legs)
    return tuple(found.items())


def prepare(
    choice: ServiceChoice,
    legs: Mapping[str, Protocol],
    *,
    system: System,
    stack: Stack,
    runtime: FoundRuntime,
    contract: Contract,
    placement: Placement,
    limits: Limits,
    confine: Confine,
    cache: Path,
    logs: Path,
    progress: Progress,
) -> Prepared:
    """Build one choice and check it. A failure is part of what is returned, never raised."""
    built = None
    try:
        progress.step(f"build {choice.label}")
        built = build(stack, runtime, cache, logs / f"build-{choice.label}.log")
        if runtime.runtime.train is not None:
            progress.step(f"train {choice.label}")
            built = train(
                system,
                stack,
                runtime,
                built,
                contract,
                legs,
                cpus=placement.service,
                limits=limits,
                confine=confine,
                logs=logs / f"train-{choice.label}",
            )
        progress.step(f"check {choice.label} against the contract of {system.system}")
        results = hold(
            system,
            stack,
            runtime,
            built,
            contract,
            legs,
            cpus=placement.service,
            limits=limits,
            confine=confine,
            logs=logs / f"check-{choice.label}",
        )
        failed = [f"{each.clause}: {each.message}" for each in results if each.state == "failed"]
        if failed:
            raise StepFailed("check", "; ".join(failed))
    except StepFailed as failure:
        return Prepared(choice, stack, runtime, built, failure)
    return Prepared(choice, stack, runtime, built)


def hold(
    system: System,
    stack: Stack,
    runtime: FoundRuntime,
    built: Built,
    contract: Contract,
    legs: Mapping[str, Protocol],
    *,
    cpus: tuple[int, ...],
    limits: Limits,
    confine: Confine,
    logs: Path,
) -> tuple[CheckResult, ...]:
    """Start a built stack against a recording upstream and return the result of every check.

    Raises StepFailed when it does not start.
    """
    service = system.service
    with (
        RecordingUpstream() as upstream,
        deploy(
            service,
            runtime.run_command(stack),
            built,
            runtime=runtime,
            dependency_urls=dict.fromkeys(service.needs, upstream.url),
            legs=legs,
            cpus=cpus,
            limits=limits,
            confine=confine,
            logs=logs,
        ) as deployment,
    ):
        return run_checks(
            contract, deployment.base_url, upstream, quick_only=False, budget_seconds=None
        )
