"""The training run of a runtime that has one: the whole contract is asked, and the exit leaves a file.

It is part of the build: done once, kept beside the artifact, and never part of a measured start.
"""

import subprocess
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from loadstone.contract.model import Contract
from loadstone.contract.run import run_checks
from loadstone.contract.upstream import RecordingUpstream
from loadstone.deploy.build import Built
from loadstone.deploy.confinement.interface import Confine
from loadstone.deploy.deployment import Launch, deploy
from loadstone.errors import StepFailed
from loadstone.study.launch import FoundRuntime
from loadstone.study.manifest import Stack, System
from loadstone.study.model import Limits, Protocol

EXIT_SECONDS = 120.0
"""The archive is written after SIGTERM; a large application's was seen to take half a minute."""


def train(
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
) -> Built:
    """Train a build, or find it trained; return it with the facts. Raises StepFailed.

    It runs under the arm's limits, which decide about the garbage collector, which the archive is for.
    """
    command, training = runtime.training_command(stack), runtime.runtime.train
    assert command is not None
    assert training is not None
    file = built.directory / training.creates
    began = time.monotonic_ns()
    if not file.is_file():
        _run(command, system, runtime, built, contract, legs, cpus, limits, confine, logs)
        if not file.is_file():
            raise StepFailed("build", f"`{command}` ended and left no {training.creates}")
    facts = built.facts.model_copy(
        update={
            "training_ns": time.monotonic_ns() - began,
            "training_bytes": file.stat().st_size,
        }
    )
    return replace(built, facts=facts)


def _run(
    command: str,
    system: System,
    runtime: FoundRuntime,
    built: Built,
    contract: Contract,
    legs: Mapping[str, Protocol],
    cpus: tuple[int, ...],
    limits: Limits,
    confine: Confine,
    logs: Path,
) -> None:
    with (
        RecordingUpstream() as upstream,
        deploy(
            system.service,
            Launch(command, built.directory, runtime),
            dependency_urls=dict.fromkeys(system.service.needs, upstream.url),
            legs=legs,
            cpus=cpus,
            limits=limits,
            confine=confine,
            logs=logs,
        ) as deployment,
    ):
        run_checks(contract, deployment.base_url, upstream, quick_only=False, budget_seconds=None)
        deployment.refuse_ended("build", "in its training run")
        deployment.child.terminate()
        try:
            deployment.child.process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            raise StepFailed(
                "build",
                f"the training run `{command}` did not end within {EXIT_SECONDS:g} s of SIGTERM",
                deployment.child.log_tail(),
            ) from None
