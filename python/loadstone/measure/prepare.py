"""Before the first run: build every service choice once and hold it against the whole contract.

Outside the runs, so that a build never heats the machine between two of them. What fails here fails
the runs of the arms that need it, and of no other. A team's own service is built by the team; one that
is running already is only asked for what has no side effects, since nothing of it can be reset.
"""

from collections.abc import Mapping
from pathlib import Path

from loadstone.contract.model import CheckResult, Contract
from loadstone.contract.run import in_short, run_checks
from loadstone.contract.upstream import RecordingUpstream
from loadstone.deploy.attached import attach
from loadstone.deploy.build import Built
from loadstone.deploy.confinement.interface import Confine
from loadstone.deploy.deployment import Launch, deploy
from loadstone.deploy.placement import Placement
from loadstone.errors import StepFailed
from loadstone.measure.bench import Prepared
from loadstone.measure.progress import Progress
from loadstone.measure.sources import StackSource
from loadstone.measure.train import build_and_train
from loadstone.study.manifest import System
from loadstone.study.model import Limits, Plan, Protocol
from loadstone.study.service_choice import OwnAddress, OwnCommand, ServiceChoice


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
    source: StackSource | None,
    contract: Contract,
    placement: Placement,
    limits: Limits,
    allowed: tuple[str, ...],
    confine: Confine,
    cache: Path,
    logs: Path,
    progress: Progress,
) -> Prepared:
    """Build one choice and check it. A failure is part of what is returned, never raised.

    `source` is a stack's. Raises TargetRefused for an address that is not in `allowed`.
    """
    launch = built = None
    try:
        if source is not None:
            built = build_and_train(
                system,
                source.stack,
                source.runtime,
                contract,
                legs,
                cpus=placement.service,
                limits=limits,
                confine=confine,
                cache=cache,
                logs=logs / f"build-{choice.label}",
                say=lambda step: progress.step(f"{step} {choice.label}"),
            )
        launch = _launch(choice, source, built)
        progress.step(f"check {choice.label} against the contract of {system.system}")
        if isinstance(choice, OwnAddress):
            results = _hold_running(choice, system, contract, allowed)
        else:
            assert launch is not None
            results = hold(
                system,
                launch,
                contract,
                legs,
                cpus=placement.service,
                limits=limits,
                confine=confine,
                logs=logs / f"check-{choice.label}",
            )
        failed = [f"{each.clause}: {each.message}" for each in results if each.state == "failed"]
        if failed:
            raise StepFailed("check", in_short(failed))
    except StepFailed as failure:
        return Prepared(launch, built, failure)
    return Prepared(launch, built)


def _launch(
    choice: ServiceChoice, source: StackSource | None, built: Built | None
) -> Launch | None:
    if isinstance(choice, OwnCommand):
        return Launch(choice.command, choice.directory)
    if source is None or built is None:
        return None
    stack, runtime = source.stack, source.runtime
    return Launch(runtime.run_command(stack), built.directory, runtime, stack.claim)


def _hold_running(
    choice: OwnAddress, system: System, contract: Contract, allowed: tuple[str, ...]
) -> tuple[CheckResult, ...]:
    attach(choice, system.service, allowed)
    return run_checks(contract, choice.url, None, quick_only=True, budget_seconds=None)


def hold(
    system: System,
    launch: Launch,
    contract: Contract,
    legs: Mapping[str, Protocol],
    *,
    cpus: tuple[int, ...],
    limits: Limits,
    confine: Confine,
    logs: Path,
) -> tuple[CheckResult, ...]:
    """Start a service against a recording upstream and return the result of every check.

    Raises StepFailed when it does not start, or ends by itself.
    """
    service = system.service
    with (
        RecordingUpstream() as upstream,
        deploy(
            service,
            launch,
            dependency_urls=dict.fromkeys(service.needs, upstream.url),
            legs=legs,
            cpus=cpus,
            limits=limits,
            confine=confine,
            logs=logs,
        ) as deployment,
    ):
        results = run_checks(
            contract, deployment.base_url, upstream, quick_only=False, budget_seconds=None
        )
        deployment.refuse_ended("check", "while it was held against the contract")
        return results
